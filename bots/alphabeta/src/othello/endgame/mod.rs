//! The endgame solver. A [`Solver`] finds the final score of a position, in discs for the side to move. Nearly all
//! searches have zero windows. The method depends on the number of empty squares:
//!
//! - 13 and more: moves ordered by a shallow midgame search (`move_ordering`);
//! - 7 to 12: moves ordered by the opponent's mobility, *fastest first* (`solver`);
//! - 5 and 6: moves ordered by parity, then by class of square (`shallow_solvers`);
//! - 4: specialised functions down to the last empty square (`shallow_solvers`);
//! - up to 3 at the start of a search: plain alpha-beta (`shallow_solvers`).
//!
//! `principal_variation` finds exact scores and the line of perfect play. `stability` bounds scores without a search.
//! `solver_tables` has the tables and their cutoffs. In `parallel_search`, a [`Team`] solves one position.
//!
//! Start with [`score_within`], which the midgame search calls near the end of the game. The solver gets its midgame
//! search from its user, such as [`ExactSolver`](super::ExactSolver).

#![expect(
    clippy::inline_always,
    reason = "code inlined into `Kernel::vectorize` uses its CPU instructions"
)]

mod move_ordering;
mod parallel_search;
mod principal_variation;
mod shallow_solvers;
mod solver;
mod solver_tables;
mod stability;

use std::sync::Arc;

use games::othello::{Kernel, Position, Task, with_fastest};

use crate::search::{Budget, TranspositionTable, Window};

pub(super) use move_ordering::MidgameSearch;
pub use parallel_search::Team;
pub(super) use parallel_search::{DismissGuard, Member};
pub use principal_variation::Solution;
#[cfg(test)]
pub(super) use shallow_solvers::plain;
pub(super) use solver::{DEEP, Solver};

/// Returns the score of `position` within `window`, and the number of nodes. The position must have fewer than [`DEEP`]
/// empty squares, because this solver cannot order moves by search.
pub(super) fn score_within(
    position: Position,
    window: Window,
    table: &Arc<TranspositionTable>,
) -> (i32, u64) {
    with_fastest(Within {
        position,
        window,
        table: Arc::clone(table),
    })
}

struct Within {
    position: Position,
    window: Window,
    table: Arc<TranspositionTable>,
}

impl Task for Within {
    type Output = (i32, u64);

    fn run<K: Kernel>(self, kernel: K) -> (i32, u64) {
        let mut solver = Solver::new(kernel, self.table, None, Budget::default());
        let empties = self.position.empties().count_ones();
        let score = solver.exact(self.position, empties, self.window);
        (score, solver.nodes)
    }
}
