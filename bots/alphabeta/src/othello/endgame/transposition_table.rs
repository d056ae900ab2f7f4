//! What the solver remembers: its two tables, and the cutoffs by what they know.
//!
//! Scores are final scores in discs. The large table is shared with the midgame search, whose scores are
//! others, so the keys differ, too.

use std::sync::Arc;

use games::othello::{Kernel, Position};

use super::move_ordering::Candidates;
use super::solver::{DEEP, SELECTIVE, Solver};
use crate::othello::{position, prob_cut};
use crate::search::{Depth, Move, TranspositionTable, Window};

/// Fewest empty squares at which positions are looked up and remembered.
pub(super) const REMEMBER: u32 = 7;

/// Fewest empty squares of positions kept in the large shared table: a look into it misses the cache,
/// and takes longer than several nodes near the end.
const FAR: u32 = 11;

/// MiB of the table for fewer: fits the second-level cache of a core (2 MiB where it was measured).
const NEAR_MIB: usize = 1;

/// The tables of a solver: one for many empty squares, and one for few, which are most positions.
pub(super) struct Tables {
    far: Arc<TranspositionTable>,
    near: Arc<TranspositionTable>,
}

impl Tables {
    /// `far`, and a table of its own for few empty squares.
    pub fn new(far: Arc<TranspositionTable>) -> Tables {
        let near = Arc::new(TranspositionTable::new(NEAR_MIB));
        Tables { far, near }
    }

    /// One table for all positions.
    pub fn shared(table: Arc<TranspositionTable>) -> Tables {
        Tables {
            far: Arc::clone(&table),
            near: table,
        }
    }

    pub fn far(&self) -> &TranspositionTable {
        &self.far
    }
}

/// Returns the key of a position in the solver's tables: not that of the midgame, whose scores are others.
#[inline]
pub(super) fn key(position: Position) -> u64 {
    position::key(position) ^ 0x5851_f42d_4c95_7f2d
}

impl<K: Kernel> Solver<K> {
    /// Returns the table for positions with so many empty squares.
    #[inline(always)]
    pub(super) fn table_for(&self, empties: u32) -> &TranspositionTable {
        if empties < FAR {
            &self.tables.near
        } else {
            &self.tables.far
        }
    }

    /// Returns the draft of a search of so many empty squares: more if it is less
    /// selective.
    #[inline(always)]
    pub(super) fn draft(&self, empties: u32) -> Depth {
        let selectivity = if empties < SELECTIVE {
            prob_cut::EXACT
        } else {
            self.selectivity
        };
        4 * empties as Depth + Depth::from(selectivity)
    }

    /// Returns whether the enhanced transposition cutoff is worth a look. With few empty squares only if no
    /// move is known that is likely to cut, and only beside a midgame search: without one the solver has no
    /// table of its own for them, small enough to stay in the processor's cache.
    #[inline(always)]
    pub(super) fn looks_ahead(&self, empties: u32, remembered: Move) -> bool {
        empties >= DEEP
            || empties > REMEMBER + 1 && remembered == Move::NONE && self.midgame.is_some()
    }

    /// Enhanced transposition cutoff: what is known of the positions one ply ahead (A. Plaat, 1996).
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
