//! Random choices: nothing but the generator's own words, so that a seed means the same for ever.

use games::Square;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// One stream of a seed.
pub(super) struct Random(ChaCha8Rng);

impl Random {
    pub(super) fn new(seed: u64, stream: u64) -> Random {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Random(generator)
    }

    /// Below `bound`, which is small: the bias is beyond notice.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        (((self.0.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A square of a board of fifteen.
    pub(super) fn square(&mut self) -> Square {
        Square::new(self.below(15) as u8, self.below(15) as u8)
    }
}
