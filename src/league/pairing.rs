//! Chooses which versions meet in a round. [`next_round`] is a pure function of the ratings and the league's key.
//!
//! A pair of games is useful if it improves the knowledge of the table's order. The rating of bot i has a variance.
//! Some bots are probably on the wrong side of bot i in the table; the *weight* of bot i is how fast their expected
//! number grows with the variance. A pair between i and j adds the Fisher information 2·p·(1 − p) about their
//! difference, where p is the expected score. The formula of Sherman and Morrison (1950) gives the variances after the
//! pair. The *gain* of a pairing is the sum over both bots of weight times expected reduction of the variance.
//!
//! Pairings are drawn at random in proportion to a power of their gain, by a generator whose key is secret. So no bot
//! can predict its opponents. The results of a bot's games affect the choice of its opponents only through its rating.

use std::collections::BTreeSet;

use stats::Ratings;
use stats::bradley_terry::PRIOR_ELO;
use tournament::Draw;

#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// The bot's number in the ratings; `None` if the bot was handed in after the last rating.
    pub player: Option<usize>,
    /// `None` for an anchor. Bots of one owner never meet, because one could lose to the other on purpose.
    pub owner: Option<i64>,
    pub games: u64,
    /// While the bot is on trial: the anchors that it has met, as indices of entrants.
    pub met: Vec<usize>,
    /// The Elo of the previous version, which is assumed for this version before its first games.
    pub expected: Option<f64>,
}

/// Returns the number of games for which a version is on trial if there are this many anchors.
pub fn trial_games(anchors: usize) -> u64 {
    TRIAL_GAMES.max(2 * anchors as u64)
}

impl Entrant {
    const fn is_anchor(&self) -> bool {
        self.owner.is_none()
    }
}

/// The number of games for which a version is on trial. In a trial, it meets only anchors, and it meets every anchor
/// once before it meets one again, so its first rating and its marks do not depend on chance. If there are more anchors
/// than pairs of these games, the trial is longer.
const TRIAL_GAMES: u64 = 8;
/// The most pairs of a bot in a round, so that no round waits for one slow bot.
pub(super) const MOST_PAIRS: u32 = 4;
/// Pairings are drawn in proportion to this power of their gain. A simulation gave the exponent (see the tests).
const SHARPNESS: i32 = 6;
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// Chooses at most `pairs` pairings, as indices of `entrants`. Equal arguments give equal rounds.
pub fn next_round(
    entrants: &[Entrant],
    ratings: &Ratings,
    pairs: usize,
    key: &[u8; 32],
    round: u64,
) -> Vec<[usize; 2]> {
    let mut field = Field::new(entrants, ratings);
    let mut draw = Draw::keyed(*key, round);
    let mut chosen = Vec::with_capacity(pairs);
    while chosen.len() < pairs {
        let Some([one, other]) = field.draw(&mut draw) else {
            break;
        };
        field.play(one, other);
        // The colours of the first game are also random.
        let swaps = draw.below(2) == 1;
        chosen.push(if swaps { [other, one] } else { [one, other] });
    }
    chosen
}

/// The entrants, with ratings in natural units.
struct Field<'a> {
    entrants: &'a [Entrant],
    ratings: &'a Ratings,
    strengths: Vec<f64>,
    variances: Vec<f64>,
    weights: Vec<f64>,
    pairs: Vec<u32>,
    anchors: usize,
    trial_games: u64,
    met: Vec<BTreeSet<usize>>,
    /// The gain of each pairing to the power [`SHARPNESS`], row by row. `sums` has the sum of each row.
    gains: Vec<f64>,
    sums: Vec<f64>,
}

impl<'a> Field<'a> {
    fn new(entrants: &'a [Entrant], ratings: &'a Ratings) -> Field<'a> {
        let rated = ratings.bots.len().max(1) as f64;
        let middle = ratings.bots.iter().map(|bot| bot.elo).sum::<f64>() / rated;
        let strength = |entrant: &Entrant| {
            let expected = entrant.expected.filter(|_| entrant.games == 0);
            let rated = || {
                entrant
                    .player
                    .map_or(middle, |player| ratings.bots[player].elo)
            };
            expected.unwrap_or_else(rated) / ELO_PER_NAT
        };
        let prior = (PRIOR_ELO / ELO_PER_NAT).powi(2);
        let variance = |entrant: &Entrant| {
            let player = entrant.player;
            player.map_or(prior, |player| ratings.covariance(player, player))
        };
        let bots = entrants.len();
        let anchors = entrants
            .iter()
            .filter(|entrant| entrant.is_anchor())
            .count();
        let met = entrants
            .iter()
            .map(|entrant| entrant.met.iter().copied().collect());
        let mut field = Field {
            anchors,
            trial_games: trial_games(anchors),
            met: met.collect(),
            entrants,
            ratings,
            strengths: entrants.iter().map(strength).collect(),
            variances: entrants.iter().map(variance).collect(),
            weights: Vec::new(),
            pairs: vec![0; bots],
            gains: vec![0.0; bots * bots],
            sums: vec![0.0; bots],
        };
        field.weights = (0..bots).map(|bot| field.weight(bot)).collect();
        for one in 0..bots {
            for other in 0..one {
                field.set(one, other);
            }
        }
        field
    }

    /// Returns the derivative of the expected number of wrongly ordered bots by the variance of `bot`, without constant
    /// factors: the sum of φ(d/σ)·d/σ³ over the other bots. Equal bots (d = 0) have no order to find.
    fn weight(&self, bot: usize) -> f64 {
        if self.entrants[bot].is_anchor() && self.variances[bot] == 0.0 {
            return 0.0;
        }
        let others = (0..self.entrants.len()).filter(|&other| other != bot);
        others
            .map(|other| {
                let distance = (self.strengths[bot] - self.strengths[other]).abs();
                let deviation = (self.variances[bot] + self.variances[other])
                    .max(1e-6)
                    .sqrt();
                // The distance is only an estimate. Its expected size is at least the size of its error.
                let steps = distance.hypot(deviation) / deviation;
                (-0.5 * (steps * steps - 1.0)).exp() * steps / (deviation * deviation)
            })
            .sum()
    }

    fn is_on_trial(&self, bot: usize) -> bool {
        let entrant = &self.entrants[bot];
        !entrant.is_anchor() && entrant.games < self.trial_games
    }

    fn may_meet(&self, one: usize, other: usize) -> bool {
        let [a, b] = [one, other].map(|bot| &self.entrants[bot]);
        let is_next = |bot: usize, anchor: usize| {
            let met = &self.met[bot];
            met.len() >= self.anchors || !met.contains(&anchor)
        };
        let has_room = |bot: usize| self.entrants[bot].is_anchor() || self.pairs[bot] < MOST_PAIRS;
        let trial = match (self.is_on_trial(one), self.is_on_trial(other)) {
            (true, true) => self.entrants.iter().all(|entrant| !entrant.is_anchor()),
            (true, false) => b.is_anchor() && is_next(one, other),
            (false, true) => a.is_anchor() && is_next(other, one),
            (false, false) => !(a.is_anchor() && b.is_anchor()),
        };
        let is_within_owner = a.owner.is_some() && a.owner == b.owner;
        trial && !is_within_owner && has_room(one) && has_room(other)
    }

    /// Returns the covariance of two ratings. Within a round, only the variances change, not the covariances.
    fn shared(&self, one: usize, other: usize) -> f64 {
        let [one, other] = [one, other].map(|bot| self.entrants[bot].player);
        let rated = one.zip(other);
        rated.map_or(0.0, |(one, other)| self.ratings.covariance(one, other))
    }

    fn gain(&self, one: usize, other: usize) -> f64 {
        if one == other || !self.may_meet(one, other) {
            return 0.0;
        }
        let shared = self.shared(one, other);
        let of_difference = (self.variances[one] + self.variances[other] - 2.0 * shared).max(0.0);
        let mut expected = 1.0 / (1.0 + (self.strengths[other] - self.strengths[one]).exp());
        if self.is_on_trial(one) || self.is_on_trial(other) {
            // In a trial, counts every game as even. Otherwise, a pairing with a clear favourite might never be chosen.
            expected = 0.5;
        }
        let information = 2.0 * expected * (1.0 - expected);
        let reduction = |bot: usize| {
            let moved = self.variances[bot] - shared;
            information * moved * moved / (1.0 + information * of_difference)
        };
        self.weights[one] * reduction(one) + self.weights[other] * reduction(other)
    }

    fn set(&mut self, one: usize, other: usize) {
        let bots = self.entrants.len();
        let gain = self.gain(one, other).powi(SHARPNESS);
        let before = self.gains[one * bots + other];
        self.gains[one * bots + other] = gain;
        self.gains[other * bots + one] = gain;
        self.sums[one] += gain - before;
        self.sums[other] += gain - before;
    }

    /// Draws a pairing in proportion to the gains; `None` if there is none.
    fn draw(&mut self, draw: &mut Draw) -> Option<[usize; 2]> {
        let bots = self.entrants.len();
        loop {
            let one = pick(&self.sums, draw)?;
            match pick(&self.gains[one * bots..(one + 1) * bots], draw) {
                Some(other) => return Some([one, other]),
                // A sum that should be 0 may be a rounding error instead.
                None => self.sums[one] = 0.0,
            }
        }
    }

    /// Lowers the variances by the amount that a pair of games is expected to lower them.
    fn play(&mut self, one: usize, other: usize) {
        let shared = self.shared(one, other);
        let of_difference = (self.variances[one] + self.variances[other] - 2.0 * shared).max(0.0);
        let expected = 1.0 / (1.0 + (self.strengths[other] - self.strengths[one]).exp());
        let information = 2.0 * expected * (1.0 - expected);
        self.met[one].insert(other);
        self.met[other].insert(one);
        for bot in [one, other] {
            let moved = self.variances[bot] - shared;
            self.variances[bot] -=
                information * moved * moved / (1.0 + information * of_difference);
            self.pairs[bot] += 1;
        }
        for bot in [one, other] {
            for opponent in (0..self.entrants.len()).filter(|&opponent| opponent != bot) {
                self.set(bot, opponent);
            }
        }
    }
}

/// Draws an index in proportion to these numbers; `None` if all are 0.
fn pick(shares: &[f64], draw: &mut Draw) -> Option<usize> {
    let positive = |share: f64| share.max(0.0);
    let whole: f64 = shares.iter().map(|&share| positive(share)).sum();
    if whole <= 0.0 {
        return None;
    }
    let mut left = draw.bits() as f64 / 2f64.powi(64) * whole;
    let last = shares.iter().rposition(|&share| share > 0.0)?;
    for (index, &share) in shares.iter().enumerate() {
        left -= positive(share);
        if left < 0.0 && share > 0.0 {
            return Some(index);
        }
    }
    Some(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{Meeting, Pentanomial, Score, Wdl};
    use std::collections::BTreeMap;

    /// A simulated league of bots with known strengths, without processes.
    struct Simulation {
        strengths: Vec<f64>,
        anchors: usize,
        draw: Draw,
        results: BTreeMap<[usize; 2], (Score, Pentanomial)>,
        games: Vec<u64>,
    }

    impl Simulation {
        /// The first bots are the anchors.
        fn new(strengths: Vec<f64>, anchors: usize, seed: u64) -> Simulation {
            Simulation {
                games: vec![0; strengths.len()],
                strengths,
                anchors,
                draw: Draw::new(seed, 0),
                results: BTreeMap::new(),
            }
        }

        /// Returns normally distributed strengths with this deviation (Box and Muller). The anchors are spread evenly.
        fn field(bots: usize, anchors: usize, deviation: f64, seed: u64) -> Vec<f64> {
            let mut draw = Draw::new(seed, 1);
            let mut uniform = || (draw.bits() >> 11) as f64 / (1_u64 << 53) as f64;
            let mut normal = || {
                let radius = (-2.0 * (1.0 - uniform()).ln()).sqrt();
                deviation * radius * (std::f64::consts::TAU * uniform()).cos()
            };
            let middle = (anchors as f64 - 1.0) / 2.0;
            let anchor = |at: usize| (at as f64 - middle) * deviation;
            (0..bots)
                .map(|bot| if bot < anchors { anchor(bot) } else { normal() })
                .collect()
        }

        fn game(&mut self, [one, other]: [usize; 2]) -> Wdl {
            let difference = self.strengths[one] - self.strengths[other];
            let expected = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
            let share = self.draw.bits() as f64 / 2f64.powi(64);
            // Equal bots draw a tenth of their games.
            let drawn = 0.2 * expected * (1.0 - expected);
            match share {
                _ if share < expected - drawn => Wdl::Win,
                _ if share < expected + drawn => Wdl::Draw,
                _ => Wdl::Loss,
            }
        }

        fn play(&mut self, [one, other]: [usize; 2]) {
            let bots = [one.min(other), one.max(other)];
            let games = [self.game(bots), self.game(bots)];
            let (score, pairs) = self.results.entry(bots).or_default();
            for game in games {
                score.add(game);
            }
            pairs.add(games[0], games[1]);
            for bot in bots {
                self.games[bot] += 2;
            }
        }

        fn ratings(&self) -> Ratings {
            let meetings =
                self.results
                    .iter()
                    .map(|(&bots, &(score, pairs))| Meeting { bots, score, pairs });
            let anchors: Vec<_> = (0..self.anchors)
                .map(|bot| (bot, self.strengths[bot]))
                .collect();
            Ratings::with_anchors(
                &meetings.collect::<Vec<_>>(),
                self.strengths.len(),
                &anchors,
            )
        }

        fn entrants(&self) -> Vec<Entrant> {
            let entrant = |player| Entrant {
                player: Some(player),
                // Each owner has two bots.
                owner: (player >= self.anchors).then_some(player as i64 / 2),
                games: self.games[player],
                met: (0..self.anchors)
                    .filter(|&anchor| self.results.contains_key(&[anchor, player]))
                    .collect(),
                expected: None,
            };
            (0..self.strengths.len()).map(entrant).collect()
        }

        fn round(&mut self, pairs: usize, round: u64) {
            let chosen = next_round(&self.entrants(), &self.ratings(), pairs, &[7; 32], round);
            for pair in chosen {
                self.play(pair);
            }
        }

        fn rank_error(&self) -> f64 {
            let places = |elo: &dyn Fn(usize) -> f64| {
                let mut order: Vec<usize> = (0..self.strengths.len()).collect();
                order.sort_by(|&one, &other| elo(other).total_cmp(&elo(one)));
                let mut places = vec![0_usize; order.len()];
                order
                    .into_iter()
                    .enumerate()
                    .for_each(|(place, bot)| places[bot] = place);
                places
            };
            let ratings = self.ratings();
            let (found, true_places) = (
                places(&|bot| ratings.bots[bot].elo),
                places(&|bot| self.strengths[bot]),
            );
            let errors = found
                .iter()
                .zip(&true_places)
                .map(|(&one, &other)| one.abs_diff(other) as f64);
            errors.sum::<f64>() / found.len() as f64
        }
    }

    /// The strengths have a spread of 600 Elo, like the bots in `tournaments/yardstick-othello.toml`. The bound allows
    /// for the noise of only two fields of bots. Over 16 fields, the league's error is 1.01 times the error of the
    /// round robin.
    #[test]
    fn a_third_of_the_games_finds_the_order_of_a_round_robin() {
        let (mut in_league, mut in_round_robin) = (0.0, 0.0);
        for seed in [1, 2] {
            let strengths = Simulation::field(200, 4, 600.0, seed);
            let mut all = Simulation::new(strengths.clone(), 4, seed);
            for one in 0..200 {
                for other in 0..one {
                    all.play([other, one]);
                }
            }
            in_round_robin += all.rank_error();
            let mut league = Simulation::new(strengths, 4, seed);
            let third = 200 * 199 / 2 / 3;
            for round in 0..33 {
                league.round(third / 33, round);
            }
            in_league += league.rank_error();
        }
        println!(
            "rank error of a league {in_league:.2}, of a round robin with three times the games {in_round_robin:.2}"
        );
        assert!(
            in_league < 1.15 * in_round_robin,
            "{in_league} {in_round_robin}"
        );
    }

    #[test]
    fn a_round_depends_on_the_key() {
        let mut league = Simulation::new(Simulation::field(20, 3, 400.0, 1), 3, 1);
        for round in 0..6 {
            league.round(20, round);
        }
        let (entrants, ratings) = (league.entrants(), league.ratings());
        let round = |key: u8, round| next_round(&entrants, &ratings, 20, &[key; 32], round);
        assert_eq!(round(1, 9), round(1, 9));
        assert_ne!(round(1, 9), round(2, 9));
        assert_ne!(round(1, 9), round(1, 10));
    }

    #[test]
    fn a_version_on_trial_meets_anchors_and_anchors_never_each_other() {
        let mut league = Simulation::new(Simulation::field(9, 3, 400.0, 1), 3, 1);
        for round in 0..12 {
            let before = league.entrants();
            let chosen = next_round(&before, &league.ratings(), 8, &[3; 32], round);
            for &[one, other] in &chosen {
                let are_anchors = [one, other].map(|bot| before[bot].is_anchor());
                assert_ne!(before[one].owner, before[other].owner);
                let trial = [one, other]
                    .iter()
                    .any(|&bot| !before[bot].is_anchor() && before[bot].games < TRIAL_GAMES);
                assert!(!trial || are_anchors != [false, false], "round {round}");
            }
            for pair in chosen {
                league.play(pair);
            }
        }
        for bot in (3..9).filter(|&bot| league.games[bot] >= TRIAL_GAMES) {
            for anchor in 0..3 {
                assert!(
                    league.results.contains_key(&[anchor, bot]),
                    "{bot} {anchor}"
                );
            }
        }
        assert!(
            league.games.iter().all(|&games| games > 0),
            "{:?}",
            league.games
        );
    }

    /// A bot that first loses on purpose meets weaker opponents for a while. It must not end above an honest twin.
    #[test]
    fn to_lose_on_purpose_gains_nothing() {
        let (honest, lazy) = (4, 5);
        for seed in 1..=3 {
            let mut strengths = Simulation::field(16, 4, 300.0, seed);
            (strengths[honest], strengths[lazy]) = (0.0, -2000.0);
            let mut league = Simulation::new(strengths, 4, seed);
            for round in 0..40 {
                league.round(16, round);
                if league.games[lazy] >= 20 {
                    league.strengths[lazy] = 0.0;
                }
            }
            let ratings = league.ratings();
            let [honest, lazy] = [honest, lazy].map(|bot| ratings.bots[bot].elo);
            assert!(lazy < honest, "{lazy} {honest}");
        }
    }
}
