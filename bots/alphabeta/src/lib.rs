//! The alpha-beta bot for Othello and Gomoku.
//!
//! Reading order: [`search`], which both games share, from its trait
//! [`SearchPosition`](search::SearchPosition) on; then [`othello`] and [`gomoku`], which tell it
//! what a position is worth; then `options` and [`Level`]; `bot` ties them to the protocol. [`cli`] has the
//! commands beside playing, of this binary and of the arena.
//!
//! The engine does not know JSON, and only `search::time` decides anything by a clock.

pub mod book;
mod bot;
pub mod cli;
mod data_file;
pub mod gomoku;
mod level;
mod options;
pub mod othello;
pub mod search;

pub use bot::{AlphaBeta, SearchInfo, Searcher, Setup};
pub use level::{Level, Strength};
pub use options::{BadOption, Evaluation, Options, SearchLimits};

/// Returns a bot that plays both games, as strong as `options` say.
pub fn bot(options: &Options) -> Result<Box<dyn protocol::Bot>, BadOption> {
    Ok(Box::new(AlphaBeta::new(SearchLimits::try_from(options)?)))
}
