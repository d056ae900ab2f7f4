use super::*;
use crate::Strength;
use proptest::prelude::*;

/// Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore: wins of the first and of
/// the second team in the American League 1987. Source: A. Agresti, "Categorical Data Analysis",
/// section on the Bradley–Terry model; also `data(baseball)` of the R package `BradleyTerry2`.
const BASEBALL: [(usize, usize, u64, u64); 21] = [
    (0, 1, 7, 6),
    (0, 2, 9, 4),
    (0, 3, 7, 6),
    (0, 4, 7, 6),
    (0, 5, 9, 4),
    (0, 6, 11, 2),
    (1, 2, 7, 6),
    (1, 3, 5, 8),
    (1, 4, 11, 2),
    (1, 5, 9, 4),
    (1, 6, 9, 4),
    (2, 3, 7, 6),
    (2, 4, 7, 6),
    (2, 5, 8, 5),
    (2, 6, 12, 1),
    (3, 4, 6, 7),
    (3, 5, 7, 6),
    (3, 6, 10, 3),
    (4, 5, 7, 6),
    (4, 6, 12, 1),
    (5, 6, 6, 7),
];

/// Every game played a million times, so that the prior is nothing beside them.
#[test]
fn baseball_teams_have_their_published_strengths() {
    const TIMES: u64 = 1_000_000;
    let pairings =
        BASEBALL.map(|(i, j, won, lost)| (i, j, Score::new(TIMES * won, 0, TIMES * lost)));
    let found = ratings(&pairings, 7);

    // Natural units above Baltimore, as published.
    let published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
    for (team, strength) in published.into_iter().enumerate() {
        let nats = (found[team].elo - found[6].elo) / ELO_PER_NAT;
        assert!((nats - strength).abs() < 1e-4, "team {team}: {nats}");
    }

    // 95 % errors relative to the mean: an independent fit in Python (BFGS on the log-likelihood,
    // pseudo-inverse of its Hessian), which also gives the published errors beside Baltimore.
    let errors = [
        70.6223, 69.5114, 68.7980, 68.6422, 68.4090, 69.8136, 79.1489,
    ];
    for (team, error_95) in errors.into_iter().enumerate() {
        let single = found[team].error_95 * (TIMES as f64).sqrt();
        assert!((single - error_95).abs() < 1e-3, "team {team}: {single}");
    }
}

/// Ratings and errors: an independent fit in Python with the same prior (BFGS, pseudo-inverse).
#[test]
fn one_sided_and_divided_fields_have_the_ratings_of_an_independent_fit() {
    assert_rated(
        &[(0, 1, Score::new(10, 0, 0))],
        &[(326.7745, 320.4299), (-326.7745, 320.4299)],
    );
    assert_rated(
        &[
            (0, 1, Score::new(10, 0, 0)),
            (1, 2, Score::new(3, 4, 3)),
            (2, 3, Score::new(0, 0, 5)),
            (0, 3, Score::new(2, 0, 0)),
        ],
        &[
            (487.4792, 415.9435),
            (-309.6524, 269.0029),
            (-317.6119, 256.0830),
            (139.7851, 329.7495),
        ],
    );
    // Two groups, and a bot that never played.
    assert_rated(
        &[(0, 1, Score::new(6, 1, 3)), (2, 3, Score::new(0, 5, 5))],
        &[
            (52.3826, 548.1445),
            (-52.3826, 548.1445),
            (-92.4726, 550.3116),
            (92.4726, 550.3116),
            (0.0, 876.5225),
        ],
    );
}

fn assert_rated(pairings: &[Pairing], expected: &[(f64, f64)]) {
    let found = ratings(pairings, expected.len());
    for (rating, (elo, error_95)) in found.iter().zip(expected) {
        assert!((rating.elo - elo).abs() < 1e-3, "{found:?}");
        assert!((rating.error_95 - error_95).abs() < 1e-3, "{found:?}");
    }
}

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

/// Of two bots, the mean is half-way between, so that the error to the other is twice that to the mean.
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

/// Any pairings, the same ones repeated too, some of a bot with itself.
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

/// Points that a bot scored beyond what the ratings expect of it and its prior takes back. The
/// log-likelihood is strictly concave, so its maximum is where nobody has any.
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
