use super::*;
use crate::Strength;
use proptest::prelude::*;

#[test]
fn two_bots_differ_by_the_elo_of_their_match() {
    let score = Score::new(60000, 20000, 20000);
    let found = ratings(&[(0, 1, score)], 2);
    let difference = found[0].elo - found[1].elo;
    assert!(
        (difference - Strength::of(&score).expect("enough").elo.elo).abs() < 0.01,
        "{found:?}"
    );
}

/// The mean of two bots is half-way between them, so the error to the other bot is twice that to the mean.
#[test]
fn an_anchor_has_its_rating_exactly_and_the_others_the_error_of_their_difference() {
    let score = Score::new(60, 0, 40);
    let mean = ratings(&[(0, 1, score)], 2);
    let from = ratings_from(&[(0, 1, score)], 2, 1, 1000.1);
    assert_eq!((from[1].elo, from[1].error_95), (1000.1, 0.0));
    let difference = mean[0].elo - mean[1].elo;
    assert!((from[0].elo - 1000.1 - difference).abs() < 1e-9, "{from:?}");
    assert!(
        (from[0].error_95 - 2.0 * mean[0].error_95).abs() < 1e-9,
        "{from:?} {mean:?}"
    );
}

#[test]
fn a_field_of_none_or_one_is_rated() {
    assert_eq!(ratings(&[], 0), []);
    let [alone] = ratings(&[(0, 0, Score::new(5, 0, 0))], 1)[..] else {
        panic!("one bot has one rating");
    };
    assert!(
        alone.elo.abs() < 1e-9 && alone.error_95.abs() < 1e-4,
        "{alone:?}"
    );
}

#[test]
fn huge_and_one_sided_counts_stay_finite() {
    for n in [1, 1000, 1_000_000_000_000] {
        let ladder: Vec<Pairing> = (0..9).map(|i| (i, i + 1, Score::new(n, 0, 0))).collect();
        let found = ratings(&ladder, 10);
        assert!(all_finite(&found), "{found:?}");
        let falls = found.windows(2).all(|pair| pair[0].elo > pair[1].elo);
        assert!(falls, "{found:?}");
    }
}

type Pairing = (usize, usize, Score);

const PLAYERS: usize = 6;

/// Any pairings, with repetitions and with games of a bot against itself.
fn pairings() -> impl Strategy<Value = Vec<Pairing>> {
    let count = || prop_oneof![Just(0), 0..5u64, 0..300u64];
    let score = (count(), count(), count()).prop_map(|(w, d, l)| Score::new(w, d, l));
    prop::collection::vec((0..PLAYERS, 0..PLAYERS, score), 0..20)
}

fn all_finite(ratings: &[Rating]) -> bool {
    ratings
        .iter()
        .all(|rating| rating.elo.is_finite() && rating.error_95.is_finite())
}

/// The points that a bot scored beyond what its rating and its prior expect: 0 at the maximum of the likelihood.
fn surplus(pairings: &[Pairing], found: &[Rating], player: usize) -> f64 {
    let prior = found[player].elo * ELO_PER_NAT / PRIOR_ELO.powi(2);
    let games = pairings.iter().filter(|(i, j, _)| i != j);
    let surplus: f64 = games
        .map(|(i, j, score)| {
            let expected = 1.0 / (1.0 + 10f64.powf((found[*j].elo - found[*i].elo) / 400.0));
            let surplus = score.points() - score.games() as f64 * expected;
            match player {
                _ if player == *i => surplus,
                _ if player == *j => -surplus,
                _ => 0.0,
            }
        })
        .sum();
    surplus - prior
}

proptest! {
    #[test]
    fn every_field_has_finite_ratings_around_zero(pairings in pairings()) {
        let found = ratings(&pairings, PLAYERS);
        prop_assert!(all_finite(&found));
        prop_assert!(found.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
        let most = Z_95 * PRIOR_ELO;
        prop_assert!(found.iter().all(|rating| 0.0 < rating.error_95 && rating.error_95 < most));
    }

    #[test]
    fn every_bot_scored_what_its_rating_expects(pairings in pairings()) {
        let found = ratings(&pairings, PLAYERS);
        for player in 0..PLAYERS {
            let surplus = surplus(&pairings, &found, player);
            prop_assert!(surplus.abs() < 1e-7, "bot {player}: {surplus} points");
        }
    }

    #[test]
    fn the_order_of_pairings_and_bots_does_not_matter(pairings in pairings()) {
        let found = ratings(&pairings, PLAYERS);
        let reordered: Vec<Pairing> =
            pairings.iter().rev().map(|(i, j, score)| (*j, *i, score.reversed())).collect();
        prop_assert_eq!(&found, &ratings(&reordered, PLAYERS));

        let renamed: Vec<Pairing> =
            pairings.iter().map(|(i, j, score)| (PLAYERS - 1 - i, PLAYERS - 1 - j, *score)).collect();
        for (one, other) in found.iter().zip(ratings(&renamed, PLAYERS).iter().rev()) {
            prop_assert!((one.elo - other.elo).abs() < 1e-6);
            prop_assert!((one.error_95 - other.error_95).abs() < 1e-6);
        }
    }

    #[test]
    fn reversing_every_result_flips_the_signs(pairings in pairings()) {
        let found = ratings(&pairings, PLAYERS);
        let reversed: Vec<Pairing> =
            pairings.iter().map(|(i, j, score)| (*i, *j, score.reversed())).collect();
        for (one, other) in found.iter().zip(ratings(&reversed, PLAYERS)) {
            prop_assert!((one.elo + other.elo).abs() < 1e-6);
            prop_assert!((one.error_95 - other.error_95).abs() < 1e-6);
        }
    }

    #[test]
    fn one_more_win_raises_the_rating(
        pairings in pairings(), winner in 0..PLAYERS, step in 1..PLAYERS,
    ) {
        let loser = (winner + step) % PLAYERS;
        let before = ratings(&pairings, PLAYERS);
        let mut more = pairings;
        more.push((winner, loser, Score::new(1, 0, 0)));
        let after = ratings(&more, PLAYERS);
        prop_assert!(after[winner].elo > before[winner].elo);
        prop_assert!(after[loser].elo < before[loser].elo);
    }

    #[test]
    fn more_games_of_the_same_scores_narrow_a_balanced_field(
        scores in prop::collection::vec((1..20u64, 0..20u64, 1..20u64), 15), times in 2..1000u64,
    ) {
        let field = |times: u64| -> Vec<Rating> {
            let pairs = (0..PLAYERS).flat_map(|i| (0..i).map(move |j| (i, j)));
            let pairings: Vec<Pairing> = pairs
                .zip(&scores)
                .map(|((i, j), (w, d, l))| (i, j, Score::new(times * w, times * d, times * l)))
                .collect();
            ratings(&pairings, PLAYERS)
        };
        for (few, many) in field(1).iter().zip(field(times)) {
            prop_assert!(many.error_95 < few.error_95);
        }
    }
}
