use super::*;
use crate::{Pentanomial, Score};
use proptest::prelude::*;

/// Equal to the digits that a table prints.
fn printed(found: f64, expected: f64, digits: i32) -> bool {
    (found - expected).abs() <= 0.5000001 * 10f64.powi(-digits)
}

/// Elo, normalised Elo, each with its error, and likelihood of superiority in per cent; not a number
/// where none is published.
type Expected = [f64; 5];

const NONE: f64 = f64::NAN;

fn assert_as_published<const K: usize>(sample: &impl Sample<K>, expected: Expected) {
    let strength = Strength::of(sample).expect("enough units");
    let (elo, normalised) = (strength.elo, strength.normalised.expect("spread"));
    let errors = [elo.error_95, normalised.error_95];
    let found = [
        elo.elo,
        errors[0],
        normalised.elo,
        errors[1],
        100.0 * strength.los,
    ];
    for ((found, expected), digits) in found.into_iter().zip(expected).zip([4, 4, 4, 4, 2]) {
        let is_right = expected.is_nan() || printed(found, expected, digits);
        assert!(is_right, "{expected}: {found}");
    }
}

/// Expected figures: the tests of fastchess, reproduced with an independent script.
#[test]
fn games_give_the_figures_of_fastchess() {
    for ([wins, draws, losses], expected) in [
        ([76, 123, 89], [-15.6935, 30.4580, -20.7564, 40.1260, 15.53]),
        ([136, 111, 96], [40.7025, 30.4272, 49.7684, 36.7685, 99.60]),
        ([34, 0, 356], [NONE, NONE, -508.4353, 34.4818, NONE]),
    ] {
        assert_as_published(&Score::new(wins, draws, losses), expected);
    }
}

/// Expected figures: the tests of fastchess, reproduced with an independent script.
#[test]
fn pairs_give_the_figures_of_fastchess() {
    let [small, middle, large] = [
        [34, 54, 31, 32, 64, 75],
        [332, 433, 457, 41, 333, 334],
        [7895, 8757, 5485, 200, 568, 9999],
    ];
    for (pairs, expected) in [
        (small, [55.5798, 27.6534, 57.9356, 28.2754, NONE]),
        (middle, [-8.6427, 10.3342, -9.1729, 10.9605, 5.05]),
        (large, [-21.0435, 2.9453, -19.0128, 2.6545, NONE]),
    ] {
        assert_as_published(&Pentanomial::from(pairs), expected);
    }
}

/// Counts as people have them: often none, sometimes a million.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 0..5u64, 0..1000u64, 0..10_000_000u64]
}

fn score() -> impl Strategy<Value = Score> {
    (count(), count(), count()).prop_map(|(wins, draws, losses)| Score::new(wins, draws, losses))
}

fn pairs() -> impl Strategy<Value = Pentanomial> {
    prop::array::uniform6(count()).prop_map(Pentanomial::from)
}

fn units<const K: usize>(sample: &impl Sample<K>) -> u64 {
    sample.counts().iter().sum()
}

/// Finite figures, or none where nothing can be said.
fn is_sound<const K: usize>(sample: &impl Sample<K>) -> bool {
    let Some(strength) = Strength::of(sample) else {
        return units(sample) < FEWEST_UNITS;
    };
    let finite = |elo: Elo| elo.elo.is_finite() && elo.error_95.is_finite() && elo.error_95 > 0.0;
    finite(strength.elo)
        && strength.elo.error_95 < 761.0
        && strength.normalised.is_none_or(finite)
        && (0.0..=1.0).contains(&strength.los)
}

/// Equal but for rounding.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * (1.0 + a.abs())
}

fn mirrored<const K: usize>(one: &impl Sample<K>, other: &impl Sample<K>) -> bool {
    let (Some(one), Some(other)) = (Strength::of(one), Strength::of(other)) else {
        return Strength::of(one).is_none() && Strength::of(other).is_none();
    };
    let opposite =
        |one: Elo, other: Elo| near(one.elo, -other.elo) && near(one.error_95, other.error_95);
    opposite(one.elo, other.elo)
        && one.normalised.is_some() == other.normalised.is_some()
        && (one.normalised.zip(other.normalised)).is_none_or(|(one, other)| opposite(one, other))
        && near(one.los, 1.0 - other.los)
}

/// Expected: the two-sided sign test, 2·2⁻ⁿ, against 5 %.
#[test]
fn too_few_units_say_nothing_of_strength() {
    for n in 0..12 {
        let significant = 2.0 * 0.5f64.powi(n) < 0.05;
        let n = n as u64;
        for sweep in [Score::new(n, 0, 0), Score::new(0, 0, n)] {
            assert_eq!(Strength::of(&sweep).is_some(), significant, "{n} games");
        }
        let pairs = Pentanomial::from([0, 0, 0, 0, n.min(1), n.saturating_sub(1)]);
        assert_eq!(Strength::of(&pairs).is_some(), significant, "{n} pairs");
    }
}

#[test]
fn a_sample_without_spread_has_no_normalised_elo_and_is_not_certain() {
    for (sample, doubt) in [
        (Pentanomial::from([0, 0, 0, 0, 0, 6]), 1.0 / 64.0),
        (Pentanomial::from([0, 0, 0, 0, 0, 10]), 1.0 / 1024.0),
    ] {
        let strength = Strength::of(&sample).expect("enough pairs");
        assert_eq!(strength.normalised, None);
        assert!(near(strength.los, 1.0 - doubt), "{strength:?}");
    }
    let draws = Strength::of(&Score::new(0, 100, 0)).expect("enough games");
    assert_eq!(draws.normalised, None);
    assert!(near(draws.los, 0.5));
}

#[test]
fn one_sided_and_empty_scores_are_finite_or_nothing() {
    for n in [0, 1, 2, 10, 1000, 1_000_000_000_000] {
        assert!(is_sound(&Score::new(n, 0, 0)), "{n} wins");
        assert!(is_sound(&Score::new(0, n, 0)), "{n} draws");
        assert!(is_sound(&Score::new(0, 0, n)), "{n} losses");
        assert!(is_sound(&Score::new(n, 1, 0)), "{n} wins and a draw");
        for class in 0..6 {
            let mut pairs = [0; 6];
            pairs[class] = n;
            assert!(is_sound(&Pentanomial::from(pairs)), "{pairs:?}");
        }
    }
}

#[test]
fn a_clean_sweep_counts_as_one_more_draw() {
    let elo = |score| Strength::of(&score).expect("enough games").elo.elo;
    let expected = 400.0 * (9.5f64 / 1.5).log10();
    assert!(near(elo(Score::new(9, 1, 1)), expected));
    let expected = 400.0 * (10.5f64 / 0.5).log10();
    assert!(near(elo(Score::new(10, 0, 0)), expected));
}

proptest! {
    #[test]
    fn every_score_gives_finite_numbers_or_none(score in score(), pairs in pairs()) {
        prop_assert!(is_sound(&score));
        prop_assert!(is_sound(&pairs));
    }

    #[test]
    fn swapping_the_bots_flips_the_sign(score in score(), pairs in pairs()) {
        prop_assert!(mirrored(&score, &score.reversed()));
        prop_assert!(mirrored(&pairs, &pairs.reversed()));
    }

    #[test]
    fn more_games_of_the_same_score_narrow_the_interval(
        (wins, draws, losses) in (0..50u64, 0..50u64, 0..50u64), times in 2..1000u64,
    ) {
        let few = Score::new(wins, draws, losses);
        let many = Score::new(times * wins, times * draws, times * losses);
        prop_assume!(units(&few) >= FEWEST_UNITS);
        let [few, many] = [few, many].map(|score| Strength::of(&score).expect("enough games"));
        prop_assert!(many.elo.error_95 <= few.elo.error_95 + 1e-9);
        let error = |strength: Strength| strength.normalised.map(|elo| elo.error_95);
        prop_assert!(error(many) <= error(few));
        let away = |strength: Strength| (strength.los - 0.5).abs();
        prop_assert!(away(many) >= away(few) - 1e-9);
    }

    #[test]
    fn one_more_win_raises_the_elo(score in score()) {
        let better = score + Score::new(1, 0, 0);
        prop_assert!(logistic(&better).elo >= logistic(&score).elo);
    }

    #[test]
    fn independent_games_say_the_same_alone_or_in_pairs(
        outcomes in prop::collection::vec(0..2u64, 2000),
    ) {
        // Fair coins: the pairs' error differs from the games' by the sampled correlation only.
        let coins = outcomes.chunks_exact(2).map(|pair| (pair[0] + pair[1]) as usize);
        let mut counts = [0; 6];
        for wins in coins {
            counts[[0, 2, 5][wins]] += 1;
        }
        let pairs = Pentanomial::from(counts);
        let (paired, alone) = (logistic(&pairs), logistic(&pairs.score()));
        prop_assert!(near(paired.elo, alone.elo));
        prop_assert!((paired.error_95 / alone.error_95 - 1.0).abs() < 0.15);
    }
}
