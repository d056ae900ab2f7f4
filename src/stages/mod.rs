//! Stages: positions in which black, to move, is to make five against a good defender.
//!
//! Reading order: [`Stage`] is one position and what is known of it; [`read`] makes one of a file,
//! ours or a course's; [`run`] lets a bot play black in each and hands every [`Attempt`] to its
//! caller. How results are shown is not known here.

mod attempt;
mod read;
mod runner;
mod stage;

pub use attempt::Attempt;
pub use read::read;
pub use runner::{Conditions, NewPerson, run};
pub use stage::{Means, Stage, Win};
