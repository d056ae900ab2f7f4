//! What a position is worth, in 1/128 disc for the side to move.
//!
//! Reading order: [`patterns`], small sets of squares; [`Features`], how each is filled, kept up to
//! date move by move; [`Weights`], what each filling is worth in each phase of the game.

#![expect(
    clippy::inline_always,
    reason = "what is inlined into `Kernel::vectorize` is compiled with its instructions"
)]

use std::fmt;

use games::othello::{Position, legal_moves, squares};

use self::patterns::{CENTRES, COUNT, OFFSETS, PLACES, SHAPES, WEIGHTS};
use super::DISC;
use crate::search::Score;

pub mod file;
pub mod patterns;

// --- Features ---

/// Lanes of 16 bits: the places, rounded up to whole vector registers.
const LANES: usize = 64;

/// The filling of each place, seen from the side to move; see [`patterns`](super::patterns).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Features([i16; LANES]);

/// What an own disc on each square adds.
static DISC_ON: [Features; 64] = {
    let mut all = [Features([0; LANES]); 64];
    let mut place = 0;
    while place < COUNT {
        let squares = PLACES[place].squares();
        let mut digit = 0;
        let mut worth = 1i32;
        while digit < squares.len() {
            all[squares[digit] as usize].0[place] = worth as i16;
            worth *= 3;
            digit += 1;
        }
        place += 1;
    }
    all
};

impl Features {
    /// Of a position, disc by disc.
    #[inline(always)]
    pub fn of(position: Position) -> Features {
        let mut features = Features([0; LANES]);
        for square in squares(position.own) {
            features.add(&DISC_ON[square], 1);
        }
        for square in squares(position.opponent) {
            features.add(&DISC_ON[square], -1);
        }
        features
    }

    /// After a disc on `square` that turns over `flips`, seen from the other side.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, square: usize, flips: u64) -> Features {
        let mut turned = Features([0; LANES]);
        let mut rest = flips;
        while rest != 0 {
            turned.add(&DISC_ON[rest.trailing_zeros() as usize], 1);
            rest &= rest - 1;
        }
        let placed = &DISC_ON[square].0;
        let mut next = Features([0; LANES]);
        let parts = self.0.iter().zip(placed).zip(&turned.0);
        for (next, ((&old, &placed), &turned)) in next.0.iter_mut().zip(parts) {
            // The sum is in range again where a part of it is not.
            let sum = old.wrapping_add(placed);
            *next = sum.wrapping_add(turned.wrapping_mul(2)).wrapping_neg();
        }
        next
    }

    /// After a pass.
    #[inline]
    #[must_use]
    pub fn pass(&self) -> Features {
        Features(self.0.map(|filling| -filling))
    }

    /// The filling of each place.
    #[inline(always)]
    pub fn fillings(&self) -> &[i16; COUNT] {
        self.0.first_chunk().expect("there are more lanes")
    }

    #[inline(always)]
    fn add(&mut self, other: &Features, times: i16) {
        for lane in 0..LANES {
            self.0[lane] += times * other.0[lane];
        }
    }
}

// --- Weights ---
//
// The evaluation is a sum of looked-up numbers.

/// Phases of the game, each with weights of its own: four plies each.
pub const PHASES: usize = 15;

/// Numbers of moves that are told apart; more count as the most.
pub const MOVES: usize = 32;

/// The phase of a position with so many discs (4 to 64).
pub const fn phase(discs: u32) -> usize {
    let phase = discs.saturating_sub(4) as usize / 4;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// The weights of one phase, in units of 1/128 disc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseWeights {
    /// Of every filling of every shape, as [`OFFSETS`] lays them out.
    pub patterns: Box<[i16; WEIGHTS]>,
    /// Of the number of own moves, then of the opponent's.
    pub mobility: [[i16; MOVES]; 2],
}

/// All weights.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    /// Phase by phase.
    pub phases: Vec<PhaseWeights>,
    /// Of the side to move, by the number of discs: who plays last is worth much, and changes with
    /// every ply.
    pub tempo: [i16; 65],
}

/// Millions of numbers are not worth printing.
impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights").finish_non_exhaustive()
    }
}

impl Weights {
    /// All zero.
    pub fn zero() -> Weights {
        let phase = PhaseWeights {
            patterns: vec![0; WEIGHTS]
                .try_into()
                .expect("as many as there are weights"),
            mobility: [[0; MOVES]; 2],
        };
        Weights {
            phases: vec![phase; PHASES],
            tempo: [0; 65],
        }
    }

    /// The evaluation of a position whose features are known, in 1/128 disc for the side to move.
    #[inline(always)]
    pub fn evaluate(&self, position: Position, features: &Features) -> Score {
        let discs = 64 - position.empties().count_ones();
        let weights = &self.phases[phase(discs)];
        let mut sum = Score::from(self.tempo[discs as usize]);
        for (&centre, &filling) in CENTRES.iter().zip(features.fillings()) {
            let index = (centre as i32 + i32::from(filling)) as usize;
            sum += Score::from(weights.patterns[index]);
        }
        let Position { own, opponent } = position;
        let moves = [legal_moves(own, opponent), legal_moves(opponent, own)];
        for (moves, weights) in moves.iter().zip(&weights.mobility) {
            sum += Score::from(weights[(moves.count_ones() as usize).min(MOVES - 1)]);
        }
        sum.clamp(-64 * DISC, 64 * DISC)
    }
}

const _: () = assert!(SHAPES.len() + 1 == OFFSETS.len());

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::othello::reached::reachable;

    use super::*;

    proptest! {
        #[test]
        fn features_after_a_move_are_those_of_the_position_after_it(position in reachable()) {
            let features = Features::of(position);
            prop_assert_eq!(features.pass(), Features::of(position.pass()));
            for square in squares(position.legal_moves()) {
                let next = features.play(square, position.flips(square));
                prop_assert_eq!(next, Features::of(position.play(square)));
            }
        }
    }

    #[test]
    fn an_own_disc_counts_plus_one_in_the_lowest_digit() {
        let position = Position {
            own: 1,
            opponent: 2,
        };
        // The corner 3×3 at a1 and its second square, b1.
        assert_eq!(Features::of(position).fillings()[0], 1 - 3);
    }
}
