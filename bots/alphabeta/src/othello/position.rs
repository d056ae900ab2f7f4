//! Othello positions with the features of the evaluation, their hash, and what move ordering reads off the board.

#![expect(
    clippy::inline_always,
    reason = "code inlined into `Kernel::vectorize` uses its CPU instructions"
)]

use games::othello::Position;

use super::DISC;
use super::evaluation::{Features, Weights};
use crate::search::Score;

#[derive(Clone, Copy, Debug)]
pub struct EvalPosition {
    pub position: Position,
    features: Features,
}

impl EvalPosition {
    #[inline(always)]
    pub fn of(position: Position) -> EvalPosition {
        EvalPosition {
            position,
            features: Features::of(position),
        }
    }

    #[inline]
    pub fn play(&self, square: usize) -> EvalPosition {
        self.play_flips(square, self.position.flips(square))
    }

    #[inline(always)]
    pub fn play_flips(&self, square: usize, flips: u64) -> EvalPosition {
        EvalPosition {
            position: self.position.play_flips(square, flips),
            features: self.features.play(square, flips),
        }
    }

    #[inline]
    pub fn pass(&self) -> EvalPosition {
        EvalPosition {
            position: self.position.pass(),
            features: self.features.pass(),
        }
    }

    /// Returns the score at depth 0; it is exact on a full board.
    #[inline(always)]
    pub fn leaf_score(&self, weights: &Weights) -> Score {
        if self.position.empties() == 0 {
            self.position.final_score() * DISC
        } else {
            weights.evaluate(self.position, &self.features)
        }
    }
}

/// Returns a hash of the position: the 128-bit product of the own and the opponent's discs, folded into 64 bits.
#[inline]
pub fn key(position: Position) -> u64 {
    let product = u128::from(position.own ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from(position.opponent ^ 0xd1b5_4a32_d192_ed03);
    (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9fb2_1c65_1e98_df25)
}

/// Values of the squares of the a1 quarter for move ordering; the other three quarters mirror them.
const SQUARE: [[i32; 4]; 4] = [
    [18, 4, 16, 12],
    [4, 2, 6, 8],
    [16, 6, 14, 10],
    [12, 8, 10, 0],
];

pub fn square_value(square: usize) -> i32 {
    let (row, column) = (square / 8, square % 8);
    SQUARE[row.min(7 - row)][column.min(7 - column)]
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Returns the number of `answers`, the opponent's legal moves; corners count twice.
#[inline]
pub fn mobility(answers: u64) -> i32 {
    (answers.count_ones() + (answers & CORNERS).count_ones()) as i32
}
