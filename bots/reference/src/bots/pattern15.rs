//! `pattern15`: counts fifteen shapes. Gomoku only.
//!
//! Alpha-beta of depth 2 over all empty squares, from the centre outwards. A position is worth the
//! sum over [`SHAPES`] of how often each occurs times what it is worth, the opponent's subtracted
//! at a lower price, and the table of `weights` for the stones of both. Of equal moves the first
//! is played.
//!
//! It is the Gomoku program of many a course page, known by its list of shapes. The list is kept as
//! it is found, gaps included, for they are what makes it worth beating: it knows `x_xxx` but not
//! `xxx_x`, and a four counts little more than an open three, so it can be mated by a player who
//! threatens twice. Shapes are those of freestyle Gomoku under every rule.

use games::Square;

use super::gomoku_only::GomokuOnly;
use crate::gomoku::{GomokuTree, Line, Program, Shape, centrality};

/// A shape, what it is worth to the bot, and what the opponent's costs it. The fifteenth is the
/// five, which ends the game: [`Program::FIVE`].
const SHAPES: [(Shape, i32, i32); 14] = [
    (Shape::new("_xx_"), 50, 30),
    (Shape::new("_x_x_"), 50, 30),
    (Shape::new("xx_x_"), 200, 100),
    // Three in a row with one side open.
    (Shape::new("_xxx#"), 500, 300),
    (Shape::new("#xxx_"), 500, 300),
    // Open threes.
    (Shape::new("_xxx_"), 5000, 3000),
    (Shape::new("_x_xx_"), 5000, 3000),
    (Shape::new("_xx_x_"), 5000, 3000),
    // Fours.
    (Shape::new("xx_xx"), 6000, 4000),
    (Shape::new("x_xxx"), 6000, 4000),
    (Shape::new("xxxx_"), 6000, 4000),
    (Shape::new("_xxxx"), 6000, 4000),
    (Shape::new("xxx_xx"), 6000, 4000),
    (Shape::new("_xxxx_"), 100_000, 80_000),
];

/// The counter of shapes.
pub(crate) type Pattern15 = GomokuOnly<FifteenShapes>;

/// The evaluation.
#[derive(Debug)]
pub(crate) struct FifteenShapes;

impl Program for FifteenShapes {
    const FIVE: [i32; 2] = [9_999_999, 9_999_999];

    fn line(line: Line) -> i32 {
        let opponents = line.reversed();
        let mut sum = 0;
        // No shape has fewer than two stones; most lines have no more than one.
        if line.own.count_ones() >= 2 {
            sum += SHAPES
                .iter()
                .map(|(shape, own, _)| own * shape.count(line))
                .sum::<i32>();
        }
        if line.opponent.count_ones() >= 2 {
            sum -= SHAPES
                .iter()
                .map(|(shape, _, opponent)| opponent * shape.count(opponents))
                .sum::<i32>();
        }
        sum
    }

    fn square(square: Square, size: u8) -> i32 {
        centrality(square, size)
    }

    fn candidates(tree: &mut GomokuTree<FifteenShapes>, _depth: u32) -> Vec<Square> {
        tree.empty_squares()
    }
}
