//! Every move of one position, the best first.

use alphabeta::gomoku::matrix;
use games::{Board, Move};

use super::judged::Worth;
use super::played::{NotAnalysed, Settings};
use super::{chances, discs};

/// Plies that the search looks ahead behind each move of Gomoku.
const DEPTH: i32 = 8;

/// A legal move and what it is worth to the side that plays it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The move.
    pub played: Move,
    /// What it is worth.
    pub worth: Worth,
    /// It, and the expected moves after it, as far as they are known.
    pub line: Vec<Move>,
}

/// All legal moves of Othello; in Gomoku those that the engine considers. Empty if the game has ended or
/// the side to move must pass.
pub fn moves(board: &Board, settings: &Settings) -> Result<Vec<Scored>, NotAnalysed> {
    match board {
        Board::Othello(board) => {
            let scores = discs::analyst(settings).moves(board.position());
            let scored = scores.iter().map(|one| {
                let line = discs::line(one);
                Scored {
                    played: line[0],
                    worth: discs::worth(one),
                    line,
                }
            });
            Ok(scored.collect())
        }
        Board::Gomoku(board) => {
            let worths = matrix(board, DEPTH).into_iter();
            let scored = worths.map(|(square, worth)| Scored {
                played: Move::Place(square),
                worth: chances::of_engine(worth),
                line: vec![Move::Place(square)],
            });
            Ok(scored.collect())
        }
        Board::Other(game, _) => Err(NotAnalysed::Game { game: game.name() }),
    }
}
