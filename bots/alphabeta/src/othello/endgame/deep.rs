//! Many empty squares: the order of moves is worth a search of its own.
//!
//! A wrong first move costs a tree that grows fourfold with every empty square or two, so unless the move
//! that was best before cuts, each move is looked at by the midgame search, deeper the more is at stake.

use games::othello::{Kernel, Position};

use super::candidates::Candidates;
use super::solver::Solver;
use crate::othello::DISC;
use crate::othello::ordering::mobility;
use crate::othello::state::State;
use crate::search::Depth;

/// What one answer of the opponent more takes from a move, in units of the evaluation: trees grow
/// with the answers, and a small tree is worth more than a good score.
const ANSWER: i32 = 3 * DISC;

/// Plies of the search that orders the moves of a position. This and [`ANSWER`] are what made the
/// FFO's positions the fastest: docs/othello-training.md has the figures.
fn plies(empties: u32) -> Depth {
    (empties.saturating_sub(15) / 2).min(8) as Depth
}

impl<K: Kernel> Solver<K> {
    /// Scores the moves of `position` that are left by what the midgame search thinks of them.
    #[inline(never)]
    pub(super) fn order_by_search(
        &mut self,
        candidates: &mut Candidates,
        position: Position,
        empties: u32,
    ) {
        let Some(midgame) = &mut self.midgame else {
            return;
        };
        let kernel = self.kernel;
        let before = kernel.vectorize(
            #[inline(always)]
            || State::of(position),
        );
        for candidate in candidates.left_mut() {
            if candidate.is_remembered() {
                continue;
            }
            let next = kernel.vectorize(
                #[inline(always)]
                || before.play_flips(candidate.square.into(), candidate.flips),
            );
            let answers = mobility(next.position.legal_moves());
            candidate.score = -midgame.score(next, plies(empties)) - ANSWER * answers;
        }
    }
}
