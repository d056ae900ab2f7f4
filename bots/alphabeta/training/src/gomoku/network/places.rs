//! Where each number of a network is while it is learned.

use std::ops::Range;

use alphabeta::gomoku::network::{BOTH, FEATURES, HIDDEN};
use alphabeta::gomoku::evaluation::THREATS;

/// Shapes that a stone can make in a line.
pub const SHAPES: usize = 16;

/// Where the numbers of a view are among those of its model.
pub struct Places {
    pub own: Range<usize>,
    pub other: Range<usize>,
    /// What all keys share that make one shape.
    pub own_shapes: Range<usize>,
    pub other_shapes: Range<usize>,
    pub bias: Range<usize>,
    pub hidden: Range<usize>,
    pub threats: Range<usize>,
    pub neurons: Range<usize>,
    pub output: Range<usize>,
    pub direct: Range<usize>,
    pub begin: usize,
    pub moves: Range<usize>,
    pub end: usize,
}

/// The places of the numbers of a view whose tables have so many rows.
pub fn places(rows: usize) -> Places {
    let mut end = 0;
    let mut next = |count: usize| {
        end += count;
        end - count..end
    };
    let (own, other) = (next(rows * FEATURES), next(rows * FEATURES));
    let (own_shapes, other_shapes) = (next(SHAPES * FEATURES), next(SHAPES * FEATURES));
    let (bias, hidden) = (next(FEATURES), next(BOTH * HIDDEN));
    let (threats, neurons, output) = (next(THREATS * HIDDEN), next(HIDDEN), next(HIDDEN));
    let (direct, begin, moves) = (next(BOTH), next(1).start, next(BOTH));
    Places {
        own,
        other,
        own_shapes,
        other_shapes,
        bias,
        hidden,
        threats,
        neurons,
        output,
        direct,
        begin,
        moves,
        end,
    }
}
