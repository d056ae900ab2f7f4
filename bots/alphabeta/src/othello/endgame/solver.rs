//! The zero-window search of the solver: *fastest first*, with cutoffs by stability, by the table and by prob-cut.
//!
//! *Fastest first* (Y. Shechter): moves that leave few answers come first, because their trees are smallest.

use std::ops::RangeInclusive;
use std::sync::Arc;

use games::othello::{Kernel, Position, squares};

use super::move_ordering::{Candidates, REMEMBERED, odd_squares};
use super::parallel_search::{Member, SHARED};
use super::transposition_table::{REMEMBER, SolverTables, key};
use super::{shallow_solvers, stability};
use crate::othello::position::{EvalPosition, mobility, square_value};
use crate::othello::{DISC, OthelloPosition, prob_cut};
use crate::search::{Budget, Depth, Move, Search, TranspositionTable, Window};

/// The fewest empty squares for move ordering by a midgame search.
pub(super) const DEEP: u32 = 13;

/// The fewest empty squares of a root that is first solved with selective searches.
const SELECTIVE_ROOT: u32 = 20;

/// The fewest empty squares for prob-cut in a selective search.
pub(super) const SELECTIVE: u32 = 14;

/// The most empty squares at which only parity and class of square order the moves.
const SHALLOW: u32 = 6;

pub struct Solver<K> {
    pub(super) kernel: K,
    pub(super) tables: SolverTables,
    /// The search that orders moves; `None` if the solver runs within a midgame search.
    pub(super) midgame: Option<Box<Search<OthelloPosition>>>,
    /// The selectivity of the current search, as in [`prob_cut`].
    pub(super) selectivity: u8,
    pub(super) member: Option<Member>,
    /// Principal variations by number of empty squares; empty if they are not recorded.
    pub(super) lines: Vec<Vec<Move>>,
    /// The number of nodes, without those of the midgame search.
    pub nodes: u64,
    budget: Budget,
    pub(super) stopped: bool,
    next_poll: u64,
}

impl<K: Kernel> Solver<K> {
    pub fn new(
        kernel: K,
        table: Arc<TranspositionTable>,
        midgame: Option<Box<Search<OthelloPosition>>>,
        budget: Budget,
    ) -> Solver<K> {
        // Within a midgame search, one table has all positions, and no line is recorded.
        let (tables, lines) = match midgame {
            Some(_) => (SolverTables::new(table), vec![Vec::new(); 65]),
            None => (SolverTables::shared(table), Vec::new()),
        };
        Solver {
            kernel,
            midgame,
            selectivity: prob_cut::EXACT,
            member: None,
            lines,
            tables,
            nodes: 0,
            budget,
            stopped: false,
            next_poll: Budget::POLL,
        }
    }

    /// Returns the score in a zero window at `alpha`: a lower bound if it is above `alpha`, otherwise an upper bound.
    #[inline]
    pub(super) fn zero_window(&mut self, position: Position, empties: u32, alpha: i32) -> i32 {
        match empties {
            0..=3 => plain(self.kernel, position, alpha, alpha + 1, &mut self.nodes),
            4 => {
                let nodes = &mut self.nodes;
                shallow_solvers::four(self.kernel, position, position.empties(), alpha, nodes)
            }
            5..=SHALLOW => self.shallow(position, empties, alpha),
            _ => self.fastest_first(position, empties, alpha),
        }
    }

    /// Computes an upper bound of the score from the opponent's stable discs. Returns it if it is at most `alpha`.
    #[inline(always)]
    pub(super) fn stability_cutoff(position: Position, empties: u32, alpha: i32) -> Option<i32> {
        if alpha < 2 * empties as i32 - 4 {
            return None;
        }
        let theirs = stability::stable_discs(position.opponent, position.own).count_ones();
        let most = 64 - 2 * theirs as i32;
        (most <= alpha).then_some(most)
    }

    pub fn visited(&self) -> u64 {
        self.nodes + self.midgame.as_ref().map_or(0, |midgame| midgame.nodes)
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Returns whether the budget is spent or another thread has made this search unnecessary.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        // With many empty squares, nearly all nodes are those of the midgame search, which also stops by itself.
        let visited = self.visited();
        if self
            .midgame
            .as_ref()
            .is_some_and(|midgame| midgame.is_stopped())
        {
            self.stopped = true;
        } else if visited >= self.next_poll && !self.stopped {
            // The interval is long, because a node takes only a few nanoseconds.
            self.next_poll = visited + 16 * Budget::POLL;
            let member = self.member.as_mut();
            self.stopped = self.budget.is_spent(visited)
                || member.is_some_and(|member| member.is_needless(self.tables.far()));
        }
        self.stopped
    }
}

impl<K: Kernel> Solver<K> {
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

                let window = Window::zero(alpha);
                let hash = if empties >= REMEMBER {
                    key(position)
                } else {
                    0
                };
                let mut remembered = Move::NONE;
                if empties >= REMEMBER
                    && let Some(entry) = self.table_for(empties).probe(hash)
                {
                    if let Some(score) = entry.cutoff(self.draft(empties), window) {
                        return score;
                    }
                    remembered = entry.best;
                }
                if self.must_stop() {
                    return alpha;
                }

                if let Some(score) = self.prob_cut(position, empties, alpha) {
                    return score;
                }

                let odd = odd_squares(position.empties());
                let mut candidates = Candidates::new(
                    kernel,
                    position,
                    moves,
                    #[inline(always)]
                    |square, next| {
                        if empties > REMEMBER {
                            self.table_for(empties - 1).prefetch(key(next));
                        }
                        if square == remembered.index() {
                            return REMEMBERED;
                        }
                        let answers = kernel.legal_moves(next.own, next.opponent);
                        let parity = (odd >> square & 1) as i32;
                        square_value(square) + 8 * parity - 32 * mobility(answers)
                    },
                );

                if self.looks_ahead(empties, remembered)
                    && let Some(score) = self.enhanced_cutoff(&candidates, position, empties, alpha)
                {
                    return score;
                }

                // The table's best move is tried before the others are ordered, because it usually causes a cutoff.
                if empties >= DEEP && !candidates.has_remembered() {
                    self.order_by_search(&mut candidates, position, empties);
                }
                let best = if empties >= SHARED && self.member.is_some() {
                    self.best_together(&mut candidates, position, empties, alpha)
                } else {
                    self.best_alone(&mut candidates, position, empties, alpha)
                };
                if empties >= REMEMBER && !self.stopped {
                    self.table_for(empties).store(
                        hash,
                        self.draft(empties),
                        window,
                        best.0,
                        best.1,
                    );
                }
                best.0
            },
        )
    }

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

// A position with many empty squares is first searched three times with prob-cut, less selectively each time. These
// searches take a small part of the time. They fill the table with best moves near the root, where a wrong first move
// costs most. The last search is exact, since the draft of entries from selective searches is too small for a cutoff.

impl<K: Kernel> Solver<K> {
    pub(super) fn selectivities(empties: u32) -> RangeInclusive<u8> {
        let first = if empties < SELECTIVE_ROOT {
            prob_cut::EXACT
        } else {
            0
        };
        first..=prob_cut::EXACT
    }

    #[inline(always)]
    fn prob_cut(&mut self, position: Position, empties: u32, alpha: i32) -> Option<i32> {
        if self.selectivity == prob_cut::EXACT || empties < SELECTIVE {
            return None;
        }
        self.prob_cut_search(position, empties, alpha)
    }

    #[inline(never)]
    fn prob_cut_search(&mut self, position: Position, empties: u32, alpha: i32) -> Option<i32> {
        let cut = prob_cut::shallow_search(position, empties as Depth, self.selectivity)?;
        let midgame = self.midgame.as_mut()?;
        let state = self.kernel.vectorize(
            #[inline(always)]
            || EvalPosition::of(position),
        );
        let (low, high) = (alpha * DISC, (alpha + 1) * DISC);
        let score = if midgame.score_of(state, 0) >= high {
            let bound = high + cut.margin;
            midgame
                .is_at_least(state, cut.depth, bound)
                .then_some(alpha + 1)
        } else {
            let bound = low - cut.margin;
            let is_above = midgame.is_at_least(state, cut.depth, bound + 1);
            (!is_above).then_some(alpha)
        };
        score.filter(|_| !midgame.is_stopped())
    }
}

/// Plain alpha-beta, for very few empty squares and for tests.
pub(super) fn plain<K: Kernel>(
    kernel: K,
    position: Position,
    alpha: i32,
    beta: i32,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    let moves = kernel.legal_moves(position.own, position.opponent);
    if moves == 0 {
        let passed = position.pass();
        if kernel.legal_moves(passed.own, passed.opponent) == 0 {
            return position.final_score();
        }
        return -plain(kernel, passed, -beta, -alpha, nodes);
    }
    let mut best = -64;
    for square in squares(moves) {
        let flips = kernel.flips(position.own, position.opponent, square);
        let next = position.play_flips(square, flips);
        let score = -plain(kernel, next, -beta, -alpha.max(best), nodes);
        best = best.max(score);
        if best >= beta {
            break;
        }
    }
    best
}
