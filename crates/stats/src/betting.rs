//! A sequential test that compares a bot's share of points with a threshold. It may be evaluated after every pair.
//!
//! A match that stops as soon as an ordinary interval excludes the threshold errs far more often than the level of the
//! interval says. This test is a bet instead. Assume that the expected share of points is at most the threshold. Then a
//! bet on more points, at the odds of the threshold, has no expected gain. If a gambler bets a fixed share of the
//! capital on each pair, the probability that the capital ever grows 20-fold is at most 1/20, however long the match is
//! (Ville's inequality). So 20-fold growth refutes the assumption at 95 %. At the start, the capital is divided among
//! [`BETS`] gamblers with different shares, so that the test needs no assumption about the bot's strength. The final
//! capital depends only on the counts, not on the order of the pairs. If the lead is small, the test needs many pairs;
//! if the expected share equals the threshold, any decision is an error.
//!
//! Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", Journal of the
//! Royal Statistical Society B 86 (2024), sections 3 and 4; the mixture over bets is that of T. Cover, "Universal
//! portfolios", Mathematical Finance 1 (1991).

use crate::{Pentanomial, Sample};

/// The number of gamblers: they bet 1 %, 2 % … 100 % of their capital.
const BETS: u32 = 100;

/// Decides if a bot's expected share of points is above `threshold` (`true`) or below it (`false`); `None` if the pairs
/// do not decide it. Each answer is wrong with a probability of at most 1 − `level`, even if called after every pair.
/// `threshold` is a rate from 0 to 1, where a draw counts half; no bot is above 1. `level` is between 0 and 1.
pub fn certain(pairs: &Pentanomial, threshold: f64, level: f64) -> Option<bool> {
    let mut counts = pairs.counts();
    let enough = -(1.0 - level).ln();
    if above(&counts, threshold) >= enough {
        return Some(true);
    }
    counts.reverse();
    (above(&counts, 1.0 - threshold) >= enough).then_some(false)
}

/// Returns the logarithm of the growth of the capital if all bets are that a pair's expected score is above `mean`.
fn above(counts: &[u64; 5], mean: f64) -> f64 {
    let bets = (1..=BETS).map(|bet| {
        let share = f64::from(bet) / f64::from(BETS);
        let factors = SCORES.map(|score| {
            let won = share * score;
            // If the mean is 0, the odds are infinite: any point refutes that mean.
            let odds = if won > 0.0 { won / mean } else { 0.0 };
            1.0 - share + odds
        });
        (1.0, factors)
    });
    capital(&counts.map(|count| count as f64), bets)
}

/// The scores of a pair, 0 to 1.
pub(crate) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Returns the logarithm of the growth of a capital that is divided among `bets`. A bet has a weight, and for each
/// score of a pair a factor by which the pair multiplies the money. `counts` has the number of pairs with each score.
pub(crate) fn capital(counts: &[f64; 5], bets: impl Iterator<Item = (f64, [f64; 5])>) -> f64 {
    let grown = bets.map(|(weight, factors)| {
        let pairs = counts
            .iter()
            .zip(factors)
            .filter(|&(&count, _)| count > 0.0);
        let growth: f64 = pairs.map(|(count, factor)| count * factor.ln()).sum();
        (weight, growth)
    });
    let grown: Vec<(f64, f64)> = grown.collect();
    let best = grown
        .iter()
        .fold(f64::NEG_INFINITY, |best, bet| best.max(bet.1));
    if best.is_infinite() {
        return best;
    }
    let sum: f64 = grown
        .iter()
        .map(|(weight, growth)| weight * (growth - best).exp())
        .sum();
    let whole: f64 = grown.iter().map(|(weight, _)| weight).sum();
    best + (sum / whole).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Z_95, wilson};
    use std::collections::BTreeMap;

    fn pairs([ll, ld, wl, wd, ww]: [u64; 5]) -> Pentanomial {
        Pentanomial::from([ll, ld, wl, 0, wd, ww])
    }

    /// Returns the exact probabilities that `decision`, evaluated after each of `most` pairs, ever returns `true` and
    /// `false`. `values` has the possible scores of a pair, in quarters, with their probabilities.
    fn ever(
        most: u64,
        values: &[(usize, f64)],
        decision: impl Fn(&Pentanomial) -> Option<bool>,
    ) -> [f64; 2] {
        let mut open = BTreeMap::from([([0; 5], 1.0)]);
        let mut found = [0.0; 2];
        for _ in 0..most {
            let mut next: BTreeMap<[u64; 5], f64> = BTreeMap::new();
            for (counts, chance) in open {
                for &(value, likely) in values {
                    let mut counts = counts;
                    counts[value] += 1;
                    *next.entry(counts).or_default() += chance * likely;
                }
            }
            next.retain(|counts, chance| match decision(&pairs(*counts)) {
                Some(side) => {
                    found[usize::from(!side)] += *chance;
                    false
                }
                None => true,
            });
            open = next;
        }
        found
    }

    /// The mean is the threshold, so each answer is an error. An ordinary interval errs far more often.
    #[test]
    fn looking_after_every_pair_errs_no_more_often_than_promised() {
        let all_or_nothing = [(0, 0.45), (4, 0.55)];
        let with_draws = [(0, 0.3), (2, 0.3), (4, 0.4)];
        for (most, values) in [(120, &all_or_nothing[..]), (45, &with_draws[..])] {
            let mean: f64 = values
                .iter()
                .map(|(v, likely)| *v as f64 / 4.0 * likely)
                .sum();
            assert!(
                (mean - 0.55).abs() < 1e-12,
                "the values are at the threshold"
            );
            let [above, below] = ever(most, values, |pairs| certain(pairs, 0.55, 0.95));
            assert!(above <= 0.05 && below <= 0.05, "{above} {below}");
        }
        let [above, below] = ever(120, &all_or_nothing, |pairs| {
            let interval = wilson(&pairs.score(), Z_95);
            match (interval.low > 0.55, interval.high < 0.55) {
                (false, false) => None,
                (is_above, _) => Some(is_above),
            }
        });
        assert!(
            above + below > 0.15,
            "an ordinary interval errs: {above} {below}"
        );
    }

    #[test]
    fn a_clear_case_ends_soon() {
        let strong = [(0, 0.05), (2, 0.25), (4, 0.7)];
        let [above, below] = ever(40, &strong, |pairs| certain(pairs, 0.55, 0.95));
        assert!(above > 0.95 && below < 0.001, "{above} {below}");
    }
}
