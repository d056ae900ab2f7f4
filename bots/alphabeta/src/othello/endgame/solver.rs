//! What the four ways to solve share, and which of them a position is solved by.

use std::sync::Arc;

use games::othello::{Kernel, Position};

use super::team::Member;
use super::{last_four, stability};
use crate::othello::prob_cut;
use crate::othello::state::{self, State};
use crate::search::{Budget, Depth, Move, Score, TranspositionTable};

/// What the solver asks of the search that it hands moves to, and that hands late positions to the
/// solver: so neither knows the other.
pub trait Midgame {
    /// The score of a position for the side to move, `plies` deep; 0: its evaluation.
    fn score(&mut self, state: State, plies: Depth) -> Score;

    /// Whether that score, `plies` deep, is at least `bound`.
    fn is_at_least(&mut self, state: State, plies: Depth, bound: Score) -> bool;

    /// Positions visited.
    fn nodes(&self) -> u64;
}

/// Solves positions, and counts and remembers those it has seen.
pub struct Solver<K> {
    pub(super) kernel: K,
    /// Final scores of positions, apart from those of the midgame by their keys.
    pub(super) table: Arc<TranspositionTable>,
    /// The same for positions with few empty squares, which are most: small enough to stay in the
    /// processor's cache.
    near: Arc<TranspositionTable>,
    /// The search that orders moves where it matters most; not needed for few empty squares.
    pub(super) midgame: Option<Box<dyn Midgame>>,
    /// How much the search under way cuts on a guess, as in [`prob_cut`].
    pub(super) selectivity: u8,
    /// Its place among the threads that solve the same position.
    pub(super) member: Option<Member>,
    /// Principal variations by empty squares; of length 0 where they are not noted.
    pub(super) lines: Vec<Vec<Move>>,
    /// Positions visited, those of the midgame search apart.
    pub nodes: u64,
    budget: Budget,
    pub(super) stopped: bool,
    next_poll: u64,
}

impl<K: Kernel> Solver<K> {
    /// A solver that orders moves with `midgame`, if there is one, and gives up when `budget` (its
    /// depth aside) is spent.
    pub fn new(
        kernel: K,
        table: Arc<TranspositionTable>,
        midgame: Option<Box<dyn Midgame>>,
        budget: Budget,
    ) -> Solver<K> {
        // Without a midgame search we are within one, which has a table for all positions and no use for a
        // line.
        let (near, lines) = match midgame {
            Some(_) => (
                Arc::new(TranspositionTable::new(NEAR_MIB)),
                vec![Vec::new(); 65],
            ),
            None => (Arc::clone(&table), Vec::new()),
        };
        Solver {
            kernel,
            midgame,
            selectivity: prob_cut::EXACT,
            member: None,
            lines,
            table,
            near,
            nodes: 0,
            budget,
            stopped: false,
            next_poll: Budget::POLL,
        }
    }

    /// The score of `position` with `empties` empty squares in a zero window at `alpha`: more than
    /// `alpha` is a lower bound, any other an upper bound.
    #[inline]
    pub(super) fn zero_window(&mut self, position: Position, empties: u32, alpha: i32) -> i32 {
        match empties {
            0..=3 => plain(self.kernel, position, alpha, alpha + 1, &mut self.nodes),
            4 => {
                let nodes = &mut self.nodes;
                last_four::four(self.kernel, position, position.empties(), alpha, nodes)
            }
            5..=SHALLOW => self.shallow(position, empties, alpha),
            _ => self.fastest_first(position, empties, alpha),
        }
    }

    /// The table for positions with so many empty squares.
    #[inline(always)]
    pub(super) fn table_for(&self, empties: u32) -> &TranspositionTable {
        if empties < FAR {
            &self.near
        } else {
            &self.table
        }
    }

    /// A bound that stable discs put on the score: the opponent keeps what cannot be turned over.
    #[inline(always)]
    pub(super) fn stability_cutoff(position: Position, empties: u32, alpha: i32) -> Option<i32> {
        if alpha < 2 * empties as i32 - 4 {
            return None;
        }
        let theirs = stability::stable_discs(position.opponent, position.own).count_ones();
        let most = 64 - 2 * theirs as i32;
        (most <= alpha).then_some(most)
    }

    /// Positions visited, those of the search that orders moves included.
    pub fn visited(&self) -> u64 {
        self.nodes + self.midgame.as_ref().map_or(0, |midgame| midgame.nodes())
    }

    /// Whether the budget ran out, so that nothing found since can be trusted.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the budget is spent, or another thread has made this search needless.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_poll && !self.stopped {
            // Nodes are a few nanoseconds here.
            self.next_poll = self.nodes + 16 * Budget::POLL;
            let member = self.member.as_mut();
            self.stopped = self.budget.is_spent(self.nodes)
                || member.is_some_and(|member| member.is_needless(&self.table));
        }
        self.stopped
    }
}

/// Fewest empty squares at which moves are ordered by evaluation.
pub(super) const DEEP: u32 = 13;

/// Fewest empty squares of positions kept in the large shared table: a look into it misses the cache,
/// and takes longer than several nodes near the end.
const FAR: u32 = 11;

/// MiB of the table for fewer: fits the second-level cache of a core (2 MiB where it was measured).
const NEAR_MIB: usize = 1;

/// Most empty squares at which moves are tried by parity alone.
const SHALLOW: u32 = 6;

/// The key of a position in the solver's table: not that of the midgame, whose scores are others.
#[inline]
pub(super) fn key(position: Position) -> u64 {
    state::key(position) ^ 0x5851_f42d_4c95_7f2d
}

/// Alpha-beta and nothing else, for very few empty squares and for tests.
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
    for square in games::othello::squares(moves) {
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
