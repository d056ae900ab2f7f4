//! Solving without a limit, with the fastest instructions of this machine: what commands, the
//! training and the search near its end ask for.

use std::sync::Arc;

use games::othello::{Kernel, Position, Task, with_fastest};

use super::{Solution, Solver};
use crate::othello::evaluation::Weights;
use crate::search::{Budget, TranspositionTable, Window};

/// Solves positions of any number, with the fastest instructions of this machine and no limit.
pub struct ExactSolver {
    table: Arc<TranspositionTable>,
    weights: Arc<Weights>,
}

impl ExactSolver {
    /// A solver with a table of `hash_mib` MiB.
    pub fn new(hash_mib: usize) -> ExactSolver {
        ExactSolver {
            table: Arc::new(TranspositionTable::new(hash_mib)),
            weights: Weights::trained(),
        }
    }

    /// The solution of `position` and the nodes it took. Nothing is remembered of earlier positions.
    pub fn solve(&mut self, position: Position) -> (Solution, u64) {
        self.table.clear();
        with_fastest(Exact {
            table: Arc::clone(&self.table),
            weights: Arc::clone(&self.weights),
            position,
        })
    }
}

/// One position to solve with no limit, in a table that may know some already.
pub struct Exact {
    pub table: Arc<TranspositionTable>,
    pub weights: Arc<Weights>,
    pub position: Position,
}

impl Task for Exact {
    type Output = (Solution, u64);

    fn run<K: Kernel>(self, kernel: K) -> (Solution, u64) {
        let mut solver = Solver::new(kernel, self.table, self.weights, Budget::default());
        let guess = solver.guess(self.position);
        let solution = solver.solve(self.position, guess);
        let solution = solution.expect("without a budget the search comes to its end");
        (solution, solver.visited())
    }
}

/// The score of `position` in any window, and the nodes it took. Only for few empty squares (fewer
/// than are ordered by search): there is no limit.
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
        let mut solver = Solver::unaided(kernel, self.table);
        let empties = self.position.empties().count_ones();
        let score = solver.exact(self.position, empties, self.window);
        (score, solver.nodes)
    }
}
