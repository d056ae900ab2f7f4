//! A game that a person plays in a terminal, in a run of its own: recorded like any other.

mod screen;
mod session;

pub use screen::{Hint, PlayScreen};
pub use session::Session;
