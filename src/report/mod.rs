//! From records to what people read: tables on disk, a table in the terminal, a bar that moves.
//!
//! [`Standings`] counts games as they come, in memory that does not grow with their number. The
//! CSV writers are pure: they take records or standings and write rows; [`tables`] alone owns
//! files, and replaces each of them whole.

mod cell;
mod columns;
pub mod failures;
mod games_csv;
pub mod grade;
pub mod json;
mod match_line;
mod moves_csv;
mod pairing;
mod pairs_csv;
mod progress;
mod standings;
mod standings_csv;
mod summary;
pub mod tables;
pub mod terminal;
mod test_line;

pub use match_line::MatchLine;
pub use pairing::Pairing;
pub use progress::{ClassProgress, Progress};
pub use standings::{BotLine, Placing, Standings};
pub use summary::Summary;
pub use test_line::TestLine;
