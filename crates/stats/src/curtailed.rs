//! Decides a match against a threshold before its last game.

use super::Score;

/// Decides if a match of `most` games will end with a rate of `threshold` or more; `None` if both are still possible.
///
/// This is curtailed sampling: the decision is always that of the whole match, so stopping changes no error rate.
/// `threshold` is a rate from 0 to 1, where a draw counts half. A difference of 10⁻⁹ from the threshold is ignored as a
/// rounding error: 11 points of 20 games reach 0.55.
pub fn decided(score: &Score, threshold: f64, most: u64) -> Option<bool> {
    let needed = 2.0 * (threshold - 1e-9) * most as f64;
    let left = most.saturating_sub(score.games());
    if score.half_points() as f64 >= needed {
        Some(true)
    } else if ((score.half_points() + 2 * left) as f64) < needed {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wdl;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_early_decision_is_that_of_the_whole_match(
            outcomes in prop::collection::vec(0..3usize, 1..60), percent in 0..=100u32,
        ) {
            let outcomes: Vec<Wdl> = outcomes
                .into_iter()
                .map(|i| [Wdl::Loss, Wdl::Draw, Wdl::Win][i])
                .collect();
            let (most, threshold) = (outcomes.len() as u64, f64::from(percent) / 100.0);
            let whole: Score = outcomes.iter().copied().collect();
            // In whole numbers: half points · 100 ≥ per cent · 2 · games.
            let passed = whole.half_points() * 100 >= u64::from(percent) * 2 * most;
            for played in 0..=outcomes.len() {
                let score: Score = outcomes[..played].iter().copied().collect();
                let decision = decided(&score, threshold, most);
                prop_assert!(decision.is_none_or(|decision| decision == passed));
            }
            prop_assert_eq!(decided(&whole, threshold, most), Some(passed));
        }
    }
}
