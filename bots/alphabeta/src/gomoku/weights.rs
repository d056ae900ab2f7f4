//! What shapes are worth: first by hand, see `docs/gomoku-training.md` for the fitted ones.

use super::pattern::LineShape;
use super::shape::{Kind, Shape};

/// What one line shape adds to a cell, for the side to move and for the other.
const LINE_WORTH: [[i16; 2]; 16] = [
    [0, 0],
    [1, 1],
    [4, 3],
    [5, 4],
    [12, 9],
    [14, 11],
    [17, 13],
    [18, 13],
    [22, 17],
    [45, 30],
    [60, 38],
    [55, 35],
    [60, 35],
    [200, 90],
    [300, 200],
    [0, 0],
];

/// What a cell of that shape is worth: to the side to move, and to the other.
pub(super) fn worth(shape: Shape) -> [i16; 2] {
    let mut worth = [0, 0];
    for line in shape.lines() {
        for (sum, value) in worth.iter_mut().zip(LINE_WORTH[line as usize]) {
            *sum += value;
        }
    }
    let extra: [i16; 2] = match Kind::of(shape, false) {
        Kind::Quiet | Kind::Foul | Kind::Three | Kind::Four => [0, 0],
        Kind::ThreePlus => [10, 8],
        Kind::DoubleThree => [80, 40],
        Kind::FourPlus => [20, 15],
        Kind::FourThree => [150, 60],
        Kind::OpenFour | Kind::Five => [200, 80],
    };
    [worth[0] + extra[0], worth[1] + extra[1]]
}

/// How promising a move to a cell of that shape looks, to the side whose shape it is.
pub(super) fn promise(shape: Shape) -> i16 {
    const LINE: [i16; 16] = [0, 1, 4, 5, 12, 15, 18, 16, 20, 45, 55, 50, 60, 300, 1000, 0];
    let lines: i16 = shape
        .lines()
        .map(|line: LineShape| LINE[line as usize])
        .iter()
        .sum();
    lines
        + match Kind::of(shape, false) {
            Kind::Quiet | Kind::Foul | Kind::Three | Kind::Four => 0,
            Kind::ThreePlus => 15,
            Kind::FourPlus => 25,
            Kind::DoubleThree => 120,
            Kind::FourThree => 200,
            Kind::OpenFour | Kind::Five => 400,
        }
}
