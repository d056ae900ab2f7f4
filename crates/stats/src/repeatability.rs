//! The probability that a repeated match has the same verdict.

use libm::lgamma;

use crate::Score;
use crate::elo::normal_cdf;

/// The prior weight of wins, of draws and of losses, in games (Jeffreys' rule).
const PRIOR: f64 = 0.5;

/// The largest number of games for the exact sum, whose time grows with the square of the number.
const EXACT: u64 = 1000;

/// Returns the probability that a bot with the results `score` reaches the share `threshold` in `games` further games.
///
/// This is the predictive probability of the Dirichlet-multinomial distribution: it includes both the uncertainty about
/// the strength and the luck of the games. Games are assumed to be independent. An empty `score` means an unknown bot.
pub fn reach(score: &Score, threshold: f64, games: u64) -> f64 {
    let known = [score.wins, score.draws, score.losses].map(|count| count as f64 + PRIOR);
    let total: f64 = known.iter().sum();
    if games > EXACT {
        return nearly(known, threshold, games as f64);
    }
    // For each result, the logarithm of its factor if it occurs k times, indexed by k.
    let tables = known.map(|known| {
        let weight = |k: u64| lgamma(k as f64 + known) - lgamma(known) - lgamma(k as f64 + 1.0);
        (0..=games).map(weight).collect::<Vec<f64>>()
    });
    let all = games as f64;
    let whole = lgamma(all + 1.0) + lgamma(total) - lgamma(all + total);
    let mut chance = 0.0;
    for wins in 0..=games {
        for draws in 0..=games - wins {
            let points = wins as f64 + 0.5 * draws as f64;
            if points + 1e-9 >= threshold * all {
                let losses = games - wins - draws;
                let [w, d, l] = &tables;
                chance += (whole + w[wins as usize] + d[draws as usize] + l[losses as usize]).exp();
            }
        }
    }
    chance.min(1.0)
}

/// Approximates [`reach`] by the normal distribution with the same mean and variance. Source: J. E. Mosimann, "On the
/// compound multinomial distribution", Biometrika 49, 1962.
fn nearly([wins, draws, losses]: [f64; 3], threshold: f64, games: f64) -> f64 {
    let total = wins + draws + losses;
    let mean = (wins + 0.5 * draws) / total;
    let of_one = (wins + 0.25 * draws) / total - mean * mean;
    let deviation = (games * of_one * (games + total) / (1.0 + total)).sqrt();
    // Points come in halves, so the continuity correction is a quarter.
    let needed = threshold * games - 0.25;
    normal_cdf((games * mean - needed) / deviation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_is_near_the_exact_one() {
        for (wins, draws, losses) in [(550, 0, 450), (300, 60, 240), (250, 10, 260), (480, 20, 0)] {
            let score = Score::new(wins, draws, losses);
            for threshold in [0.5, 0.52, 0.55, 0.6] {
                let exact = reach(&score, threshold, EXACT);
                let known = [wins, draws, losses].map(|count| count as f64 + PRIOR);
                let near = nearly(known, threshold, EXACT as f64);
                assert!(
                    (exact - near).abs() < 0.01,
                    "{wins} {draws} {losses} {threshold}: {exact} {near}"
                );
            }
        }
    }

    #[test]
    fn a_higher_score_raises_the_probability() {
        let chance = |wins| reach(&Score::new(wins, 0, 20 - wins), 0.55, 20);
        for wins in 1..=20 {
            assert!(chance(wins) > chance(wins - 1), "{wins} wins");
        }
        assert!(chance(20) > 0.999 && chance(0) < 0.001);
        assert!((0.4..0.6).contains(&chance(11)), "{}", chance(11));
    }
}
