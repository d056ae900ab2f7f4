//! The sequential probability ratio test: play until one of two hypotheses is accepted.
//!
//! The test stops a match as soon as the results decide, with error rates that are fixed in advance. Of all such tests,
//! it needs the fewest games on average (Wald 1945). The hypotheses do not fix the draw rate, so the test compares the
//! largest likelihoods that they allow: it is the generalised SPRT.
//!
//! Games finish out of order, and short games are not a fair sample: use only a contiguous prefix of the schedule.

use std::cmp::Ordering;

use super::Sample;
use super::elo::NORMALISED;
use super::likelihood::{Distribution, Frequencies};

/// The meaning of the hypotheses' Elo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Logistic Elo fixes the mean score: 1/(1 + 10^(−Elo/400)).
    #[default]
    Logistic,
    /// Normalised Elo fixes the mean score in standard deviations: a match has about the same length at all draw rates.
    Normalised,
}

/// The decision of a test after the results so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The first bot is not stronger by `elo1`: H0 is accepted.
    AcceptH0,
    /// The first bot is stronger by more than `elo0`: H1 is accepted.
    AcceptH1,
    /// Neither hypothesis is accepted yet.
    Undecided,
}

/// The log-likelihood ratios, in nats, at which a test stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// H0 is accepted at this ratio or below: ln(β/(1 − α)), below 0.
    pub lower: f64,
    /// H1 is accepted at this ratio or above: ln((1 − β)/α), above 0.
    pub upper: f64,
}

/// The error for a test that cannot be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error, message::Message)]
pub enum BadSprt {
    /// The hypotheses coincide, are in the wrong order, or are not numbers.
    #[error("elo0 ({elo0}) must be below elo1 ({elo1})")]
    Order {
        /// The value given.
        elo0: f64,
        /// The value given.
        elo1: f64,
    },
    /// A hypothesis that no match could distinguish from infinity.
    #[error("elo0 and elo1 must be from -1000 to 1000, not {elo}")]
    TooFar {
        /// The value given.
        elo: f64,
    },
    /// An error rate is not above 0, or both together are not below 1.
    #[error("alpha ({alpha}) and beta ({beta}) must be above 0 and add up to less than 1")]
    ErrorRates {
        /// The value given.
        alpha: f64,
        /// The value given.
        beta: f64,
    },
}

/// A test of H0, "the first bot is stronger by `elo0`", against H1, "it is stronger by `elo1`".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Sprt {
    /// Creates a test. If the true difference is at most `elo0`, it accepts H1 with a probability of at most about
    /// `alpha`. If the true difference is at least `elo1`, it accepts H0 with a probability of at most about `beta`.
    /// −1000 ≤ `elo0` < `elo1` ≤ 1000, in the Elo of the model; `alpha` and `beta` are above 0 and together below 1.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, BadSprt> {
        if elo0.partial_cmp(&elo1) != Some(Ordering::Less) {
            return Err(BadSprt::Order { elo0, elo1 });
        }
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| elo.abs() > 1000.0) {
            return Err(BadSprt::TooFar { elo });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(BadSprt::ErrorRates { alpha, beta });
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// Returns the Elo difference of H0.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// Returns the Elo difference of H1.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// Returns the rate of accepting H1 although H0 is true.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Returns the rate of accepting H0 although H1 is true.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Returns the meaning of the hypotheses' Elo.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Returns the ratios at which the test stops (Wald's bounds).
    pub fn bounds(&self) -> Bounds {
        Bounds {
            lower: (self.beta / (1.0 - self.alpha)).ln(),
            upper: ((1.0 - self.beta) / self.alpha).ln(),
        }
    }

    /// Returns the log-likelihood ratio of H1 against H0, in nats: N·Σ f·ln(p₁/p₀) over the frequencies f of the N
    /// units, where p₀ and p₁ are the most likely distributions under each hypothesis. Always finite; 0 without a game.
    /// A count of 0 counts as 10⁻³ units. Use pairs rather than games if there are pairs.
    ///
    /// Source: M. Van den Bergh, "Comments on Normalized Elo", sections 1 and 4.1, as in fishtest and fastchess.
    pub fn llr<S: Sample<K>, const K: usize>(&self, sample: &S) -> f64 {
        let counts = sample.counts();
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = counts.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let number: f64 = counts.iter().sum();
        let observed = Frequencies::new(counts.map(|count| count / number));
        let log_likelihood =
            |elo: f64| observed.log_likelihood(&self.under(&observed, elo, S::GAMES_EACH));
        number * (log_likelihood(self.elo1) - log_likelihood(self.elo0))
    }

    /// Returns the most likely distribution of the scores of units of `games_each` games at a true difference of `elo`.
    pub(super) fn under<const K: usize>(
        &self,
        observed: &Frequencies<K>,
        elo: f64,
        games_each: u32,
    ) -> Distribution<K> {
        let target = self.target(elo, games_each);
        match self.model {
            Model::Logistic => observed.with_mean(target),
            Model::Normalised => observed.with_t(target),
        }
    }

    /// Returns the mean score of a unit of `games_each` games at a difference of `elo`, minus ½. In the normalised
    /// model, it is a multiple of the standard deviation of a unit's score.
    pub(super) fn target(&self, elo: f64, games_each: u32) -> f64 {
        match self.model {
            Model::Logistic => 1.0 / (1.0 + 10f64.powf(-elo / 400.0)) - 0.5,
            Model::Normalised => elo / NORMALISED * f64::from(games_each).sqrt(),
        }
    }

    /// Returns the decision at a log-likelihood ratio.
    pub fn decision(&self, llr: f64) -> Decision {
        let bounds = self.bounds();
        if llr >= bounds.upper {
            Decision::AcceptH1
        } else if llr <= bounds.lower {
            Decision::AcceptH0
        } else {
            Decision::Undecided
        }
    }
}

#[cfg(test)]
mod tests;
