//! The goal of a match, which ends the match as soon as it is reached. Pairs count in the order of their numbers.
//!
//! The games that finish first are a biased sample. So a pair counts only after all earlier pairs, and no pair counts
//! after the goal is reached. The end depends only on the games, not on the number of workers or on interruptions.
//!
//! Deterministic bots repeat their games when the openings repeat. A repeated pair is not new evidence: the goal is
//! reached only if the result is the same with and without repeated pairs. If all openings were played again without a
//! new pair, further games would be no new evidence, so the match ends.

use std::collections::BTreeMap;

use games::Side;

use crate::mark::Pairs;
use referee::record::{GameId, Outcome};
use stats::{Decision, Pentanomial, Precision, Sprt, Wdl};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    Decision(Sprt),
    Precision(Precision),
}

impl Goal {
    fn is_reached(&self, pairs: &Pairs) -> bool {
        match self {
            Goal::Decision(test) => pairs
                .known(|pairs| test.decision(test.llr(pairs)))
                .is_some_and(|decision| decision != Decision::Undecided),
            Goal::Precision(wish) => pairs.known(|pairs| wish.is_reached(pairs)) == Some(true),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Stopping {
    goal: Goal,
    /// The pairs before `next`, without the skipped pairs.
    pairs: Pairs,
    next: u64,
    /// The finished games of the pair `next` and later pairs.
    waiting: BTreeMap<u64, [Option<PairGame>; 2]>,
    /// The number of skipped pairs. In a game of such a pair, both bots failed.
    unscored: u64,
    is_reached: bool,
}

#[derive(Clone, Copy, Debug)]
struct PairGame {
    outcome: Outcome,
    fingerprint: u64,
}

impl Stopping {
    /// Creates the state of a match before its first game. The openings repeat after `lap` pairs.
    pub fn new(goal: Goal, lap: u64) -> Stopping {
        Stopping {
            goal,
            pairs: Pairs::new(lap),
            next: 0,
            waiting: BTreeMap::new(),
            unscored: 0,
            is_reached: false,
        }
    }

    /// Adds a finished game. Each game must be added once, in any order. A void game is ignored.
    pub fn add(&mut self, id: GameId, outcome: Outcome, fingerprint: u64) {
        if outcome == Outcome::Void || id.pair() < self.next || self.is_over() {
            return;
        }
        self.waiting.entry(id.pair()).or_default()[id.leg() as usize] = Some(PairGame {
            outcome,
            fingerprint,
        });
        while !self.is_over()
            && let Some([Some(one), Some(other)]) = self.waiting.get(&self.next).copied()
        {
            self.waiting.remove(&self.next);
            self.next += 1;
            self.count([one, other]);
        }
    }

    fn count(&mut self, pair: [PairGame; 2]) {
        // The first bot is black in the first game of a pair and white in the second.
        let results = [
            result(pair[0].outcome, Side::Black),
            result(pair[1].outcome, Side::White),
        ];
        let [Some(one), Some(other)] = results else {
            self.unscored += 1;
            return;
        };
        self.pairs
            .add([one, other], pair.map(|game| game.fingerprint));
        self.is_reached = self.goal.is_reached(&self.pairs);
    }

    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    pub fn is_reached(&self) -> bool {
        self.is_reached
    }

    /// Returns whether the goal cannot be reached, because all openings were played again with the same games.
    pub fn is_exhausted(&self) -> bool {
        self.pairs.is_exhausted()
    }

    pub fn is_over(&self) -> bool {
        self.is_reached || self.is_exhausted()
    }

    /// Returns the pairs that count, without repetitions, from the first bot's view.
    pub fn pairs(&self) -> Pentanomial {
        self.pairs.distinct()
    }

    pub fn unscored(&self) -> u64 {
        self.unscored
    }

    pub fn repeated(&self) -> u64 {
        self.pairs.repeated()
    }

    pub fn games(&self) -> u64 {
        2 * self.next
    }
}

/// Returns the result for the bot that played `side`; `None` if neither bot scores.
pub(super) fn result(outcome: Outcome, side: Side) -> Option<Wdl> {
    match outcome {
        Outcome::Win(winner) if winner == side => Some(Wdl::Win),
        Outcome::Win(_) => Some(Wdl::Loss),
        Outcome::Draw => Some(Wdl::Draw),
        Outcome::DoubleForfeit | Outcome::Void => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Draw;
    use proptest::prelude::*;
    use stats::Model;

    const WON: [Outcome; 2] = [Outcome::Win(Side::Black), Outcome::Win(Side::White)];
    const LOST: [Outcome; 2] = [Outcome::Win(Side::White), Outcome::Win(Side::Black)];

    fn stopping() -> Stopping {
        Stopping::new(Goal::Decision(test()), 3)
    }

    fn test() -> Sprt {
        Sprt::new(0.0, 200.0, 0.05, 0.05, Model::Logistic).expect("hypotheses in order")
    }

    fn decision(stopping: &Stopping) -> Decision {
        let found = test().decision(test().llr(&stopping.pairs()));
        assert_eq!(stopping.is_reached(), found != Decision::Undecided);
        found
    }

    fn add_pair(stopping: &mut Stopping, pair: u64, results: [Outcome; 2]) {
        add_alike(stopping, pair, results, pair);
    }

    fn add_alike(stopping: &mut Stopping, pair: u64, results: [Outcome; 2], like: u64) {
        for leg in 0..2 {
            let id = GameId::new(pair, leg);
            stopping.add(id, results[leg as usize], GameId::new(like, leg).0);
        }
    }

    #[test]
    fn a_pair_counts_only_after_all_earlier_pairs() {
        let mut stopping = stopping();
        for pair in 1..100 {
            add_pair(&mut stopping, pair, LOST);
        }
        stopping.add(GameId(0), WON[0], 0);
        assert_eq!(
            (stopping.games(), decision(&stopping)),
            (0, Decision::Undecided)
        );
        stopping.add(GameId(1), Outcome::Void, 1);
        assert_eq!(stopping.games(), 0, "a void game has not been played");
        stopping.add(GameId(1), WON[1], 1);
        assert_eq!(decision(&stopping), Decision::AcceptH0);
        assert!(
            stopping.games() < 200,
            "a decided test counts no more pairs"
        );
    }

    /// Even results: after one pair nothing is known, after 100 pairs the Elo is known to well below ± 300.
    #[test]
    fn a_goal_of_precision_is_reached_by_pairs_of_which_enough_are_new() {
        let precision = Precision::new(300.0).expect("in range");
        let mut repeated = Stopping::new(Goal::Precision(precision), 200);
        let mut stopping = repeated.clone();
        for pair in 0..100 {
            assert!(pair > 1 || !stopping.is_reached(), "pair {pair}");
            let results = [WON, LOST][pair as usize % 2];
            add_pair(&mut stopping, pair, results);
            add_alike(&mut repeated, pair, results, pair % 2);
        }
        assert!(stopping.is_reached() && stopping.games() < 200);
        assert!(!repeated.is_reached(), "98 of these pairs are repeated");
    }

    #[test]
    fn colours_are_those_of_the_first_bot() {
        let mut stopping = stopping();
        add_pair(&mut stopping, 0, WON);
        add_pair(&mut stopping, 1, LOST);
        add_pair(&mut stopping, 2, [WON[0], Outcome::Draw]);
        assert_eq!(<[u64; 6]>::from(stopping.pairs()), [1, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn a_pair_in_which_both_bots_failed_is_skipped() {
        let mut stopping = stopping();
        add_pair(&mut stopping, 0, [Outcome::DoubleForfeit, WON[1]]);
        add_pair(&mut stopping, 1, WON);
        assert_eq!((stopping.unscored(), stopping.games()), (1, 4));
        assert_eq!(stopping.pairs().pairs(), 1);
    }

    #[test]
    fn repeated_pairs_are_not_evidence_and_a_lap_of_them_ends_the_test() {
        let mut stopping = stopping();
        for (pair, results) in [(0, WON), (1, LOST), (2, WON)] {
            add_pair(&mut stopping, pair, results);
        }
        let counted = stopping.pairs();
        // Pairs 3 and 4 repeat earlier games; pair 5 does not.
        add_alike(&mut stopping, 3, WON, 0);
        add_alike(&mut stopping, 4, LOST, 1);
        assert_eq!(stopping.pairs(), counted);
        add_pair(&mut stopping, 5, LOST);
        assert_eq!((stopping.repeated(), stopping.pairs().pairs()), (2, 4));
        for pair in 6..9 {
            assert!(!stopping.is_over(), "pair {pair}");
            add_alike(&mut stopping, pair, WON, 0);
        }
        assert!(stopping.is_exhausted() && !stopping.is_reached());
        add_pair(&mut stopping, 9, WON);
        assert_eq!(
            stopping.games(),
            18,
            "an exhausted test counts no more pairs"
        );
    }

    proptest! {
        #[test]
        fn the_order_of_arrival_changes_nothing(
            results in prop::collection::vec(0..4usize, 2..200), seed: u64,
        ) {
            let outcomes: Vec<Outcome> = results
                .iter()
                .map(|&i| [WON[0], WON[1], Outcome::Draw, Outcome::DoubleForfeit][i])
                .collect();
            let precision = Precision::new(300.0).expect("in range");
            let goal = [Goal::Decision(test()), Goal::Precision(precision)][(seed % 2) as usize];
            let counted = |order: &[usize]| {
                let mut stopping = Stopping::new(goal, 3);
                for &game in order {
                    // Some games repeat others.
                    stopping.add(GameId(game as u64), outcomes[game], game as u64 % 50);
                }
                let skipped = [stopping.unscored(), stopping.repeated()];
                (stopping.is_reached(), stopping.pairs(), stopping.games(), skipped)
            };
            let mut order: Vec<usize> = (0..outcomes.len()).collect();
            let in_order = counted(&order);
            Draw::new(seed, 0).shuffle(&mut order);
            prop_assert_eq!(counted(&order), in_order);
        }
    }

    /// Plays 1,000 matches of each kind between bots of known strength. At an error rate of 5 %, 50 errors are
    /// expected, with a standard deviation of 7. Wald's bounds guarantee this rate, apart from the overshoot of the
    /// last step. The limit is four standard deviations above 50.
    #[test]
    fn decisions_are_as_often_wrong_as_promised() {
        for (elo, wrong) in [(0.0, Decision::AcceptH1), (200.0, Decision::AcceptH0)] {
            let (mut errors, mut open) = (0, 0);
            for run in 0..1000 {
                let mut draw = Draw::new(run, 77);
                let mut stopping = stopping();
                for pair in 0..2000 {
                    add_pair(&mut stopping, pair, played(&mut draw, elo));
                    if stopping.is_reached() {
                        break;
                    }
                }
                errors += u32::from(decision(&stopping) == wrong);
                open += u32::from(!stopping.is_reached());
            }
            assert!(errors <= 78, "{errors} of 1000 wrong at {elo} Elo");
            assert_eq!(open, 0, "2,000 pairs are enough at {elo} Elo");
        }
    }

    fn played(draw: &mut Draw, elo: f64) -> [Outcome; 2] {
        let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        [0, 1].map(|leg| {
            let chance = draw.below(1 << 53) as f64 / (1u64 << 53) as f64;
            if chance < score - 0.1 {
                WON[leg]
            } else if chance < score + 0.1 {
                Outcome::Draw
            } else {
                LOST[leg]
            }
        })
    }
}
