//! The result of a game as GTP writes it.

use games::{Board, Rules, Side};

/// `B+14`, `W+2` or `0`; `None` while the game goes on. Where discs do not count, a game is won by 1.
pub(super) fn of(board: &Board) -> Option<String> {
    let ending = board.ending()?;
    let Some(winner) = ending.winner else {
        return Some("0".to_owned());
    };
    let margin = board.game().margin(board.counts(), ending.winner);
    let margin = margin.map_or(1, i32::unsigned_abs);
    let letter = match winner {
        Side::Black => 'B',
        Side::White => 'W',
    };
    Some(format!("{letter}+{margin}"))
}
