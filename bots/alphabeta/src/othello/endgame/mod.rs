//! The endgame: perfect play.
//!
//! A [`Solver`] finds the final score of a position, in discs for the side to move. By the number
//! of empty squares it works in four ways, each a file of its own and each handing over to the
//! next: `deep` orders moves by a search, `fastest_first` by the opponent's mobility, `shallow` by
//! [`parity`] alone, and `last_four` is written out. [`stability`] bounds scores on the way.
//!
//! [`selective`] goes before where many squares are empty.
//!
//! Nearly all questions are zero windows, "more than `alpha` or not?"; `principal` asks them. `exact`
//! and `within` are the doors: with the midgame search beside, and for few empty squares without.

#![expect(
    clippy::inline_always,
    reason = "what is inlined into `Kernel::vectorize` is compiled with its instructions"
)]

mod candidates;
mod deep;
pub(super) mod exact;
mod fastest_first;
mod last_four;
mod parity;
mod principal;
mod selective;
mod shallow;
mod solver;
mod stability;
pub(super) mod within;

pub use exact::ExactSolver;
pub use principal::Solution;
pub use solver::Solver;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use games::othello::Portable;
    use proptest::prelude::*;

    use super::exact::aided;
    use super::solver::plain;
    use super::*;
    use crate::othello::evaluation::Weights;
    use crate::othello::reached::late;
    use crate::othello::{PASS, ffo};
    use crate::search::{Budget, TranspositionTable};

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
            let mut solver = aided(Portable, table, &Weights::trained(), Budget::default());
            let result = solver.solve_result(position).expect("there is no limit");
            prop_assert_eq!(result.score, score.signum(), "{:?}", position);
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

    #[test]
    fn ffo_positions_40_to_44_are_solved() {
        for problem in ffo::positions(40, 44) {
            let (solution, _) = ExactSolver::new(64).solve(problem.board.position());
            let published = problem.best_score();
            assert_eq!(Some(solution.score), published, "{}", problem.name);
        }
    }
}
