//! Fastest first: moves that leave the opponent few answers are searched first, since their trees
//! are the smallest (Y. Shechter's name for it; used by every endgame solver).

use games::othello::{Kernel, Position, squares};

use super::deep::DEEP;
use super::{Solver, key, parity};
use crate::othello::ordering::{mobility, square_value};
use crate::search::{Move, Window};

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
        let mut list = [Candidate::NONE; Candidates::MOST];
        let mut length = 0;
        for square in squares(moves).take(Candidates::MOST) {
            let flips = kernel.flips(position.own, position.opponent, square);
            list[length] = Candidate {
                flips,
                score: score(square, position.play_flips(square, flips)),
                square: square as u8,
            };
            length += 1;
        }
        Candidates {
            list,
            length,
            taken: 0,
        }
    }

    /// All moves, to score them again.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Candidate> {
        self.list[..self.length].iter_mut()
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

/// Fewest empty squares at which positions are looked up and remembered.
const REMEMBER: u32 = 8;

impl<K: Kernel> Solver<K> {
    /// As [`Solver::zero_window`].
    pub(super) fn fastest_first(&mut self, position: Position, empties: u32, alpha: i32) -> i32 {
        let kernel = self.kernel;
        kernel.vectorize(
            #[inline(always)]
            || {
                self.nodes += 1;
                if let Some(score) = Self::stability_cutoff(position, empties, alpha) {
                    return score;
                }
                let moves = kernel.legal_moves(position.own, position.opponent);
                if moves == 0 {
                    let passed = position.pass();
                    if kernel.legal_moves(passed.own, passed.opponent) == 0 {
                        return position.final_score();
                    }
                    return -self.fastest_first(passed, empties, -alpha - 1);
                }

                // Transposition table
                let window = Window::zero(alpha);
                let key = if empties >= REMEMBER {
                    key(position)
                } else {
                    0
                };
                let mut remembered = Move::NONE;
                if empties >= REMEMBER
                    && let Some(entry) = self.table.probe(key)
                {
                    if let Some(score) = entry.cutoff(empties as i32, window) {
                        return score;
                    }
                    remembered = entry.best;
                }
                if self.must_stop() {
                    return alpha;
                }

                // The moves, fastest first
                let odd = parity::odd_squares(position.empties());
                let mut candidates = Candidates::new(
                    kernel,
                    position,
                    moves,
                    #[inline(always)]
                    |square, next| {
                        if empties > REMEMBER {
                            self.table.prefetch(super::key(next));
                        }
                        if square == remembered.index() {
                            return i32::MAX;
                        }
                        let answers = kernel.legal_moves(next.own, next.opponent);
                        let parity = (odd >> square & 1) as i32;
                        square_value(square) + 8 * parity - 32 * mobility(answers)
                    },
                );
                if empties >= DEEP {
                    let ahead =
                        self.cutoff_one_ply_ahead(&mut candidates, position, empties, alpha);
                    if let Some(score) = ahead {
                        return score;
                    }
                    self.order_by_search(&mut candidates, position, empties);
                }
                let mut best = (-128, Move::NONE);
                while let Some(candidate) = candidates.next() {
                    let next = candidate.play(position);
                    let score = -self.zero_window(next, empties - 1, -alpha - 1);
                    if score > best.0 {
                        best = (score, Move(u16::from(candidate.square)));
                        if score > alpha {
                            break;
                        }
                    }
                }
                if empties >= REMEMBER && !self.stopped {
                    self.table
                        .store(key, empties as i32, window, best.0, best.1);
                }
                best.0
            },
        )
    }
}
