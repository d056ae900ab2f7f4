//! History: moves that cut off often, anywhere, are tried early (J. Schaeffer, 1983).

use super::types::{Depth, Move};

/// A score for every move of each side, raised when it cuts off and lowered when it was tried
/// first in vain. Scores saturate: each step is smaller the nearer it is to the limit.
#[derive(Clone, Debug)]
pub struct History {
    scores: [Box<[i32]>; 2],
}

impl History {
    /// No score is beyond ± this.
    pub const MAX: i32 = 1 << 14;

    /// No knowledge of any of `moves` moves.
    pub fn new(moves: usize) -> History {
        History {
            scores: [vec![0; moves].into(), vec![0; moves].into()],
        }
    }

    /// The scores of the moves of `side` (0 or 1).
    #[inline]
    pub fn of(&self, side: usize) -> &[i32] {
        &self.scores[side]
    }

    /// `played` has cut off with `depth` plies left.
    #[inline]
    pub fn reward(&mut self, side: usize, played: Move, depth: Depth) {
        self.change(side, played, bonus(depth));
    }

    /// `played` was tried before the move that cut off.
    #[inline]
    pub fn punish(&mut self, side: usize, played: Move, depth: Depth) {
        self.change(side, played, -bonus(depth));
    }

    #[inline]
    fn change(&mut self, side: usize, played: Move, by: i32) {
        let score = &mut self.scores[side][played.index()];
        *score += by - *score * by.abs() / History::MAX;
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        for score in self.scores.iter_mut().flat_map(|scores| scores.iter_mut()) {
            *score = 0;
        }
    }
}

/// Deep cutoffs save more, so they count for more.
fn bonus(depth: Depth) -> i32 {
    (depth * depth * 16).min(2048)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_never_leave_their_range() {
        let mut history = History::new(2);
        for _ in 0..10_000 {
            history.reward(0, Move(0), 60);
            history.punish(1, Move(1), 60);
        }
        assert!((History::MAX - 2048..=History::MAX).contains(&history.of(0)[0]));
        assert!((-History::MAX..=2048 - History::MAX).contains(&history.of(1)[1]));
        assert_eq!((history.of(0)[1], history.of(1)[0]), (0, 0));
    }
}
