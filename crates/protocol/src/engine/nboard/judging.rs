//! What several positions are worth: those after each move for `hint`, all of a game for `analyze`.
//!
//! The bot is asked for a move in each, and its score is taken; a game that has ended is counted.

use games::formats::SavedGame;
use games::{Board, Move, Rules, Side};

use super::super::dialect::{Answer, Ask};
use super::words;
use crate::Start;

/// Positions to judge, and what is known so far.
pub(super) struct Judging {
    /// Still to be judged, the last first.
    left: Vec<Subject>,
    /// The one that the bot is being asked about, and the side that it is asked for.
    asked: Option<(Subject, Side)>,
    judged: Vec<Judged>,
    /// How many judgements are expected.
    wanted: usize,
}

struct Subject {
    of: Of,
    board: Board,
    moves: Vec<Move>,
}

#[derive(Clone, Copy)]
enum Of {
    /// The position after a move of this side.
    Hint(Move, Side),
    /// The position after so many moves.
    Game(usize),
}

struct Judged {
    of: Of,
    /// Discs for black.
    worth: f64,
    depth: u32,
    line: Vec<String>,
}

impl Judging {
    /// The moves other than `best`, of which `wanted` are to be told.
    pub(super) fn of_moves(game: &SavedGame, best: Move, wanted: usize) -> Judging {
        let board = game.board();
        let side = board.side_to_move();
        let others = board.legal_moves().into_iter();
        let after = |played| {
            let (mut board, mut moves) = (board.clone(), game.plies().collect::<Vec<_>>());
            board.play(played).ok()?;
            moves.push(played);
            let of = Of::Hint(played, side);
            Some(Subject { of, board, moves })
        };
        let left = others.filter(|&played| played != best && wanted > 0);
        Judging::new(left.filter_map(after).collect(), wanted)
    }

    /// Every position of a game, to be judged from its end.
    pub(super) fn of_game(game: &SavedGame) -> Judging {
        let mut board = game.start.clone();
        let mut subjects = Vec::new();
        let plies: Vec<_> = game.plies().collect();
        for number in 0..=plies.len() {
            subjects.push(Subject {
                of: Of::Game(number),
                board: board.clone(),
                moves: plies[..number].to_vec(),
            });
            if let Some(&played) = plies.get(number) {
                board.play(played).expect("a saved game is legal");
            }
        }
        let wanted = subjects.len();
        Judging::new(subjects, wanted)
    }

    fn new(left: Vec<Subject>, wanted: usize) -> Judging {
        Judging {
            left,
            asked: None,
            judged: Vec::new(),
            wanted,
        }
    }

    /// The next question; `None` when all is judged.
    pub(super) fn next(&mut self) -> Option<Ask> {
        while let Some(mut subject) = self.left.pop() {
            if let Some(ending) = subject.board.ending() {
                let board = &subject.board;
                let margin = board.game().margin(board.counts(), ending.winner);
                let worth = margin.unwrap_or_default().into();
                self.judged.push(Judged {
                    of: subject.of,
                    worth,
                    depth: 0,
                    line: Vec::new(),
                });
                continue;
            }
            if subject.board.must_pass() {
                subject.board.play(Move::Pass).expect("it is forced");
                subject.moves.push(Move::Pass);
            }
            let ask = unhurried(subject.board.clone(), subject.moves.clone());
            self.asked = Some((subject, ask.start.you));
            return Some(ask);
        }
        None
    }

    /// Takes the bot's answer to the last question.
    pub(super) fn answer(&mut self, answer: &Answer) {
        let Some((subject, side)) = self.asked.take() else {
            return;
        };
        let thought = answer.thought.clone().unwrap_or_default();
        self.judged.push(Judged {
            of: subject.of,
            worth: for_black(side, thought.score.unwrap_or_default()),
            depth: thought.depth.unwrap_or_default(),
            line: thought.pv,
        });
    }

    /// What is to be told of all: the best moves first, or the game from its end.
    pub(super) fn verdicts(&mut self) -> Vec<String> {
        let worth = |judged: &Judged| match judged.of {
            Of::Hint(_, side) => for_black(side, judged.worth),
            Of::Game(number) => number as f64,
        };
        self.judged.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        let told = self.judged.iter().take(self.wanted);
        told.map(|judged| match judged.of {
            Of::Hint(played, side) => {
                let mut line = vec![played.to_string()];
                line.extend(judged.line.iter().cloned());
                let score = for_black(side, judged.worth);
                words::search(&line, Some(score), Some(judged.depth + 1))
            }
            Of::Game(number) => format!("analysis {number} {:.2}", judged.worth),
        })
        .collect()
    }
}

/// A score of `side` as one of black, or the other way round.
fn for_black(side: Side, score: f64) -> f64 {
    match side {
        Side::Black => score,
        // Not −0.
        Side::White => 0.0 - score,
    }
}

/// A question without a clock.
pub(super) fn unhurried(board: Board, moves: Vec<Move>) -> Ask {
    Ask {
        start: Start::untimed(board.game(), board.side_to_move()),
        board,
        moves,
        left: None,
        opponent_left: None,
    }
}
