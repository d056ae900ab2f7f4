//! Stops a match when the difference in strength is known well enough. The interval may be evaluated at any time.
//!
//! An ordinary 95 % interval that is evaluated after every pair excludes the true value sooner or later. The interval
//! here is a confidence sequence: the probability is 95 % that it always contains the true value, so a match may stop
//! at any time. For each possible mean score, an imaginary gambler splits a capital among bets that the scores will be
//! higher and bets that they will be lower than this mean. If the mean is the true one, the probability that the
//! capital ever grows 20-fold is at most 1/20 (Ville's inequality). The interval consists of the means against which
//! the capital has not grown 20-fold. The bet sizes are optimal at the wanted width. There, the interval is about 1.55
//! times as wide as an ordinary one, so a match needs about 2.5 times as many games.
//!
//! Sources: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", Journal of the
//! Royal Statistical Society B 86 (2024); H. Robbins, "Statistical methods related to the law of the iterated
//! logarithm", Annals of Mathematical Statistics 41 (1970), for the mixture of normally distributed bets.

use std::f64::consts::LN_10;

use crate::betting::{SCORES, capital};
use crate::elo::elo_of_odds;
use crate::forecast::independent;
use crate::{Elo, Pentanomial, Sample, Z_95};

/// The number of bets on each side of 0.
const BETS: i32 = 16;
/// The distance of two neighbouring bets, in standard deviations of their distribution.
const APART: f64 = 0.2;
/// The variance of a pair's score, 0 to 1, for which the bet sizes are optimal. For variances from 0.05 (60 % draws, or
/// openings that decide games) to 0.125 (independent games without draws), a match is at most 6 % longer.
const VARIANCE: f64 = 0.07;
/// The product V·σ² at which the interval has the wanted width: V is the sum of the squared deviations of the pair
/// scores, σ² the variance of the bets. This value minimises the width of a normal mixture at 95 %.
const SEEN: f64 = 8.4;
/// The half-width of the interval when the match stops, in standard errors of the mean (1.96 for an ordinary interval).
const REACH: f64 = 3.035;
/// The change of a pair's score, 0 to 1, for one Elo, between nearly equal bots.
const SCORE_PER_ELO: f64 = LN_10 / 1600.0;
/// The largest half-width that [`Precision::estimate`] returns, in Elo.
const FURTHEST: f64 = 3000.0;

/// A goal: to know the Elo of the first bot to ± `elo`, at 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    elo: f64,
}

impl Precision {
    /// The least and the largest half-width.
    pub const RANGE: std::ops::RangeInclusive<f64> = 0.5..=400.0;

    /// Creates the goal; `elo` is the half-width. Returns `None` outside of [`Precision::RANGE`].
    pub fn new(elo: f64) -> Option<Precision> {
        Precision::RANGE.contains(&elo).then_some(Precision { elo })
    }

    /// Returns the wanted half-width, in Elo.
    pub fn elo(self) -> f64 {
        self.elo
    }

    /// Returns true if the pairs determine the Elo to the wanted half-width.
    pub fn is_reached(self, pairs: &Pentanomial) -> bool {
        self.excludes(&floats(pairs), self.elo)
    }

    /// Returns the Elo, with an interval that may be evaluated at any time; `None` if the interval is still unlimited.
    pub fn estimate(self, pairs: &Pentanomial) -> Option<Elo> {
        let counts = floats(pairs);
        let error_95 = least(FURTHEST, |error| self.excludes(&counts, error))?;
        let elo = elo_of(mean(&counts)?);
        Some(Elo { elo, error_95 })
    }

    /// Returns the number of games still needed if further results are like those so far; `None` without an estimate.
    pub fn games_left(self, pairs: &Pentanomial) -> Option<f64> {
        let counts = floats(pairs);
        self.estimate(pairs)?;
        let more = |times: f64| counts.map(|count| (1.0 + times) * count);
        let times = least(1e9, |times| self.excludes(&more(times), self.elo))?;
        Some(2.0 * times * pairs.pairs() as f64)
    }

    /// Returns the number of games that reach the goal, and the number after which an ordinary interval is as narrow.
    /// Assumes equal bots that draw with probability `draws`.
    pub fn plan(self, draws: f64) -> [f64; 2] {
        let one = independent(draws);
        let pairs = |number: f64| one.map(|share| number * share);
        let needed = least(1e9, |number| self.excludes(&pairs(number), self.elo));
        let squares = SCORES.map(|score| (score - 0.5).powi(2));
        let variance: f64 = one
            .iter()
            .zip(squares)
            .map(|(share, square)| share * square)
            .sum();
        let once = variance * (Z_95 / (self.elo * SCORE_PER_ELO)).powi(2);
        [2.0 * needed.unwrap_or(1e9), 2.0 * once]
    }

    /// Returns true if Elo differences of `error` from the estimate are refuted at 95 % on both sides. All larger
    /// differences are then refuted, too: the capital is a convex function of the mean, and at most 1 at the estimate.
    fn excludes(self, counts: &[f64; 5], error: f64) -> bool {
        let Some(elo) = mean(counts).map(elo_of).filter(|elo| elo.is_finite()) else {
            return false;
        };
        let is_refuted = |elo: f64| {
            let mean = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
            self.capital(counts, mean) >= 20f64.ln()
        };
        is_refuted(elo + error) && is_refuted(elo - error)
    }

    /// Returns the logarithm of the growth of a capital in bets against this mean score of a pair, 0 to 1.
    fn capital(self, counts: &[f64; 5], mean: f64) -> f64 {
        let deviation = self.elo * SCORE_PER_ELO / (VARIANCE * REACH) * SEEN.sqrt();
        let bets = (-BETS..=BETS).map(|bet| {
            let away = APART * f64::from(bet);
            // No pair may cost more than the capital.
            let share = (deviation * away).clamp(-1.0, 1.0);
            let factors = SCORES.map(|score| 1.0 + share * (score - mean));
            ((-0.5 * away * away).exp(), factors)
        });
        capital(counts, bets)
    }
}

fn floats(pairs: &Pentanomial) -> [f64; 5] {
    pairs.counts().map(|count| count as f64)
}

fn mean(counts: &[f64; 5]) -> Option<f64> {
    let number: f64 = counts.iter().sum();
    let sum: f64 = counts
        .iter()
        .zip(SCORES)
        .map(|(count, score)| count * score)
        .sum();
    (number > 0.0).then(|| sum / number)
}

fn elo_of(score: f64) -> f64 {
    elo_of_odds(score, 1.0 - score)
}

/// Returns the least value from 0 to `most` for which `is_enough` is true. All larger values must be enough, too.
fn least(most: f64, is_enough: impl Fn(f64) -> bool) -> Option<f64> {
    if is_enough(0.0) || !is_enough(most) {
        return is_enough(0.0).then_some(0.0);
    }
    let (mut low, mut high) = (0.0, most);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if is_enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests;
