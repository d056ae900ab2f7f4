//! The fillings of all patterns, kept up to date move by move.

#![expect(
    clippy::inline_always,
    reason = "what is inlined into `Kernel::vectorize` is compiled with its instructions"
)]

use games::othello::{Position, squares};

use super::patterns::{COUNT, PLACES};

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::othello::reached::reachable;

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
