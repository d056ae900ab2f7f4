//! The evaluation cache: static evaluations of positions that come again.
//!
//! Without it a position would be evaluated at each visit, also where the transposition table knows it but not
//! deeply enough; that table has no bits left for it, and does not keep leaves.

use crate::search::Score;

/// Entries: 128 KiB, which stay in the processor's caches. Of the evaluations that searches of 100,000 nodes ask
/// for they hold 41 %; four times as many would hold 45 % (`docs/gomoku-training.md`, "Speed").
const ENTRIES: usize = 1 << 14;

/// The bits of an entry that hold the score; the others are those of the key.
const SCORE: u64 = 0xffff;

/// The static evaluations of the positions seen last, each in the place that its key has.
pub(super) struct EvaluationCache(Box<[u64]>);

impl Default for EvaluationCache {
    fn default() -> EvaluationCache {
        EvaluationCache(bytemuck::zeroed_slice_box(ENTRIES))
    }
}

impl EvaluationCache {
    /// The score of the position with this key: what is remembered, or else what `evaluate` says, within
    /// 16 bits.
    pub fn get_or(&mut self, key: u64, evaluate: impl FnOnce() -> Score) -> Score {
        // The key of the empty board is 0, and so is an empty entry.
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

    use super::*;
    use crate::gomoku::{Cell, GomokuPosition, SearchBoard};
    use crate::options::Evaluation;
    use crate::search::{Move, SearchPosition};

    fn judged(board: &SearchBoard) -> GomokuPosition {
        GomokuPosition::judged_by(Evaluation::Network, board.clone())
    }

    proptest! {
        #[test]
        fn what_is_remembered_is_what_a_new_position_says(
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
                    let next = Move(empty[choice.index(empty.len())].index() as u16);
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
        assert_eq!(cache.get_or(one, || unreachable!("remembered")), -20_000);
        assert_eq!(cache.get_or(other, || 20_000), 20_000);
        assert_eq!(cache.get_or(other + 1, || 3), 3);
        assert_eq!(cache.get_or(other, || unreachable!("remembered")), 20_000);
        assert_eq!(cache.get_or(one, || 1), 1);
        assert_eq!(cache.get_or(0, || 5), 5, "the empty board");
    }
}
