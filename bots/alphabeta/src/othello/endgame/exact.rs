//! Solving with the midgame search beside, which orders moves: what players, commands and training
//! ask for.

use std::sync::Arc;
use std::thread;

use games::othello::{Kernel, Position, Task, with_fastest};

use super::principal::Solution;
use super::solver::{DEEP, Midgame, Solver};
use super::team::{Member, Owner, Team};
use crate::othello::evaluation::Weights;
use crate::othello::state::State;
use crate::othello::{DISC, OthelloPosition};
use crate::search::{Budget, Depth, Score, Search, SearchPosition, TranspositionTable, Window};

/// A solver that orders moves with `weights` and gives up when `budget` (its depth aside) is spent.
pub fn aided<K: Kernel>(
    kernel: K,
    table: Arc<TranspositionTable>,
    weights: &Arc<Weights>,
    budget: Budget,
) -> Solver<K> {
    let midgame = midgame(weights, &table);
    Solver::new(kernel, table, Some(Box::new(midgame)), budget)
}

fn midgame(weights: &Arc<Weights>, table: &Arc<TranspositionTable>) -> Search<OthelloPosition> {
    let position = OthelloPosition::new(Position::START, Arc::clone(weights));
    Search::new(position, Arc::clone(table))
}

impl Midgame for Search<OthelloPosition> {
    fn score(&mut self, state: State, plies: Depth) -> Score {
        self.position.go_to(state);
        match plies {
            0 => self.position.evaluate(),
            plies => self.node(plies, Window::FULL, 0),
        }
    }

    fn is_at_least(&mut self, state: State, plies: Depth, bound: Score) -> bool {
        self.position.go_to(state);
        self.node(plies, Window::zero(bound - 1), 0) >= bound
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// Solves positions of any number, with the fastest instructions of this machine and no limit.
pub struct ExactSolver {
    table: Arc<TranspositionTable>,
    weights: Arc<Weights>,
}

impl ExactSolver {
    /// A solver with a table of `hash_mib` MiB.
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

    /// The solution of `position` and the nodes it took. Nothing is remembered of earlier positions.
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

    /// A team for one position, to be solved by [`ExactSolver::solve_with`].
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
    /// Helps to solve the position of this team, until it is solved.
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
        let midgame = Some(Box::new(midgame) as Box<dyn Midgame>);
        let mut solver = Solver::new(kernel, self.table, midgame, Budget::default());
        solver.member = self.team.map(Member::new);
        let solution = solver.solve(self.position, guess);
        let solution = solution.expect("without a budget the search comes to its end");
        (solution, solver.visited())
    }
}

/// What the midgame search expects of `position`, in discs: a score to begin with.
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
