use super::*;
use crate::{Strength, Wdl};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

fn ratings(pairings: &[Pairing], players: usize) -> Vec<Rating> {
    let meetings: Vec<Meeting> = pairings.iter().map(|&pairing| pairing.into()).collect();
    Ratings::of(&meetings, players).bots
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

/// The mean of two bots is half-way between them. So the error relative to a bot is twice that relative to the mean.
#[test]
fn an_anchor_has_its_rating_exactly_and_the_others_the_error_of_their_difference() {
    let score = Score::new(60, 0, 40);
    let mean = ratings(&[(0, 1, score)], 2);
    let from = Ratings::with_anchors(&[(0, 1, score).into()], 2, &[(1, 1000.1)]).bots;
    assert_eq!((from[1].elo, from[1].error_95), (1000.1, 0.0));
    let difference = mean[0].elo - mean[1].elo;
    assert!((from[0].elo - 1000.1 - difference).abs() < 1e-9, "{from:?}");
    assert!(
        (from[0].error_95 - 2.0 * mean[0].error_95).abs() < 1e-9,
        "{from:?} {mean:?}"
    );
}

#[test]
fn without_anchors_the_ratings_are_about_zero() {
    let meetings = [(0, 1, Score::new(60, 0, 40)).into()];
    assert_eq!(
        Ratings::with_anchors(&meetings, 2, &[]),
        Ratings::of(&meetings, 2)
    );
}

/// Neighbours are `lead` standard deviations of their difference apart, best first. The quantiles of the normal
/// distribution for 5 % in one, three and six comparisons (Bonferroni) are 1.960, 2.394 and 2.638.
#[test]
fn places_are_certain_beyond_the_quantile_of_all_comparisons() {
    for (bots, lead, expected) in [
        (1, 0.0, vec![[1, 1]]),
        (2, 1.95, vec![[1, 2], [1, 2]]),
        (2, 1.97, vec![[1, 1], [2, 2]]),
        (3, 1.19, vec![[1, 3], [1, 3], [1, 3]]),
        (3, 1.2, vec![[1, 2], [1, 3], [2, 3]]),
        (3, 2.38, vec![[1, 2], [1, 3], [2, 3]]),
        (3, 2.4, vec![[1, 1], [2, 2], [3, 3]]),
        (4, 2.63, vec![[1, 2], [1, 3], [2, 4], [3, 4]]),
        (4, 2.65, vec![[1, 1], [2, 2], [3, 3], [4, 4]]),
    ] {
        // With the variances 0.5 and no covariance, a difference has the standard deviation of a nat.
        let rating = |bot: usize| Rating {
            elo: -(bot as f64) * lead * ELO_PER_NAT,
            error_95: 0.0,
        };
        let ratings = Ratings {
            bots: (0..bots).map(rating).collect(),
            covariance: scaled_unit(bots, 0.5),
        };
        assert_eq!(ratings.places(), expected, "{bots} bots, {lead}");
        // Among the first and the last bot alone, one comparison is made.
        let lead = lead * (bots - 1) as f64;
        let pair = if lead > 1.96 {
            [[1, 1], [2, 2]]
        } else {
            [[1, 2], [1, 2]]
        };
        if bots > 1 {
            assert_eq!(
                ratings.places_among(&[0, bots - 1]),
                pair,
                "{bots} bots, {lead}"
            );
        }
    }
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

/// A field whose openings favour one colour by up to 350 Elo.
struct Simulated {
    /// The strengths of the bots, in nats.
    strengths: Vec<f64>,
    /// The number of clones, which are the first bots. A pair of games between two clones is always even.
    clones: usize,
    random: ChaCha8Rng,
}

impl Simulated {
    fn share(&mut self) -> f64 {
        f64::from(self.random.next_u32()) / f64::from(u32::MAX)
    }

    fn bias(&mut self) -> f64 {
        4.0 * (self.share() - 0.5)
    }

    fn game(&mut self, lead: f64) -> Wdl {
        let win = expected(lead);
        let draw = win.min(1.0 - win) * 0.6;
        match self.share() {
            at if at < win - draw / 2.0 => Wdl::Win,
            at if at < win + draw / 2.0 => Wdl::Draw,
            _ => Wdl::Loss,
        }
    }

    fn meetings(&mut self, pairs: u64) -> Vec<Meeting> {
        let mut all = Vec::new();
        for one in 0..self.strengths.len() {
            for other in 0..one {
                let lead = self.strengths[one] - self.strengths[other];
                let mut tally = Pentanomial::default();
                // As in a league, equal bots meet more often.
                let pairs = if self.clones > 0 && lead.abs() < 0.3 {
                    4 * pairs
                } else {
                    pairs
                };
                for _ in 0..pairs {
                    let bias = self.bias();
                    let [first, mut second] =
                        [lead + bias, lead - bias].map(|lead| self.game(lead));
                    if one < self.clones {
                        second = first.reversed();
                    }
                    tally.add(first, second);
                }
                all.push(Meeting {
                    bots: [one, other],
                    score: tally.score(),
                    pairs: tally,
                });
            }
        }
        all
    }

    /// Returns the limit of the ratings for many games. Openings that favour a colour move scores towards one half.
    fn truth(&mut self) -> Vec<Rating> {
        const MANY: f64 = 1e10;
        let biases: Vec<f64> = (0..1000).map(|_| self.bias()).collect();
        let players = self.strengths.len();
        let pairings = (0..players).flat_map(|one| (0..one).map(move |other| (one, other)));
        let pairings: Vec<Pairing> = pairings
            .map(|(one, other)| {
                let lead = self.strengths[one] - self.strengths[other];
                let both = |bias: &f64| expected(lead + bias) + expected(lead - bias);
                let share = biases.iter().map(both).sum::<f64>() / biases.len() as f64 / 2.0;
                let won = (MANY * share) as u64;
                (one, other, Score::new(won, 0, MANY as u64 - won))
            })
            .collect();
        ratings(&pairings, players)
    }
}

/// Returns the share of intervals that contain the true difference (of two bots of which none, one or both are clones),
/// and the share of fields in which all intervals of places are right. `of_games` ignores the pairs.
fn covered(
    [players, clones]: [usize; 2],
    pairs: u64,
    fields: usize,
    of_games: bool,
) -> ([f64; 3], f64) {
    let random = ChaCha8Rng::seed_from_u64(players as u64);
    let mut simulated = Simulated {
        strengths: vec![0.0; players],
        clones,
        random,
    };
    let (mut held, mut count, mut placed) = ([0_usize; 3], [0_usize; 3], 0_usize);
    for _ in 0..fields {
        simulated.strengths = (0..players).map(|_| 2.0 * simulated.share()).collect();
        let own = simulated.strengths[0];
        simulated.strengths[..clones].fill(own);
        let truth = simulated.truth();
        let mut meetings = simulated.meetings(pairs);
        if of_games {
            for meeting in &mut meetings {
                meeting.pairs = Pentanomial::default();
            }
        }
        let found = Ratings::of(&meetings, players);
        for one in 0..players {
            for other in 0..one {
                let [of, really] = [&found.bots, &truth].map(|all| all[one].elo - all[other].elo);
                let kind = usize::from(one < clones) + usize::from(other < clones);
                held[kind] +=
                    usize::from((of - really).abs() <= found.difference_error_95(one, other));
                count[kind] += 1;
            }
        }
        let better = |one: usize| {
            truth
                .iter()
                .filter(|other| other.elo > truth[one].elo)
                .count()
        };
        let is_placed = found.places().into_iter().enumerate();
        placed += usize::from(is_placed.fold(true, |all, (bot, [best, worst])| {
            all && (best..=worst).contains(&(1 + better(bot)))
        }));
    }
    let held = [0, 1, 2].map(|kind| held[kind] as f64 / count[kind] as f64);
    (held, placed as f64 / fields as f64)
}

#[test]
fn intervals_from_pairs_hold_the_truth_as_often_as_they_say() {
    let fields = [
        ([4, 0], 30, 400),
        ([8, 0], 20, 150),
        ([30, 0], 10, 20),
        ([8, 3], 20, 150),
        ([16, 8], 2, 100),
        ([16, 8], 20, 100),
        ([30, 20], 4, 20),
    ];
    for (bots, pairs, fields) in fields {
        let (held, placed) = covered(bots, pairs, fields, false);
        // NaN means that no pairing has so many clones.
        let is_right = |share: f64| share.is_nan() || (0.93..0.97).contains(&share);
        assert!(held.into_iter().all(is_right), "{bots:?}: {held:?}");
        assert!(placed >= 0.95, "{bots:?}: {placed}");
    }
    // Without the pairs, the intervals are too wide, because the games of a pair balance the effect of their opening.
    let ([held, ..], _) = covered([8, 0], 20, 150, true);
    assert!(held > 0.97, "{held}");
}

type Pairing = (usize, usize, Score);

const PLAYERS: usize = 6;

/// Arbitrary pairings, with repetitions and with games of a bot against itself.
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

/// Returns how many more points a bot scored than rating and prior predict: 0 at the most likely ratings.
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
    fn beside_anchors_every_other_bot_scored_what_its_rating_expects(
        pairings in pairings(), elo in 0.0..600.0,
    ) {
        let anchors = [(1, 1000.0 - elo), (4, 1000.0 + elo)];
        let meetings: Vec<Meeting> = pairings.iter().map(|&pairing| pairing.into()).collect();
        let found = Ratings::with_anchors(&meetings, PLAYERS, &anchors).bots;
        prop_assert!(all_finite(&found));
        let centred = |&rating: &Rating| Rating { elo: rating.elo - 1000.0, ..rating };
        let about: Vec<Rating> = found.iter().map(centred).collect();
        for (player, rating) in found.iter().enumerate() {
            match anchors.iter().find(|(anchor, _)| *anchor == player) {
                Some((_, elo)) => prop_assert_eq!((rating.elo, rating.error_95), (*elo, 0.0)),
                None => prop_assert!(surplus(&pairings, &about, player).abs() < 1e-6),
            }
        }
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

        let reversed: Vec<Pairing> =
            pairings.iter().map(|(i, j, score)| (*i, *j, score.reversed())).collect();
        for (one, other) in found.iter().zip(&ratings(&reversed, PLAYERS)) {
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

/// The exact form of the rule of three: after 100 losses, the win rate is below 1 − 0.05^(1/100) = 2.951 % at 95 %. By
/// Elo's formula, a bot with this rate is 606.8 Elo below its opponent.
#[test]
fn a_bot_that_lost_everything_has_the_bound_of_the_rule_of_three() {
    let bound = bound_of_losses(&[(1000.0, 60.0), (1000.0, 40.0)]);
    assert!((bound - (1000.0 - 606.79)).abs() < 0.01, "{bound}");
}
