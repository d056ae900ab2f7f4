//! The solver's two transposition tables, and the enhanced transposition cutoff. Scores are in discs. The midgame
//! search has other scores in the same large table, so the keys differ.

use std::sync::Arc;

use games::othello::{Kernel, Position};

use super::move_ordering::Candidates;
use super::solver::{DEEP, SELECTIVE, Solver};
use crate::othello::{position, prob_cut};
use crate::search::{Depth, Move, TranspositionTable, Window};

/// The fewest empty squares of positions in the tables.
pub(super) const REMEMBER: u32 = 7;

/// The fewest empty squares of a position in the large table. With fewer, a cache miss takes longer than several nodes.
const FAR: u32 = 11;

/// The size of the table for positions with fewer empty squares. It fits in a core's second-level cache.
const NEAR_MIB: usize = 1;

pub(super) struct SolverTables {
    far: Arc<TranspositionTable>,
    near: Arc<TranspositionTable>,
}

impl SolverTables {
    pub fn new(far: Arc<TranspositionTable>) -> SolverTables {
        let near = Arc::new(TranspositionTable::new(NEAR_MIB));
        SolverTables { far, near }
    }

    pub fn shared(table: Arc<TranspositionTable>) -> SolverTables {
        SolverTables {
            far: Arc::clone(&table),
            near: table,
        }
    }

    pub fn far(&self) -> &TranspositionTable {
        &self.far
    }
}

#[inline]
pub(super) fn key(position: Position) -> u64 {
    position::key(position) ^ 0x5851_f42d_4c95_7f2d
}

impl<K: Kernel> Solver<K> {
    #[inline(always)]
    pub(super) fn table_for(&self, empties: u32) -> &TranspositionTable {
        if empties < FAR {
            &self.tables.near
        } else {
            &self.tables.far
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

    /// Returns whether to try the enhanced transposition cutoff. With few empty squares, it pays off only if the table
    /// has no best move and the solver has its own small table. `midgame` is set if the solver has that small table;
    /// a solver inside a midgame search has none.
    #[inline(always)]
    pub(super) fn looks_ahead(&self, empties: u32, remembered: Move) -> bool {
        empties >= DEEP
            || empties > REMEMBER + 1 && remembered == Move::NONE && self.midgame.is_some()
    }

    /// Enhanced transposition cutoff: probes the table for the positions after the moves (A. Plaat, 1996).
    #[inline(always)]
    pub(super) fn enhanced_cutoff(
        &self,
        candidates: &Candidates,
        position: Position,
        empties: u32,
        alpha: i32,
    ) -> Option<i32> {
        let table = self.table_for(empties - 1);
        let theirs = Window::zero(-alpha - 1);
        candidates.left().iter().find_map(|candidate| {
            let entry = table.probe(key(candidate.play(position)))?;
            (entry.depth >= self.draft(empties - 1) && theirs.fail_low(entry.upper))
                .then_some(-entry.upper)
        })
    }
}
