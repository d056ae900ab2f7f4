//! From records to reports: tables on disk, a table in the terminal, a progress bar.
//!
//! [`Standings`] counts games one by one, in memory that does not grow with their number. The CSV
//! writers are pure: they take records or standings and write rows. Only [`tables`] writes files; it
//! always replaces a whole file.

mod cell;
mod columns;
mod file;
mod games_csv;
pub mod grade;
pub mod json;
mod match_line;
mod moves_csv;
pub mod page;
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
pub use progress::{ClassProgress, Progress, Waiting};
pub use standings::{BotLine, Placing, Standings};
pub use summary::Summary;
pub use terminal::standings as standings_table;
pub use test_line::TestLine;
