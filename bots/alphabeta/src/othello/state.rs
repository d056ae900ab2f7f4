//! A position and how its patterns are filled: what the evaluation looks at.

#![expect(
    clippy::inline_always,
    reason = "what is inlined into `Kernel::vectorize` is compiled with its instructions"
)]

use games::othello::Position;

use super::DISC;
use super::evaluation::{Features, Weights};
use crate::search::Score;

/// A position and how its patterns are filled.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// The discs.
    pub position: Position,
    features: Features,
}

impl State {
    /// Of a position, from nothing.
    #[inline(always)]
    pub fn of(position: Position) -> State {
        State {
            position,
            features: Features::of(position),
        }
    }

    /// After a legal disc on `square`.
    #[inline]
    pub fn play(&self, square: usize) -> State {
        self.play_flips(square, self.position.flips(square))
    }

    /// As [`State::play`], with the flips already known.
    #[inline(always)]
    pub fn play_flips(&self, square: usize, flips: u64) -> State {
        State {
            position: self.position.play_flips(square, flips),
            features: self.features.play(square, flips),
        }
    }

    /// After a pass.
    #[inline]
    pub fn pass(&self) -> State {
        State {
            position: self.position.pass(),
            features: self.features.pass(),
        }
    }

    /// The score where no depth is left: exact on a full board.
    #[inline(always)]
    pub fn leaf_score(&self, weights: &Weights) -> Score {
        if self.position.empties() == 0 {
            self.position.final_score() * DISC
        } else {
            weights.evaluate(self.position, &self.features)
        }
    }
}

/// A hash of a position seen from the side to move: both sets multiplied to 128 bits and folded.
#[inline]
pub fn key(position: Position) -> u64 {
    let product = u128::from(position.own ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from(position.opponent ^ 0xd1b5_4a32_d192_ed03);
    (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9fb2_1c65_1e98_df25)
}
