//! The endgame: perfect play.
//!
//! A [`Solver`] finds the final score of a position, in discs for the side to move. By the number
//! of empty squares it works in four ways, each a file of its own and each handing over to the
//! next: `deep` orders moves by a search, `fastest_first` by the opponent's mobility, `shallow` by
//! [`parity`] alone, and `last_four` is written out. [`stability`] bounds scores on the way.
//!
//! [`selective`] goes before where many squares are empty. A [`Team`] of threads solves one position
//! `together`.
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
mod last_move;
mod line;
mod parity;
mod principal;
mod selective;
mod shallow;
mod solver;
mod stability;
mod team;
mod together;
pub(super) mod within;

pub use exact::ExactSolver;
pub use principal::Solution;
pub use solver::Solver;
pub use team::Team;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use games::othello::{Portable, Position};
    use proptest::prelude::*;

    use super::exact::aided;
    use super::solver::plain;
    use super::*;
    use crate::othello::evaluation::Weights;
    use crate::othello::reached::late;
    use crate::othello::{PASS, ffo};
    use crate::search::{Budget, TranspositionTable};

    /// What the line of a solution comes to for the side to move of `position`: its score, if both sides
    /// play perfectly and it goes on to the end.
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
