//! Othello: the position, evaluation, endgame solver and searcher. Reading order: [`OthelloPosition`]; [`evaluation`];
//! [`OthelloSearcher`], which adds a clock.

pub mod analysis;
pub mod bench;
pub mod endgame;
pub mod evaluation;
mod exact_solver;
pub mod lesson;
mod midgame;
mod position;
pub mod prob_cut;
mod searcher;

pub use bench::ffo;
pub use exact_solver::ExactSolver;
pub use midgame::OthelloPosition;
pub use searcher::{OthelloSearcher, notation};

use crate::search::{Move, Score};

/// Score units of one disc.
pub const DISC: Score = 128;

/// The forced pass; its number follows those of the squares.
pub const PASS: Move = Move(64);

#[cfg(test)]
mod reached {
    use games::othello::{Position, squares};
    use proptest::prelude::*;

    pub fn reachable() -> impl Strategy<Value = Position> {
        proptest::collection::vec(any::<prop::sample::Index>(), 0..56)
            .prop_map(|choices| played(&choices, 0))
    }

    /// Returns a position like [`reachable`] with a number of empty squares in `empties`; more if the game ended early.
    pub fn late(empties: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = Position> {
        let choices = proptest::collection::vec(any::<prop::sample::Index>(), 60);
        (choices, empties).prop_map(|(choices, empties)| played(&choices, empties))
    }

    fn played(choices: &[prop::sample::Index], empties: u32) -> Position {
        let mut position = Position::START;
        for choice in choices {
            if position.empties().count_ones() <= empties {
                break;
            }
            let moves: Vec<usize> = squares(position.legal_moves()).collect();
            let next = position.play(moves[choice.index(moves.len())]);
            if next.is_over() {
                break;
            }
            position = if next.legal_moves() == 0 {
                next.pass()
            } else {
                next
            };
        }
        position
    }
}
