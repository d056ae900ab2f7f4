//! The moves of a position in the order in which they are searched.

use super::{Depth, Hints, Move, ScoredMove, Search, SearchPosition};

impl<P: SearchPosition> Search<P> {
    /// Lists the moves of the position, the table's first.
    pub(super) fn generate(&mut self, depth: Depth, ply: usize, table: Option<Move>) {
        let first = self.moves.len();
        let hints = Hints {
            depth,
            table,
            killers: self.killers.at(ply),
            history: self.history.of(self.position.side()),
        };
        self.position.generate(&hints, &mut self.moves);
        if let Some(table) = table
            && let Some(known) = self.moves[first..]
                .iter_mut()
                .find(|candidate| candidate.played == table)
        {
            known.score = i32::MAX;
        }
    }

    /// Brings the most promising of the moves from `index` on to `index`.
    #[inline]
    pub(super) fn take_best(&mut self, index: usize) -> ScoredMove {
        let mut best = index;
        for candidate in index + 1..self.moves.len() {
            if self.moves[candidate].score > self.moves[best].score {
                best = candidate;
            }
        }
        self.moves.swap(index, best);
        self.moves[index]
    }

    /// The move that looks best before any search.
    pub(super) fn first_in_order(&mut self) -> Option<Move> {
        let first = self.moves.len();
        self.generate(1, 0, None);
        let best = (first < self.moves.len()).then(|| self.take_best(first).played);
        self.moves.truncate(first);
        best
    }
}
