//! The zero-window search of the solver: *fastest first*, with cutoffs by stability, by the table and by prob-cut.
//!
//! *Fastest first* (Y. Shechter): moves that leave few answers come first, because their trees are smallest.

use std::ops::RangeInclusive;
use std::sync::Arc;

use games::othello::{Kernel, Position};

use super::move_ordering::{self, Candidates, MidgameSearch, REMEMBERED, odd_squares};
use super::parallel_search::{Member, PathNode, SHARED, next_candidate};
use super::shallow_solvers::{self, SHALLOW};
use super::solver_tables::{REMEMBER, SolverTables, key};
use super::stability;
use crate::othello::position::{EvalPosition, mobility, square_value};
use crate::othello::{DISC, prob_cut};
use crate::search::{Budget, Depth, Move, TranspositionTable, Window};

/// The fewest empty squares for move ordering by a midgame search.
pub(crate) const DEEP: u32 = 13;

/// The fewest empty squares of a root that is first solved with selective searches.
const SELECTIVE_ROOT: u32 = 20;

/// The fewest empty squares for prob-cut in a selective search.
pub(super) const SELECTIVE: u32 = 14;

pub(crate) struct Solver<K> {
    pub(super) kernel: K,
    pub(super) tables: SolverTables,
    /// The search that orders moves; `None` if the solver runs within a midgame search.
    pub(super) midgame: Option<Box<dyn MidgameSearch>>,
    /// The selectivity of the current search, as in [`prob_cut`].
    pub(super) selectivity: u8,
    pub(crate) member: Option<Member>,
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
        midgame: Option<Box<dyn MidgameSearch>>,
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
    pub(crate) fn zero_window(&mut self, position: Position, empties: u32, alpha: i32) -> i32 {
        if empties <= SHALLOW {
            let nodes = &mut self.nodes;
            shallow_solvers::zero_window(self.kernel, position, empties, alpha, nodes)
        } else {
            self.fastest_first(position, empties, alpha)
        }
    }

    /// Returns the draft of a search with `empties` empty squares. It is larger for a less selective search.
    #[inline(always)]
    pub(super) fn draft(&self, empties: u32) -> Depth {
        let selectivity = if empties < SELECTIVE {
            prob_cut::EXACT
        } else {
            self.selectivity
        };
        4 * empties as Depth + Depth::from(selectivity)
    }

    pub fn visited(&self) -> u64 {
        self.nodes + self.midgame.as_ref().map_or(0, |midgame| midgame.nodes())
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

                if let Some(score) = stability::cutoff(position, empties, alpha) {
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
                    && let Some(entry) = self.tables.at(empties).probe(hash)
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
                            self.tables.at(empties - 1).prefetch(key(next));
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
                    && let draft = self.draft(empties - 1)
                    && let Some(score) =
                        (self.tables).enhanced_cutoff(&candidates, position, empties, draft, alpha)
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
                    self.tables.at(empties).store(
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

    /// Returns whether to try the enhanced transposition cutoff. With few empty squares, it pays off only if the table
    /// has no best move and the solver has its own small table. `midgame` is set if the solver has that small table;
    /// a solver inside a midgame search has none.
    #[inline(always)]
    fn looks_ahead(&self, empties: u32, remembered: Move) -> bool {
        empties >= DEEP
            || empties > REMEMBER + 1 && remembered == Move::NONE && self.midgame.is_some()
    }

    #[inline(never)]
    pub(super) fn order_by_search(
        &mut self,
        candidates: &mut Candidates,
        position: Position,
        empties: u32,
    ) {
        if let Some(midgame) = &mut self.midgame {
            let kernel = self.kernel;
            move_ordering::order_by_search(kernel, &mut **midgame, candidates, position, empties);
        }
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

    /// Returns the best score in a zero window at `alpha`, and its move. Several threads share the moves.
    #[inline(never)]
    pub(super) fn best_together(
        &mut self,
        candidates: &mut Candidates,
        position: Position,
        empties: u32,
        alpha: i32,
    ) -> (i32, Move) {
        let step = PathNode {
            key: key(position),
            draft: self.draft(empties),
            window: Window::zero(alpha),
        };
        if let Some(member) = &mut self.member {
            member.enter(step);
        }
        let mut best = (-128, Move::NONE);
        let mut put_off = Vec::new();
        while let Some(candidate) =
            next_candidate(self.sharing(empties), candidates, &mut put_off, position)
        {
            let next = candidate.play(position);
            let begun = self.begin(next, empties);
            let score = -self.zero_window(next, empties - 1, -alpha - 1);
            self.finish(begun);
            if self.stopped {
                let settled = self.member.as_mut().and_then(Member::settled_here);
                if let Some(score) = settled {
                    self.stopped = false;
                    best = (score, Move::NONE);
                }
                break;
            }
            if score > best.0 {
                best = (score, Move(u16::from(candidate.square)));
                if score > alpha {
                    break;
                }
            }
            if candidate.is_remembered() {
                self.order_by_search(candidates, position, empties);
            }
        }
        if let Some(member) = &mut self.member {
            member.leave();
        }
        best
    }

    /// Returns this thread's part in a team, if threads share moves with `empties` empty squares.
    #[inline]
    pub(super) fn sharing(&self, empties: u32) -> Option<&Member> {
        self.member.as_ref().filter(|_| empties >= SHARED)
    }

    /// Marks the position after a move, if threads share moves. Returns the key for [`Solver::finish`].
    #[inline]
    pub(super) fn begin(&self, next: Position, empties: u32) -> Option<u64> {
        let member = self.sharing(empties)?;
        let key = key(next);
        member.team.begin(key);
        Some(key)
    }

    #[inline]
    pub(super) fn finish(&self, begun: Option<u64>) {
        if let (Some(member), Some(key)) = (&self.member, begun) {
            member.team.finish(key);
        }
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
