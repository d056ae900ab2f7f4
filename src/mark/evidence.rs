//! When a verdict is certain, for gradings that play on until it is.

use std::collections::HashSet;

use referee::record::GameId;
use stats::{Pentanomial, Wdl, certain};

/// How sure a verdict must be before play ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certainty {
    /// The chance, above 0.5 and below 1, that a verdict called certain is right, at least.
    pub level: f64,
    /// Pairs against an opponent after which the openings repeat.
    pub lap: u64,
}

/// The pairs of games against one opponent, as evidence.
///
/// A pair with a void game is left out. A pair that repeats an earlier one, move by move, is no new evidence:
/// deterministic bots play the same games again where the openings repeat. But a bot could repeat the pairs that it loses
/// and vary those that it wins. So a verdict is certain only if it is certain with the repetitions, too.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    certainty: Certainty,
    threshold: f64,
    /// Without repetitions.
    pairs: Pentanomial,
    /// With repetitions.
    all: Pentanomial,
    /// The first game of the next pair.
    first: Option<Told>,
    seen: HashSet<[u64; 2]>,
    /// How many of the last pairs were repetitions.
    in_a_row: u64,
}

/// A game's result, `None` if it is void, and its fingerprint.
type Told = (Option<Wdl>, u64);

impl Evidence {
    pub fn new(certainty: Certainty, threshold: f64) -> Evidence {
        Evidence {
            certainty,
            threshold,
            pairs: Pentanomial::default(),
            all: Pentanomial::default(),
            first: None,
            seen: HashSet::new(),
            in_a_row: 0,
        }
    }

    /// The next game of the schedule.
    pub fn add(&mut self, id: GameId, outcome: Option<Wdl>, fingerprint: u64) {
        if id.leg() == 0 {
            self.first = Some((outcome, fingerprint));
            return;
        }
        let Some((Some(one), earlier)) = self.first.take() else {
            return;
        };
        let Some(other) = outcome else {
            return;
        };
        self.all.add(one, other);
        if self.seen.insert([earlier, fingerprint]) {
            self.in_a_row = 0;
            self.pairs.add(one, other);
        } else {
            self.in_a_row += 1;
        }
    }

    /// The verdict, if it is certain.
    pub fn verdict(&self) -> Option<bool> {
        // What needs no point is reached without a game.
        if self.threshold <= 0.0 {
            return Some(true);
        }
        // Between the games of a pair nothing is known that was not known before it.
        let certain = |pairs| certain(pairs, self.threshold, self.certainty.level);
        certain(&self.pairs).filter(|&verdict| certain(&self.all) == Some(verdict))
    }

    /// Whether more games cannot help: all openings were played again with the same games.
    pub fn is_exhausted(&self) -> bool {
        self.in_a_row >= self.certainty.lap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the verdict on a bot that wins every second pair.
    fn told(repeats_wins: bool, repeats_losses: bool) -> Option<bool> {
        let certainty = Certainty {
            level: 0.95,
            lap: 1000,
        };
        let mut evidence = Evidence::new(certainty, 0.55);
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
    fn nobody_chooses_which_results_count() {
        assert_eq!(told(false, false), Some(false), "half is less than 0.55");
        assert_eq!(told(false, true), None, "wins alone are new");
        assert_eq!(told(true, false), Some(false), "losses alone are new");
    }
}
