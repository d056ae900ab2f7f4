//! When a match has enough evidence: a sequential test that counts pairs in the order of their numbers.
//!
//! Games finish in any order, and short games are not a fair sample: if a bot loses fast and wins
//! slowly, the first results are losses. So a pair counts only after all earlier pairs have counted, and
//! a decided test counts no more pairs. The decision depends only on the games, not on the number of
//! workers or on interruptions.
//!
//! Deterministic bots play the same games again when the openings repeat. Such a pair is not new evidence, and a test
//! decides only what holds with and without such pairs. When all openings were played once more without a new
//! pair, more games cannot help.
//!
//! Nothing here plays, waits or saves: [`Stopping::add`] gets games, from the record or as they finish.

use std::collections::BTreeMap;

use games::Side;

use crate::mark::Pairs;
use referee::record::{GameId, Outcome};
use stats::{Decision, Pentanomial, Sprt, Wdl};

/// A match under a sequential test, with the games so far.
#[derive(Clone, Debug)]
pub struct Stopping {
    test: Sprt,
    /// The pairs before `next` that count.
    pairs: Pairs,
    /// The first pair that has not counted.
    next: u64,
    /// Games of pairs from `next` on.
    waiting: BTreeMap<u64, [Option<Played>; 2]>,
    /// Pairs before `next` in which both bots failed a game: they are not evidence.
    unscored: u64,
    decision: Decision,
}

/// How a game ended, and its [fingerprint](referee::record::GameRecord::fingerprint).
#[derive(Clone, Copy, Debug)]
struct Played {
    outcome: Outcome,
    fingerprint: u64,
}

impl Stopping {
    /// A test without games, of a match whose openings repeat after `lap` pairs.
    pub fn new(test: Sprt, lap: u64) -> Stopping {
        Stopping {
            test,
            pairs: Pairs::new(lap),
            next: 0,
            waiting: BTreeMap::new(),
            unscored: 0,
            decision: Decision::Undecided,
        }
    }

    /// A game has ended. Games may come in any order, each once; a void game has not
    /// ended and changes nothing.
    pub fn add(&mut self, id: GameId, outcome: Outcome, fingerprint: u64) {
        if outcome == Outcome::Void || id.pair() < self.next || self.is_over() {
            return;
        }
        self.waiting.entry(id.pair()).or_default()[id.leg() as usize] = Some(Played {
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

    fn count(&mut self, pair: [Played; 2]) {
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
        let decision = |pairs: &_| self.test.decision(self.test.llr(pairs));
        self.decision = self.pairs.known(decision).unwrap_or(Decision::Undecided);
    }

    /// The test.
    pub fn test(&self) -> &Sprt {
        &self.test
    }

    /// Its verdict.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// Whether it has decided.
    pub fn is_decided(&self) -> bool {
        self.decision != Decision::Undecided
    }

    /// Whether it can never decide: all openings were played again with the same games as before.
    pub fn is_exhausted(&self) -> bool {
        self.pairs.is_exhausted()
    }

    /// Whether more games change nothing.
    pub fn is_over(&self) -> bool {
        self.is_decided() || self.is_exhausted()
    }

    /// Log-likelihood ratio of the pairs that count, in nats.
    pub fn llr(&self) -> f64 {
        self.test.llr(&self.pairs())
    }

    /// The pairs that count, seen from the first bot.
    pub fn pairs(&self) -> Pentanomial {
        self.pairs.distinct()
    }

    /// Pairs that were skipped because both bots failed in one of their games.
    pub fn unscored(&self) -> u64 {
        self.unscored
    }

    /// Pairs that were skipped because they repeat an earlier pair.
    pub fn repeated(&self) -> u64 {
        self.pairs.repeated()
    }

    /// Games of all pairs before the next.
    pub fn games(&self) -> u64 {
        2 * self.next
    }
}

/// The result of a game for the bot that played `side`; `None` if nobody scores.
fn result(outcome: Outcome, side: Side) -> Option<Wdl> {
    match outcome {
        Outcome::Win(winner) if winner == side => Some(Wdl::Win),
        Outcome::Win(_) => Some(Wdl::Loss),
        Outcome::Draw => Some(Wdl::Draw),
        Outcome::NobodyScores | Outcome::Void => None,
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
        let test = Sprt::new(0.0, 200.0, 0.05, 0.05, Model::Logistic);
        Stopping::new(test.expect("hypotheses in order"), 3)
    }

    /// Two games that nobody has played before.
    fn add_pair(stopping: &mut Stopping, pair: u64, results: [Outcome; 2]) {
        add_alike(stopping, pair, results, pair);
    }

    /// Two games as those of pair `like`.
    fn add_alike(stopping: &mut Stopping, pair: u64, results: [Outcome; 2], like: u64) {
        for leg in 0..2 {
            let id = GameId::new(pair, leg);
            stopping.add(id, results[leg as usize], GameId::new(like, leg).0);
        }
    }

    #[test]
    fn nothing_counts_before_all_that_stands_before_it() {
        let mut stopping = stopping();
        for pair in 1..100 {
            add_pair(&mut stopping, pair, LOST);
        }
        stopping.add(GameId(0), WON[0], 0);
        assert_eq!(
            (stopping.games(), stopping.decision()),
            (0, Decision::Undecided)
        );
        stopping.add(GameId(1), Outcome::Void, 1);
        assert_eq!(stopping.games(), 0, "a void game has not been played");
        stopping.add(GameId(1), WON[1], 1);
        assert_eq!(stopping.decision(), Decision::AcceptH0);
        assert!(stopping.games() < 200, "it looks no further than it needs");
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
    fn a_pair_in_which_both_failed_is_passed_over() {
        let mut stopping = stopping();
        add_pair(&mut stopping, 0, [Outcome::NobodyScores, WON[1]]);
        add_pair(&mut stopping, 1, WON);
        assert_eq!((stopping.unscored(), stopping.games()), (1, 4));
        assert_eq!(stopping.pairs().pairs(), 1);
    }

    #[test]
    fn games_that_were_played_before_are_no_evidence_and_a_lap_of_them_is_the_end() {
        let mut stopping = stopping();
        for (pair, results) in [(0, WON), (1, LOST), (2, WON)] {
            add_pair(&mut stopping, pair, results);
        }
        let counted = (stopping.pairs(), stopping.llr().to_bits());
        // The openings come again, and so do the games, but for one.
        add_alike(&mut stopping, 3, WON, 0);
        add_alike(&mut stopping, 4, LOST, 1);
        assert_eq!((stopping.pairs(), stopping.llr().to_bits()), counted);
        add_pair(&mut stopping, 5, LOST);
        assert_eq!((stopping.repeated(), stopping.pairs().pairs()), (2, 4));
        for pair in 6..9 {
            assert!(!stopping.is_over(), "pair {pair}");
            add_alike(&mut stopping, pair, WON, 0);
        }
        assert!(stopping.is_exhausted() && !stopping.is_decided());
        add_pair(&mut stopping, 9, WON);
        assert_eq!(stopping.games(), 18, "it looks no further");
    }

    proptest! {
        #[test]
        fn the_order_of_arrival_changes_nothing(
            results in prop::collection::vec(0..4usize, 2..200), seed: u64,
        ) {
            let outcomes: Vec<Outcome> = results
                .iter()
                .map(|&i| [WON[0], WON[1], Outcome::Draw, Outcome::NobodyScores][i])
                .collect();
            let told = |order: &[usize]| {
                let mut stopping = stopping();
                for &game in order {
                    // Some are played as others were.
                    stopping.add(GameId(game as u64), outcomes[game], game as u64 % 50);
                }
                let passed_over = [stopping.unscored(), stopping.repeated()];
                (stopping.decision(), stopping.pairs(), stopping.games(), passed_over)
            };
            let mut order: Vec<usize> = (0..outcomes.len()).collect();
            let in_order = told(&order);
            Draw::new(seed, 0).shuffle(&mut order);
            prop_assert_eq!(told(&order), in_order);
        }
    }

    /// A thousand matches of each kind between bots of known strength. 50 errors of 1,000 are
    /// promised with a standard deviation of 7, and Wald's bounds promise at most that many, but for
    /// what a step beyond a bound adds; four standard deviations more are never seen by chance.
    #[test]
    fn decisions_are_as_often_wrong_as_promised() {
        for (elo, wrong) in [(0.0, Decision::AcceptH1), (200.0, Decision::AcceptH0)] {
            let (mut errors, mut open) = (0, 0);
            for run in 0..1000 {
                let mut draw = Draw::new(run, 77);
                let mut stopping = stopping();
                for pair in 0..2000 {
                    add_pair(&mut stopping, pair, played(&mut draw, elo));
                    if stopping.is_decided() {
                        break;
                    }
                }
                errors += u32::from(stopping.decision() == wrong);
                open += u32::from(!stopping.is_decided());
            }
            assert!(errors <= 78, "{errors} of 1000 wrong at {elo} Elo");
            assert_eq!(open, 0, "2,000 pairs are enough at {elo} Elo");
        }
    }

    /// A pair between bots `elo` apart that draw one game in five.
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
