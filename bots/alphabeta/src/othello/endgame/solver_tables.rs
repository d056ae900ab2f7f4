//! The solver's two transposition tables, and the enhanced transposition cutoff. Scores are in discs. The midgame
//! search has other scores in the same large table, so the keys differ.

use std::sync::Arc;

use games::othello::Position;

use super::move_ordering::Candidates;
use crate::othello::position;
use crate::search::{Depth, TranspositionTable, Window};

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

    #[inline(always)]
    pub fn at(&self, empties: u32) -> &TranspositionTable {
        if empties < FAR { &self.near } else { &self.far }
    }

    /// Enhanced transposition cutoff: probes the table for the positions after the moves (A. Plaat, 1996). `draft` is
    /// the draft of a search with one empty square less.
    #[inline(always)]
    pub fn enhanced_cutoff(
        &self,
        candidates: &Candidates,
        position: Position,
        empties: u32,
        draft: Depth,
        alpha: i32,
    ) -> Option<i32> {
        let table = self.at(empties - 1);
        let theirs = Window::zero(-alpha - 1);
        candidates.left().iter().find_map(|candidate| {
            let entry = table.probe(key(candidate.play(position)))?;
            (entry.depth >= draft && theirs.fail_low(entry.upper)).then_some(-entry.upper)
        })
    }
}

#[inline]
pub(super) fn key(position: Position) -> u64 {
    position::key(position) ^ 0x5851_f42d_4c95_7f2d
}
