use super::*;
use crate::{Pentanomial, Score};
use proptest::prelude::*;

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

/// By the two-sided sign test, n wins in n units are significant at 95 % if 2·2⁻ⁿ is less than 5 %.
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
        // The results are tosses of a fair coin. So pairs and games have the same error, but for a chance correlation.
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
