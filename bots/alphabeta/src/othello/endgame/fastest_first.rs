//! Fastest first: moves that leave the opponent few answers are searched first, since their trees
//! are the smallest (Y. Shechter's name for it; used by every endgame solver).

use games::othello::{Kernel, Position};

use super::candidates::{Candidates, REMEMBERED};
use super::parity;
use super::solver::{DEEP, Solver, key as key_of};
use super::together::SHARED;
use crate::othello::ordering::{mobility, square_value};
use crate::search::{Move, Window};

/// Fewest empty squares at which positions are looked up and remembered.
const REMEMBER: u32 = 7;

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
                    key_of(position)
                } else {
                    0
                };
                let mut remembered = Move::NONE;
                if empties >= REMEMBER
                    && let Some(entry) = self.table_for(empties).probe(key)
                {
                    if let Some(score) = entry.cutoff(self.draft(empties), window) {
                        return score;
                    }
                    remembered = entry.best;
                }
                if self.must_stop() {
                    return alpha;
                }

                if let Some(score) = self.likely_cutoff(position, empties, alpha) {
                    return score;
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
                            self.table_for(empties - 1).prefetch(key_of(next));
                        }
                        if square == remembered.index() {
                            return REMEMBERED;
                        }
                        let answers = kernel.legal_moves(next.own, next.opponent);
                        let parity = (odd >> square & 1) as i32;
                        square_value(square) + 8 * parity - 32 * mobility(answers)
                    },
                );
                if self.looks_ahead(empties, remembered) {
                    let ahead = self.cutoff_one_ply_ahead(&candidates, position, empties, alpha);
                    if let Some(score) = ahead {
                        return score;
                    }
                }
                // One that is remembered is tried before the others are put in order: mostly it cuts.
                if empties >= DEEP && !candidates.has_remembered() {
                    self.order_by_search(&mut candidates, position, empties);
                }
                let best = if empties >= SHARED && self.member.is_some() {
                    self.best_together(&mut candidates, position, empties, alpha)
                } else {
                    self.best_alone(&mut candidates, position, empties, alpha)
                };
                if empties >= REMEMBER && !self.stopped {
                    self.table_for(empties)
                        .store(key, self.draft(empties), window, best.0, best.1);
                }
                best.0
            },
        )
    }

    /// Whether a cutoff by the positions one ply ahead is worth looking for. With few empty squares only if no
    /// move is known that is likely to cut, and only beside a midgame search: without one the solver has no
    /// table of its own for them, small enough to stay in the processor's cache.
    #[inline(always)]
    fn looks_ahead(&self, empties: u32, remembered: Move) -> bool {
        empties >= DEEP
            || empties > REMEMBER + 1 && remembered == Move::NONE && self.midgame.is_some()
    }

    /// A cutoff by what is remembered of the positions one ply ahead.
    #[inline(always)]
    fn cutoff_one_ply_ahead(
        &self,
        candidates: &Candidates,
        position: Position,
        empties: u32,
        alpha: i32,
    ) -> Option<i32> {
        let table = self.table_for(empties - 1);
        let theirs = Window::zero(-alpha - 1);
        candidates.left().iter().find_map(|candidate| {
            let entry = table.probe(key_of(candidate.play(position)))?;
            (entry.depth >= self.draft(empties - 1) && theirs.fail_low(entry.upper))
                .then_some(-entry.upper)
        })
    }

    /// The best of the moves in a zero window at `alpha`, and its score.
    #[inline(always)]
    fn best_alone(
        &mut self,
        candidates: &mut Candidates,
        position: Position,
        empties: u32,
        alpha: i32,
    ) -> (i32, Move) {
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
            if candidate.is_remembered() && empties >= DEEP && !self.stopped {
                self.order_by_search(candidates, position, empties);
            }
        }
        best
    }
}
