//! Renju's forbidden points for black: overline, double four, double three.
//!
//! From the rules of the Renju International Federation, §§3 and 9, in the order of the checks here:
//!
//! - **Five**: exactly five in an unbroken row. A five wins, whatever else the stone makes.
//! - **Overline**: six or more in an unbroken row. Forbidden.
//! - **Four**: four stones that become a five with one more. A **straight four** is unbroken and becomes a five with a
//!   stone at either end; it counts as one four. Two fours through one stone are forbidden, even on one line (as in
//!   `X.XXX.X`, `XX.XX.XX`, `XXX.X.XXX`).
//! - **Three**: three stones that become a straight four with one more. The added stone must make no five, and must be
//!   allowed: no overline, no double four, no forbidden double three. Two threes through one stone are forbidden.
//!
//! The definition of a three is recursive. The recursion ends because every step adds a stone.
//!
//! ```
//! use games::{Board, Game, Reason, Side};
//!
//! let renju = Game::new("gomoku", Some("renju"), Some(9))?;
//! let board = renju.position(
//!     &[
//!         ".........",
//!         "....X....",
//!         "....X....",
//!         "..XX.....", // e4 makes a three down column e and one along row 4
//!         ".........",
//!         ".........",
//!         ".........",
//!         ".........",
//!         ".........",
//!     ],
//!     Side::Black,
//! )?;
//! let Board::Gomoku(mut board) = board else {
//!     unreachable!("it is gomoku")
//! };
//! let e4 = "e4".parse()?;
//! assert_eq!(board.renju_forbids(e4), Some(Reason::DOUBLE_THREE));
//! // With a white stone on b4, row 4 cannot become a straight four, so e4 makes only one three.
//! board.set("b4".parse()?, Some(Side::White));
//! assert_eq!(board.renju_forbids(e4), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::lines::{CENTRE, DIRECTIONS, Lines, at_bit};
use crate::{Reason, Side, Square};

pub(super) fn forbidden(lines: &Lines, square: Square) -> Option<Reason> {
    match judge(lines, square) {
        Judgement::Forbidden(reason) => Some(reason),
        Judgement::Five | Judgement::Allowed => None,
    }
}

enum Judgement {
    Five,
    Forbidden(Reason),
    Allowed,
}

fn judge(lines: &Lines, square: Square) -> Judgement {
    let black: [u64; 4] =
        std::array::from_fn(|direction| lines.stones(square, direction, Side::Black));
    if is_plain(black) {
        return Judgement::Allowed;
    }
    let shapes: [RowShape; 4] = std::array::from_fn(|direction| {
        RowShape::of(black[direction], lines.empty(square, direction))
    });
    if shapes.iter().any(|shape| shape.unbroken == 5) {
        return Judgement::Five;
    }
    if shapes.iter().any(|shape| shape.unbroken > 5) {
        return Judgement::Forbidden(Reason::OVERLINE);
    }
    if shapes.iter().map(|shape| shape.fours).sum::<u8>() >= 2 {
        return Judgement::Forbidden(Reason::DOUBLE_FOUR);
    }
    let threes = shapes.iter().filter(|shape| shape.may_be_three()).count();
    if threes >= 2 && two_are_real(lines, square, &shapes) {
        return Judgement::Forbidden(Reason::DOUBLE_THREE);
    }
    Judgement::Allowed
}

/// Returns true if too few black stones are near for a five or a forbidden shape, as on most points of a game. A three
/// or four needs at least two other stones on its line. A double three or double four therefore needs two lines with
/// two other stones each, or one line with four; a five or an overline needs one line with four.
fn is_plain(black: [u64; 4]) -> bool {
    const REACH: u64 = 0b1_1110_1111 << (CENTRE - 4);
    let without_one = |set: u64| set & set.wrapping_sub(1);
    let mut lines_with_two = 0;
    for line in black {
        let more_than_one = without_one(line & REACH);
        lines_with_two += u8::from(more_than_one != 0);
        if without_one(without_one(more_than_one)) != 0 {
            return false;
        }
    }
    lines_with_two < 2
}

/// Returns true if at least two of the threes in `shapes` can really become straight fours.
fn two_are_real(lines: &Lines, square: Square, shapes: &[RowShape; 4]) -> bool {
    let mut after = lines.clone();
    after.toggle(square, Side::Black);
    let is_three = |&direction: &usize| {
        let straightened_by = shapes[direction].straightened_by.into_iter().flatten();
        straightened_by
            .map(|bit| at_bit(square, direction, bit))
            .any(|point| matches!(judge(&after, point), Judgement::Allowed))
    };
    (0..DIRECTIONS.len()).filter(is_three).nth(1).is_some()
}

struct RowShape {
    unbroken: u32,
    fours: u8,
    /// The points that make a straight four, as bits of the window: the first gap on either side of the row.
    straightened_by: [Option<u32>; 2],
}

impl RowShape {
    /// Returns the shape of a black stone in the middle of a window with these stones and empty squares.
    fn of(stones: u64, empty: u64) -> RowShape {
        let black = stones | 1 << CENTRE;
        let above = CENTRE + (black >> CENTRE).trailing_ones();
        let below = CENTRE - (black << (63 - CENTRE)).leading_ones();
        let unbroken = above - below - 1;
        let mut shape = RowShape {
            unbroken,
            fours: 0,
            straightened_by: [None; 2],
        };
        // A stone in a gap joins the row to the stones beyond the gap.
        let joined_above = unbroken + 1 + beyond(black, above).1;
        let joined_below = unbroken + 1 + beyond(black, below).0;
        let is_empty = |bit: u32| empty >> bit & 1 != 0;
        if unbroken < 5 {
            let five_above = is_empty(above) && joined_above == 5;
            let five_below = is_empty(below) && joined_below == 5;
            shape.fours = u8::from(five_above) + u8::from(five_below);
            if unbroken == 4 && shape.fours == 2 {
                shape.fours = 1;
            }
        }
        if unbroken < 4 {
            let ends_in_fives = |first: u32, last: u32| {
                is_empty(first - 1)
                    && beyond(black, first - 1).0 == 0
                    && is_empty(last + 1)
                    && beyond(black, last + 1).1 == 0
            };
            shape.straightened_by = [
                (is_empty(above) && joined_above == 4 && ends_in_fives(below + 1, below + 4))
                    .then_some(above),
                (is_empty(below) && joined_below == 4 && ends_in_fives(above - 4, above - 1))
                    .then_some(below),
            ];
        }
        shape
    }

    fn may_be_three(&self) -> bool {
        self.straightened_by != [None; 2]
    }
}

fn beyond(black: u64, bit: u32) -> (u32, u32) {
    (
        (black << (63 - bit) << 1).leading_ones(),
        (black >> bit >> 1).trailing_ones(),
    )
}
