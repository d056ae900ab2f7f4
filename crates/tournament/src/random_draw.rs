//! Random numbers that are the same on every machine and for any number of workers.
//!
//! A tournament has one `ChaCha8` key, and pair k draws from stream k. Only `next_u64` of the library is used, because
//! its other functions change between versions. A test compares the values with published ones.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

#[derive(Clone, Debug)]
pub struct Draw(ChaCha8Rng);

impl Draw {
    pub fn new(seed: u64, stream: u64) -> Draw {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Draw::keyed(key, stream)
    }

    /// Creates a generator with a whole key. Unlike a seed, a whole key cannot be found by trying all values.
    pub fn keyed(key: [u8; 32], stream: u64) -> Draw {
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Draw(generator)
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number from 0 to `bound` − 1. All numbers are equally likely.
    ///
    /// Source: D. Lemire, "Fast random integer generation in an interval", 2019.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        // Without this check, some numbers would be more likely.
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.bits()) * u128::from(bound);
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
        }
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: test vector TC1 of draft-strombergson-chacha-test-vectors-01 (256 bit key, 8 rounds). The `ChaCha8`
    /// keystream for an all-zero key and nonce begins `3e 00 ef 2f 89 5f 40 d6`, here read as a little-endian number.
    #[test]
    fn the_stream_is_the_published_one() {
        assert_eq!(Draw::new(0, 0).bits(), 0xd640_5f89_2fef_003e);
    }

    #[test]
    fn streams_differ_and_repeat() {
        let first = |seed, stream| Draw::new(seed, stream).bits();
        assert_eq!(first(1, 7), first(1, 7));
        assert_ne!(first(1, 7), first(1, 8));
        assert_ne!(first(1, 7), first(2, 7));
    }

    #[test]
    fn a_bounded_draw_stays_in_bounds_and_reaches_all() {
        let mut draw = Draw::new(3, 0);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[draw.below(7) as usize] += 1;
        }
        // Each count is 1,000 on average with a standard deviation of 29. The limits are five standard deviations away.
        assert!(
            seen.iter().all(|count| (855..1145).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        Draw::new(1, 0).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
