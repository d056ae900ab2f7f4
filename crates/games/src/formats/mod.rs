//! Games in the standard file formats.
//!
//! A [`SavedGame`] has the content of any format: the start, the moves, the players, the result. Each format has a
//! module of pure functions that read or write it. Reading a written game returns all that the format can hold.

mod any;
mod error;
pub mod ggf;
pub mod obf;
pub mod offsets;
pub mod psq;
mod replay;
mod saved;
mod scanner;
pub mod sgf;
pub mod text;
mod transcripts;
pub mod wthor;

pub use any::{BadGames, read, write};
pub use error::{BadFile, CannotHold, Mistake};
pub use saved::{GameResult, How, SavedGame, SavedMove, TimeControl};
pub use transcripts::transcripts;
