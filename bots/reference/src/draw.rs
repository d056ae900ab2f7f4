//! Random choices that are the same on every machine and in every version. They use only `next_u64` of `ChaCha8`,
//! because the helpers of the `rand` crates have changed between versions.

use games::Square;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

#[derive(Clone, Debug)]
pub(crate) struct Draw {
    source: ChaCha8Rng,
}

impl Draw {
    /// Creates the stream for the question after `plies` plies of the game, so that earlier questions have no effect.
    pub(crate) fn new(seed: u64, plies: usize) -> Draw {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut source = ChaCha8Rng::from_seed(key);
        source.set_stream(plies as u64);
        Draw { source }
    }

    /// Returns a uniform number below `bound` ≥ 1 (D. Lemire, "Fast random integer generation in an interval", 2019).
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0, "there is no number below 0");
        let bound = bound as u64;
        loop {
            let product = u128::from(self.source.next_u64()) * u128::from(bound);
            // Rejects the lowest 2⁶⁴ mod `bound` values, which would favour some results.
            if product as u64 >= bound.wrapping_neg() % bound {
                return (product >> 64) as usize;
            }
        }
    }

    pub(crate) fn one_of<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| items[self.below(items.len())])
    }

    /// Returns a random one of the squares with the highest `worth`. Panics if `squares` is empty.
    pub(crate) fn best<W: Ord + Copy>(
        &mut self,
        squares: &[Square],
        mut worth: impl FnMut(Square) -> W,
    ) -> Square {
        let mut best = None;
        let mut equals = Vec::new();
        for &square in squares {
            let worth = Some(worth(square));
            if worth > best {
                best = worth;
                equals.clear();
            }
            if worth == best {
                equals.push(square);
            }
        }
        self.one_of(&equals).expect("there is a legal square")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TC1 of J. Strombergson's "Test Vectors for the Stream Cipher `ChaCha`" with 8 rounds: 3e 00 ef 2f 89 5f 40 d6.
    #[test]
    fn the_source_is_chacha8() {
        let mut draw = Draw::new(0, 0);
        assert_eq!(draw.source.next_u64(), 0xd640_5f89_2fef_003e);
    }

    /// The first product is 0xd640… × 100 / 2⁶⁴ = 83.69….
    #[test]
    fn a_bounded_draw_is_the_high_half_of_the_product() {
        assert_eq!(Draw::new(0, 0).below(100), 83);
    }

    #[test]
    fn every_number_below_the_bound_comes_up_about_as_often() {
        let mut counts = [0; 6];
        let mut draw = Draw::new(1, 7);
        for _ in 0..6000 {
            counts[draw.below(6)] += 1;
        }
        // The tolerance is six standard deviations of √(6000 · 1/6 · 5/6) = 28.9.
        assert!(
            counts.iter().all(|count| (827..=1173).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn each_question_has_numbers_of_its_own() {
        let first = |seed, plies| Draw::new(seed, plies).source.next_u64();
        assert_eq!(first(5, 3), first(5, 3));
        assert_ne!(first(5, 3), first(5, 4));
        assert_ne!(first(5, 3), first(6, 3));
    }
}
