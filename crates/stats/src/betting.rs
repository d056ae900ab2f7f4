//! When results show on which side of a threshold a bot stands, however often one looks.
//!
//! Who looks at an ordinary interval after every game and stops when it leaves the threshold is wrong far more
//! often than the interval says. What holds at every look at once is a bet: somebody who believes that the
//! expected share of points is the threshold or less offers fair odds, and a gambler who bets a fixed share
//! of the capital on more multiplies it by 20 with a chance of at most 1/20, ever (Ville's inequality). So once
//! the capital is 20 times what it was, the belief is refuted at 95 %.
//!
//! The capital is spread over [`BETS`] shares at the start, so that nothing need be known of how strong the
//! bot is; it is then a number that depends on the counts alone, not on their order. A small lead needs
//! many pairs, and a bot whose expected share is the threshold is never decided, but for errors.
//!
//! Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting",
//! Journal of the Royal Statistical Society B 86 (2024), sections 3 and 4; the mixture over bets is that of
//! T. Cover, "Universal portfolios", Mathematical Finance 1 (1991).

use crate::{Pentanomial, Sample};

/// The number of shares of the capital, 1 % to 100 %, with which a gambler bets at once.
const BETS: u32 = 100;

/// Whether a bot's expected share of points is more than `threshold` (`true`) or less (`false`), with a chance of
/// at most 1 − `level` to be wrong although one looks after every pair; `None` as long as that is open.
///
/// `threshold` is a rate from 0 to 1, draws counting half; `level` is above 0 and below 1. Pairs are taken for
/// independent of each other, their two games are not. That a bot always wins cannot be shown, so for a
/// threshold of 1 the answer is never `true`, nor `false` for 0.
pub fn certain(pairs: &Pentanomial, threshold: f64, level: f64) -> Option<bool> {
    let mut counts = pairs.counts();
    let enough = -(1.0 - level).ln();
    if capital(&counts, threshold) >= enough {
        return Some(true);
    }
    counts.reverse();
    (capital(&counts, 1.0 - threshold) >= enough).then_some(false)
}

/// The logarithm of what a gambler's capital was multiplied by, who bets that the expected value of a pair, 0 to
/// 1, is above `mean`. `counts` are the pairs worth 0, ¼, ½, ¾ and 1.
fn capital(counts: &[u64; 5], mean: f64) -> f64 {
    let bets = (1..=BETS).map(|bet| {
        let share = f64::from(bet) / f64::from(BETS);
        let pairs = counts.iter().zip(0..5).filter(|&(&count, _)| count > 0);
        pairs
            .map(|(&count, quarters)| {
                let won = share * f64::from(quarters) / 4.0;
                // A mean of 0 is refuted by any point.
                let odds = if won > 0.0 { won / mean } else { 0.0 };
                count as f64 * (1.0 - share + odds).ln()
            })
            .sum::<f64>()
    });
    let bets: Vec<f64> = bets.collect();
    let best = bets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if best.is_infinite() {
        return best;
    }
    let sum: f64 = bets.iter().map(|bet| (bet - best).exp()).sum();
    best + (sum / f64::from(BETS)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Z_95, wilson};
    use std::collections::BTreeMap;

    fn pairs([ll, ld, wl, wd, ww]: [u64; 5]) -> Pentanomial {
        Pentanomial::from([ll, ld, wl, 0, wd, ww])
    }

    /// How often a look after each of `most` pairs finds `true` and `false`, exactly: the chances of all
    /// counts not yet decided, pair by pair. `values` are the quarters that a pair can be worth, with their chances.
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

    /// At the threshold itself either answer is wrong. Each is given with a chance of at most 5 %, while an
    /// interval for one look that is looked at after every pair errs far more often.
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
        assert!(above + below > 0.15, "it would be wrong: {above} {below}");
    }

    #[test]
    fn a_clear_case_ends_soon() {
        let strong = [(0, 0.05), (2, 0.25), (4, 0.7)];
        let [above, below] = ever(40, &strong, |pairs| certain(pairs, 0.55, 0.95));
        assert!(above > 0.95 && below < 0.001, "{above} {below}");
    }
}
