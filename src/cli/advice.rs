//! What `alphabeta` thinks of every square: a hint for a person.

use std::cell::RefCell;

use alphabeta::gomoku::{Worth as Found, matrix};
use alphabeta::othello::analysis::Analyst;
use games::{Board, Rules};

use crate::web::Worth;

/// Plies that are searched behind each square: a second or so.
const DEPTH: i32 = 8;
/// Plies behind each of up to two hundred points.
const GOMOKU_DEPTH: i32 = 4;
/// Empty squares from which on the result is exact.
const SOLVE_FROM: u32 = 14;
/// The table of the search.
const HASH_MIB: usize = 16;

/// The squares of a position that are worth a look, the best first.
pub fn advise(board: &Board) -> Vec<Worth> {
    thread_local! {
        static ANALYST: RefCell<Analyst> = RefCell::new(Analyst::new(DEPTH, SOLVE_FROM, HASH_MIB));
    }
    match board {
        _ if board.ending().is_some() => Vec::new(),
        Board::Othello(board) => ANALYST.with_borrow_mut(|analyst| {
            let moves = analyst.moves(board.position()).into_iter();
            let worth = moves.map(|one| Worth {
                square: usize::from(one.played.0),
                rank: one.score,
                score: Some(one.score),
                forced: None,
            });
            worth.collect()
        }),
        Board::Gomoku(board) => {
            let found = matrix(board, GOMOKU_DEPTH).into_iter();
            let worth = found.map(|(square, found)| Worth {
                square: square.index(board.size()),
                rank: found.rank() as f64,
                score: match found {
                    Found::Score(score) => Some(f64::from(score)),
                    _ => None,
                },
                forced: match found {
                    Found::Wins(plies) => Some(plies as i32),
                    Found::Loses(plies) => Some(-(plies as i32)),
                    Found::Score(_) => None,
                },
            });
            worth.collect()
        }
        Board::Other(..) => Vec::new(),
    }
}
