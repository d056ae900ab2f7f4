//! What `alphabeta` thinks of every square, and of every move of a game: for a person at a page.

use std::cell::RefCell;

use alphabeta::gomoku::{Worth as Found, matrix};
use alphabeta::othello::analysis::Analyst;
use games::formats::SavedGame;
use games::{Board, Rules};

use serde_json::Value;

use crate::analysis::{Played, Settings, analyse, text};
use crate::web::Worth;

/// Plies that are searched behind each square: a second or so.
const DEPTH: i32 = 8;
/// Plies behind each of up to two hundred points.
const GOMOKU_DEPTH: i32 = 4;
/// Empty squares from which on the result is exact.
const SOLVE_FROM: u32 = 14;
/// The table of the search.
const HASH_MIB: usize = 16;

/// How thoroughly games are gone through for a page: half a minute for a game of Othello.
const THOROUGH: Settings = Settings {
    depth: 10,
    solve_from: 18,
    nodes: 50_000,
    hash_mib: 64,
};

/// What each move of a game cost, as [`web::Analyse`](crate::web::Analyse) is to say it.
pub fn gone_through(
    game: &SavedGame,
    given: usize,
    tell: &mut dyn FnMut(usize, usize),
) -> Result<Value, String> {
    let played = Played {
        start: game.start.clone(),
        moves: game.plies().collect(),
        given,
    };
    let analysis = analyse(&played, &THOROUGH, tell).map_err(|why| why.to_string())?;
    Ok(text::json(&analysis, ["black", "white"]))
}

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
