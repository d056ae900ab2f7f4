//! Many empty squares: the order of moves is worth a search of its own.
//!
//! A wrong first move costs a tree that grows fourfold with every empty square or two, so each move
//! is looked at by the midgame search, deeper the more is at stake.

use games::othello::{Kernel, Position};

use super::Solver;
use super::fastest_first::Candidates;
use crate::othello::DISC;
use crate::search::{Depth, SearchPosition, Window};

/// Fewest empty squares at which moves are ordered by evaluation.
pub(super) const DEEP: u32 = 12;

/// What one answer of the opponent more takes from a move, in units of the evaluation: trees grow
/// with the answers, and a small tree is worth more than a good score.
const ANSWER: i32 = DISC;

/// Plies of the search that orders the moves of a position.
fn plies(empties: u32) -> Depth {
    match empties {
        0..=14 => 0,
        15..=17 => 1,
        18..=20 => 2,
        21..=23 => 3,
        _ => 4,
    }
}

impl<K: Kernel> Solver<K> {
    /// Scores the moves of `position` by what the midgame search thinks of them.
    #[inline(never)]
    pub(super) fn order_by_search(
        &mut self,
        candidates: &mut Candidates,
        position: Position,
        empties: u32,
    ) {
        for candidate in candidates.iter_mut() {
            if candidate.score == i32::MAX {
                continue;
            }
            let next = candidate.play(position);
            let answers = next.legal_moves().count_ones() as i32;
            self.midgame.position.set(next);
            let score = match plies(empties) {
                0 => self.midgame.position.evaluate(),
                plies => self.midgame.node(plies, Window::FULL, 0),
            };
            candidate.score = -score - ANSWER * answers;
        }
    }
}
