//! Walking along the four directions of a board.

use crate::{Side, Square};

use super::Board;

/// Steps (columns, rows) of the four directions in which lines are counted: right, down, and the
/// two diagonals downwards.
pub const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// The square `steps` further along `direction`; `None` past the edge of a board of `size`.
pub(super) fn step(square: Square, direction: (i8, i8), steps: i8, size: u8) -> Option<Square> {
    let along = |from: u8, by: i8| {
        from.checked_add_signed(by * steps)
            .filter(|&coordinate| coordinate < size)
    };
    Some(Square::new(
        along(square.column(), direction.0)?,
        along(square.row(), direction.1)?,
    ))
}

/// Stones of `side` in an unbroken row from beside `square` along `direction` (or against it, for
/// `way` = −1), `square` itself not counted.
pub(super) fn run(board: &Board, square: Square, direction: (i8, i8), way: i8, side: Side) -> i8 {
    let mut length = 0;
    while step(square, direction, way * (length + 1), board.size())
        .is_some_and(|next| board.stone(next) == Some(side))
    {
        length += 1;
    }
    length
}
