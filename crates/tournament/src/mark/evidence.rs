//! The certainty of a verdict, for gradings that play until it is certain.

use std::collections::HashSet;

use referee::record::GameId;
use stats::{Pentanomial, Wdl, certain};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certainty {
    /// The least probability that a certain verdict is right; from 0.5 to below 1.
    pub level: f64,
    /// The openings repeat after this number of pairs against an opponent.
    pub lap: u64,
}

/// Pairs of games between two bots, as evidence.
///
/// A pair that repeats an earlier pair move by move is not new evidence. But if repetitions did not count, a bot could
/// repeat the pairs that it loses, and vary those that it wins. So a result must be the same with and without them.
#[derive(Clone, Debug)]
pub struct Pairs {
    distinct: Pentanomial,
    all: Pentanomial,
    seen: HashSet<[u64; 2]>,
    repeated: u64,
    /// The number of repetitions since the last new pair.
    in_a_row: u64,
    lap: u64,
}

impl Pairs {
    pub fn new(lap: u64) -> Pairs {
        Pairs {
            distinct: Pentanomial::default(),
            all: Pentanomial::default(),
            seen: HashSet::new(),
            repeated: 0,
            in_a_row: 0,
            lap,
        }
    }

    pub fn add(&mut self, [one, other]: [Wdl; 2], fingerprints: [u64; 2]) {
        self.all.add(one, other);
        if self.seen.insert(fingerprints) {
            self.in_a_row = 0;
            self.distinct.add(one, other);
        } else {
            self.in_a_row += 1;
            self.repeated += 1;
        }
    }

    /// Returns the result of `judge` for the pairs, if it is the same with and without repetitions.
    pub fn known<T: PartialEq>(&self, judge: impl Fn(&Pentanomial) -> T) -> Option<T> {
        Some(judge(&self.distinct)).filter(|known| *known == judge(&self.all))
    }

    pub fn distinct(&self) -> Pentanomial {
        self.distinct
    }

    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Returns whether further games would be no new evidence: all openings were played again, with the same games.
    pub fn is_exhausted(&self) -> bool {
        self.in_a_row >= self.lap
    }
}

/// The games against one opponent, as evidence. Pairs with a void game are ignored.
#[derive(Clone, Debug)]
pub(super) struct OpponentEvidence {
    level: f64,
    threshold: f64,
    pairs: Pairs,
    first: Option<FirstGame>,
}

type FirstGame = (Option<Wdl>, u64);

impl OpponentEvidence {
    pub fn new(certainty: Certainty, threshold: f64) -> OpponentEvidence {
        OpponentEvidence {
            level: certainty.level,
            threshold,
            pairs: Pairs::new(certainty.lap),
            first: None,
        }
    }

    pub fn add(&mut self, id: GameId, outcome: Option<Wdl>, fingerprint: u64) {
        if id.leg() == 0 {
            self.first = Some((outcome, fingerprint));
            return;
        }
        if let Some((Some(one), earlier)) = self.first.take()
            && let Some(other) = outcome
        {
            self.pairs.add([one, other], [earlier, fingerprint]);
        }
    }

    pub fn verdict(&self) -> Option<bool> {
        // A threshold of 0 is reached without a game.
        if self.threshold <= 0.0 {
            return Some(true);
        }
        // Only whole pairs count, so the verdict does not depend on the first game of an unfinished pair.
        let certain = |pairs: &_| certain(pairs, self.threshold, self.level);
        self.pairs.known(certain).flatten()
    }

    pub fn is_exhausted(&self) -> bool {
        self.pairs.is_exhausted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the verdict on a bot that wins every second pair. All its wins, or all its losses, may be the same pair.
    fn judge(repeats_wins: bool, repeats_losses: bool) -> Option<bool> {
        let certainty = Certainty {
            level: 0.95,
            lap: 1000,
        };
        let mut evidence = OpponentEvidence::new(certainty, 0.55);
        for pair in 0..2000 {
            let is_won = pair % 2 == 0;
            let repeats = if is_won { repeats_wins } else { repeats_losses };
            let played = if repeats { u64::from(is_won) } else { 2 + pair };
            let result = if is_won { Wdl::Win } else { Wdl::Loss };
            for leg in 0..2 {
                evidence.add(GameId::new(pair, leg), Some(result), played);
            }
        }
        evidence.verdict()
    }

    #[test]
    fn a_bot_cannot_choose_which_results_count() {
        assert_eq!(judge(false, false), Some(false), "half is less than 0.55");
        assert_eq!(judge(false, true), None, "wins alone are new");
        assert_eq!(judge(true, false), Some(false), "losses alone are new");
    }
}
