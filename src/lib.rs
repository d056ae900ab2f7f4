//! The arena: launches bots, referees their games, turns the games into tables.
//!
//! Reading order: [`record`] (what is known of a finished game), [`bot`] (a process and the talk
//! with it), [`referee`] (one game).

pub mod bot;
pub mod record;
pub mod referee;
