//! Solving few empty squares, for the search near its end: no search beside, and no limit.

use std::sync::Arc;

use games::othello::{Kernel, Position, Task, with_fastest};

use super::solver::Solver;
use crate::search::{Budget, TranspositionTable, Window};

/// The score of `position` in any window, and the nodes it took. Only for few empty squares:
/// fewer than are ordered by search.
pub fn score_within(
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
