//! What a position is worth, in 1/128 disc for the side to move.
//!
//! Reading order: [`patterns`], small sets of squares; [`Features`], how each is filled, kept up to
//! date move by move; [`Weights`], what each filling is worth in each phase of the game.

mod features;
pub mod file;
pub mod patterns;
mod weights;

pub use features::Features;
pub use weights::{MOVES, PHASES, PhaseWeights, Weights, phase};
