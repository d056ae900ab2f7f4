//! The arena: launches bots, referees their games, makes tables.
//!
//! Reading order: the packages [`referee`] (one game), [`stats`] (mathematics only), [`tournament`] (the plan of many
//! games) and [`run`] (plays, records and reports them), then the clients of a run in this package: [`grade`] (a mark
//! from games), [`stages`] (positions to be won), [`shard`] (a run on many machines), [`league`] (a run that never ends), [`terminal`] (watch, replay and
//! play in a terminal), [`web`] (the same in pages), and [`cli`] (the subcommands). [`doctor`] finds the faults of a
//! bot, [`analysis`] the turning points of a game. [`message`] translates the texts of all.

pub mod analysis;
pub mod cli;
pub mod doctor;
pub mod grade;
pub mod league;
pub mod shard;
pub mod stages;
pub mod terminal;
pub mod web;
