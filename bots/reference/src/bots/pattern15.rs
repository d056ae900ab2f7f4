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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_worth_what_the_rules_say() {
        for (line, worth) in [
            ("__xx____", 50),
            ("_x_x____", 50),
            ("oxx_x___", 200),
            ("_xxx", 500),
            ("oxxx____", 500),
            ("oxxxo___", 0),
            ("__xxx___", 5_000),
            // xx_x_ and _xx_ are part of it; of its mirror only the latter.
            ("o_xx_x_o", 5_000 + 200 + 50),
            ("o_x_xx_o", 5_000 + 50),
            ("oxx_xxo", 6_000),
            // A four, and three with an open side.
            ("ox_xxxo", 6_000 + 500),
            // The gap in the list: the mirror of that four is nothing but the three.
            ("oxxx_xo", 500),
            ("oxxxx_o", 6_000),
            ("o_xxxxo", 6_000),
            // xx_xx is part of it, and so is the three.
            ("oxxx_xxo", 6_000 + 6_000 + 500),
            // _xxxx and xxxx_ are part of it.
            ("_xxxx_", 100_000 + 2 * 6_000),
            // The opponent's have a price of their own.
            ("__oo____", -30),
            ("xoo_o___", -100),
            ("_ooo", -300),
            ("__ooo___", -3_000),
            ("xoo_oox", -4_000),
            ("_oooo_", -80_000 - 2 * 4_000),
        ] {
            assert_eq!(FifteenShapes::line(Line::parse(line)), worth, "{line}");
        }
    }
}
