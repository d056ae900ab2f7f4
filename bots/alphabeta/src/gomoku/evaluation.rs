//! The static evaluation: the score of a position by shapes and threats, and a cache.

use super::board::SearchBoard;
use super::shape::ThreatKind;
use crate::search::Score;

/// Engine units of one unit of log-odds.
pub const UNIT: i32 = 256;

/// The score of a win in 0 plies; a win in n plies scores n less.
pub const WIN: Score = 30_000;

/// The least absolute value of a score that proves the result of the game.
pub const PROVEN: Score = 29_000;

/// The largest absolute value of an evaluation.
pub(super) const MOST: Score = 20_000;

pub const fn win_in(plies: usize) -> Score {
    WIN - plies as Score
}

impl SearchBoard {
    pub fn evaluate(&mut self) -> Score {
        let threats = self.tables.threats(self.threats());
        (self.value() + threats).clamp(-MOST, MOST)
    }

    /// Returns the threats of both sides as a number below [`THREATS`](super::weights::THREATS). The evaluation adds a
    /// weight for this number, because the values of shapes do not simply add up if both sides threaten.
    pub fn threats(&self) -> u16 {
        let mover = self.side_to_move().index();
        let has = |side, kind| u16::from(self.count(side, kind) > 0);
        let other = mover ^ 1;
        has(mover, ThreatKind::FourThree)
            | has(mover, ThreatKind::FourPlus) << 1
            | has(mover, ThreatKind::Four) << 2
            | has(mover, ThreatKind::DoubleThree) << 3
            | (has(mover, ThreatKind::ThreePlus) | has(mover, ThreatKind::Three)) << 4
            | has(other, ThreatKind::OpenFour) << 5
            | has(other, ThreatKind::FourThree) << 6
            | (has(other, ThreatKind::FourPlus) | has(other, ThreatKind::Four)) << 7
            | has(other, ThreatKind::DoubleThree) << 8
            | (has(other, ThreatKind::ThreePlus) | has(other, ThreatKind::Three)) << 9
    }

    /// Returns the score if one of these decides the position: the side to move can make a five; it can make an open
    /// four and the opponent cannot make a five; or no single stone stops the fives that the opponent can make.
    pub fn decided(&self, ply: usize) -> Option<Score> {
        let mover = self.side_to_move().index();
        let other = mover ^ 1;
        if self.count(mover, ThreatKind::Five) > 0 {
            return Some(win_in(ply + 1));
        }
        if self.count(other, ThreatKind::Five) > 0 {
            return self.is_beyond_answer(other).then(|| -win_in(ply + 2));
        }
        (self.count(mover, ThreatKind::OpenFour) > 0).then(|| win_in(ply + 3))
    }
}

// The cache is needed because the transposition table has no bits for the static evaluation and does not store leaves.

/// The number of entries: 128 KiB in all. Four times as many would answer 45 % of the calls instead of 41 %.
const ENTRIES: usize = 1 << 14;

/// The bits of an entry that contain the score. The other bits are a part of the key.
const SCORE: u64 = 0xffff;

pub(super) struct EvaluationCache(Box<[u64]>);

impl Default for EvaluationCache {
    fn default() -> EvaluationCache {
        EvaluationCache(bytemuck::zeroed_slice_box(ENTRIES))
    }
}

impl EvaluationCache {
    /// Returns the cached score for `key`. If there is none, calls `evaluate`, whose score must fit in 16 bits.
    pub fn get_or(&mut self, key: u64, evaluate: impl FnOnce() -> Score) -> Score {
        // Without the inversion, the key 0 of the empty board would match an empty entry.
        let key = !key;
        let entry = &mut self.0[key as usize % ENTRIES];
        if (*entry ^ key) & !SCORE != 0 {
            *entry = key & !SCORE | u64::from(evaluate() as u16);
        }
        Score::from(*entry as u16 as i16)
    }
}

#[cfg(test)]
mod tests {
    use games::gomoku::Rule;
    use proptest::prelude::*;

    use crate::gomoku::{Cell, GomokuPosition};
    use crate::options::Evaluation;
    use crate::search::{Move, SearchPosition};

    use super::*;

    fn judged(board: &SearchBoard) -> GomokuPosition {
        GomokuPosition::with_evaluation(Evaluation::Network, board.clone())
    }

    proptest! {
        #[test]
        fn a_cached_evaluation_is_that_of_a_new_position(
            rule in prop::sample::select(Rule::ALL.to_vec()),
            size in 5u8..=15,
            steps in proptest::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..40),
        ) {
            let mut position = judged(&SearchBoard::new(size, rule));
            let mut played = Vec::new();
            for (choice, back) in steps {
                let board = position.board();
                let empty: Vec<Cell> = board.cells().filter(|&cell| board.is_empty(cell)).collect();
                if back {
                    if let Some(last) = played.pop() {
                        position.undo(last);
                    }
                } else if !empty.is_empty() {
                    let next = Move::from(empty[choice.index(empty.len())]);
                    position.play(next);
                    played.push(next);
                }
                for _ in 0..2 {
                    prop_assert_eq!(position.evaluate(), judged(position.board()).evaluate());
                    position.null_move();
                }
            }
        }
    }

    #[test]
    fn a_position_is_evaluated_once_until_another_takes_its_place() {
        let mut cache = EvaluationCache::default();
        let (one, other) = (5 << 40 | 7, 6 << 40 | 7);
        assert_eq!(cache.get_or(one, || -20_000), -20_000);
        assert_eq!(
            cache.get_or(one, || unreachable!("the score is cached")),
            -20_000
        );
        assert_eq!(cache.get_or(other, || 20_000), 20_000);
        assert_eq!(cache.get_or(other + 1, || 3), 3);
        assert_eq!(
            cache.get_or(other, || unreachable!("the score is cached")),
            20_000
        );
        assert_eq!(cache.get_or(one, || 1), 1);
        assert_eq!(cache.get_or(0, || 5), 5, "the empty board");
    }
}
