//! Searches to the end that are cut on a guess, before the one that is not.
//!
//! Solving many empty squares, three searches by prob-cut come first, each less selective than the one
//! before. They take a small part of the time, and what they leave in the table says which move to try
//! first nearly everywhere near the root, where a wrong first move costs most. What the last search
//! finds is exact all the same: nothing that was cut on a guess answers its questions.

use games::othello::{Kernel, Position};

use super::solver::Solver;
use crate::othello::state::State;
use crate::othello::{DISC, prob_cut};
use crate::search::Depth;

/// Fewest empty squares of a position that is solved selectively first.
const FROM: u32 = 20;

/// Fewest empty squares at which a selective search cuts.
const LEAST: u32 = 14;

impl<K: Kernel> Solver<K> {
    /// The selectivities of the searches that solve a position, one after the other.
    pub(super) fn selectivities(empties: u32) -> std::ops::RangeInclusive<u8> {
        let first = if empties < FROM { prob_cut::EXACT } else { 0 };
        first..=prob_cut::EXACT
    }

    /// What the table calls the depth of a search of so many empty squares: more if it is less
    /// selective.
    #[inline(always)]
    pub(super) fn draft(&self, empties: u32) -> Depth {
        let selectivity = if empties < LEAST {
            prob_cut::EXACT
        } else {
            self.selectivity
        };
        4 * empties as Depth + Depth::from(selectivity)
    }

    /// Prob-cut, in a selective search: a bound in a zero window at `alpha` that a shallow search
    /// makes likely.
    #[inline(always)]
    pub(super) fn likely_cutoff(
        &mut self,
        position: Position,
        empties: u32,
        alpha: i32,
    ) -> Option<i32> {
        if self.selectivity == prob_cut::EXACT || empties < LEAST {
            return None;
        }
        self.prob_cut(position, empties, alpha)
    }

    #[inline(never)]
    fn prob_cut(&mut self, position: Position, empties: u32, alpha: i32) -> Option<i32> {
        let cut = prob_cut::shallow_search(position, empties as Depth, self.selectivity)?;
        let midgame = self.midgame.as_mut()?;
        let state = self.kernel.vectorize(
            #[inline(always)]
            || State::of(position),
        );
        let (low, high) = (alpha * DISC, (alpha + 1) * DISC);
        if midgame.score(state, 0) >= high {
            let bound = high + cut.margin;
            midgame
                .is_at_least(state, cut.depth, bound)
                .then_some(alpha + 1)
        } else {
            let bound = low - cut.margin;
            let is_above = midgame.is_at_least(state, cut.depth, bound + 1);
            (!is_above).then_some(alpha)
        }
    }
}
