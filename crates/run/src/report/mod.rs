//! Makes reports from records: tables on disk, a table in the terminal, a progress bar.
//!
//! [`Standings`] counts games one by one. The CSV writers are pure functions from records or standings to rows. Only
//! [`tables`], [`page`] and [`tuning`] write files, and they always replace whole files.

mod columns;
mod goal;
pub mod grade;
mod head_to_head;
pub mod page;
mod progress;
mod results;
mod standings;
mod summary;
pub mod tables;
pub mod terminal;
pub mod tuning;
mod whole_file;

pub use columns::maybe;
pub use goal::{GoalLine, plan_text};
pub use head_to_head::Pairing;
pub use progress::{ClassProgress, Progress, Waiting, headline};
pub use results::{
    BotResults, ClassResults, MatchResults, MissedWin, ResultsSchema, RunResults, ScoreResults,
    StageResults, StageRunResults,
};
pub use standings::{BotLine, Standings, places_text};
pub use summary::{Summary, result};
pub use terminal::{Grid, standings as standings_table};
pub use tuning::TuningLine;
