//! The confidence interval of a win rate, valid also for few games and clean sweeps.

use super::Score;

/// A closed interval of rates: 0 ≤ `low` ≤ `high` ≤ 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Returns true if the interval contains the rate.
    pub fn contains(&self, rate: f64) -> bool {
        self.low <= rate && rate <= self.high
    }

    /// Returns the distance between the ends.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// Returns Wilson's score interval for the win rate, with a draw as ½. The interval contains each true rate from which
/// the observed rate differs by at most `z` standard deviations. Without games, it is [0, 1].
///
/// `z` is 0 or more; [`Z_95`](super::Z_95) for 95 %. Draws make a rate vary less than the binomial distribution
/// assumes, so with draws the interval is wider than necessary, never narrower.
///
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
pub fn wilson(score: &Score, z: f64) -> Interval {
    let games = score.games() as f64;
    if games == 0.0 {
        return Interval {
            low: 0.0,
            high: 1.0,
        };
    }
    let rate = score.rate();
    let z2 = z * z;
    let centre = rate + z2 / (2.0 * games);
    let reach = z * (rate * (1.0 - rate) / games + z2 / (4.0 * games * games)).sqrt();
    let shrink = 1.0 + z2 / games;
    // Exact bounds contain the rate and stay within [0, 1]; the clamps only undo rounding errors.
    Interval {
        low: ((centre - reach) / shrink).clamp(0.0, rate),
        high: ((centre + reach) / shrink).clamp(rate, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z_95;
    use proptest::prelude::*;

    #[test]
    fn no_games_allow_every_rate() {
        let found = wilson(&Score::default(), Z_95);
        assert!(found.contains(0.0) && found.contains(1.0));
    }

    fn count() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), 0..5u64, 0..10_000_000u64]
    }

    proptest! {
        #[test]
        fn bounds_are_ordered_about_the_rate(
            (wins, draws, losses) in (count(), count(), count()), z in 0.0..10.0,
        ) {
            let score = Score::new(wins, draws, losses);
            let found = wilson(&score, z);
            prop_assert!(0.0 <= found.low && found.high <= 1.0);
            prop_assert!(found.contains(score.rate()));
        }

        #[test]
        fn swapping_the_bots_mirrors_the_interval(
            (wins, draws, losses) in (count(), count(), count()),
        ) {
            let score = Score::new(wins, draws, losses);
            let (found, back) = (wilson(&score, Z_95), wilson(&score.reversed(), Z_95));
            prop_assert!((found.low - (1.0 - back.high)).abs() < 1e-12);
            prop_assert!((found.high - (1.0 - back.low)).abs() < 1e-12);
        }

        #[test]
        fn more_games_of_the_same_score_narrow_the_interval(
            (wins, draws, losses) in (0..50u64, 0..50u64, 0..50u64), times in 2..1000u64,
        ) {
            let few = wilson(&Score::new(wins, draws, losses), Z_95);
            let many = Score::new(times * wins, times * draws, times * losses);
            prop_assert!(wilson(&many, Z_95).width() <= few.width() + 1e-12);
        }
    }
}
