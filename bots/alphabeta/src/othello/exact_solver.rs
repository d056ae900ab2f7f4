//! Perfect play: the endgame solver with a midgame search that orders its moves and guesses the score.
//!
//! Start with [`ExactSolver`].

use std::sync::Arc;
use std::thread;

use games::othello::{Kernel, Position, Task, with_fastest};

use super::endgame::{DEEP, DismissGuard, Member, Solution, Solver, Team};
use super::evaluation::Weights;
use super::{DISC, OthelloPosition};
use crate::search::{Budget, Depth, Search, TranspositionTable};

/// Creates a solver that orders moves with `weights` and stops when `budget` is spent. Ignores the budget's depth.
pub(super) fn aided<K: Kernel>(
    kernel: K,
    table: Arc<TranspositionTable>,
    weights: &Arc<Weights>,
    budget: Budget,
) -> Solver<K> {
    let mut midgame = Box::new(midgame(weights, &table));
    midgame.begin(budget);
    Solver::new(kernel, table, Some(midgame), budget)
}

fn midgame(weights: &Arc<Weights>, table: &Arc<TranspositionTable>) -> Search<OthelloPosition> {
    let position = OthelloPosition::new(Position::START, Arc::clone(weights));
    Search::new(position, Arc::clone(table))
}

pub struct ExactSolver {
    table: Arc<TranspositionTable>,
    weights: Arc<Weights>,
}

impl ExactSolver {
    pub fn new(hash_mib: usize) -> ExactSolver {
        ExactSolver::with_weights(hash_mib, Weights::trained())
    }

    pub fn with_weights(hash_mib: usize, weights: Arc<Weights>) -> ExactSolver {
        ExactSolver {
            table: Arc::new(TranspositionTable::new(hash_mib)),
            weights,
        }
    }

    /// Returns the solution of `position` and the number of nodes. Each call begins with an empty table.
    pub fn solve(&mut self, position: Position) -> (Solution, u64) {
        self.exact(position, None)
    }

    /// Solves `position` on several threads. The score is deterministic; the nodes and the line are not.
    pub fn solve_on(&mut self, threads: usize, position: Position) -> (Solution, u64) {
        if threads <= 1 {
            return self.solve(position);
        }
        let team = self.team();
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| ExactSolver::help(&team));
            }
            self.solve_with(&team, position)
        })
    }

    pub fn team(&self) -> Arc<Team> {
        let (table, weights) = (Arc::clone(&self.table), Arc::clone(&self.weights));
        Arc::new(Team::new(table, weights))
    }

    /// Solves `position` with all threads that call [`ExactSolver::help`]. Counts the nodes of all threads.
    pub fn solve_with(&mut self, team: &Arc<Team>, position: Position) -> (Solution, u64) {
        let _owner = DismissGuard(team);
        let (solution, nodes) = self.exact(position, Some(Arc::clone(team)));
        (solution, nodes + team.end())
    }

    /// Helps `team` until it ends.
    pub fn help(team: &Arc<Team>) {
        with_fastest(Help(Arc::clone(team)));
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
            team.answer(&question, |question| solver.search_root(question));
            helper.nodes = solver.visited();
        }
    }
}

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

/// Returns the midgame search's estimate of the score, in discs.
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

#[cfg(test)]
mod tests {
    use games::othello::{Portable, obf};
    use proptest::prelude::*;

    use crate::othello::endgame::plain;
    use crate::othello::reached::late;
    use crate::othello::{PASS, ffo};

    use super::*;

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
            // A random game may end early with too many empty squares for the plain search.
            prop_assume!(position.empties().count_ones() <= 11);
            let score = plain(Portable, position, -65, 65, &mut 0);
            let (solution, _) = ExactSolver::new(1).solve(position);
            prop_assert_eq!(solution.score, score, "{:?}", position);
            prop_assert_eq!(played_out(position, &solution), Some(score), "{:?}", position);
        }

        #[test]
        fn the_result_is_the_sign_of_the_minimax_value(position in late(5..=10)) {
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
                prop_assert!(score >= bound, "{bound} must be a lower bound of {score}");
            } else {
                prop_assert!(score <= bound, "{bound} must be an upper bound of {score}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn three_threads_find_the_score_that_one_finds(position in late(16..=18)) {
            // A random game may end early with so many empty squares that solving takes hours.
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

    /// White is about to lose all its discs. With so many empty squares, moves are ordered by deep searches.
    #[test]
    fn a_solver_with_many_empty_squares_stops_soon_after_its_last_node() {
        let line = "-XXX------OOOO----OOOOOO--OOOOO---OXXOOX--O---O----------------- X;";
        let position = obf::read(line).expect("OBF")[0].board.position();
        for limit in [10_000, 100_000, 1_000_000] {
            let budget = Budget {
                nodes: Some(limit),
                ..Budget::default()
            };
            let table = Arc::new(TranspositionTable::new(4));
            let mut solver = aided(Portable, table, &Weights::trained(), budget);
            solver.solve_result(position);
            let visited = solver.visited();
            assert!(solver.is_stopped() && visited < limit + 10_000, "{visited}");
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
