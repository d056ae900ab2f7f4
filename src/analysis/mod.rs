//! An analysis of a game: what each move cost, the better move, and the moves that turned the game.
//!
//! [`analyse`] judges every move that a player chose: in Othello in discs, exactly near the end of the game; in Gomoku
//! in chances of winning, with the forced wins that were missed or given away. Start with
//! [`Analysis::turning_points`]; [`moves`] scores every move of one position. This module uses no runs, no files
//! and no clock, so the same game has the same analysis everywhere.

mod judge;
pub mod summary;
pub mod text;

use alphabeta::gomoku::matrix;
use games::{Board, Game, Move, Rules, Scoring, Side};
use referee::record::GameRecord;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Othello: the depth of the search before the end is solved, in plies.
    pub depth: i32,
    /// Othello: a move that leaves at most this many empty squares is judged exactly.
    pub solve_from: u32,
    /// Gomoku: the number of positions searched for each move.
    pub nodes: u64,
    pub hash_mib: usize,
}

impl Settings {
    /// Settings that need a fraction of a second for a game.
    pub const QUICK: Settings = Settings {
        depth: 6,
        solve_from: 14,
        nodes: 5_000,
        hash_mib: 16,
    };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            depth: 14,
            solve_from: 20,
            nodes: 200_000,
            hash_mib: 64,
        }
    }
}

#[derive(Clone, Debug)]
pub struct GameMoves {
    pub start: Board,
    /// All moves, including forced passes.
    pub moves: Vec<Move>,
    /// The number of moves of the opening, which are not judged.
    pub given: usize,
}

impl From<&GameRecord> for GameMoves {
    fn from(record: &GameRecord) -> GameMoves {
        GameMoves {
            start: record.game.without_opening().start(),
            moves: games::counted(record.game, &record.moves()),
            given: record.opening.len(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum NotAnalysed {
    #[error("there is no analysis of {game}")]
    Game { game: &'static str },
    /// All moves belong to the opening, so there is no move to judge.
    #[error("no move was played in this game")]
    NoMove,
    #[error("half-move {ply} cannot be played: {why}")]
    Illegal {
        /// The number of the half-move, from 1.
        ply: usize,
        why: String,
    },
}

impl GameMoves {
    /// Returns the positions before each move, and the last one.
    fn boards(&self) -> Result<Vec<Board>, NotAnalysed> {
        let mut board = self.start.clone();
        let mut boards = vec![board.clone()];
        for (ply, &played) in self.moves.iter().enumerate() {
            let put = if ply < self.given {
                Board::give
            } else {
                Board::play
            };
            put(&mut board, played).map_err(|error| NotAnalysed::Illegal {
                ply: ply + 1,
                why: error.to_string(),
            })?;
            boards.push(board.clone());
        }
        Ok(boards)
    }

    /// Returns the position before half-move `ply`, counted from 0; the last position if `ply` is the number of moves.
    pub fn position(&self, ply: usize) -> Result<Option<Board>, NotAnalysed> {
        Ok(self.boards()?.into_iter().nth(ply))
    }
}

const TURNING_POINTS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// The lead in discs at the end, from a search.
    Discs(f64),
    /// The lead in discs at the end with perfect play of both sides.
    ExactDiscs(i32),
    /// The chance of winning, from 0 to 1; a draw counts half.
    Chance(f64),
    /// The player wins by force in this number of plies.
    Wins(usize),
    /// The opponent wins by force in this number of plies.
    Loses(usize),
    Drawn,
}

impl Worth {
    /// Returns 1 if the player leads, −1 if the opponent leads, and 0 if neither leads or a searched lead is small.
    pub fn lead(self) -> i8 {
        let of = |lead: f64, least: f64| match lead {
            lead if lead >= least => 1,
            lead if lead <= -least => -1,
            _ => 0,
        };
        match self {
            Worth::Discs(discs) => of(discs, 0.5),
            Worth::ExactDiscs(discs) => discs.signum() as i8,
            Worth::Chance(chance) => of(chance - 0.5, 0.1),
            Worth::Wins(_) => 1,
            Worth::Loses(_) => -1,
            Worth::Drawn => 0,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Better {
    pub worth: Worth,
    pub line: Vec<Move>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    pub plies: usize,
    pub line: Vec<Move>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// The player had this forced win, but no forced win at the next turn.
    MissedWin(Win),
    /// The opponent got this forced win, which another move would have prevented.
    AllowedWin(Win),
    /// The opponent already had a forced win after every move.
    Lost,
}

#[derive(Clone, Debug, PartialEq)]
pub struct JudgedPly {
    /// The number of the half-move, from 1 and including the opening.
    pub ply: usize,
    pub side: Side,
    pub played: Move,
    pub worth: Worth,
    pub better: Option<Better>,
    /// The cost in discs in Othello, in chances of winning (0 to 1) in Gomoku; never negative.
    pub cost: f64,
    pub remark: Option<Remark>,
}

impl JudgedPly {
    /// Returns whether this move lost a lead, or made an even position a bad one.
    pub fn turned(&self) -> bool {
        let before = self
            .better
            .as_ref()
            .map_or(self.worth, |better| better.worth);
        before.lead() > self.worth.lead()
    }

    /// Returns whether this move gave away a proven win: a forced win in Gomoku, an exactly solved win in Othello.
    pub fn missed_win(&self) -> bool {
        matches!(self.remark, Some(Remark::MissedWin(_)))
            || self
                .proven()
                .is_some_and(|[best, own]| best > 0 && own <= 0)
    }

    /// Returns the exact leads in discs after the best move and after this move; `None` if they are equal or unknown.
    pub fn proven(&self) -> Option<[i32; 2]> {
        match (self.better.as_ref()?.worth, self.worth) {
            (Worth::ExactDiscs(best), Worth::ExactDiscs(own)) => Some([best, own]),
            _ => None,
        }
    }

    /// Returns whether the move gets `??`: it cost much, or it gave away or allowed a forced win.
    pub fn is_blunder(&self, scoring: Scoring) -> bool {
        let least = match scoring {
            Scoring::Discs => 10.0,
            Scoring::Win => 0.3,
        };
        let remark = self.remark.as_ref();
        let is_forced = |one: &Remark| matches!(one, Remark::MissedWin(_) | Remark::AllowedWin(_));
        remark.is_some_and(is_forced) || self.cost >= least
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    pub game: Game,
    pub plies: Vec<JudgedPly>,
}

impl Analysis {
    /// Returns at most `TURNING_POINTS` costly moves: first the moves that changed the lead, then the costliest moves.
    pub fn turning_points(&self) -> Vec<&JudgedPly> {
        let least = match self.game.scoring() {
            Scoring::Discs => 2.0,
            Scoring::Win => 0.1,
        };
        let mut worst: Vec<&JudgedPly> =
            self.plies.iter().filter(|ply| ply.cost >= least).collect();
        worst.sort_by(|a, b| {
            let by_turn = b.turned().cmp(&a.turned());
            by_turn.then(b.cost.total_cmp(&a.cost))
        });
        worst.truncate(TURNING_POINTS);
        worst
    }

    pub fn wins(&self, side: Side) -> [usize; 2] {
        let own = self.plies.iter().filter(|ply| ply.side == side);
        own.fold([0, 0], |[missed, allowed], ply| match ply.remark {
            Some(Remark::MissedWin(_)) => [missed + 1, allowed],
            Some(Remark::AllowedWin(_)) => [missed, allowed + 1],
            Some(Remark::Lost) | None => [missed, allowed],
        })
    }

    pub fn cost(&self, side: Side) -> f64 {
        let own = self.plies.iter().filter(|ply| ply.side == side);
        own.map(|ply| ply.cost).sum()
    }
}

/// Judges every chosen move of a game. Calls `tell` with the number of finished steps and the number of all steps.
pub fn analyse(
    played: &GameMoves,
    settings: &Settings,
    tell: &mut dyn FnMut(usize, usize),
) -> Result<Analysis, NotAnalysed> {
    let boards = played.boards()?;
    if played.moves.len() <= played.given {
        return Err(NotAnalysed::NoMove);
    }
    let plies = match &played.start {
        Board::Othello(_) => judge::othello(&boards, played, settings, tell),
        Board::Gomoku(_) => judge::gomoku(&boards, played, settings, tell),
        Board::Other(game, _) => return Err(NotAnalysed::Game { game: game.name() }),
    };
    Ok(Analysis {
        game: played.start.game(),
        plies,
    })
}

/// The depth of the search after each move of Gomoku, in plies.
const DEPTH: i32 = 8;

#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    pub played: Move,
    pub worth: Worth,
    /// The move, and the expected moves after it as far as known.
    pub line: Vec<Move>,
}

/// Scores the legal moves (in Gomoku, those that the engine considers), best first. Empty at a pass and at the end.
pub fn moves(board: &Board, settings: &Settings) -> Result<Vec<Scored>, NotAnalysed> {
    match board {
        Board::Othello(board) => {
            let scores = judge::analyst(settings).moves(board.position());
            let scored = scores.iter().map(|one| {
                let line = judge::line(one);
                Scored {
                    played: line[0],
                    worth: judge::worth(one),
                    line,
                }
            });
            Ok(scored.collect())
        }
        Board::Gomoku(board) => {
            let worths = matrix(board, DEPTH).into_iter();
            let scored = worths.map(|(square, worth)| Scored {
                played: Move::Place(square),
                worth: judge::of_engine(worth),
                line: vec![Move::Place(square)],
            });
            Ok(scored.collect())
        }
        Board::Other(game, _) => Err(NotAnalysed::Game { game: game.name() }),
    }
}
