use super::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn sprt(model: Model, elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("in order")
}

fn is_near(found: f64, expected: f64, share: f64) -> bool {
    (found / expected - 1.0).abs() <= share
}

/// Tests of 0 against 4 `BayesElo` at a `DrawElo` of 250: the true `BayesElo`, the share that accepted H1, the mean
/// number of games, and their ninth decile. Source: 20,000 matches for each row, simulated by `lucasart/sprt`.
const PUBLISHED: [(f64, f64, f64, f64); 7] = [
    (-1.0, 0.0128, 28_982.0, 53_050.0),
    (0.0, 0.0515, 40_145.0, 77_467.0),
    (1.0, 0.1888, 55_858.0, 113_389.0),
    (2.0, 0.5031, 65_163.0, 134_934.0),
    (3.0, 0.8149, 55_612.0, 112_514.0),
    (4.0, 0.9506, 39_821.0, 76_254.0),
    (5.0, 0.9875, 28_835.0, 52_675.0),
];

#[test]
fn a_plan_is_that_of_published_simulations() {
    let chance = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let [won, lost] = [|elo: f64| elo - 250.0, |elo: f64| -elo - 250.0];
    let elo = |bayes: f64| {
        let score = 0.5 + (chance(won(bayes)) - chance(lost(bayes))) / 2.0;
        -400.0 * (1.0 / score - 1.0).log10()
    };
    let draws = 1.0 - 2.0 * chance(-250.0);
    let test = sprt(Model::Logistic, 0.0, elo(4.0));
    for (bayes, passed, mean, nine_tenths) in PUBLISHED {
        let plan = test.plan(elo(bayes), draws);
        println!("{bayes}: {plan:?}");
        assert!(
            (plan.accepts_h1 - passed).abs() < 0.015,
            "{bayes}: {plan:?}"
        );
        assert!(is_near(plan.games, mean, 0.03), "{bayes}: {plan:?}");
        assert!(is_near(plan.high, nine_tenths, 0.04), "{bayes}: {plan:?}");
    }
}

/// Returns the class of a pair: class `i` has the chance `chances[i]`.
pub fn drawn(chances: &[f64; 5], random: &mut ChaCha8Rng) -> usize {
    let mut left = random.next_u64() as f64 / 2f64.powi(64);
    let class = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    class.unwrap_or(4)
}

fn play(pairs: &mut Pentanomial, chances: &[f64; 5], random: &mut ChaCha8Rng) {
    let Pentanomial {
        ll, ld, wl, wd, ww, ..
    } = pairs;
    *[ll, ld, wl, wd, ww][drawn(chances, random)] += 1;
}

fn is_open(test: &Sprt, pairs: &Pentanomial) -> bool {
    test.decision(test.llr(pairs)) == Decision::Undecided
}

/// Plays whole matches, each until the test decides. Returns the mean, first decile and ninth decile of the games.
fn played(test: &Sprt, chances: &[f64; 5], runs: usize) -> [f64; 3] {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut games = Vec::new();
    for _ in 0..runs {
        let mut pairs = Pentanomial::default();
        while is_open(test, &pairs) {
            play(&mut pairs, chances, &mut random);
        }
        games.push(2.0 * pairs.pairs() as f64);
    }
    games.sort_by(f64::total_cmp);
    let mean = games.iter().sum::<f64>() / runs as f64;
    [mean, games[runs / 10], games[runs * 9 / 10]]
}

/// Compares [`Sprt::plan`] with 600 whole matches, whose mean length has an error of 4 %.
#[test]
fn a_plan_is_that_of_whole_matches() {
    for (model, elo1) in [
        (Model::Logistic, 60.0),
        (Model::Logistic, 200.0),
        (Model::Normalised, 60.0),
    ] {
        let test = sprt(model, 0.0, elo1);
        for elo in [0.0, elo1 / 2.0, elo1] {
            let observed = Frequencies::new(independent(0.3));
            let chances = test.under(&observed, elo, 2).probabilities();
            let [mean, low, high] = played(&test, &chances, 600);
            let plan = test.plan(elo, 0.3);
            println!(
                "{model:?} {elo1} at {elo}: {mean:.0} ({low:.0} to {high:.0}) games, {plan:?}"
            );
            assert!(
                is_near(plan.games, mean, 0.15),
                "{model:?} {elo}: {mean}, {plan:?}"
            );
            assert!(
                is_near(plan.high, high, 0.2),
                "{model:?} {elo}: {high}, {plan:?}"
            );
        }
    }
}

/// Draws each match's strength from the forecast's prior, plays some pairs, forecasts, and plays the match to its end.
/// About 10 % of the matches must end before the forecast's `low`, and about 10 % after its `high`.
#[test]
fn four_of_five_matches_end_within_the_band() {
    let (test, observed) = (
        sprt(Model::Logistic, 0.0, 40.0),
        Frequencies::new(independent(0.3)),
    );
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for pairs_before in [20, 100] {
        let (mut sooner, mut later, mut matches) = (0, 0, 0);
        while matches < 400 {
            let part = random.next_u64() as f64 / 2f64.powi(64);
            let elo = 20.0 + 40.0 * (std::f64::consts::PI * (part - 0.5)).tan();
            let chances = test
                .under(&observed, elo.clamp(-800.0, 800.0), 2)
                .probabilities();
            let mut pairs = Pentanomial::default();
            while pairs.pairs() < pairs_before && is_open(&test, &pairs) {
                play(&mut pairs, &chances, &mut random);
            }
            let Some(forecast) = test.forecast(&pairs) else {
                continue;
            };
            while is_open(&test, &pairs) {
                play(&mut pairs, &chances, &mut random);
            }
            let games = 2.0 * (pairs.pairs() - pairs_before) as f64;
            matches += 1;
            sooner += u32::from(games < forecast.low);
            later += u32::from(games > forecast.high);
        }
        println!("after {pairs_before} pairs: {sooner} sooner, {later} later, of {matches}");
        // Of 400 matches, 40 are expected at each end, with a standard deviation of 6.
        assert!(
            (20..60).contains(&sooner) && (20..60).contains(&later),
            "{sooner} {later}"
        );
    }
}

#[test]
fn every_open_test_has_a_forecast_and_no_decided_one() {
    for model in [Model::Logistic, Model::Normalised] {
        for (elo0, elo1) in [(0.0, 0.5), (0.0, 5.0), (-1000.0, 1000.0), (999.0, 1000.0)] {
            let test = sprt(model, elo0, elo1);
            for number in [0, 1, 30, 1_000_000] {
                for score in 0..6 {
                    let mut counts = [number / 10; 6];
                    counts[score] = number;
                    let pairs = Pentanomial::from(counts);
                    let found = test.forecast(&pairs);
                    assert_eq!(
                        found.is_some(),
                        is_open(&test, &pairs),
                        "{test:?} {pairs:?}"
                    );
                    assert_eq!(found, test.forecast(&pairs), "the same each time");
                    let is_right = |found: Forecast| {
                        found.low <= found.games.max(found.high)
                            && found.games.is_finite()
                            && found.low > 0.0
                    };
                    assert!(found.is_none_or(is_right), "{test:?} {pairs:?} {found:?}");
                }
            }
        }
    }
}
