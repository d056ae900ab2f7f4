//! The arena: launches bots, referees their games, turns the games into tables.
//!
//! Reading order: [`record`] (what is known of a finished game), [`dialect`] (languages), [`bot`]
//! (a process and the talk with it), [`referee`] (one game), [`tournament`] (many games), [`store`]
//! (the record of a run), [`stats`] (mathematics only), [`grade`] (a mark from games), [`stages`]
//! (positions to be won), [`doctor`] (what ails a bot), [`report`] (tables), [`cli`] (one file a
//! subcommand); [`problem`] is what any of them may find wrong in what a person wrote.

pub mod bot;
pub mod cli;
pub mod dialect;
pub mod doctor;
pub mod grade;
pub mod problem;
pub mod record;
pub mod referee;
pub mod report;
pub mod stages;
pub mod stats;
pub mod store;
pub mod tournament;
