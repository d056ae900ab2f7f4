//! Gomoku as the bots see it: lines of stones as sets of bits, and values that are sums over lines.
//!
//! [`Stones`] holds the stones; [`Line`] is one row, column or diagonal; [`Shape`] is a pattern to
//! be counted in lines; a [`Program`] says what a line is worth, and [`GomokuTree`] is a position
//! of it to be searched.
//!
//! Nothing here knows renju's forbidden points: bots choose from the legal squares and think as if
//! there were none further on.

mod line;
mod playout;
mod shape;
mod stones;
mod tree;

pub(crate) use line::Line;
pub(crate) use playout::Playout;
pub(crate) use shape::Shape;
pub(crate) use stones::Stones;
pub(crate) use tree::{GomokuTree, Program};

use games::Square;

/// Steps from the rim to `square`: 0 at the rim, 7 in the centre of a 15×15 board.
pub(crate) fn centrality(square: Square, size: u8) -> i32 {
    let inwards = |coordinate: u8| coordinate.min(size - 1 - coordinate);
    i32::from(inwards(square.column()).min(inwards(square.row())))
}

/// All squares of a board, from the centre outwards: the heavier first, each ring row by row.
pub(crate) fn from_the_centre(size: u8) -> Vec<Square> {
    let cells = usize::from(size) * usize::from(size);
    let mut squares: Vec<_> = (0..cells)
        .map(|index| Square::from_index(index, size))
        .collect();
    squares.sort_by_key(|&square| -centrality(square, size));
    squares
}
