//! The endgame: perfect play.
//!
//! A [`Solver`] finds the final score of a position, in discs for the side to move. By the number
//! of empty squares it works in four ways, each a file of its own and each handing over to the
//! next: `deep` orders moves with care, `fastest_first` by the opponent's mobility, `shallow` by
//! [`parity`] alone, and `last_four` is written out. [`stability`] bounds scores on the way.
//!
//! Nearly all questions are zero windows, "more than `alpha` or not?"; `principal` asks them.

#![expect(
    clippy::inline_always,
    reason = "what is inlined into `Kernel::vectorize` is compiled with its instructions"
)]

mod deep;
mod exact;
mod fastest_first;
mod last_four;
mod parity;
mod principal;
mod shallow;
mod stability;

use std::sync::Arc;

use games::othello::{Kernel, Position};

use super::DISC;
use super::OthelloPosition;
use super::evaluation::Weights;
use crate::search::{Budget, Depth, Search, TranspositionTable};

pub(super) use exact::Exact;
pub use exact::{ExactSolver, score_within};
pub use principal::Solution;

/// Solves positions, and counts and remembers those it has seen.
pub struct Solver<K> {
    kernel: K,
    /// Final scores of positions, apart from those of the midgame by their keys.
    table: Arc<TranspositionTable>,
    /// The search that orders moves where it matters most; not needed for few empty squares.
    midgame: Option<Search<OthelloPosition>>,
    /// Positions visited, those of the midgame search apart.
    pub nodes: u64,
    budget: Budget,
    stopped: bool,
    next_poll: u64,
}

impl<K: Kernel> Solver<K> {
    /// A solver that orders moves with `weights` and gives up when `budget` (its depth aside) is
    /// spent.
    pub fn new(
        kernel: K,
        table: Arc<TranspositionTable>,
        weights: Arc<Weights>,
        budget: Budget,
    ) -> Solver<K> {
        let position = OthelloPosition::new(Position::START, weights);
        Solver {
            midgame: Some(Search::new(position, Arc::clone(&table))),
            budget,
            ..Solver::unaided(kernel, table)
        }
    }

    /// A solver without limit for positions with few empty squares.
    fn unaided(kernel: K, table: Arc<TranspositionTable>) -> Solver<K> {
        Solver {
            kernel,
            midgame: None,
            table,
            nodes: 0,
            budget: Budget::default(),
            stopped: false,
            next_poll: Budget::POLL,
        }
    }

    /// The score of `position` with `empties` empty squares in a zero window at `alpha`: more than
    /// `alpha` is a lower bound, any other an upper bound.
    #[inline]
    fn zero_window(&mut self, position: Position, empties: u32, alpha: i32) -> i32 {
        match empties {
            0..=3 => plain(self.kernel, position, alpha, alpha + 1, &mut self.nodes),
            4 => {
                let nodes = &mut self.nodes;
                last_four::four(self.kernel, position, position.empties(), alpha, nodes)
            }
            5..=SHALLOW => self.shallow(position, empties, alpha),
            _ => self.fastest_first(position, empties, alpha),
        }
    }

    /// A bound that stable discs put on the score: the opponent keeps what cannot be turned over.
    #[inline(always)]
    fn stability_cutoff(position: Position, empties: u32, alpha: i32) -> Option<i32> {
        if alpha < 2 * empties as i32 - 4 {
            return None;
        }
        let theirs = stability::stable_discs(position.opponent, position.own).count_ones();
        let most = 64 - 2 * theirs as i32;
        (most <= alpha).then_some(most)
    }

    /// What the midgame search expects of `position`, in discs: a score to begin with.
    fn guess(&mut self, position: Position) -> i32 {
        let empties = position.empties().count_ones();
        let Some(midgame) = self.midgame.as_mut().filter(|_| empties >= deep::DEEP) else {
            return 0;
        };
        let depth = (empties / 2).min(12) as Depth;
        midgame.position.set(position);
        let report = midgame.deepen(Budget::of_depth(depth), depth, &mut |_| ());
        self.nodes += std::mem::take(&mut midgame.nodes);
        report.score / DISC
    }

    /// Positions visited, those of the search that orders moves included.
    pub fn visited(&self) -> u64 {
        self.nodes + self.midgame.as_ref().map_or(0, |midgame| midgame.nodes)
    }

    /// Whether the budget ran out, so that nothing found since can be trusted.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the budget is spent.
    #[inline]
    fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_poll && !self.stopped {
            // Nodes are a few nanoseconds here.
            self.next_poll = self.nodes + 4 * Budget::POLL;
            self.stopped = self.budget.is_spent(self.nodes);
        }
        self.stopped
    }
}

/// Most empty squares at which moves are tried by parity alone.
const SHALLOW: u32 = 6;

/// The key of a position in the solver's table: not that of the midgame, whose scores are others.
#[inline]
fn key(position: Position) -> u64 {
    super::position::key(position) ^ 0x5851_f42d_4c95_7f2d
}

/// Alpha-beta and nothing else, for very few empty squares and for tests.
fn plain<K: Kernel>(kernel: K, position: Position, alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let moves = kernel.legal_moves(position.own, position.opponent);
    if moves == 0 {
        let passed = position.pass();
        if kernel.legal_moves(passed.own, passed.opponent) == 0 {
            return position.final_score();
        }
        return -plain(kernel, passed, -beta, -alpha, nodes);
    }
    let mut best = -64;
    for square in games::othello::squares(moves) {
        let flips = kernel.flips(position.own, position.opponent, square);
        let next = position.play_flips(square, flips);
        let score = -plain(kernel, next, -beta, -alpha.max(best), nodes);
        best = best.max(score);
        if best >= beta {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use games::othello::Portable;
    use proptest::prelude::*;

    use super::*;
    use crate::othello::position::tests::late;
    use crate::othello::{PASS, ffo};

    proptest! {
        #[test]
        fn the_solver_returns_the_minimax_value(position in late(1..=11)) {
            // A game that ends early leaves more squares empty than can be searched plainly.
            prop_assume!(position.empties().count_ones() <= 11);
            let score = plain(Portable, position, -65, 65, &mut 0);
            let (solution, _) = ExactSolver::new(1).solve(position);
            prop_assert_eq!(solution.score, score, "{:?}", position);
            // The line is perfect play to the end.
            let mut now = position;
            for &played in &solution.line {
                now = match played {
                    PASS => now.pass(),
                    square => now.play(square.index()),
                };
            }
            prop_assert!(now.is_over(), "{:?}", now);
            let turned = if solution.line.len() % 2 == 0 { 1 } else { -1 };
            prop_assert_eq!(turned * now.final_score(), score, "{:?}", position);
        }

        #[test]
        fn who_wins_is_the_sign_of_the_minimax_value(position in late(5..=10)) {
            prop_assume!(position.empties().count_ones() <= 10);
            let score = plain(Portable, position, -65, 65, &mut 0);
            let table = Arc::new(TranspositionTable::new(1));
            let mut solver = Solver::new(Portable, table, Weights::trained(), Budget::default());
            let result = solver.solve_result(position).expect("there is no limit");
            prop_assert_eq!(result.score, score.signum(), "{:?}", position);
        }

        #[test]
        fn every_zero_window_is_answered_right(position in late(1..=9), alpha in -64..64) {
            prop_assume!(position.empties().count_ones() <= 9);
            let score = plain(Portable, position, -65, 65, &mut 0);
            let table = Arc::new(TranspositionTable::new(1));
            let mut solver = Solver::new(Portable, table, Weights::trained(), Budget::default());
            let bound = solver.zero_window(position, position.empties().count_ones(), alpha);
            if bound > alpha {
                prop_assert!(score >= bound, "{bound} is a lower bound of {score}");
            } else {
                prop_assert!(score <= bound, "{bound} is an upper bound of {score}");
            }
        }
    }

    #[test]
    fn ffo_positions_40_to_44_are_solved() {
        for problem in ffo::positions(40, 44) {
            let (solution, _) = ExactSolver::new(64).solve(problem.board.position());
            let published = problem.best_score();
            assert_eq!(Some(solution.score), published, "{}", problem.name);
        }
    }
}
