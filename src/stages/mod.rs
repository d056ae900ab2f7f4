//! Stages: positions in which black, to move, is to make five against a good defender.
//!
//! Reading order: [`Stage`] is one position and what is known of it; [`read`] makes one of a file,
//! ours or a course's; a [`StageSet`] is played as a run, in which a bot has black in each stage, and
//! [`play`] hands every [`Attempt`] to its caller. How results are shown is not known here.

mod attempt;
mod read;
mod run;
mod stage;

pub use attempt::Attempt;
pub use read::read;
pub use run::{PERSON, StageSet, play, recorded};
pub use stage::{Means, Stage, Win};
