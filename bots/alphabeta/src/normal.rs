//! Errors of judgement: random numbers about 0, most of them small.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// A normally distributed number, nearly: twelve even ones added up. Libraries may draw others in
/// their next version; here a seed means the same game for good.
pub fn normal(random: &mut ChaCha8Rng) -> f64 {
    let even = |_| (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    (0..12).map(even).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn errors_are_centred_on_0_and_as_wide_as_asked_for() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let errors: Vec<f64> = (0..4000).map(|_| normal(&mut random)).collect();
        let mean = errors.iter().sum::<f64>() / 4000.0;
        let variance = errors.iter().map(|error| error * error).sum::<f64>() / 4000.0;
        assert!(
            mean.abs() < 0.05 && (variance - 1.0).abs() < 0.1,
            "{mean} {variance}"
        );
    }
}
