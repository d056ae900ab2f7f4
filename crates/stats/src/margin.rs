//! The mean of the margins of games, such as final disc differences.

use super::Z_95;

/// A summary of margins in exact sums. Positive margins are in the first bot's favour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margin {
    count: u64,
    sum: i128,
    squares: u128,
}

impl Margin {
    /// Creates an empty summary.
    pub fn new() -> Margin {
        Margin::default()
    }

    /// Adds one game's margin.
    pub fn add(&mut self, margin: i32) {
        self.count += 1;
        self.sum += i128::from(margin);
        self.squares += u128::from(margin.unsigned_abs()).pow(2);
    }

    /// Adds the games of another summary.
    pub fn merge(&mut self, other: &Margin) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Returns the number of games.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean margin; `None` without a game.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Returns the half-width of the mean's 95 % interval, from the sample variance (n − 1); `None` below two games.
    pub fn error_95(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let count = self.count as f64;
        // n·Σx² − (Σx)² in whole numbers has no cancellation. It is never negative, by Cauchy and Schwarz.
        let spread = u128::from(self.count) * self.squares - self.sum.unsigned_abs().pow(2);
        let variance = spread as f64 / (count * (count - 1.0));
        Some(Z_95 * (variance / count).sqrt())
    }
}

impl Extend<i32> for Margin {
    fn extend<I: IntoIterator<Item = i32>>(&mut self, margins: I) {
        for margin in margins {
            self.add(margin);
        }
    }
}

impl FromIterator<i32> for Margin {
    fn from_iter<I: IntoIterator<Item = i32>>(margins: I) -> Margin {
        let mut summary = Margin::new();
        summary.extend(margins);
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn extreme_margins_do_not_overflow() {
        let margin: Margin = [i32::MIN, i32::MIN, i32::MAX].into_iter().collect();
        assert!(margin.error_95().unwrap().is_finite());
    }

    proptest! {
        #[test]
        fn merging_in_any_order_is_adding_all(a: Vec<i32>, b: Vec<i32>) {
            let summary = |margins: &[i32]| margins.iter().copied().collect::<Margin>();
            let mut merged = summary(&b);
            merged.merge(&summary(&a));
            prop_assert_eq!(merged, summary(&[a, b].concat()));
        }

        #[test]
        fn swapping_the_bots_flips_the_sign(margins in prop::collection::vec(-64..=64, 2..50)) {
            let margin: Margin = margins.iter().copied().collect();
            let back: Margin = margins.iter().map(|margin| -margin).collect();
            prop_assert_eq!(margin.mean(), back.mean().map(|mean| -mean));
            prop_assert_eq!(margin.error_95(), back.error_95());
        }
    }
}
