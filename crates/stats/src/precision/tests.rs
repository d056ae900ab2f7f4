use super::*;
use crate::forecast::tests::drawn;
use crate::likelihood::Frequencies;
use crate::{Model, Sprt};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

fn precision(elo: f64) -> Precision {
    Precision::new(elo).expect("in range")
}

/// Compares with the best normal mixture. With V = Σ(x − m)², a mixture's half-width for the sum of the scores is
/// √((V + ρ)·ln((V + ρ)/ρα²)) (Robbins 1970), least at ρ = 0.12·V. A match's length grows with the half-width's square.
#[test]
fn a_match_takes_as_many_games_as_the_best_normal_mixture() {
    let of_mixture = |rho: f64| (1.0 + rho) * ((1.0 + rho) / (rho * 0.05f64.powi(2))).ln();
    let best = (1..100).map(|i| of_mixture(f64::from(i) / 100.0));
    let best = best.fold(f64::INFINITY, f64::min) / Z_95.powi(2);
    assert!((best - 2.40).abs() < 0.01, "{best}");
    for (elo, draws) in [(1.0, 0.1), (5.0, 0.1), (5.0, 0.6), (20.0, 0.3), (50.0, 0.0)] {
        let [games, once] = precision(elo).plan(draws);
        println!(
            "± {elo} Elo, {draws} drawn: {games:.0} games, {:.2} of {once:.0}",
            games / once
        );
        assert!(
            (games / once / best - 1.0).abs() < 0.08,
            "{elo} {draws}: {}",
            games / once
        );
    }
}

#[test]
fn the_estimate_is_known_when_its_error_is_the_wanted_one() {
    let pairs = |times: u64| Pentanomial::from([14, 21, 20, 8, 25, 19].map(|count| count * times));
    assert!(precision(10.0).estimate(&pairs(0)).is_none());
    for elo in [3.0, 10.0, 40.0] {
        let wish = precision(elo);
        let mut was = false;
        for times in 1..200 {
            let Some(found) = wish.estimate(&pairs(times)) else {
                continue;
            };
            let (is, left) = (
                wish.is_reached(&pairs(times)),
                wish.games_left(&pairs(times)),
            );
            assert_eq!(is, found.error_95 <= elo, "{times}: {found:?}");
            assert!(is || !was, "{times}: more of the same pairs tell more");
            assert_eq!(
                left.is_some_and(|left| left < 1e-6),
                is,
                "{times}: {left:?}"
            );
            was = is;
        }
    }
    assert!(
        precision(40.0)
            .estimate(&Pentanomial::from([0, 0, 0, 0, 0, 1000]))
            .is_none()
    );
}

/// Plays `runs` matches, each to twice the length at which the goal is reached. Returns the share of matches in which
/// the interval ever excluded the true Elo, the share in which the Elo was off by more than the goal when the goal was
/// reached, and the mean number of games until then.
fn missed(wish: Precision, elo: f64, draws: f64, runs: u64) -> [f64; 3] {
    let truth = Sprt::new(0.0, 1.0, 0.05, 0.05, Model::Logistic).expect("in order");
    let chances = truth
        .under(&Frequencies::new(independent(draws)), elo, 2)
        .probabilities();
    let mean: f64 = chances
        .iter()
        .zip(SCORES)
        .map(|(chance, score)| chance * score)
        .sum();
    let (mut ever, mut at_end, mut games) = (0, 0, 0);
    for run in 0..runs {
        let mut random = ChaCha8Rng::seed_from_u64(run);
        let (mut counts, mut is_refuted, mut end) = ([0.0; 5], false, None);
        for pair in 1..=4000 {
            counts[drawn(&chances, &mut random)] += 1.0;
            is_refuted |= wish.capital(&counts, mean) >= 20f64.ln();
            if end.is_none() && wish.excludes(&counts, wish.elo) {
                let found = super::mean(&counts).map_or(0.0, elo_of);
                end = Some(pair);
                at_end += u32::from((found - elo).abs() > wish.elo);
                games += 2 * pair;
            }
            if end.is_some_and(|end| pair >= 2 * end) {
                break;
            }
        }
        assert!(end.is_some(), "{elo} {draws}");
        ever += u32::from(is_refuted);
    }
    let runs = runs as f64;
    [
        f64::from(ever) / runs,
        f64::from(at_end) / runs,
        f64::from(games) / runs,
    ]
}

const TRUTHS: [(f64, f64); 6] = [
    (0.0, 0.0),
    (0.0, 0.3),
    (0.0, 0.7),
    (30.0, 0.1),
    (-120.0, 0.3),
    (250.0, 0.0),
];

/// The limit is 5 % plus three standard deviations of 500 matches.
#[test]
fn the_true_elo_is_never_excluded_in_95_of_100_matches() {
    hold_the_truth(60.0, 500, 0.05 + 0.03);
}

fn hold_the_truth(wanted: f64, runs: u64, most: f64) {
    for (elo, draws) in TRUTHS {
        let [ever, at_end, games] = missed(precision(wanted), elo, draws, runs);
        let found = format!("{elo} Elo, {draws} drawn: {ever} {at_end}, {games:.0} games");
        println!("± {wanted}, {found}");
        assert!(ever <= most && at_end <= most, "{found}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn the_true_elo_is_never_excluded_in_95_of_100_matches_of_many() {
    for wanted in [25.0, 60.0] {
        hold_the_truth(wanted, 10_000, 0.05);
    }
}
