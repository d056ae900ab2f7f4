//! The endgame: perfect play.
//!
//! A [`Solver`] finds the final score of a position, in discs for the side to move. Nearly all its
//! searches are zero windows, "more than `alpha` or not?". By the number of empty squares they work in
//! four ways, each of which calls the next:
//!
//! - 13 and more: moves ordered by a shallow midgame search (`move_ordering`);
//! - 7 to 12: moves ordered by the opponent's mobility, *fastest first* (`solver`);
//! - 5 and 6: moves ordered by parity alone (`shallow_solvers`);
//! - up to 4: written out (`shallow_solvers`).
//!
//! `principal_variation` asks for exact scores and keeps the line of perfect play; `stability` bounds
//! scores before any search; `transposition_table` has the cutoffs by what is known; `parallel_search`
//! lets a [`Team`] of threads solve one position.
//!
//! Start with [`ExactSolver`], which orders moves by a midgame search, and [`score_within`], which the
//! midgame search calls near its end.

#![expect(
    clippy::inline_always,
    reason = "what is inlined into `Kernel::vectorize` is compiled with its instructions"
)]

mod move_ordering;
mod parallel_search;
mod principal_variation;
mod shallow_solvers;
mod solver;
mod stability;
mod transposition_table;

use std::sync::Arc;
use std::thread;

use games::othello::{Kernel, Position, Task, with_fastest};

use self::parallel_search::{Member, Owner};
use self::solver::DEEP;
use super::evaluation::Weights;
use super::{DISC, OthelloPosition};
use crate::search::{Budget, Depth, Search, TranspositionTable, Window};

pub use parallel_search::Team;
pub use principal_variation::Solution;
pub use solver::Solver;

/// Returns a solver that orders moves with `weights` and gives up when `budget` (its depth aside) is spent.
pub(super) fn aided<K: Kernel>(
    kernel: K,
    table: Arc<TranspositionTable>,
    weights: &Arc<Weights>,
    budget: Budget,
) -> Solver<K> {
    let midgame = Box::new(midgame(weights, &table));
    Solver::new(kernel, table, Some(midgame), budget)
}

fn midgame(weights: &Arc<Weights>, table: &Arc<TranspositionTable>) -> Search<OthelloPosition> {
    let position = OthelloPosition::new(Position::START, Arc::clone(weights));
    Search::new(position, Arc::clone(table))
}

/// A solver without a limit, for any number of positions, with the fastest instructions of this machine.
pub struct ExactSolver {
    table: Arc<TranspositionTable>,
    weights: Arc<Weights>,
}

impl ExactSolver {
    /// Creates a solver with a table of `hash_mib` MiB.
    pub fn new(hash_mib: usize) -> ExactSolver {
        ExactSolver::with_weights(hash_mib, Weights::trained())
    }

    /// The same with weights of one's own, which order the moves.
    pub fn with_weights(hash_mib: usize, weights: Arc<Weights>) -> ExactSolver {
        ExactSolver {
            table: Arc::new(TranspositionTable::new(hash_mib)),
            weights,
        }
    }

    /// Returns the solution of `position` and the nodes it took. Nothing is remembered of earlier positions.
    pub fn solve(&mut self, position: Position) -> (Solution, u64) {
        self.exact(position, None)
    }

    /// As [`ExactSolver::solve`], on so many threads. With more than one the score is the same; which of
    /// several best moves and lines is found, and in how many nodes, is chance.
    pub fn solve_on(&mut self, threads: usize, position: Position) -> (Solution, u64) {
        if threads <= 1 {
            return self.solve(position);
        }
        let team = self.team();
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| team.help());
            }
            self.solve_with(&team, position)
        })
    }

    /// Returns a team for one position, to be solved by [`ExactSolver::solve_with`].
    pub fn team(&self) -> Arc<Team> {
        let (table, weights) = (Arc::clone(&self.table), Arc::clone(&self.weights));
        Arc::new(Team::new(table, weights))
    }

    /// As [`ExactSolver::solve`], with all threads that come to [`Team::help`]. The nodes of all are
    /// counted.
    pub fn solve_with(&mut self, team: &Arc<Team>, position: Position) -> (Solution, u64) {
        let _owner = Owner(team);
        let (solution, nodes) = self.exact(position, Some(Arc::clone(team)));
        (solution, nodes + team.end())
    }

    fn exact(&mut self, position: Position, team: Option<Arc<Team>>) -> (Solution, u64) {
        self.table.clear();
        with_fastest(Exact {
            table: Arc::clone(&self.table),
            weights: Arc::clone(&self.weights),
            team,
            position,
        })
    }
}

impl Team {
    /// Helps to solve the position of this team until it is solved.
    pub fn help(self: &Arc<Team>) {
        with_fastest(Help(Arc::clone(self)));
    }
}

/// A thread's part in solving the position of another.
struct Help(Arc<Team>);

impl Task for Help {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        let Help(team) = self;
        let mut helper = team.join();
        let table = Arc::clone(&team.table);
        let mut solver = aided(kernel, table, &team.weights, Budget::default());
        solver.member = Some(Member::new(Arc::clone(&team)));
        while let Some(question) = team.next_question() {
            solver.answer(&question);
            helper.nodes = solver.visited();
        }
    }
}

/// One position to solve with no limit, in a table that may know some already.
struct Exact {
    table: Arc<TranspositionTable>,
    weights: Arc<Weights>,
    team: Option<Arc<Team>>,
    position: Position,
}

impl Task for Exact {
    type Output = (Solution, u64);

    fn run<K: Kernel>(self, kernel: K) -> (Solution, u64) {
        let mut midgame = midgame(&self.weights, &self.table);
        let guess = guess(&mut midgame, self.position);
        let mut solver = Solver::new(
            kernel,
            self.table,
            Some(Box::new(midgame)),
            Budget::default(),
        );
        solver.member = self.team.map(Member::new);
        let solution = solver.solve(self.position, guess);
        let solution = solution.expect("without a budget the search comes to its end");
        (solution, solver.visited())
    }
}

/// Returns the score that the midgame search expects, in discs: a first guess for the solver.
fn guess(midgame: &mut Search<OthelloPosition>, position: Position) -> i32 {
    let empties = position.empties().count_ones();
    if empties < DEEP {
        return 0;
    }
    let depth = (empties / 2).min(12) as Depth;
    midgame.position.set(position);
    let report = midgame.deepen(Budget::of_depth(depth), depth, &mut |_| ());
    report.score / DISC
}

/// Returns the score of `position` in any window, and the nodes it took. Only for few empty squares: fewer
/// than are ordered by search.
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

#[cfg(test)]
mod tests {
    use games::othello::Portable;
    use proptest::prelude::*;

    use super::solver::plain;
    use crate::othello::reached::late;
    use crate::othello::{PASS, ffo};

    use super::*;

    /// Returns the final score of a solution's line for the side to move of `position`: its score, if both
    /// sides play perfectly and it goes on to the end.
    fn played_out(position: Position, solution: &Solution) -> Option<i32> {
        let mut now = position;
        for &played in &solution.line {
            now = match played {
                PASS => now.pass(),
                square => now.play(square.index()),
            };
        }
        let turned = solution.line.iter().fold(1, |sign, _| -sign);
        now.is_over().then(|| turned * now.final_score())
    }

    proptest! {
        #[test]
        fn the_solver_returns_the_minimax_value(position in late(1..=11)) {
            // A game that ends early leaves more squares empty than can be searched plainly.
            prop_assume!(position.empties().count_ones() <= 11);
            let score = plain(Portable, position, -65, 65, &mut 0);
            let (solution, _) = ExactSolver::new(1).solve(position);
            prop_assert_eq!(solution.score, score, "{:?}", position);
            prop_assert_eq!(played_out(position, &solution), Some(score), "{:?}", position);
        }

        #[test]
        fn who_wins_is_the_sign_of_the_minimax_value(position in late(5..=10)) {
            prop_assume!(position.empties().count_ones() <= 10);
            let score = plain(Portable, position, -65, 65, &mut 0);
            let table = Arc::new(TranspositionTable::new(1));
            let mut solver = aided(Portable, table, &Weights::trained(), Budget::default());
            let result = solver.solve_result(position).expect("there is no limit");
            prop_assert_eq!(result.score, score.signum(), "{:?}", position);
            prop_assert_eq!(result.line.is_empty(), position.legal_moves() == 0);
            if let Some(best) = result.line.first()
                && score >= 0
            {
                let next = position.play(best.index());
                let kept = -plain(Portable, next, -65, 65, &mut 0);
                prop_assert_eq!(kept.signum(), score.signum(), "{:?}", position);
            }
        }

        #[test]
        fn every_zero_window_is_answered_right(position in late(1..=9), alpha in -64..64) {
            prop_assume!(position.empties().count_ones() <= 9);
            let score = plain(Portable, position, -65, 65, &mut 0);
            let table = Arc::new(TranspositionTable::new(1));
            let mut solver = aided(Portable, table, &Weights::trained(), Budget::default());
            let bound = solver.zero_window(position, position.empties().count_ones(), alpha);
            if bound > alpha {
                prop_assert!(score >= bound, "{bound} is a lower bound of {score}");
            } else {
                prop_assert!(score <= bound, "{bound} is an upper bound of {score}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn three_threads_find_the_score_that_one_finds(position in late(16..=18)) {
            // A random game can end so early that what is left takes hours.
            prop_assume!(position.empties().count_ones() <= 18);
            let (one, _) = ExactSolver::new(4).solve(position);
            let (three, _) = ExactSolver::new(4).solve_on(3, position);
            prop_assert_eq!(three.score, one.score, "{:?}", position);
            for solution in [one, three] {
                let score = Some(solution.score);
                prop_assert_eq!(played_out(position, &solution), score, "{:?}", position);
            }
        }
    }

    #[test]
    fn ffo_positions_40_to_44_and_59_are_solved() {
        for problem in ffo::positions(40, 44)
            .into_iter()
            .chain(ffo::positions(59, 59))
        {
            let position = problem.board.position();
            for threads in [1, 2] {
                let (solution, _) = ExactSolver::new(64).solve_on(threads, position);
                let name = format!("{} on {threads} threads", problem.name);
                assert_eq!(Some(solution.score), problem.best_score(), "{name}");
                let played_out = played_out(position, &solution);
                assert_eq!(played_out, Some(solution.score), "{name}: {solution:?}");
            }
        }
    }
}
