//! Renju's forbidden points for black: overline, double four, double three.
//!
//! From the rules of the Renju International Federation, §9. A five always wins, whatever else the
//! stone makes. A *four* is four stones that one more makes exactly five. A *three* is three
//! stones that one more makes a *straight four* (four in a row, open at both ends to exactly five),
//! where that one more is itself a point black may play: it makes no five, and is neither an
//! overline, nor a double four, nor a double three in its turn. That last clause makes the
//! definition recursive; it ends because every step puts down a stone.

use super::Board;
use super::line::{DIRECTIONS, run, step};
use crate::{Reason, Side, Square};

/// Why black may not play on the empty `square`, if so. Whose turn it is does not matter.
pub fn forbidden(board: &Board, square: Square) -> Option<Reason> {
    let mut board = board.clone();
    reason(&mut board, square)
}

/// As [`forbidden`], on a board that is changed and put back.
fn reason(board: &mut Board, square: Square) -> Option<Reason> {
    let lengths = DIRECTIONS.map(|direction| unbroken(board, square, direction));
    if lengths.contains(&5) {
        return None;
    }
    if lengths.iter().any(|&length| length > 5) {
        return Some(Reason::Overline);
    }
    board.set(square, Some(Side::Black));
    let fours: usize = DIRECTIONS
        .into_iter()
        .map(|direction| fours(board, square, direction))
        .sum();
    let found = if fours >= 2 {
        Some(Reason::DoubleFour)
    } else {
        let mut threes = 0;
        DIRECTIONS
            .into_iter()
            .any(|direction| {
                threes += usize::from(is_three(board, square, direction));
                threes >= 2
            })
            .then_some(Reason::DoubleThree)
    };
    board.set(square, None);
    found
}

/// Length of the row of black stones that a stone on `square` is part of.
fn unbroken(board: &Board, square: Square, direction: (i8, i8)) -> i8 {
    1 + run(board, square, direction, 1, Side::Black)
        + run(board, square, direction, -1, Side::Black)
}

/// How many fours the stone on `square` has along `direction`: 0, 1 or 2. A straight four, which
/// two points complete, is one.
fn fours(board: &Board, square: Square, direction: (i8, i8)) -> usize {
    let completions = (-4..=4)
        .filter(|&steps| makes_five_with(board, square, direction, steps))
        .count();
    if completions == 2 && unbroken(board, square, direction) == 4 {
        1
    } else {
        completions
    }
}

/// Whether a stone `steps` along makes exactly five in a row with the stone on `square`.
fn makes_five_with(board: &Board, square: Square, direction: (i8, i8), steps: i8) -> bool {
    let Some(point) = step(square, direction, steps, board.size()) else {
        return false;
    };
    if board.stone(point).is_some() {
        return false;
    }
    let before = run(board, point, direction, -1, Side::Black);
    let after = run(board, point, direction, 1, Side::Black);
    // The five runs from `before` stones behind the point to `after` stones past it.
    before + 1 + after == 5 && (-steps >= -before && -steps <= after)
}

/// Whether the stone on `square` is part of a three along `direction`.
fn is_three(board: &mut Board, square: Square, direction: (i8, i8)) -> bool {
    for steps in -3..=3 {
        let Some(point) = step(square, direction, steps, board.size()) else {
            continue;
        };
        if board.stone(point).is_some() {
            continue;
        }
        board.set(point, Some(Side::Black));
        let straight_four = is_straight_four(board, square, point, direction);
        board.set(point, None);
        if straight_four && !board.wins(point, Side::Black) && reason(board, point).is_none() {
            return true;
        }
    }
    false
}

/// Whether `square` and `point` belong to one unbroken four that both its ends make exactly five.
fn is_straight_four(board: &Board, square: Square, point: Square, direction: (i8, i8)) -> bool {
    let before = run(board, point, direction, -1, Side::Black);
    let after = run(board, point, direction, 1, Side::Black);
    if before + 1 + after != 4 {
        return false;
    }
    let holds_square =
        (-before..=after).any(|steps| step(point, direction, steps, board.size()) == Some(square));
    let completes = |steps: i8| {
        step(point, direction, steps, board.size())
            .is_some_and(|end| board.stone(end).is_none() && unbroken(board, end, direction) == 5)
    };
    holds_square && completes(-before - 1) && completes(after + 1)
}
