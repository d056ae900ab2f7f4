//! The number of games that a sequential test needs, from simulated walks of its log-likelihood ratio.
//!
//! At a true strength, the results of a pair have known probabilities, and each result adds its step to the ratio. A
//! walk is the sum of such steps, from the present ratio until it leaves the bounds. The strength is unknown during a
//! match, so each walk takes a strength that is likely, given the results so far and a prior.
//!
//! Sources: A. Wald, "Sequential Analysis" (1947); D. Siegmund, "Sequential Analysis" (1985), X.2, for the overshoot.

use crate::likelihood::Frequencies;
use crate::{Bounds, Decision, Model, Pentanomial, Sample, Sprt};

/// The numbers of walks: in a forecast during a match, and in a plan before a match.
const WALKS: usize = 1000;
const PLANNED_WALKS: usize = 10_000;
/// The weight of the prior of the results, in pairs.
const PRIOR_PAIRS: f64 = 2.0;
/// The approximate number of steps of a walk.
const STEPS: f64 = 64.0;
/// The mean overshoot of a normal random walk over a bound, in standard deviations of a step (Siegmund).
const OVERSHOOT: f64 = 0.583;

/// The number of games that a test needs until its decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The mean number of games.
    pub games: f64,
    /// A tenth of the walks takes at most this number of games.
    pub low: f64,
    /// Nine tenths of the walks take at most this number of games.
    pub high: f64,
    /// The share of the walks that accept H1, 0 to 1.
    pub accepts_h1: f64,
}

impl Forecast {
    /// The default share of draws of a plan.
    pub const USUAL_DRAWS: f64 = 0.1;
}

/// The steps of a log-likelihood ratio at one true strength.
#[derive(Clone, Copy, Debug)]
struct Steps {
    /// The probability of this strength, relative to the weights of the others.
    weight: f64,
    /// The mean of a pair's step, in nats.
    drift: f64,
    /// The standard deviation of a pair's step, in nats.
    deviation: f64,
}

impl Sprt {
    /// Predicts how many more games the test needs, from its pairs so far; `None` after the decision.
    ///
    /// The prior of the strength is a Cauchy distribution around the middle of the hypotheses, with their distance as
    /// its scale: most changes are about as large as the hypotheses, and a few are much larger. The prior of the
    /// results counts as two pairs of equal bots with [`Forecast::USUAL_DRAWS`].
    pub fn forecast(&self, pairs: &Pentanomial) -> Option<Forecast> {
        let llr = self.llr(pairs);
        if self.decision(llr) != Decision::Undecided {
            return None;
        }
        let mut counts = pairs.counts().map(|count| count as f64);
        for (count, usual) in counts.iter_mut().zip(independent(Forecast::USUAL_DRAWS)) {
            *count += PRIOR_PAIRS * usual;
        }
        let number: f64 = counts.iter().sum();
        let observed = Frequencies::new(counts.map(|count| count / number));
        let deviation = observed.deviation();
        let (found, played) = (pairs.moments().mean - 0.5, pairs.pairs() as f64);
        let middle = f64::midpoint(self.elo0(), self.elo1());
        let apart = self.elo1() - self.elo0();
        // The strengths are densest at the middle, and end 1,000 Elo away from it.
        let farthest = (1000.0 / apart).asinh();
        let mut strengths: Vec<(f64, f64)> = (-100..=100)
            .map(|step| {
                let away = farthest * f64::from(step) / 100.0;
                let elo = middle + apart * away.sinh();
                let off = match self.model() {
                    Model::Logistic => (found - self.target(elo, 2)) / deviation,
                    Model::Normalised => found / deviation - self.target(elo, 2),
                };
                // The weight has the density of the prior, 1/(1 + sinh²), times the distance between strengths, cosh.
                (elo, (-0.5 * played * off * off).exp() / away.cosh())
            })
            .collect();
        let most = strengths.iter().fold(0.0, |most: f64, one| most.max(one.1));
        strengths.retain(|&(_, weight)| weight > 1e-3 * most);
        let steps = strengths.iter().map(|&(elo, weight)| Steps {
            weight,
            ..self.steps(&observed, elo)
        });
        Some(walk(llr, self.bounds(), &steps.collect::<Vec<_>>(), WALKS))
    }

    /// Predicts how many games a test needs from its start if the first bot is stronger by `elo`, in the Elo of the
    /// model. `draws` is the probability, 0 to 1, that equal bots draw a game; it is the same for all openings.
    pub fn plan(&self, elo: f64, draws: f64) -> Forecast {
        let observed = Frequencies::new(independent(draws));
        let steps = self.steps(&observed, elo);
        walk(0.0, self.bounds(), &[steps], PLANNED_WALKS)
    }

    /// Returns the steps of a pair if the true strength is `elo` and the results are otherwise like `observed`.
    fn steps(&self, observed: &Frequencies<5>, elo: f64) -> Steps {
        let truth = self.under(observed, elo, 2).probabilities();
        let near = Frequencies::new(truth);
        let [at_h0, at_h1] = [self.elo0(), self.elo1()]
            .map(|elo| self.under(&near, elo, 2).probabilities().map(f64::ln));
        let mean = |value: &dyn Fn(usize) -> f64| -> f64 {
            truth.iter().enumerate().map(|(i, p)| p * value(i)).sum()
        };
        let drift = mean(&|i| at_h1[i] - at_h0[i]);
        let variance = mean(&|i| (at_h1[i] - at_h0[i] - drift).powi(2));
        Steps {
            weight: 1.0,
            drift,
            deviation: variance.sqrt().max(f64::MIN_POSITIVE),
        }
    }
}

/// Returns the probabilities of the five scores of a pair of independent games between equal bots, none of them 0.
pub(crate) fn independent(draws: f64) -> [f64; 5] {
    let drawn = draws.clamp(1e-6, 1.0 - 1e-6);
    let won = (1.0 - drawn) / 2.0;
    let (same, half) = (won * won, 2.0 * won * drawn);
    [same, half, 2.0 * same + drawn * drawn, half, same]
}

/// Walks from a log-likelihood ratio to the bounds, `number` times, and counts games.
fn walk(start: f64, bounds: Bounds, steps: &[Steps], number: usize) -> Forecast {
    let whole: f64 = steps.iter().map(|steps| steps.weight).sum();
    let (mut random, mut accepted) = (SplitMix64(0), 0);
    let mut games: Vec<f64> = Vec::with_capacity(number);
    let (mut index, mut passed) = (0, steps[0].weight);
    for turn in 0..number {
        // Each strength gets a share of the walks in proportion to its weight.
        let wanted = whole * (turn as f64 + 0.5) / number as f64;
        while passed < wanted && index + 1 < steps.len() {
            index += 1;
            passed += steps[index].weight;
        }
        let (pairs, is_h1) = steps[index].walk(start, bounds, &mut random);
        games.push(2.0 * pairs);
        accepted += u32::from(is_h1);
    }
    games.sort_unstable_by(f64::total_cmp);
    Forecast {
        games: games.iter().sum::<f64>() / number as f64,
        low: games[number / 10],
        high: games[number * 9 / 10],
        accepts_h1: f64::from(accepted) / number as f64,
    }
}

impl Steps {
    /// Returns the number of pairs until a bound is reached, and true if this is the upper bound.
    fn walk(&self, start: f64, bounds: Bounds, random: &mut SplitMix64) -> (f64, bool) {
        let (below, above) = (start - bounds.lower, bounds.upper - start);
        // Two estimates of the number of pairs until a bound: by chance alone, by drift alone. The smaller is better.
        let by_chance = below * above / self.deviation.powi(2);
        let by_drift = (below + above) / self.drift.abs();
        let together = (by_chance.min(by_drift) / STEPS).floor().max(1.0);
        let deviation = self.deviation * together.sqrt();
        // The test is evaluated after each pair, so it stops earlier than this walk. Narrower bounds correct this.
        let missed = OVERSHOOT * (deviation - self.deviation);
        let upper = bounds.upper - missed.min(above / 2.0);
        let lower = bounds.lower + missed.min(below / 2.0);
        let (mut llr, mut pairs) = (start, 0.0);
        while lower < llr && llr < upper {
            llr += together * self.drift + deviation * random.normal();
            pairs += together;
        }
        (pairs, llr >= upper)
    }
}

/// A sequence of random numbers: `SplitMix64` of G. Steele, D. Lea and C. Flood (2014).
struct SplitMix64(u64);

impl SplitMix64 {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A nearly normal number with mean 0 and variance 1: the heads in 64 tosses of a coin have a variance of 16.
    fn normal(&mut self) -> f64 {
        (f64::from(self.bits().count_ones()) - 32.0) / 4.0
    }
}

#[cfg(test)]
pub(crate) mod tests;
