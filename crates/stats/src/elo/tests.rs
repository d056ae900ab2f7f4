use super::*;
use crate::{Pentanomial, Score};
use proptest::prelude::*;

/// Equal to the digits that a table prints.
fn printed(found: f64, expected: f64, digits: i32) -> bool {
    (found - expected).abs() <= 0.5000001 * 10f64.powi(-digits)
}

/// Elo, normalised Elo, each with its error, and likelihood of superiority in per cent.
struct Expected {
    elo: Option<(f64, f64)>,
    normalised: (f64, f64),
    los: Option<f64>,
}

fn assert_as_published<const K: usize>(sample: &impl Sample<K>, expected: &Expected, row: usize) {
    if let Some((elo, error_95)) = expected.elo {
        let found = Elo::of(sample);
        assert!(printed(found.elo, elo, 4), "row {row}: {found:?}");
        assert!(printed(found.error_95, error_95, 4), "row {row}: {found:?}");
    }
    let found = NormalisedElo::of(sample);
    let (elo, error_95) = expected.normalised;
    assert!(printed(found.elo, elo, 4), "row {row}: {found:?}");
    assert!(printed(found.error_95, error_95, 4), "row {row}: {found:?}");
    if let Some(los_expected) = expected.los {
        let found = 100.0 * los(sample);
        assert!(printed(found, los_expected, 2), "row {row}: {found} %");
    }
}

/// Expected figures: the tests of fastchess, reproduced with an independent script.
#[test]
fn games_give_the_figures_of_fastchess() {
    let table = [
        (
            Score::new(76, 123, 89),
            Expected {
                elo: Some((-15.6935, 30.4580)),
                normalised: (-20.7564, 40.1260),
                los: Some(15.53),
            },
        ),
        (
            Score::new(136, 111, 96),
            Expected {
                elo: Some((40.7025, 30.4272)),
                normalised: (49.7684, 36.7685),
                los: Some(99.60),
            },
        ),
        (
            Score::new(34, 0, 356),
            Expected {
                elo: None,
                normalised: (-508.4353, 34.4818),
                los: None,
            },
        ),
    ];
    for (row, (score, expected)) in table.iter().enumerate() {
        assert_as_published(score, expected, row);
    }
}

/// Expected figures: the tests of fastchess, reproduced with an independent script.
#[test]
fn pairs_give_the_figures_of_fastchess() {
    let table = [
        (
            [34, 54, 31, 32, 64, 75],
            Expected {
                elo: Some((55.5798, 27.6534)),
                normalised: (57.9356, 28.2754),
                los: None,
            },
        ),
        (
            [332, 433, 457, 41, 333, 334],
            Expected {
                elo: Some((-8.6427, 10.3342)),
                normalised: (-9.1729, 10.9605),
                los: Some(5.05),
            },
        ),
        (
            [7895, 8757, 5485, 200, 568, 9999],
            Expected {
                elo: Some((-21.0435, 2.9453)),
                normalised: (-19.0128, 2.6545),
                los: None,
            },
        ),
    ];
    for (row, (pairs, expected)) in table.into_iter().enumerate() {
        assert_as_published(&Pentanomial::from(pairs), &expected, row);
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

fn all_finite<const K: usize>(sample: &impl Sample<K>) -> bool {
    let (elo, normalised, los) = (Elo::of(sample), NormalisedElo::of(sample), los(sample));
    let mut numbers = [elo.elo, elo.error_95, normalised.elo, normalised.error_95].into_iter();
    numbers.all(f64::is_finite)
        && elo.error_95 > 0.0
        && elo.error_95 < 761.0
        && normalised.error_95 > 0.0
        && (0.0..=1.0).contains(&los)
}

/// Equal but for rounding.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * (1.0 + a.abs())
}

fn mirrored<const K: usize>(one: &impl Sample<K>, other: &impl Sample<K>) -> bool {
    let (elo, back) = (Elo::of(one), Elo::of(other));
    let (normalised, normalised_back) = (NormalisedElo::of(one), NormalisedElo::of(other));
    near(elo.elo, -back.elo)
        && near(elo.error_95, back.error_95)
        && near(normalised.elo, -normalised_back.elo)
        && near(normalised.error_95, normalised_back.error_95)
        && near(los(one), 1.0 - los(other))
}

#[test]
fn one_sided_and_empty_scores_are_finite() {
    for n in [0, 1, 2, 10, 1000, 1_000_000_000_000] {
        assert!(all_finite(&Score::new(n, 0, 0)), "{n} wins");
        assert!(all_finite(&Score::new(0, n, 0)), "{n} draws");
        assert!(all_finite(&Score::new(0, 0, n)), "{n} losses");
        assert!(all_finite(&Score::new(n, 1, 0)), "{n} wins and a draw");
        for class in 0..6 {
            let mut pairs = [0; 6];
            pairs[class] = n;
            assert!(all_finite(&Pentanomial::from(pairs)), "{pairs:?}");
        }
    }
}

#[test]
fn a_clean_sweep_counts_as_one_more_draw() {
    let elo = 400.0 * (9.5f64 / 1.5).log10();
    assert!(near(Elo::of(&Score::new(9, 1, 1)).elo, elo));
    let elo = 400.0 * (10.5f64 / 0.5).log10();
    assert!(near(Elo::of(&Score::new(10, 0, 0)).elo, elo));
    assert!(near(Elo::of(&Score::default()).elo, 0.0));
    assert!(near(los(&Score::default()), 0.5));
}

proptest! {
    #[test]
    fn every_score_gives_finite_numbers(score in score(), pairs in pairs()) {
        prop_assert!(all_finite(&score));
        prop_assert!(all_finite(&pairs));
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
        prop_assert!(Elo::of(&many).error_95 <= Elo::of(&few).error_95 + 1e-9);
        prop_assert!(NormalisedElo::of(&many).error_95 <= NormalisedElo::of(&few).error_95);
        let away = |score| (los(score) - 0.5).abs();
        prop_assert!(away(&many) >= away(&few) - 1e-9);
    }

    #[test]
    fn one_more_win_raises_the_elo(score in score()) {
        let better = score + Score::new(1, 0, 0);
        prop_assert!(Elo::of(&better).elo >= Elo::of(&score).elo);
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
        let (paired, alone) = (Elo::of(&pairs), Elo::of(&pairs.score()));
        prop_assert!(near(paired.elo, alone.elo));
        prop_assert!((paired.error_95 / alone.error_95 - 1.0).abs() < 0.15);
    }
}
