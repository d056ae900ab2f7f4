//! Samples: the number of units with each possible score, their mean and variance.

/// Counted results in units of one game or of one colour-swapped pair. Units are independent; the two games of a pair
/// are not. The score of a unit has K values from 0 to 1 in equal steps.
pub trait Sample<const K: usize> {
    /// The number of games in a unit: 1, or 2 for pairs.
    const GAMES_EACH: u32;

    /// Returns the number of units with each score, from 0 up to 1.
    fn counts(&self) -> [u64; K];

    /// Returns the number of units, and the mean and variance of their score.
    fn moments(&self) -> Moments {
        Moments::of(self.counts())
    }
}

/// The mean and variance of the score of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// The number of units, regularisation included; above 0.
    pub number: f64,
    /// The mean score, strictly between 0 and 1.
    pub mean: f64,
    /// The variance of one unit's score, above 0.
    pub variance: f64,
}

impl Moments {
    /// Returns the moments of counts of the scores 0, …, 1 in equal steps.
    ///
    /// A sample in which all units have the same score has no spread: a clean sweep has infinite Elo, and drawing every
    /// game does not prove equality. Such a sample gets one more unit: one half of it is one step better, the other
    /// half one step worse; at an end of the scale, all of it is one step towards the middle. So a clean sweep of n
    /// games counts as n wins and a draw. A sample without units counts as one unit, half won and half lost.
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

    /// Returns the standard deviation of the mean.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.number).sqrt()
    }
}
