//! Ratings of a whole field: the strengths under which all results together are most likely.
//!
//! The model of Bradley and Terry (1952): a bot's expected score against another is
//! 1/(1 + 10^(−d/400)) for a rating difference d, and a draw is half a win and half a loss.
//!
//! Results alone do not always determine ratings: a bot that won every game would have an infinite rating, and two
//! groups that never met cannot be compared. So every rating has a prior, a normal distribution around the field's mean
//! with a standard deviation of [`PRIOR_ELO`]. Its effect is large only with few games: between two bots, 60 % of the
//! points of 100 games give a difference of 70.3 Elo instead of 70.4, and ten wins in ten games give 654 instead of
//! infinity. With the prior, the log-likelihood is strictly concave: there is exactly one solution, whose mean is 0.
//!
//! Errors are computed from whole pairs if there are any. The two games of a pair share an opening. If the opening
//! favours one colour, the points of the pair vary less than those of two independent games. The covariance is the
//! sandwich estimator of Huber (1967) and White (1982), H·(M + P)·H: H is the inverse of the model's precision, M the
//! observed variance of the pairs' points, P the precision of the prior. A variance is estimated by its ratio to the
//! model's variance. The field's ratio is shrunk towards 1, and a bot's towards the field's, f. Let f·a and f·b be the
//! ratios of two bots, estimated without their common pairs. Then that of their pairing is shrunk towards f·a·b. So
//! copies of one deterministic program, whose pairs are always even, do not narrow the intervals of other bots.

use std::f64::consts::LN_10;

use super::cholesky::Cholesky;
use super::elo::normal_cdf;
use super::{Pentanomial, Sample as _, Score, Z_95};

/// The standard deviation of the prior, in Elo. For the difference of two bots it is √2 times as large, about 700 Elo.
pub const PRIOR_ELO: f64 = 500.0;

/// The number of Elo points in one nat; a lead of one nat means odds of e to one.
const ELO_PER_NAT: f64 = 400.0 / LN_10;

/// The step limit of Newton's method, which usually needs about ten steps.
const MOST_STEPS: usize = 200;

/// The weight of the model's variance when the field's variance is estimated, in pairs of equal bots. With this weight
/// and the next two, 93 to 97 % of the intervals contain the true rating in simulated fields of 4 to 30 bots.
const FIELD_PAIRS: f64 = 4.0;
/// The weight of the field's variance when a bot's variance is estimated, in the same unit.
const BOT_PAIRS: f64 = 8.0;
/// The weight of the bots' variances when a pairing's variance is estimated, in the same unit.
const PAIRING_PAIRS: f64 = 20.0;

/// The largest accepted probability that [`Ratings::places`] is wrong for at least one bot.
const PLACES_DOUBT: f64 = 0.05;

/// A step starts near the maximum if the gradient promises an increase of the log-posterior by at most this many nats.
const NEAR: f64 = 0.01;

/// The results of the games between two bots, seen from the first bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The numbers of the bots, from 0.
    pub bots: [usize; 2],
    /// All games, including those of whole pairs.
    pub score: Score,
    /// The pairs whose games both have a result.
    pub pairs: Pentanomial,
}

/// Converts the results of games without pairs.
impl From<(usize, usize, Score)> for Meeting {
    fn from((one, other, score): (usize, usize, Score)) -> Meeting {
        Meeting {
            bots: [one, other],
            score,
            pairs: Pentanomial::default(),
        }
    }
}

/// A bot's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The estimate, in Elo above the field's mean, or on the scale of the anchors.
    pub elo: f64,
    /// The half-width of the 95 % interval, in Elo relative to the field's mean or to the anchors; 0 for an anchor.
    pub error_95: f64,
}

/// Returns the upper 95 % bound of the rating of a bot that lost all its games. `games` has each opponent's rating and
/// the number of games. A bot at the bound would lose all these games with a probability of 5 %.
pub fn bound_of_losses(games: &[(f64, f64)]) -> f64 {
    let doubt = |elo: f64| -> f64 {
        let one =
            |&(known, games): &(f64, f64)| games * (10f64.powf((elo - known) / 400.0)).ln_1p();
        games.iter().map(one).sum()
    };
    let (mut low, mut high) = (-1e4, 1e4);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if doubt(middle) < 20f64.ln() {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The ratings of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// The ratings by the number of the bot.
    pub bots: Vec<Rating>,
    /// The covariance of the strengths in squared nats, row by row: about their mean, or relative to several anchors.
    covariance: Vec<f64>,
}

impl Ratings {
    /// Rates `players` bots. Bots that never met are compared by common opponents and the prior.
    ///
    /// The order of the meetings, the order of the bots in a meeting, and the division of the games of two bots into
    /// meetings do not change a single bit of the ratings. Games of a bot against itself are ignored. All figures are
    /// finite, and the mean of the ratings is 0 within rounding. A bot without games has the prior's rating and error.
    ///
    /// # Panics
    ///
    /// If a bot's number is not below `players`.
    pub fn of(meetings: &[Meeting], players: usize) -> Ratings {
        Ratings::of_field(&Field::new(meetings, players), meetings, 0.0)
    }

    /// Rates the bots on the scale of `anchors`, bots with known, fixed ratings. With one anchor, all ratings are
    /// shifted by the same amount, so that the anchor has its known rating. With several anchors, the games between
    /// them do not change any rating, and the prior of the other bots is centred on the anchors' mean.
    pub fn with_anchors(meetings: &[Meeting], players: usize, anchors: &[(usize, f64)]) -> Ratings {
        match *anchors {
            [] => Ratings::of(meetings, players),
            [(anchor, elo)] => Ratings::of(meetings, players).on_scale_of(anchor, elo),
            _ => {
                let middle = anchors.iter().map(|(_, elo)| elo).sum::<f64>() / anchors.len() as f64;
                let mut field = Field::new(meetings, players);
                for &(anchor, elo) in anchors {
                    field.fixed[anchor] = Some((elo - middle) / ELO_PER_NAT);
                }
                let mut ratings = Ratings::of_field(&field, meetings, middle);
                for &(anchor, elo) in anchors {
                    ratings.bots[anchor].elo = elo;
                }
                ratings
            }
        }
    }

    fn of_field(field: &Field, meetings: &[Meeting], middle: f64) -> Ratings {
        let (players, strengths) = (field.players, field.most_likely());
        let covariance = field.covariance(&strengths, meetings);
        let rating = |bot: usize| Rating {
            elo: middle + strengths[bot] * ELO_PER_NAT,
            error_95: error_95(covariance[bot * players + bot]),
        };
        Ratings {
            bots: (0..players).map(rating).collect(),
            covariance,
        }
    }

    /// Shifts all ratings so that `anchor` has exactly `elo`. The errors become those of the differences from `anchor`.
    fn on_scale_of(mut self, anchor: usize, elo: f64) -> Ratings {
        let base = self.bots[anchor].elo;
        for bot in 0..self.bots.len() {
            self.bots[bot] = Rating {
                elo: elo + (self.bots[bot].elo - base),
                error_95: self.difference_error_95(bot, anchor),
            };
        }
        self
    }

    /// Returns the half-width of the 95 % interval of the difference of two bots, in Elo.
    pub fn difference_error_95(&self, one: usize, other: usize) -> f64 {
        error_95(self.variance(one, other))
    }

    /// Returns the covariance of two strengths, or the variance of one, in squared nats. A nat is 400 / ln 10 Elo.
    pub fn covariance(&self, one: usize, other: usize) -> f64 {
        self.covariance[one * self.bots.len() + other]
    }

    /// Returns the variance of a difference in squared nats.
    fn variance(&self, one: usize, other: usize) -> f64 {
        let at = |i: usize, j: usize| self.covariance(i, j);
        at(one, one) + at(other, other) - 2.0 * at(one, other)
    }

    /// Returns the best and the worst place that each bot may have, counted from 1. With a probability of at least
    /// 95 %, the true places of all bots are within these limits (Bonferroni's bound for all differences).
    pub fn places(&self) -> Vec<[usize; 2]> {
        let all: Vec<usize> = (0..self.bots.len()).collect();
        self.places_among(&all)
    }

    /// Like [`Ratings::places`], but counts only these bots.
    pub fn places_among(&self, players: &[usize]) -> Vec<[usize; 2]> {
        let bots = players.len();
        let differences = (bots * bots.saturating_sub(1) / 2).max(1);
        let reach = quantile(1.0 - PLACES_DOUBT / 2.0 / differences as f64);
        let is_better = |one: usize, other: usize| {
            let [one, other] = [one, other].map(|bot| players[bot]);
            let lead = (self.bots[one].elo - self.bots[other].elo) / ELO_PER_NAT;
            lead > reach * self.variance(one, other).max(0.0).sqrt()
        };
        let place = |bot: usize| {
            let count = |is: &dyn Fn(usize) -> bool| (0..bots).filter(|&other| is(other)).count();
            let better = count(&|other| is_better(other, bot));
            let worse = count(&|other| is_better(bot, other));
            [1 + better, bots - worse]
        };
        (0..bots).map(place).collect()
    }
}

fn error_95(variance: f64) -> f64 {
    Z_95 * variance.max(0.0).sqrt() * ELO_PER_NAT
}

/// Returns the quantile of the standard normal distribution for `share`, which must be at least one half.
fn quantile(share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if normal_cdf(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The sums of all results. They are whole numbers of half points, so the order of the results has no effect on them.
struct Field {
    players: usize,
    /// `[i * players + j]`: the half points that i won against j.
    half_points: Vec<u64>,
    /// The known strengths of the anchors, in nats relative to their mean; `None` for other bots.
    fixed: Vec<Option<f64>>,
}

impl Field {
    fn new(meetings: &[Meeting], players: usize) -> Field {
        let mut half_points = vec![0; players * players];
        for Meeting {
            bots: [i, j],
            score,
            ..
        } in meetings
        {
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
            fixed: vec![None; players],
        }
    }

    fn points(&self, i: usize, j: usize) -> f64 {
        self.half_points[i * self.players + j] as f64 / 2.0
    }

    /// Returns the strengths with the maximum log-posterior, by Newton's method. Far from the maximum, a step is halved
    /// until it increases the log-posterior. Near the maximum, rounding hides the increase, so steps are taken in full.
    fn most_likely(&self) -> Vec<f64> {
        let known = self.fixed.iter();
        let mut strengths: Vec<f64> = known.map(|known| known.unwrap_or(0.0)).collect();
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
            if self.fixed[i].is_some() {
                return 0.0;
            }
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

    /// Returns the negative second derivatives of the log-posterior, row by row. Under the model, their inverse is the
    /// covariance. Fixed strengths have the rows and columns of the unit matrix.
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
        self.free(&mut precision, 1.0);
        precision
    }

    /// Sets the rows and columns of fixed strengths to 0, except for their diagonal entries, which become `own`.
    fn free(&self, matrix: &mut [f64], own: f64) {
        let n = self.players;
        for i in (0..n).filter(|&i| self.fixed[i].is_some()) {
            for j in 0..n {
                matrix[i * n + j] = 0.0;
                matrix[j * n + i] = 0.0;
            }
            matrix[i * n + i] = own;
        }
    }

    /// Returns the covariance of the strengths about their mean, or relative to fixed strengths, row by row.
    ///
    /// Without fixed strengths, only the prior determines the mean. The variance of the mean is then so large that
    /// rounding would destroy the variances of the differences. So the mean gets an additional precision, as large as
    /// that of the differences. This has no effect on the result, because [`centred`] removes the variance of the mean.
    fn covariance(&self, strengths: &[f64], meetings: &[Meeting]) -> Vec<f64> {
        let n = self.players;
        let mut precision = self.precision(strengths);
        let has_fixed = self.fixed.iter().any(Option::is_some);
        if !has_fixed {
            let firm = (0..n).map(|i| precision[i * n + i]).sum::<f64>() / n as f64;
            for entry in &mut precision {
                *entry += firm / n as f64;
            }
        }
        let mut inverse = Cholesky::of(precision, n).map_or_else(
            || scaled_unit(n, 1.0 / prior_precision()),
            |cholesky| cholesky.inverse(),
        );
        self.free(&mut inverse, 0.0);
        // (M + P)·H, row by row (see the module's text); M is a sum over pairings.
        let mut half: Vec<f64> = inverse
            .iter()
            .map(|entry| entry * prior_precision())
            .collect();
        self.variances(strengths, meetings, |[i, j], variance| {
            for k in 0..n {
                let difference = variance * (inverse[i * n + k] - inverse[j * n + k]);
                half[i * n + k] += difference;
                half[j * n + k] -= difference;
            }
        });
        let mut covariance = vec![0.0; n * n];
        for (row, out) in inverse
            .chunks(n.max(1))
            .zip(covariance.chunks_mut(n.max(1)))
        {
            for (factor, other) in row.iter().zip(half.chunks(n)) {
                for (entry, other) in out.iter_mut().zip(other) {
                    *entry += factor * other;
                }
            }
        }
        if has_fixed {
            covariance
        } else {
            centred(covariance, n)
        }
    }

    /// Calls `add` with each pairing and the variance of its points about their expected value.
    fn variances(
        &self,
        strengths: &[f64],
        meetings: &[Meeting],
        mut add: impl FnMut([usize; 2], f64),
    ) {
        let bots = |at: &usize| {
            let [i, j] = meetings[*at].bots;
            [i.min(j), i.max(j)]
        };
        let mut order: Vec<usize> = (0..meetings.len()).collect();
        order.retain(|at| meetings[*at].bots[0] != meetings[*at].bots[1]);
        order.sort_unstable_by_key(bots);
        // A league has half a million pairings, so their figures are computed twice instead of stored.
        let pairings = || {
            order
                .chunk_by(|one, other| bots(one) == bots(other))
                .map(|of_pairing| {
                    let [i, j] = bots(&of_pairing[0]);
                    let mut known = (Score::default(), Pentanomial::default());
                    for meeting in of_pairing.iter().map(|&at| &meetings[at]) {
                        let (score, pairs) = if meeting.bots[0] == i {
                            (meeting.score, meeting.pairs)
                        } else {
                            (meeting.score.reversed(), meeting.pairs.reversed())
                        };
                        known = (known.0 + score, known.1 + pairs);
                    }
                    let share = expected(strengths[i] - strengths[j]);
                    ([i, j], PairingPoints::new(&known.0, &known.1, share))
                })
        };
        // The ratings are fitted to the same pairs, which reduces the observed variance to the share `free`.
        let (mut all, mut of_bots) = (PairSums::default(), vec![PairSums::default(); self.players]);
        for (bots, points) in pairings() {
            all.add(&points);
            for bot in bots {
                of_bots[bot].add(&points);
            }
        }
        let fitted = match self.fixed.iter().filter(|fixed| fixed.is_some()).count() {
            0 => self.players as f64 - 1.0,
            fixed => (self.players - fixed) as f64,
        };
        let free = ((all.pairs - fitted) / all.pairs.max(1.0)).clamp(0.1, 1.0);
        let of_field = all.ratio(free, 1.0, FIELD_PAIRS);
        for ([i, j], points) in pairings() {
            let mut own = PairSums::default();
            own.add(&points);
            let relative = |bot: usize| {
                let others = of_bots[bot].without(&own);
                others.ratio(free, of_field, BOT_PAIRS) / of_field
            };
            let ratio = own.ratio(free, of_field * relative(i) * relative(j), PAIRING_PAIRS);
            let of_pairs = own.modelled * ratio;
            add([i, j], points.of_game * points.singles + of_pairs);
        }
    }
}

#[derive(Clone, Copy, Default)]
struct PairSums {
    pairs: f64,
    /// The variance of the points of all pairs, if their games were independent.
    modelled: f64,
    /// The sum of the squared distances of the points from the expected points.
    seen: f64,
}

impl PairSums {
    fn add(&mut self, points: &PairingPoints) {
        self.pairs += points.pairs;
        self.modelled += 2.0 * points.of_game * points.pairs;
        self.seen += points.seen;
    }

    fn without(self, some: &PairSums) -> PairSums {
        PairSums {
            pairs: self.pairs - some.pairs,
            modelled: self.modelled - some.modelled,
            seen: self.seen - some.seen,
        }
    }

    /// Returns the estimated ratio of the variance to the modelled one, as if `weight` pairs of equal bots with the
    /// ratio `prior` were added. `free` is the share of the variance that remains after the ratings were fitted.
    fn ratio(&self, free: f64, prior: f64, weight: f64) -> f64 {
        let even = weight * 2.0 / 4.0;
        (self.seen + even * prior) / (free * self.modelled + even)
    }
}

/// The figures of a pairing from which the variance of its points is estimated.
struct PairingPoints {
    /// The variance of a game under the model.
    of_game: f64,
    singles: f64,
    pairs: f64,
    /// The sum of the squared distances of the points of pairs from the expected points.
    seen: f64,
}

impl PairingPoints {
    /// `share` is the expected score of a game.
    fn new(score: &Score, pairs: &Pentanomial, share: f64) -> PairingPoints {
        // Draws reduce the variance, but draws alone do not prove that it is 0.
        let draws = score.draws as f64 / (score.games() + 2) as f64;
        let whole = pairs.counts().into_iter().zip(0..);
        let seen = whole
            .map(|(count, halves)| count as f64 * (f64::from(halves) / 2.0 - 2.0 * share).powi(2));
        PairingPoints {
            of_game: share * (1.0 - share) - (draws / 4.0).min(0.9 * share * (1.0 - share)),
            singles: (score.games() - pairs.score().games()) as f64,
            pairs: pairs.pairs() as f64,
            seen: seen.sum(),
        }
    }
}

/// Converts the covariance of the strengths to that of their differences from the mean of all.
fn centred(mut covariance: Vec<f64>, n: usize) -> Vec<f64> {
    let means: Vec<f64> = covariance
        .chunks(n.max(1))
        .map(|row| row.iter().sum::<f64>() / n as f64)
        .collect();
    let mean = means.iter().sum::<f64>() / n as f64;
    for i in 0..n {
        for j in 0..n {
            covariance[i * n + j] += mean - means[i] - means[j];
        }
    }
    covariance
}

fn scaled_unit(n: usize, scale: f64) -> Vec<f64> {
    let mut matrix = vec![0.0; n * n];
    (0..n).for_each(|i| matrix[i * n + i] = scale);
    matrix
}

fn prior_precision() -> f64 {
    (ELO_PER_NAT / PRIOR_ELO).powi(2)
}

/// Returns the expected score at a lead in nats.
fn expected(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// Returns the logarithm of the expected score, even if the score underflows.
fn ln_expected(lead: f64) -> f64 {
    lead.min(0.0) - (-lead.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests;
