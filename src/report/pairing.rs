//! Two bots and what they did to each other, counted.

use stats::{Pentanomial, Score, Strength};

/// What is counted of two bots, seen from the first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pairing {
    /// Games, those in which both failed left out.
    pub score: Score,
    /// Whole pairs of games.
    pub pairs: Pentanomial,
    /// Games in which both failed.
    pub both_failed: u64,
}

impl Pairing {
    /// What is said of their strength, from whole pairs where there are any, else from games: the two
    /// games of a pair are not independent, so whole pairs are the better sample, and a game whose
    /// partner is missing is left out rather than let the model change with it. `None` of too few.
    pub fn strength(&self) -> Option<Strength> {
        match self.pairs.pairs() {
            0 => Strength::of(&self.score),
            _ => Strength::of(&self.pairs),
        }
    }
}
