//! When a match has shown enough: a sequential test that looks at pairs in the order of their
//! numbers.
//!
//! Games finish in any order, and short games are not a fair sample of all: where a bot loses fast
//! and wins slowly, the first results to come in are losses. So a pair counts once all pairs before
//! it have counted, and the test, once it has decided, looks no further. The verdict is therefore a
//! function of the games alone, whatever the number of workers and however often a run was
//! interrupted.
//!
//! Nothing here plays, waits or keeps anything: [`Stopping::add`] is told of games, from the record
//! or as they finish.

use std::collections::BTreeMap;

use games::Side;

use crate::record::{GameId, Outcome};
use crate::stats::{self, Pentanomial, Sprt};

/// A match under a sequential test, as far as it has been told.
#[derive(Clone, Debug)]
pub struct Stopping {
    test: Sprt,
    /// The pairs before `next`, as far as they count.
    pairs: Pentanomial,
    /// The first pair that has not counted.
    next: u64,
    /// Games of pairs from `next` on.
    waiting: BTreeMap<u64, [Option<Outcome>; 2]>,
    /// Pairs before `next` in which both bots failed a game: they say nothing of either.
    unscored: u64,
    verdict: stats::Verdict,
}

impl Stopping {
    /// A test that has been told of no game.
    pub fn new(test: Sprt) -> Stopping {
        Stopping {
            test,
            pairs: Pentanomial::default(),
            next: 0,
            waiting: BTreeMap::new(),
            unscored: 0,
            verdict: stats::Verdict::Undecided,
        }
    }

    /// A game has come to its end. Games may come in any order, each once; a void one has not
    /// come to its end and changes nothing.
    pub fn add(&mut self, id: GameId, outcome: Outcome) {
        if outcome == Outcome::Void || id.pair() < self.next || self.is_decided() {
            return;
        }
        self.waiting.entry(id.pair()).or_default()[id.leg() as usize] = Some(outcome);
        while !self.is_decided()
            && let Some([Some(one), Some(other)]) = self.waiting.get(&self.next).copied()
        {
            self.waiting.remove(&self.next);
            self.next += 1;
            // The first bot is black in the first game of a pair and white in the second.
            match (result(one, Side::Black), result(other, Side::White)) {
                (Some(one), Some(other)) => {
                    self.pairs.add(one, other);
                    self.verdict = self.test.verdict(self.llr());
                }
                _ => self.unscored += 1,
            }
        }
    }

    /// The test.
    pub fn test(&self) -> &Sprt {
        &self.test
    }

    /// What it says.
    pub fn verdict(&self) -> stats::Verdict {
        self.verdict
    }

    /// Whether it has made up its mind.
    pub fn is_decided(&self) -> bool {
        self.verdict != stats::Verdict::Undecided
    }

    /// Log-likelihood ratio of the pairs that count, in nats.
    pub fn llr(&self) -> f64 {
        self.test.llr(&self.pairs)
    }

    /// The pairs that count, seen from the first bot.
    pub fn pairs(&self) -> Pentanomial {
        self.pairs
    }

    /// Pairs that were passed over, since both bots failed in one of their games.
    pub fn unscored(&self) -> u64 {
        self.unscored
    }

    /// Games of all the pairs it has looked at.
    pub fn games(&self) -> u64 {
        2 * self.next
    }
}

/// What a game was for the bot that played `side`; `None` where nobody scores.
fn result(outcome: Outcome, side: Side) -> Option<stats::Outcome> {
    match outcome {
        Outcome::Win(winner) if winner == side => Some(stats::Outcome::Win),
        Outcome::Win(_) => Some(stats::Outcome::Loss),
        Outcome::Draw => Some(stats::Outcome::Draw),
        Outcome::NobodyScores | Outcome::Void => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Model, Verdict};
    use crate::tournament::Draw;
    use proptest::prelude::*;

    const WON: [Outcome; 2] = [Outcome::Win(Side::Black), Outcome::Win(Side::White)];
    const LOST: [Outcome; 2] = [Outcome::Win(Side::White), Outcome::Win(Side::Black)];

    fn stopping() -> Stopping {
        let test = Sprt::new(0.0, 200.0, 0.05, 0.05, Model::Logistic);
        Stopping::new(test.expect("hypotheses in order"))
    }

    fn add_pair(stopping: &mut Stopping, pair: u64, results: [Outcome; 2]) {
        for leg in 0..2 {
            stopping.add(GameId::new(pair, leg), results[leg as usize]);
        }
    }

    #[test]
    fn nothing_counts_before_all_that_stands_before_it() {
        let mut stopping = stopping();
        for pair in 1..100 {
            add_pair(&mut stopping, pair, LOST);
        }
        stopping.add(GameId(0), WON[0]);
        assert_eq!(
            (stopping.games(), stopping.verdict()),
            (0, Verdict::Undecided)
        );
        stopping.add(GameId(1), Outcome::Void);
        assert_eq!(stopping.games(), 0, "a void game has not been played");
        stopping.add(GameId(1), WON[1]);
        assert_eq!(stopping.verdict(), Verdict::AcceptH0);
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
                    stopping.add(GameId(game as u64), outcomes[game]);
                }
                (stopping.verdict(), stopping.pairs(), stopping.games(), stopping.unscored())
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
    fn verdicts_are_as_often_wrong_as_promised() {
        for (elo, wrong) in [(0.0, Verdict::AcceptH1), (200.0, Verdict::AcceptH0)] {
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
                errors += u32::from(stopping.verdict() == wrong);
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
