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
/// deterministic bots play the same games again where the openings repeat.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    certainty: Certainty,
    threshold: f64,
    pairs: Pentanomial,
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
        certain(&self.pairs, self.threshold, self.certainty.level)
    }

    /// Whether more games cannot help: all openings were played again with the same games.
    pub fn is_exhausted(&self) -> bool {
        self.in_a_row >= self.certainty.lap
    }
}
