//! Ratings of a whole field: the strengths under which all results together are most likely.
//!
//! The model of Bradley and Terry (1952): a bot's expected score against another is
//! 1/(1 + 10^(−d/400)) for a rating difference d, and a draw is half a win and half a loss.
//!
//! Results alone do not always determine ratings: a bot that won every game would be rated infinite, and two groups
//! without a common game cannot be compared. So every rating has a prior: normally distributed about the field's mean
//! with a standard deviation of [`PRIOR_ELO`]. Its effect is large only with few games: between two bots, 100 games
//! that score 60 % give 70.3 Elo instead of 70.4, and a clean sweep of 10 games gives 654. With the prior the
//! log-likelihood is strictly concave: there is exactly one solution, and its mean is 0.

use std::f64::consts::LN_10;

use super::cholesky::Cholesky;
use super::{Score, Z_95};

/// The standard deviation, in Elo, of the prior: the typical difference of two bots is about 700 Elo.
pub const PRIOR_ELO: f64 = 500.0;

/// The Elo of one natural unit: odds of e to one.
const ELO_PER_NAT: f64 = 400.0 / LN_10;

/// The limit of steps of Newton's method. From 0 it takes about ten, because each doubles the digits.
const MOST_STEPS: usize = 200;

/// The expected gain of a step in nats below which it starts near the maximum.
const NEAR: f64 = 0.01;

/// A bot's strength relative to the mean of the rated field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The estimate, in Elo above the field's mean.
    pub elo: f64,
    /// Half the width of the 95 % interval, in Elo relative to the field's mean. It comes from the curvature of the
    /// log-likelihood, which counts a draw as two half games: with many draws it is wider than necessary.
    pub error_95: f64,
}

/// Rates `players` bots, numbered from 0, by the games between them: `(i, j, score)` is seen from i.
///
/// A pairing may be given in parts, in either direction and in any order: the same games give the same ratings, bit for
/// bit. Games of a bot against itself are ignored. All ratings are finite and their mean is 0 within rounding; a bot
/// without games has rating 0 and the prior's error.
///
/// # Panics
///
/// If a bot's number is not below `players`.
pub fn ratings(pairings: &[(usize, usize, Score)], players: usize) -> Vec<Rating> {
    rated(pairings, players, None)
}

/// As [`ratings`], relative to the bot `anchor`, whose rating is exactly `elo`. The errors of the others are those of
/// their differences to it; its own is 0.
///
/// # Panics
///
/// If a bot's number is not below `players`.
pub fn ratings_from(
    pairings: &[(usize, usize, Score)],
    players: usize,
    anchor: usize,
    elo: f64,
) -> Vec<Rating> {
    let mut ratings = rated(pairings, players, Some(anchor));
    let base = ratings[anchor].elo;
    for rating in &mut ratings {
        rating.elo = elo + (rating.elo - base);
    }
    ratings
}

fn rated(pairings: &[(usize, usize, Score)], players: usize, anchor: Option<usize>) -> Vec<Rating> {
    let field = Field::new(pairings, players);
    let strengths = field.most_likely();
    field
        .errors(&strengths, anchor)
        .into_iter()
        .zip(&strengths)
        .map(|(error, strength)| Rating {
            elo: strength * ELO_PER_NAT,
            error_95: Z_95 * error * ELO_PER_NAT,
        })
        .collect()
}

/// All results in half points, so that the order of counting has no effect. Strengths are in natural units.
struct Field {
    players: usize,
    /// `[i * players + j]`: the half points that i won against j.
    half_points: Vec<u64>,
}

impl Field {
    fn new(pairings: &[(usize, usize, Score)], players: usize) -> Field {
        let mut half_points = vec![0; players * players];
        for (i, j, score) in pairings {
            assert!(
                *i < players && *j < players,
                "no bot {i} or {j} of {players}"
            );
            half_points[i * players + j] += score.half_points();
            half_points[j * players + i] += score.reversed().half_points();
        }
        for i in 0..players {
            half_points[i * players + i] = 0;
        }
        Field {
            players,
            half_points,
        }
    }

    fn points(&self, i: usize, j: usize) -> f64 {
        self.half_points[i * self.players + j] as f64 / 2.0
    }

    /// The maximum of the log-posterior, by Newton's method. Far from it, a step is halved until it leads upwards. Near
    /// it, rounding hides the gain, but full steps double the digits.
    fn most_likely(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.players];
        for _ in 0..MOST_STEPS {
            let Some(cholesky) = Cholesky::of(self.precision(&strengths), self.players) else {
                break;
            };
            let gradient = self.gradient(&strengths);
            let step = cholesky.solve(gradient.clone());
            let promised: f64 = gradient.iter().zip(&step).map(|(g, s)| g * s).sum();
            let along = |length: f64| -> Vec<f64> {
                let moved = strengths.iter().zip(&step);
                moved.map(|(from, step)| from + length * step).collect()
            };

            let mut length = 1.0;
            if promised > NEAR {
                let value = self.log_posterior(&strengths);
                while self.log_posterior(&along(length)) <= value && length > 1e-9 {
                    length /= 2.0;
                }
            }
            strengths = along(length);
            if step.iter().all(|step| step.abs() < 1e-12) {
                break;
            }
        }
        strengths
    }

    fn log_posterior(&self, strengths: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, own) in strengths.iter().enumerate() {
            for (j, opponent) in strengths.iter().enumerate() {
                sum += self.points(i, j) * ln_expected(own - opponent);
            }
            sum -= own * own * prior_precision() / 2.0;
        }
        sum
    }

    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let along = |i: usize| {
            let slope: f64 = (0..self.players)
                .map(|j| {
                    let lead = strengths[i] - strengths[j];
                    self.points(i, j) * expected(-lead) - self.points(j, i) * expected(lead)
                })
                .sum();
            slope - strengths[i] * prior_precision()
        };
        (0..self.players).map(along).collect()
    }

    /// The negative second derivatives: the inverse of the ratings' covariance, row by row.
    fn precision(&self, strengths: &[f64]) -> Vec<f64> {
        let n = self.players;
        let mut precision = vec![0.0; n * n];
        for i in 0..n {
            precision[i * n + i] += prior_precision();
            for j in 0..i {
                let lead = strengths[i] - strengths[j];
                let games = self.points(i, j) + self.points(j, i);
                let weight = games * expected(lead) * expected(-lead);
                precision[i * n + i] += weight;
                precision[j * n + j] += weight;
                precision[i * n + j] -= weight;
                precision[j * n + i] -= weight;
            }
        }
        precision
    }

    /// The standard error of each strength relative to that of `anchor`, or to the field's mean.
    ///
    /// Games do not determine the mean itself, only the prior does; that common part of the variance, 1/(n·prior
    /// precision), is subtracted. To keep it from hiding the rest by rounding, the precision of the mean is first
    /// raised to that of the differences.
    fn errors(&self, strengths: &[f64], anchor: Option<usize>) -> Vec<f64> {
        let n = self.players;
        let mut precision = self.precision(strengths);
        let firm = (0..n).map(|i| precision[i * n + i]).sum::<f64>() / n as f64;
        for entry in &mut precision {
            *entry += firm / n as f64;
        }
        let common = 1.0 / (n as f64 * (prior_precision() + firm));
        // It cancels in the difference of two strengths.
        let common = anchor.map_or(common, |_| 0.0);
        let Some(cholesky) = Cholesky::of(precision, n) else {
            return vec![1.0 / prior_precision().sqrt(); n];
        };
        (0..n)
            .map(|i| {
                let mut unit = vec![0.0; n];
                unit[i] = 1.0;
                if let Some(anchor) = anchor {
                    unit[anchor] -= 1.0;
                }
                let solved = cholesky.solve(unit.clone());
                let variance: f64 = unit.iter().zip(solved).map(|(u, s)| u * s).sum();
                (variance - common).max(0.0).sqrt()
            })
            .collect()
    }
}

/// The inverse of the prior's variance, in natural units.
fn prior_precision() -> f64 {
    (ELO_PER_NAT / PRIOR_ELO).powi(2)
}

/// The expected score at a lead in natural units.
fn expected(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// The logarithm of the expected score, even if that underflows.
fn ln_expected(lead: f64) -> f64 {
    lead.min(0.0) - (-lead.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests;
