//! The arena: launches bots, referees their games, turns the games into tables.
//!
//! Reading order: the packages [`referee`] (one game) and [`stats`] (mathematics only), then
//! [`tournament`] (many games), [`store`] (the record of a run), [`grade`] (a mark from games),
//! [`stages`] (positions to be won), [`shard`] (a run on many machines), [`doctor`] (what is wrong with
//! a bot), [`analysis`] (where a game turned), [`report`] (tables), [`terminal`] (watch, replay and play in
//! a terminal), [`web`] (the same in pages, with their texts in [`lang`]), [`cli`] (one file a subcommand).

/// A [`Problem`](referee::problem::Problem) with a formatted text.
macro_rules! problem {
    ($($text:tt)*) => { referee::problem::Problem::new(format!($($text)*)) };
}

pub mod analysis;
#[cfg(test)]
mod cases;
pub mod cli;
pub mod doctor;
pub mod grade;
pub mod lang;
pub mod mark;
pub mod report;
pub mod run;
pub mod shard;
pub mod stages;
pub mod store;
pub mod terminal;
pub mod tournament;
pub mod web;
