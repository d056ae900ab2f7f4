//! The screen of a game that a person plays: [`PlayScreen`] hears keys, [`sight`] draws.

mod screen;
mod sight;

pub use screen::{Hint, PlayScreen};
pub use sight::Advice;
