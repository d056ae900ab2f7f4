//! `three-ply`: unbroken rows, three plies ahead. Gomoku only.
//!
//! Minimax with alpha-beta pruning, depth 3, over the empty squares beside stones (straight or
//! diagonal). A position is worth the sum over [`SHAPES`] for the bot less the same for its
//! opponent. Of equal moves the first from the centre outwards is played.
//!
//! The program of someone who has just understood minimax. It sees a win in two and every block of
//! an unbroken row; it does not see `xx_xx` until it is five, and it never plays a stone that does
//! not touch another.

use games::Square;

use super::gomoku_only::GomokuOnly;
use crate::gomoku::{GomokuTree, Line, Program, Shape};

/// What unbroken rows are worth. Five, 99 999 999, ends the game: [`Program::FIVE`].
const SHAPES: [(Shape, i32); 7] = [
    // Open four; four.
    (Shape::new("_xxxx_"), 100_000),
    (Shape::new("_xxxx#"), 10_000),
    (Shape::new("#xxxx_"), 10_000),
    // Open three; closed three.
    (Shape::new("_xxx_"), 5_000),
    (Shape::new("_xxx#"), 500),
    (Shape::new("#xxx_"), 500),
    // Open two.
    (Shape::new("_xx_"), 50),
];

/// Three plies of unbroken rows.
pub(crate) type ThreePly = GomokuOnly<Rows>;

/// The evaluation.
#[derive(Debug)]
pub(crate) struct Rows;

impl Program for Rows {
    const FIVE: [i32; 2] = [99_999_999, 99_999_999];

    fn line(line: Line) -> i32 {
        rows(line) - rows(line.reversed())
    }

    fn candidates(tree: &mut GomokuTree<Rows>, _depth: u32) -> Vec<Square> {
        tree.neighbourhood(1)
    }
}

/// What the rows of the side that looks are worth.
fn rows(line: Line) -> i32 {
    // No shape has fewer than two stones beside each other.
    if line.own & line.own >> 1 == 0 {
        return 0;
    }
    let worth = |(shape, worth): &(Shape, i32)| worth * shape.count(line);
    SHAPES.iter().map(worth).sum()
}
