//! The arena: launches bots, referees their games, makes tables.
//!
//! Reading order: the packages [`referee`] (one game), [`stats`] (mathematics only), [`tournament`] (the plan of many
//! games) and [`run`] (plays, records and reports them). Then the modules of this package that use runs: [`grade`] (a
//! mark from games), [`stages`] (positions to win or hold), [`shard`] (a run on many machines), [`league`] (a run that
//! never ends), [`terminal`] (watch, replay and play in a terminal), [`web`] (the same in a browser), and [`cli`] (the
//! subcommands). [`doctor`] finds the faults of a bot, [`analysis`] the turning points of a game. [`message`]
//! translates all texts.

pub mod analysis;
pub mod cli;
pub mod doctor;
pub mod grade;
pub mod league;
pub mod shard;
pub mod stages;
pub mod terminal;
pub mod web;
