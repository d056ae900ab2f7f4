//! The most likely distribution of scores under a hypothesis.
//!
//! A distribution has a probability for each of K scores, which are −½, …, ½ in equal steps here. No probability is 0.
//! All searches use one theorem: under a linear hypothesis Σ pᵢdᵢ = 0, the most likely probabilities are fᵢ/(1 + θdᵢ),
//! for frequencies fᵢ and exactly one θ (Owen, "Empirical likelihood", 1988).

/// The step limit of the search: usually 4 steps are enough, and 80 were the maximum in thousands of random samples.
const MOST_STEPS: usize = 500;

#[derive(Clone, Copy, Debug)]
pub(super) struct Frequencies<const K: usize>([f64; K]);

impl<const K: usize> Frequencies<K> {
    /// Creates frequencies. They must add up to 1, and none may be 0.
    pub(super) fn new(frequencies: [f64; K]) -> Frequencies<K> {
        Frequencies(frequencies)
    }

    /// Returns the most likely distribution with this mean score, strictly between −½ and ½.
    pub(super) fn with_mean(&self, mean: f64) -> Distribution<K> {
        self.with_zero_sum(scores().map(|score| score - mean))
    }

    /// Returns the most likely distribution whose mean score is `t` standard deviations.
    ///
    /// For t > 0, the distributions with mean ≤ t·deviation are a convex set, because the deviation is concave. The
    /// search follows the boundary of this set. A step goes from a point on the boundary to the most likely
    /// distribution on the tangent plane, which is never inside the set, and back to the boundary. A step is shortened
    /// until the likelihood grows. Van den Bergh's iteration never goes back to the boundary; it can fail to converge.
    ///
    /// Source of the problem: M. Van den Bergh, "Comments on Normalized Elo", section 4.1.
    pub(super) fn with_t(&self, t: f64) -> Distribution<K> {
        if t == 0.0 {
            return self.with_mean(0.0);
        }
        if t < 0.0 {
            let mut mirrored = *self;
            mirrored.0.reverse();
            let mut found = mirrored.with_t(-t);
            found.0.reverse();
            return found;
        }
        let observed = Distribution(self.0);
        if observed.outside(t) {
            return self.climb(observed.pulled_in(t), t);
        }
        // The outside of the set is not convex: there may be a maximum near each score above the middle.
        let starts = (K / 2 + 1..K).map(|score| observed.boundary_towards(score, t));
        starts
            .map(|start| self.climb(start, t))
            .max_by(|one, other| {
                let likelihood = |found| self.log_likelihood(found);
                likelihood(one).total_cmp(&likelihood(other))
            })
            .expect("K is above 1, hence there is a score above the middle")
    }

    /// Climbs along the boundary from `best`. Returns the distribution with the greatest likelihood on the way.
    fn climb(&self, mut best: Distribution<K>, t: f64) -> Distribution<K> {
        let mut likelihood = self.log_likelihood(&best);
        for _ in 0..MOST_STEPS {
            let tangent = self.with_zero_sum(best.tangent(t));
            if best.distance(&tangent) < 1e-9 {
                break;
            }
            let mut length = 1.0;
            (best, likelihood) = loop {
                let next = best.towards(&tangent, length).pulled_in(t);
                let next_likelihood = self.log_likelihood(&next);
                if next_likelihood > likelihood {
                    break (next, next_likelihood);
                }
                length /= 2.0;
                if length < 1e-6 {
                    return best;
                }
            };
        }
        best
    }

    pub(super) fn deviation(&self) -> f64 {
        Distribution(self.0).deviation()
    }

    /// Returns the mean logarithm of the probability of an observation.
    pub(super) fn log_likelihood(&self, distribution: &Distribution<K>) -> f64 {
        dot(&self.0, &distribution.0.map(f64::ln))
    }

    /// Returns the most likely distribution with Σ pᵢdᵢ = 0, where d is `defects`, which have both signs.
    ///
    /// Chooses the sign of d such that Σ fᵢdᵢ ≤ 0. With r = d/max d, the solution is pᵢ = fᵢ/(1 − (1 − u)rᵢ), where
    /// only one u in (0, 1] fulfils the hypothesis. The likelier the hypothesis is, the nearer u is to 1. If a rare
    /// score has to become frequent, u is near 0; there, this form loses no digits.
    fn with_zero_sum(&self, defects: [f64; K]) -> Distribution<K> {
        let sign = if dot(&self.0, &defects) > 0.0 {
            -1.0
        } else {
            1.0
        };
        let largest = defects.iter().fold(0.0, |most: f64, d| most.max(sign * d));
        if largest == 0.0 {
            // After rounding, all defects have one sign, so there is nothing to correct.
            return Distribution(self.0);
        }
        let ratios = defects.map(|d| sign * d / largest);
        let divisors = |u: f64| ratios.map(|r| (1.0 - r) + u * r);

        // The sum Σ fᵢrᵢ/divisor falls as u grows. Where r = 1, the probability is f/u, which is at most 1, so u ≥ f.
        let (mut low, mut high) = (0.5 * self.least(), 1.0);
        let mut u = 1.0;
        for _ in 0..200 {
            let divisors = divisors(u);
            let shares: [f64; K] = std::array::from_fn(|i| ratios[i] / divisors[i]);
            let value = dot(&self.0, &shares);
            let slope = -dot(&self.0, &shares.map(|share| share * share));
            if value > 0.0 {
                low = u;
            } else {
                high = u;
            }
            // A step of Newton's method, or the geometric middle of the bracket if that step would leave it.
            let newton = u - value / slope;
            let next = if low <= newton && newton <= high {
                newton
            } else {
                (low * high).sqrt()
            };
            let moved = (next - u).abs();
            u = next;
            if moved <= 1e-13 * u {
                break;
            }
        }
        let divisors = divisors(u);
        Distribution(std::array::from_fn(|i| self.0[i] / divisors[i]))
    }

    fn least(&self) -> f64 {
        self.0.iter().copied().fold(1.0, f64::min)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Distribution<const K: usize>([f64; K]);

impl<const K: usize> Distribution<K> {
    pub(super) fn probabilities(&self) -> [f64; K] {
        self.0
    }

    fn mean(&self) -> f64 {
        dot(&self.0, &scores())
    }

    fn mean_square(&self) -> f64 {
        dot(&self.0, &scores().map(|score| score * score))
    }

    fn deviation(&self) -> f64 {
        let mean = self.mean();
        dot(&self.0, &scores().map(|score| (score - mean).powi(2))).sqrt()
    }

    fn outside(&self, t: f64) -> bool {
        self.mean() > t * self.deviation()
    }

    /// Moves from inside the set to the boundary, towards the distribution with only this score, which is outside it.
    fn boundary_towards(&self, score: usize, t: f64) -> Distribution<K> {
        let mut sure = [0.0; K];
        sure[score] = 1.0;
        let sure = Distribution(sure);
        let (mut inside, mut outside) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = f64::midpoint(inside, outside);
            if self.towards(&sure, middle).outside(t) {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        self.towards(&sure, outside).pulled_in(t)
    }

    /// Moves from outside the set back to the boundary, towards the symmetric distribution with the same mean square,
    /// until mean square/mean² = 1 + 1/t².
    fn pulled_in(self, t: f64) -> Distribution<K> {
        let kept = self.mean_square().sqrt() / (1.0 + 1.0 / (t * t)).sqrt() / self.mean();
        let mut found = self.0;
        for (i, p) in found.iter_mut().enumerate() {
            let mirrored = self.0[K - 1 - i];
            *p = f64::midpoint(*p, mirrored) + kept * (*p - mirrored) / 2.0;
        }
        Distribution(found)
    }

    /// Returns d such that the tangent plane at a point of the boundary is Σ pᵢdᵢ = 0: the gradient of mean −
    /// t·deviation, plus a constant.
    fn tangent(&self, t: f64) -> [f64; K] {
        let (mean, deviation) = (self.mean(), self.deviation());
        scores().map(|score| {
            let away = (score - mean) / deviation;
            score - t * deviation * (1.0 + away * away) / 2.0
        })
    }

    fn towards(&self, other: &Distribution<K>, share: f64) -> Distribution<K> {
        let mut found = self.0;
        for (p, q) in found.iter_mut().zip(other.0) {
            *p += share * (q - *p);
        }
        Distribution(found)
    }

    fn distance(&self, other: &Distribution<K>) -> f64 {
        let differences = self.0.iter().zip(other.0).map(|(p, q)| (p - q).abs());
        differences.fold(0.0, f64::max)
    }
}

fn scores<const K: usize>() -> [f64; K] {
    std::array::from_fn(|i| i as f64 / (K - 1) as f64 - 0.5)
}

fn dot<const K: usize>(weights: &[f64; K], values: &[f64; K]) -> f64 {
    weights.iter().zip(values).map(|(w, v)| w * v).sum()
}
