//! Move ordering: a picker of the best move, killer moves, and the history heuristic. Moves are not sorted, because
//! most positions are cut off after their first few moves.

use super::{Depth, Hints, Move, ScoredMove, Search, SearchPosition};

/// A picker of the moves of one position, which begin at `first` in [`Search::moves`].
pub(super) struct MovePicker {
    first: usize,
    next: usize,
    /// The index of the first skipped move.
    left_out: usize,
    /// The best score among all moves except the table's move.
    most: Option<i32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    pub played: Move,
    /// The number of moves earlier in the order, including skipped ones.
    pub index: usize,
    /// The difference between the best score (of moves other than the table's) and this move's score.
    pub behind: i32,
}

impl<P: SearchPosition> Search<P> {
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
            promise: self.margins().map_or(0, |margins| margins.promise),
        };
        self.position.generate(&hints, &mut self.moves);
        let mut moves = self.moves[first..].iter_mut();
        if let Some(known) = moves.find(|one| Some(one.played) == table) {
            known.score = i32::MAX;
        }
        MovePicker {
            first,
            next: first,
            left_out: self.moves.len(),
            most: None,
        }
    }

    pub(super) fn first_in_order(&mut self) -> Option<Move> {
        let mut picker = self.pick_moves(1, 0, None);
        let best = picker.next(&mut self.moves).map(|best| best.played);
        picker.end(&mut self.moves);
        best
    }
}

impl MovePicker {
    #[inline]
    pub fn next(&mut self, moves: &mut [ScoredMove]) -> Option<Picked> {
        let here = self.next;
        let mut best = here;
        for other in here + 1..self.left_out {
            if moves[other].score > moves[best].score {
                best = other;
            }
        }
        let ScoredMove { played, score } = *moves[..self.left_out].get(best)?;
        moves.swap(here, best);
        self.next += 1;
        let behind = self.most.map_or(0, |most| most - score);
        if score < i32::MAX && self.most.is_none() {
            self.most = Some(score);
        }
        Some(Picked {
            played,
            index: here - self.first + self.better_left_out(moves, score).count(),
            behind,
        })
    }

    /// Skips the remaining moves for which `keep` returns false. At least one move must have been picked. Without this
    /// function, scanning moves that are not searched took a seventh of the time in Gomoku.
    pub fn keep_only(&mut self, moves: &mut [ScoredMove], keep: impl Fn(Move) -> bool) {
        let all = self.next..self.left_out;
        self.left_out = self.next;
        for at in all {
            if keep(moves[at].played) {
                moves.swap(at, self.left_out);
                self.left_out += 1;
            }
        }
    }

    fn better_left_out<'a>(
        &self,
        moves: &'a [ScoredMove],
        score: i32,
    ) -> impl Iterator<Item = &'a ScoredMove> + use<'a> {
        let better = move |one: &&ScoredMove| one.score > score;
        moves[self.left_out..].iter().filter(better)
    }

    /// Returns all moves. Only the moves already picked are in order.
    pub fn all<'a>(&self, moves: &'a [ScoredMove]) -> &'a [ScoredMove] {
        &moves[self.first..]
    }

    /// Returns the moves before the last picked one in the order, including skipped ones.
    pub fn before_last<'a>(
        &self,
        moves: &'a [ScoredMove],
    ) -> impl Iterator<Item = &'a ScoredMove> + use<'a> {
        let last = self.next - 1;
        let picked = moves[self.first..last].iter();
        picked.chain(self.better_left_out(moves, moves[last].score))
    }

    pub fn end(self, moves: &mut Vec<ScoredMove>) {
        moves.truncate(self.first);
    }
}

// A move that refuted a sibling position probably refutes this one.

/// The last two moves that caused a cutoff, for every ply.
#[derive(Clone, Debug, Default)]
pub struct Killers {
    by_ply: Vec<[Move; 2]>,
}

impl Killers {
    /// Returns the killers of a ply, padded with [`Move::NONE`].
    #[inline]
    pub fn at(&self, ply: usize) -> [Move; 2] {
        self.by_ply.get(ply).copied().unwrap_or([Move::NONE; 2])
    }

    #[inline]
    pub fn add(&mut self, ply: usize, played: Move) {
        if ply >= self.by_ply.len() {
            self.by_ply.resize(ply + 1, [Move::NONE; 2]);
        }
        let killers = &mut self.by_ply[ply];
        if killers[0] != played {
            *killers = [played, killers[0]];
        }
    }

    pub fn clear(&mut self) {
        self.by_ply.clear();
    }
}

// Moves that often cause cutoffs in other positions come early (J. Schaeffer, 1983).

/// Scores for the moves of each side. A cutoff raises the score of its move and lowers the scores of earlier moves.
#[derive(Clone, Debug)]
pub struct History {
    scores: [Box<[i32]>; 2],
}

impl History {
    pub const MAX: i32 = 1 << 14;

    pub fn new(moves: usize) -> History {
        History {
            scores: [vec![0; moves].into(), vec![0; moves].into()],
        }
    }

    #[inline]
    pub fn of(&self, side: usize) -> &[i32] {
        &self.scores[side]
    }

    #[inline]
    pub fn reward(&mut self, side: usize, played: Move, depth: Depth) {
        self.change(side, played, bonus(depth));
    }

    #[inline]
    pub fn punish(&mut self, side: usize, played: Move, depth: Depth) {
        self.change(side, played, -bonus(depth));
    }

    #[inline]
    fn change(&mut self, side: usize, played: Move, by: i32) {
        let score = &mut self.scores[side][played.index()];
        *score += by - *score * by.abs() / History::MAX;
    }

    pub fn clear(&mut self) {
        for score in self.scores.iter_mut().flat_map(|scores| scores.iter_mut()) {
            *score = 0;
        }
    }
}

/// A cutoff with more plies left saves more, so its bonus is larger.
fn bonus(depth: Depth) -> i32 {
    (depth * depth * 16).min(2048)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rest(
        picker: &mut MovePicker,
        moves: &mut [ScoredMove],
    ) -> Vec<(Move, usize, i32, Vec<u16>)> {
        let mut all = Vec::new();
        while let Some(picked) = picker.next(moves) {
            let mut before: Vec<u16> = picker.before_last(moves).map(|one| one.played.0).collect();
            before.sort_unstable();
            all.push((picked.played, picked.index, picked.behind, before));
        }
        all
    }

    proptest! {
        #[test]
        fn leaving_moves_out_changes_nothing_for_the_others(
            scores in proptest::collection::hash_set(-1000..1000i32, 1..60),
            at in any::<prop::sample::Index>(),
        ) {
            let moves = scores.into_iter().zip(0..);
            let moves: Vec<ScoredMove> = moves.map(|(score, number)| ScoredMove { played: Move(number), score }).collect();
            let both = [true, false].map(|all| {
                let mut moves = moves.clone();
                let mut picker = MovePicker { first: 0, next: 0, left_out: moves.len(), most: None };
                for _ in 0..=at.index(moves.len()) {
                    picker.next(&mut moves);
                }
                if !all {
                    picker.keep_only(&mut moves, |played| played.0 % 3 == 0);
                }
                rest(&mut picker, &mut moves)
            });
            let [mut all, kept] = both;
            all.retain(|(played, ..)| played.0 % 3 == 0);
            prop_assert_eq!(all, kept);
        }
    }

    #[test]
    fn the_last_two_different_killers_are_kept() {
        let mut killers = Killers::default();
        assert_eq!(killers.at(3), [Move::NONE; 2]);
        for played in [1, 2, 2, 5] {
            killers.add(3, Move(played));
        }
        assert_eq!(killers.at(3), [Move(5), Move(2)]);
        assert_eq!(killers.at(2), [Move::NONE; 2]);
    }

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
