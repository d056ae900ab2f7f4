//! Whether a verdict would be the same if all was played again.

use libm::lgamma;

use crate::Score;

/// What is thought of wins, draws and losses before the first game, each: half a game.
///
/// Source: H. Jeffreys' rule for the probabilities of several outcomes.
const PRIOR: f64 = 0.5;

/// The chance, 0 to 1, that `games` further games bring at least the share `threshold` of their points, if
/// `score` is what is known of the chances to win, to draw and to lose.
///
/// It is the predictive probability of the Dirichlet-multinomial distribution: it counts both what a bot's
/// true strength may be and the luck of the games. Games are taken for independent. Without any
/// game known it says how often an unknown bot would get there.
pub fn reach(score: &Score, threshold: f64, games: u64) -> f64 {
    let known = [score.wins, score.draws, score.losses].map(|count| count as f64 + PRIOR);
    let total: f64 = known.iter().sum();
    // ln of the number of orders in which an outcome comes k times, times what is thought of it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_scored_more_is_surer_to_reach_it() {
        let chance = |wins| reach(&Score::new(wins, 0, 20 - wins), 0.55, 20);
        for wins in 1..=20 {
            assert!(chance(wins) > chance(wins - 1), "{wins} wins");
        }
        assert!(chance(20) > 0.999 && chance(0) < 0.001);
        assert!((0.4..0.6).contains(&chance(11)), "{}", chance(11));
    }
}
