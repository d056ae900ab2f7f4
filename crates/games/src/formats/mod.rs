//! Games as files hold them, in the standard formats.
//!
//! A [`SavedGame`] is what any of them says of a game: where it starts, its moves, who played, how
//! it ended. Each format is a module with a pure reader and a pure writer; the caller owns the file.
//! A file that is written is read back the same, as far as its format can hold a game at all.
//!
//! Nothing here opens a file.

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
