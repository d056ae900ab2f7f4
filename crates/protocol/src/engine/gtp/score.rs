//! The result of a game as GTP writes it.

use games::{Board, Rules, Side};

use super::super::margin::discs_for_black;

/// `B+14`, `W+2` or `0`; `None` while the game goes on. A game of Gomoku is won by 1.
pub(super) fn of(board: &Board) -> Option<String> {
    let ending = board.ending()?;
    let Some(winner) = ending.winner else {
        return Some("0".to_owned());
    };
    let margin = match board {
        Board::Othello(_) => discs_for_black(board, ending).unsigned_abs(),
        Board::Gomoku(_) => 1,
    };
    let letter = match winner {
        Side::Black => 'B',
        Side::White => 'W',
    };
    Some(format!("{letter}+{margin}"))
}
