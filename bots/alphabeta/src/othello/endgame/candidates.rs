//! The move picker of the solver: the moves of a position in one array, the most promising first.

use games::othello::{Kernel, Position, squares};

/// The score of the move that was best when its position was searched before.
pub(super) const REMEMBERED: i32 = i32::MAX;

/// A move with what it turns over and its place in the order.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub flips: u64,
    pub score: i32,
    pub square: u8,
}

impl Candidate {
    const NONE: Candidate = Candidate {
        flips: 0,
        score: 0,
        square: 0,
    };

    /// Whether it was best when this position was searched before.
    #[inline(always)]
    pub fn is_remembered(self) -> bool {
        self.score == REMEMBERED
    }

    /// The position after this move.
    #[inline(always)]
    pub fn play(self, position: Position) -> Position {
        position.play_flips(usize::from(self.square), self.flips)
    }
}

/// The moves of a position, taken best first.
pub(super) struct Candidates {
    list: [Candidate; Candidates::MOST],
    length: usize,
    taken: usize,
}

impl Candidates {
    /// More than the moves of any position that can be reached (33 are known).
    const MOST: usize = 48;

    /// `moves` of `position`, each with the score that `score` gives it and the position after it.
    #[inline(always)]
    pub fn new<K: Kernel>(
        kernel: K,
        position: Position,
        moves: u64,
        mut score: impl FnMut(usize, Position) -> i32,
    ) -> Candidates {
        let mut all = Candidates {
            list: [Candidate::NONE; Candidates::MOST],
            length: 0,
            taken: 0,
        };
        for square in squares(moves).take(Candidates::MOST) {
            let flips = kernel.flips(position.own, position.opponent, square);
            all.list[all.length] = Candidate {
                flips,
                score: score(square, position.play_flips(square, flips)),
                square: square as u8,
            };
            all.length += 1;
        }
        all
    }

    /// Whether the move taken last was the first.
    pub fn is_first(&self) -> bool {
        self.taken == 1
    }

    /// Whether one is left that was best before.
    pub fn has_remembered(&self) -> bool {
        self.left()
            .iter()
            .any(|candidate| candidate.is_remembered())
    }

    /// The moves that have not been taken.
    pub fn left(&self) -> &[Candidate] {
        &self.list[self.taken..self.length]
    }

    /// The same, to score them again.
    pub fn left_mut(&mut self) -> &mut [Candidate] {
        &mut self.list[self.taken..self.length]
    }

    /// The best move that has not been taken yet.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Candidate> {
        let rest = &mut self.list[self.taken..self.length];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].score > rest[best].score {
                best = index;
            }
        }
        if rest.is_empty() {
            return None;
        }
        rest.swap(0, best);
        self.taken += 1;
        Some(self.list[self.taken - 1])
    }
}
