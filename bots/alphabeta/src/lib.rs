//! The alpha-beta bot for Othello and Gomoku.
//!
//! Reading order: [`search`], which both games share, beginning with its trait
//! [`SearchPosition`](search::SearchPosition); then [`othello`] and [`gomoku`], which implement the trait; then
//! `options` and [`Level`]; then `searcher` and `bot`, which connect everything to the protocol. [`cli`] has the
//! subcommands, which the arena also uses. The engine does not use JSON, and only `search::time` checks deadlines.

pub mod book;
mod bot;
pub mod cli;
mod data_file;
pub mod gomoku;
mod level;
mod options;
pub mod othello;
pub mod search;
mod searcher;
mod tuning;

pub use bot::AlphaBeta;
pub use level::{Level, Strength};
pub use options::{BadOption, Evaluation, Options, SearchLimits};
pub use searcher::{SearchInfo, Searcher, Setup};
pub use tuning::Tuning;

pub fn bot(options: &Options) -> Result<Box<dyn protocol::Bot>, BadOption> {
    Ok(Box::new(AlphaBeta::new(SearchLimits::try_from(options)?)))
}
