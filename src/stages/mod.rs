//! Stages: positions that the side to move must win, or must not lose, against a good defender.
//!
//! Reading order: [`Stage`] is a position with its known result. [`read`] reads a stage from a file, in our format or
//! that of a university course. A [`StageSet`] is a run in which a bot plays each stage as the side to move. [`play`]
//! plays the set, and passes all [`Attempt`]s to its caller after each game. [`Changes`] compares the run with the
//! former one. [`Stage::of_lapse`] makes a stage from a game.

mod former;
mod lapse;
mod run;
mod stage;

pub use former::Changes;
pub use run::{Attempt, StageSet, play, recorded};
pub use stage::{Answer, Means, Proof, Stage, Win, read};
