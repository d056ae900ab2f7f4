//! Grading: a bot, or a class of them, against the opponents of a suite. A client of runs.
//!
//! A [`Suite`] says with what, a [`HandIn`] what; [`Grading`] plays one bot and writes its card and its
//! files, [`Class`] a folder of them, side by side. How marks follow from games is known to
//! [`mark`](crate::mark), how they are shown to [`report`](crate::report).

mod class;
pub mod files;
mod grading;
mod hand_in;
mod hash;
mod suite;

pub use class::{Class, ClassEvent};
pub use grading::{Grading, Prepared};
pub use hand_in::HandIn;
pub use suite::Suite;
