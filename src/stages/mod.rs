//! Stages: positions in which black, to move, must make five against a good defender.
//!
//! Reading order: [`Stage`] is a position with its known win. [`read`] reads it from a file, in our format or a
//! course's. A [`StageSet`] is a run in which a bot plays black in each stage. [`play`] passes every [`Attempt`] to its
//! caller.

mod run;
mod stage;

pub use run::{Attempt, StageSet, play, recorded};
pub use stage::{Means, Stage, Win, read};
