//! The searches that judge moves: in discs for Othello, in chances of winning for Gomoku.
//!
//! In Gomoku, a forced win is a win by fours and open threes that alphabeta's solvers prove; other chances come from
//! alphabeta's search. A player who has a forced win at two turns in a row has kept it. If every move of a position
//! leads to a known win of the opponent, the position is lost. Games are judged backwards, since the solvers know most
//! near the end.

use alphabeta::gomoku::Worth as Engine;
use alphabeta::gomoku::analysis::Analyst as GomokuAnalyst;
use alphabeta::othello::analysis::{Analyst, MoveScore};
use alphabeta::othello::notation;
use alphabeta::search::Move as Searched;
use games::gomoku::GomokuBoard;
use games::{Board, Move, Rules, Side, Square};

use super::{Better, GameMoves, JudgedPly, Remark, Settings, Win, Worth};

pub(super) fn othello(
    boards: &[Board],
    played: &GameMoves,
    settings: &Settings,
    tell: &mut dyn FnMut(usize, usize),
) -> Vec<JudgedPly> {
    let mut analyst = analyst(settings);
    let mut judged = Vec::new();
    let all = played.moves.len();
    for ply in (played.given..all).rev() {
        tell(all - ply, all - played.given);
        let (Board::Othello(board), Move::Place(square)) = (&boards[ply], played.moves[ply]) else {
            continue;
        };
        let own = Searched(square.index(board.size()) as u16);
        let verdict = analyst.judge(board.position(), own);
        let cost = verdict.loss();
        judged.push(JudgedPly {
            ply: ply + 1,
            side: board.side_to_move(),
            played: played.moves[ply],
            worth: worth(&verdict.played),
            better: (cost > 0.0).then(|| Better {
                worth: worth(&verdict.best),
                line: line(&verdict.best),
            }),
            cost,
            remark: None,
        });
    }
    judged.reverse();
    judged
}

pub(super) fn analyst(settings: &Settings) -> Analyst {
    Analyst::new(settings.depth, settings.solve_from, settings.hash_mib)
}

pub(super) fn worth(score: &MoveScore) -> Worth {
    if score.exact {
        Worth::ExactDiscs(score.score as i32)
    } else {
        Worth::Discs(score.score)
    }
}

pub(super) fn line(score: &MoveScore) -> Vec<Move> {
    score.line.iter().map(|&played| notation(played)).collect()
}

struct Proven<'a> {
    boards: Vec<&'a GomokuBoard>,
    moves: &'a [Move],
    wins: Vec<Option<Vec<Move>>>,
}

struct KnownWorth {
    worth: Worth,
    /// The expected moves, as far as known; empty if the game is over.
    line: Vec<Move>,
}

pub(super) fn gomoku(
    boards: &[Board],
    played: &GameMoves,
    settings: &Settings,
    tell: &mut dyn FnMut(usize, usize),
) -> Vec<JudgedPly> {
    let analyst = GomokuAnalyst::new(settings.nodes, settings.hash_mib);
    let boards: Vec<&GomokuBoard> = boards.iter().filter_map(as_gomoku).collect();
    let (from, all) = (played.given, played.moves.len());
    let work = 2 * (all - from);
    let mut done = 0;
    let mut step = || {
        done += 1;
        tell(done.min(work), work);
    };
    let wins = boards.iter().enumerate().map(|(ply, board)| {
        if ply < from {
            return None;
        }
        step();
        analyst.win(board).map(moves)
    });
    let mut game = Proven {
        wins: wins.collect(),
        boards,
        moves: &played.moves,
    };
    let mut judged = Vec::new();
    let mut after = game.known(&analyst, all);
    for ply in (from..all).rev() {
        step();
        let (now, one) = game.turn(&analyst, ply, &after);
        judged.push(one);
        after = now;
    }
    judged.reverse();
    judged
}

impl Proven<'_> {
    fn is_kept(&self, ply: usize) -> bool {
        let Some(win) = &self.wins[ply] else {
            return false;
        };
        let next = self.wins.get(ply + 2).is_some_and(Option::is_some);
        let side = self.boards[ply].side_to_move();
        let ended = self.boards[ply + 1].ending();
        win.first() == self.moves.get(ply)
            || next
            || ended.is_some_and(|end| end.winner == Some(side))
    }

    fn known(&self, analyst: &GomokuAnalyst, ply: usize) -> KnownWorth {
        let board = self.boards[ply];
        if let Some(ending) = board.ending() {
            let worth = ended(ending.winner, board.side_to_move());
            let line = Vec::new();
            return KnownWorth { worth, line };
        }
        if let Some(win) = &self.wins[ply] {
            let (worth, line) = (Worth::Wins(win.len()), win.clone());
            return KnownWorth { worth, line };
        }
        // If the opponent had a forced win and kept it, every move here loses.
        if let Some(win) = ply.checked_sub(1).and_then(|before| {
            let win = self.wins[before].as_ref()?;
            self.is_kept(before).then_some(win)
        }) {
            return KnownWorth {
                worth: Worth::Loses(win.len() - 1),
                line: Vec::new(),
            };
        }
        let (worth, line) = analyst.search(board);
        KnownWorth {
            worth: of_engine(worth),
            line: moves(line),
        }
    }

    /// Judges half-move `ply`. `after` is the value of the position after it; also returns the value before it.
    fn turn(
        &mut self,
        analyst: &GomokuAnalyst,
        ply: usize,
        after: &KnownWorth,
    ) -> (KnownWorth, JudgedPly) {
        let (board, played) = (self.boards[ply], self.moves[ply]);
        let mut now = self.known(analyst, ply);
        if let (Worth::Wins(_), None) = (now.worth, &self.wins[ply]) {
            // The search has proven a win that the solvers did not find.
            self.wins[ply] = Some(now.line.clone());
        }
        let mut worth = opposite(after.worth);
        let mut remark = None;
        match (now.worth, worth) {
            (Worth::Wins(plies), _) if self.is_kept(ply) => worth = Worth::Wins(plies),
            (Worth::Wins(_), Worth::Wins(_)) => {}
            (Worth::Wins(plies), _) => {
                let line = now.line.clone();
                remark = Some(Remark::MissedWin(Win { plies, line }));
            }
            (Worth::Loses(_), _) => {
                remark = Some(Remark::Lost);
                worth = now.worth;
            }
            (_, Worth::Loses(plies)) => {
                let hoped = now.line.first().and_then(|hoped| hoped.square());
                match analyst.defence(board, hoped, played.square()) {
                    None => {
                        remark = Some(Remark::Lost);
                        now.worth = Worth::Loses(plies);
                    }
                    Some(defence) => {
                        remark = Some(Remark::AllowedWin(Win {
                            plies: plies - 1,
                            line: after.line.clone(),
                        }));
                        if Some(defence) != hoped {
                            now.line = vec![Move::Place(defence)];
                        }
                    }
                }
            }
            _ => {}
        }
        if matches!(worth, Worth::Wins(_)) && !matches!(now.worth, Worth::Wins(_)) {
            // The search did not see that this move wins. Stores the win, so that earlier moves are judged with it.
            now.worth = worth;
            now.line = std::iter::once(played)
                .chain(after.line.iter().copied())
                .collect();
        }
        let cost = (chance(now.worth) - chance(worth)).max(0.0);
        let better =
            (cost > 0.0 && now.line.first().is_some_and(|best| *best != played)).then(|| Better {
                worth: now.worth,
                line: now.line.clone(),
            });
        let judged = JudgedPly {
            ply: ply + 1,
            side: board.side_to_move(),
            played,
            worth,
            // If no better move is known, the move costs nothing.
            cost: if better.is_some() { cost } else { 0.0 },
            better,
            remark,
        };
        (now, judged)
    }
}

fn as_gomoku(board: &Board) -> Option<&GomokuBoard> {
    match board {
        Board::Gomoku(board) => Some(board),
        _ => None,
    }
}

fn ended(winner: Option<Side>, side: Side) -> Worth {
    match winner {
        None => Worth::Drawn,
        Some(winner) if winner == side => Worth::Wins(0),
        Some(_) => Worth::Loses(0),
    }
}

pub(super) fn of_engine(worth: Engine) -> Worth {
    match worth {
        Engine::Wins(plies) => Worth::Wins(plies as usize),
        Engine::Loses(plies) => Worth::Loses(plies as usize),
        Engine::Score(_) => Worth::Chance(worth.chance()),
    }
}

fn opposite(worth: Worth) -> Worth {
    match worth {
        Worth::Wins(plies) => Worth::Loses(plies + 1),
        Worth::Loses(plies) => Worth::Wins(plies + 1),
        Worth::Chance(chance) => Worth::Chance(1.0 - chance),
        other => other,
    }
}

fn chance(worth: Worth) -> f64 {
    match worth {
        Worth::Wins(_) => 1.0,
        Worth::Loses(_) => 0.0,
        Worth::Chance(chance) => chance,
        _ => 0.5,
    }
}

fn moves(line: Vec<Square>) -> Vec<Move> {
    line.into_iter().map(Move::Place).collect()
}
