//! The results of two bots against each other.

use stats::{Pentanomial, Score, Strength};

/// The results of two bots, from the view of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pairing {
    /// Games, without those in which both failed.
    pub score: Score,
    /// Complete pairs of games.
    pub pairs: Pentanomial,
    /// Games in which both failed.
    pub both_failed: u64,
}

impl Pairing {
    /// The difference in strength: from complete pairs if there are any, else from games. The two
    /// games of a pair are not independent, so pairs are the better sample. A game of an incomplete
    /// pair is then ignored, so that the model stays the same. `None` if there are too few.
    pub fn strength(&self) -> Option<Strength> {
        match self.pairs.pairs() {
            0 => Strength::of(&self.score),
            _ => Strength::of(&self.pairs),
        }
    }
}
