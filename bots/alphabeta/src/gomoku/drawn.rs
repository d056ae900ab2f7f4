//! Positions drawn row by row, for tests.

use games::{Game, Side};

/// Black's f2 makes two fours, and nothing else wins so soon.
pub(super) const FORK: [&str; 9] = [
    ".........",
    ".OXXX....",
    ".........",
    ".....X...",
    ".....X...",
    ".....X...",
    ".....O...",
    ".........",
    ".........",
];

/// The board drawn by `rows`, black to move.
pub(super) fn position(rule: &str, rows: &[&str]) -> games::gomoku::GomokuBoard {
    let game = Game::new("gomoku", Some(rule), Some(rows.len() as i64)).expect("a game");
    match game.position(rows, Side::Black).expect("a position") {
        games::Board::Gomoku(board) => board,
        _ => unreachable!("gomoku was asked for"),
    }
}
