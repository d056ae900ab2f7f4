//! The strength difference of two bots: logistic Elo, normalised Elo, and the likelihood of superiority.

use std::f64::consts::LN_10;

use super::{Sample, Z_95};

/// The largest factor by which an interval may reduce the share of points lost (or won).
///
/// With the normal approximation, an interval may reach a rate of 1, which is infinite Elo, if few points were lost. So
/// the interval ends where the lost share is 1/40 of the estimate. This is about the least that one lost point can
/// mean: the lower 95 % confidence limit of a count of one is 0.0253 (Garwood 1936).
const FURTHEST: f64 = 40.0;

/// The normalised Elo of a mean score that is one standard deviation above ½.
pub(super) const NORMALISED: f64 = 800.0 / LN_10;

/// The minimum number of units, pairs or games, for a strength difference.
///
/// By the sign test, five units are never significant at 95 %, not even five wins (2·2⁻⁵ = 6.2 %); six can be (3.1 %).
/// With fewer units, the normal approximation is far too confident: two pairs of 1½ and 2 points would have a
/// likelihood of superiority of 99.999 %. Source: W. J. Conover, "Practical Nonparametric Statistics", 3.4.
pub const FEWEST_UNITS: u64 = 6;

/// The Elo difference between the first bot and its opponent: positive if the first bot is stronger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The estimate, in Elo.
    pub elo: f64,
    /// The half-width of the 95 % interval, in Elo.
    pub error_95: f64,
}

/// The strength difference of two bots, seen from the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Logistic Elo: 400 means ten points won for one lost.
    pub elo: Elo,
    /// Normalised Elo: the distance of the mean score from ½ in standard deviations of one game, scaled to resemble
    /// Elo. `None` if every unit had the same score. Source: M. Van den Bergh, "Normalized Elo".
    pub normalised: Option<Elo>,
    /// The likelihood of superiority: the probability that the first bot is the stronger one, 0 to 1.
    pub los: f64,
}

impl Strength {
    /// Returns the strength difference from these results; `None` with fewer than [`FEWEST_UNITS`].
    pub fn of<S: Sample<K>, const K: usize>(sample: &S) -> Option<Strength> {
        let counts = sample.counts();
        let units = counts.iter().sum::<u64>();
        let has_spread = !counts.contains(&units);
        (units >= FEWEST_UNITS).then(|| Strength {
            elo: logistic(sample),
            normalised: has_spread.then(|| normalised(sample)),
            los: los(sample, units),
        })
    }
}

/// Returns Elo = 400·log₁₀(s/(1 − s)) of the mean score s, and error = [Elo(s + zσ) − Elo(s − zσ)]/2, where σ is the
/// standard error of the mean and z the quantile for 95 %.
///
/// Both are finite for every sample: a sample without spread is regularised as in [`Moments`](super::Moments), and
/// [`FURTHEST`] limits the interval, so that the error is at most about 760.
///
/// Source: fastchess and cutechess, which leave the error undefined if s ± zσ is not between 0 and 1.
fn logistic<const K: usize>(sample: &impl Sample<K>) -> Elo {
    let moments = sample.moments();
    let (won, lost) = (moments.mean, 1.0 - moments.mean);
    let reach = Z_95 * moments.standard_error();
    let least_lost = (lost - reach).max(lost / FURTHEST);
    let least_won = (won - reach).max(won / FURTHEST);
    let high = elo_of_odds(1.0 - least_lost, least_lost);
    let low = elo_of_odds(least_won, 1.0 - least_won);
    Elo {
        elo: elo_of_odds(won, lost),
        error_95: (high - low) / 2.0,
    }
}

/// Returns (s − ½)/√(k·v)·800/ln 10 for mean s and variance v of n units of k games, and error z/√(k·n)·800/ln 10.
fn normalised<S: Sample<K>, const K: usize>(sample: &S) -> Elo {
    let moments = sample.moments();
    let games_each = f64::from(S::GAMES_EACH);
    Elo {
        elo: (moments.mean - 0.5) / (games_each * moments.variance).sqrt() * NORMALISED,
        error_95: Z_95 / (games_each * moments.number).sqrt() * NORMALISED,
    }
}

/// Returns the normal approximation of the likelihood of superiority, limited to 2⁻ⁿ and 1 − 2⁻ⁿ for n units. The sign
/// test has these values if one bot won all n units.
fn los<const K: usize>(sample: &impl Sample<K>, units: u64) -> f64 {
    let moments = sample.moments();
    let doubt = (-(units as f64)).exp2();
    normal_cdf((moments.mean - 0.5) / moments.standard_error()).clamp(doubt, 1.0 - doubt)
}

/// Returns the Elo difference at odds of `won` points to `lost` points, both above 0.
pub(super) fn elo_of_odds(won: f64, lost: f64) -> f64 {
    400.0 * (won.log10() - lost.log10())
}

pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * (1.0 + libm::erf(z / std::f64::consts::SQRT_2))
}

#[cfg(test)]
mod tests;
