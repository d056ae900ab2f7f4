use super::*;
use crate::forecast::tests::drawn;
use crate::{Pentanomial, Score};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

fn sprt(model: Model, elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
}

use Model::{Logistic, Normalised};

#[test]
fn a_decision_is_reached_at_the_bounds() {
    let test = sprt(Logistic, 0.0, 5.0);
    let Bounds { lower, upper } = test.bounds();
    assert_eq!(test.decision(upper), Decision::AcceptH1);
    assert_eq!(test.decision(lower), Decision::AcceptH0);
    assert_eq!(test.decision(0.99 * upper), Decision::Undecided);
    assert_eq!(test.decision(0.99 * lower), Decision::Undecided);
}

#[test]
fn extreme_counts_have_finite_ratios() {
    for model in [Logistic, Normalised] {
        for (elo0, elo1) in [(0.0, 1e-6), (0.0, 10.0), (-1000.0, 1000.0), (999.0, 1000.0)] {
            let test = sprt(model, elo0, elo1);
            assert!(test.llr(&Score::default()).abs() < 1e-12);
            for n in [1, 1000, 1_000_000_000_000] {
                for class in 0..6 {
                    let mut pairs = [0; 6];
                    pairs[class] = n;
                    let llr = test.llr(&Pentanomial::from(pairs));
                    assert!(llr.is_finite(), "{test:?} {pairs:?}: {llr}");
                }
                for score in [(n, 0, 0), (0, n, 0), (0, 0, n), (n, 1, 0), (n, 0, 1)] {
                    let llr = test.llr(&Score::new(score.0, score.1, score.2));
                    assert!(llr.is_finite(), "{test:?} {score:?}: {llr}");
                }
            }
        }
    }
}

/// The probabilities of LL, LD, one point, WD and WW. The games of a pair are not independent.
const EQUAL: [f64; 5] = [0.10, 0.15, 0.50, 0.15, 0.10];

/// Returns the probabilities if the first bot wins `share` of the pairs 2–0, and the other pairs are like `EQUAL`.
fn stronger(share: f64) -> [f64; 5] {
    let mut chances = EQUAL.map(|chance| (1.0 - share) * chance);
    chances[4] += share;
    chances
}

fn true_elo(model: Model, chances: [f64; 5]) -> f64 {
    let average = |value: &dyn Fn(f64) -> f64| -> f64 {
        let terms = chances.iter().enumerate();
        terms
            .map(|(i, chance)| chance * value(i as f64 / 4.0))
            .sum()
    };
    let mean = average(&|score| score);
    match model {
        Logistic => -400.0 * (1.0 / mean - 1.0).log10(),
        Normalised => {
            let variance = average(&|score| (score - mean).powi(2));
            (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / 10f64.ln()
        }
    }
}

/// Returns the rate at which H1 is accepted, and the mean number of pairs, over `RUNS` matches.
fn accepted(test: &Sprt, chances: [f64; 5], seed: u64) -> (f64, f64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut accepted, mut pairs) = (0, 0);
    for _ in 0..RUNS {
        let mut counts = [0; 5];
        loop {
            for _ in 0..4 {
                counts[drawn(&chances, &mut random)] += 1;
                pairs += 1;
            }
            let [ll, ld, even, wd, ww] = counts;
            let played = Pentanomial::from([ll, ld, even, 0, wd, ww]);
            match test.decision(test.llr(&played)) {
                Decision::Undecided => {}
                Decision::AcceptH0 => break,
                Decision::AcceptH1 => {
                    accepted += 1;
                    break;
                }
            }
        }
    }
    let runs = f64::from(RUNS);
    (f64::from(accepted) / runs, f64::from(pairs) / runs)
}

const RUNS: u32 = 1000;

/// The error rates are at least half of the promised rates, and exceed them by at most three standard deviations.
#[test]
fn simulated_matches_keep_the_promised_error_rates() {
    let (alpha, beta) = (0.05, 0.10);
    let better = stronger(0.09);
    for model in [Logistic, Normalised] {
        let test = Sprt::new(0.0, true_elo(model, better), alpha, beta, model).unwrap();
        let (wrong, pairs) = accepted(&test, EQUAL, 1);
        println!("{model:?}: H0 true, H1 accepted in {wrong} of runs, {pairs} pairs");
        let allowed = alpha / 2.0..alpha + 0.021;
        assert!(allowed.contains(&wrong), "{model:?}: {wrong}");
        let (right, pairs) = accepted(&test, better, 2);
        println!("{model:?}: H1 true, H1 accepted in {right} of runs, {pairs} pairs");
        let wrong = 1.0 - right;
        let allowed = beta / 2.0..beta + 0.028;
        assert!(allowed.contains(&wrong), "{model:?}: {wrong}");
    }
}

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 0..5u64, 0..1000u64, 0..10_000_000u64]
}

fn pairs() -> impl Strategy<Value = Pentanomial> {
    prop::array::uniform6(count()).prop_map(Pentanomial::from)
}

fn test() -> impl Strategy<Value = Sprt> {
    let model = prop_oneof![Just(Logistic), Just(Normalised)];
    let elo0 = prop_oneof![Just(0.0), -20.0..20.0, -500.0..500.0];
    let more = prop_oneof![1.0..10.0, 1.0..400.0];
    (model, elo0, more).prop_map(|(model, elo0, more)| sprt(model, elo0, elo0 + more))
}

proptest! {
    #[test]
    fn every_match_has_a_finite_ratio(test in test(), pairs in pairs()) {
        prop_assert!(test.llr(&pairs).is_finite());
        prop_assert!(test.llr(&pairs.score()).is_finite());
    }

    #[test]
    fn swapping_the_bots_flips_the_sign(test in test(), pairs in pairs()) {
        let reversed = sprt(test.model(), -test.elo1(), -test.elo0());
        let (llr, back) = (test.llr(&pairs), reversed.llr(&pairs.reversed()));
        prop_assert!((llr + back).abs() <= 1e-6 * (1.0 + llr.abs()), "{llr} {back}");
    }

    #[test]
    fn more_games_of_the_same_score_are_more_evidence(
        test in test(), counts in prop::array::uniform6(1..1000u64), times in 2..100u64,
    ) {
        let few = test.llr(&Pentanomial::from(counts));
        let many = test.llr(&Pentanomial::from(counts.map(|count| times * count)));
        prop_assert!((many - times as f64 * few).abs() <= 1e-6 * (1.0 + many.abs()));
    }

    #[test]
    fn another_won_pair_speaks_for_h1(test in test(), counts in prop::array::uniform6(1..1000u64)) {
        let pairs = Pentanomial::from(counts);
        let better = pairs + Pentanomial { ww: 1, ..Pentanomial::default() };
        if test.model() == Logistic {
            prop_assert!(test.llr(&better) > test.llr(&pairs));
        }
    }
}
