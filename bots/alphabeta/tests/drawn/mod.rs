//! Positions of Gomoku that a test draws.

use games::gomoku::GomokuBoard;
use games::{Board, Game, Side};

/// Freestyle, black to move, in the position of these rows.
pub fn drawn(rows: &str) -> GomokuBoard {
    let rows: Vec<&str> = rows.split_whitespace().collect();
    let game = Game::new("gomoku", None, Some(rows.len() as i64)).expect("a game");
    match game.position(&rows, Side::Black) {
        Ok(Board::Gomoku(stones)) => stones,
        other => panic!("{other:?}"),
    }
}
