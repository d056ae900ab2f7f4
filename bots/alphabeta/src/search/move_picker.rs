//! The move picker: the moves of a position, the most promising first.
//!
//! They are not sorted: most positions are cut off after the first few.

use super::{Depth, Hints, Move, ScoredMove, Search, SearchPosition};

/// Takes the moves of one position out of [`Search::moves`], where they stand from `first` on.
pub(super) struct MovePicker {
    first: usize,
    next: usize,
    /// The score of the most promising move, the table's aside: that has no place in the order.
    most: Option<i32>,
}

/// A move in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    pub played: Move,
    /// Moves picked before it.
    pub index: usize,
    /// By how much it looks less promising than the best, in the game's units.
    pub behind: i32,
}

impl<P: SearchPosition> Search<P> {
    /// The moves of the position, the table's first.
    pub(super) fn pick_moves(
        &mut self,
        depth: Depth,
        ply: usize,
        table: Option<Move>,
    ) -> MovePicker {
        let first = self.moves.len();
        let hints = Hints {
            depth,
            killers: self.killers.at(ply),
            history: self.history.of(self.position.side()),
        };
        self.position.generate(&hints, &mut self.moves);
        let mut moves = self.moves[first..].iter_mut();
        if let Some(known) = moves.find(|one| Some(one.played) == table) {
            known.score = i32::MAX;
        }
        MovePicker {
            first,
            next: first,
            most: None,
        }
    }

    /// The move that looks best before any search.
    pub(super) fn first_in_order(&mut self) -> Option<Move> {
        let mut picker = self.pick_moves(1, 0, None);
        let best = picker.next(&mut self.moves).map(|best| best.played);
        picker.end(&mut self.moves);
        best
    }
}

impl MovePicker {
    /// The most promising of the moves that are left.
    #[inline]
    pub fn next(&mut self, moves: &mut [ScoredMove]) -> Option<Picked> {
        let here = self.next;
        let mut best = here;
        for other in here + 1..moves.len() {
            if moves[other].score > moves[best].score {
                best = other;
            }
        }
        let ScoredMove { played, score } = *moves.get(best)?;
        moves.swap(here, best);
        self.next += 1;
        let behind = self.most.map_or(0, |most| most - score);
        if score < i32::MAX && self.most.is_none() {
            self.most = Some(score);
        }
        Some(Picked {
            played,
            index: here - self.first,
            behind,
        })
    }

    /// All moves, in no order before the first is picked.
    pub fn all<'a>(&self, moves: &'a [ScoredMove]) -> &'a [ScoredMove] {
        &moves[self.first..]
    }

    /// The moves picked before the last.
    pub fn before_last<'a>(&self, moves: &'a [ScoredMove]) -> &'a [ScoredMove] {
        &moves[self.first..self.next - 1]
    }

    /// Takes the moves away again.
    pub fn end(self, moves: &mut Vec<ScoredMove>) {
        moves.truncate(self.first);
    }
}
