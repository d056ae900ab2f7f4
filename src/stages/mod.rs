//! Stages: positions in which black, to move, must make five against a good defender.
//!
//! Reading order: [`Stage`] is a position with its known win. [`read`] reads one from a file, in our format or that of
//! a university course. A [`StageSet`] is a run in which a bot plays black in each stage. [`play`] plays it, and passes
//! all [`Attempt`]s to its caller after each game.

mod run;
mod stage;

pub use run::{Attempt, StageSet, play, recorded};
pub use stage::{Means, Stage, Win, read};
