//! What statistics see of a match: how often each possible score was seen, its mean and variance.

/// Counted results whose unit is one game or one colour-swapped pair.
///
/// The unit's score takes K values from 0 to 1 in equal steps: a game's is 0, ½ or 1; a pair's is 0,
/// ¼, ½, ¾ or 1. Units are independent of each other; the games within a pair need not be.
pub trait Sample<const K: usize> {
    /// Games in a unit: 1, or 2 for pairs.
    const GAMES_EACH: u32;

    /// How often each score was seen, from 0 up to 1.
    fn counts(&self) -> [u64; K];

    /// Number of units, and the mean and variance of their score.
    fn moments(&self) -> Moments {
        Moments::of(self.counts())
    }
}

/// Mean and variance of the score of a game or a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Units counted, regularisation included; above 0.
    pub number: f64,
    /// Mean score, strictly between 0 and 1.
    pub mean: f64,
    /// Variance of one unit's score, above 0.
    pub variance: f64,
}

impl Moments {
    /// The moments of counts of the scores 0, …, 1 in equal steps.
    ///
    /// When all units had the same score the sample has no spread, and honest numbers cannot be
    /// made of it: a clean sweep has infinite Elo, and drawing every game is not proof of equality.
    /// Then, and only then, one more unit is imagined, half of it a step better and half a step
    /// worse, or wholly the one step that exists at either end. So a clean sweep of n games counts
    /// as n wins and a draw. A sample without units is one imagined unit, half won and half lost.
    fn of<const K: usize>(counts: [u64; K]) -> Moments {
        let mut counts = counts.map(|count| count as f64);
        let last = K - 1;
        let mut seen = (0..=last).filter(|&step| counts[step] > 0.0);
        match (seen.next(), seen.next()) {
            (None, _) => {
                counts[0] = 0.5;
                counts[last] = 0.5;
            }
            (Some(only), None) => {
                counts[only.checked_sub(1).unwrap_or(1)] += 0.5;
                counts[if only < last { only + 1 } else { last - 1 }] += 0.5;
            }
            (Some(_), Some(_)) => {}
        }

        let number: f64 = counts.iter().sum();
        let score = |step: usize| step as f64 / last as f64;
        let average = |value: &dyn Fn(f64) -> f64| {
            let sum: f64 = (0..=last)
                .map(|step| counts[step] * value(score(step)))
                .sum();
            sum / number
        };
        let mean = average(&|score| score);
        let variance = average(&|score| (score - mean) * (score - mean));
        Moments {
            number,
            mean,
            variance,
        }
    }

    /// Standard deviation of the mean.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.number).sqrt()
    }
}
