//! The protocols of bots: the arena's own and the standard ones of other programs.
//!
//! A [`Dialect`] turns the arena's messages (a game begins, a question, the end) into the bytes of
//! one protocol, and a line of that protocol into its meaning ([`Heard`]). It is pure: it knows no
//! process, no pipe and no clock, so that a transcript is enough to test it. Deadlines and faults are
//! in `bot::Conversation` and are the same for all.
//!
//! Each protocol has a file: [`arena`] (JSON lines), [`botzone`], [`columbia`], [`gomocup`], [`gtp`],
//! [`nboard`].

mod arena;
mod botzone;
mod columbia;
mod gomocup;
mod gtp;
mod language;
mod moves;
mod nboard;
mod thoughts;

pub use language::{Dialect, Due, Heard, Protocol, Question, Room, looks_like};

impl Protocol {
    /// The games that can be played in it.
    pub fn games(self) -> Vec<&'static str> {
        match self {
            Protocol::Arena | Protocol::Gtp => games::names(),
            Protocol::Gomocup => gomocup::GAMES.to_vec(),
            Protocol::Nboard => nboard::GAMES.to_vec(),
            Protocol::Columbia => columbia::GAMES.to_vec(),
            Protocol::Botzone | Protocol::BotzoneText => botzone::GAMES.to_vec(),
        }
    }

    /// A dialogue in this protocol that has not begun. `setup`: lines in the protocol, sent before
    /// each game.
    pub fn dialect(self, setup: &[String]) -> Box<dyn Dialect> {
        match self {
            Protocol::Arena => Box::new(arena::Arena::new()),
            Protocol::Gomocup => Box::new(gomocup::Gomocup::new(setup)),
            Protocol::Gtp => Box::new(gtp::Gtp::new(setup)),
            Protocol::Nboard => Box::new(nboard::Nboard::new(setup)),
            Protocol::Columbia => Box::new(columbia::Columbia::new(setup)),
            Protocol::Botzone => Box::new(botzone::Botzone::new(false)),
            Protocol::BotzoneText => Box::new(botzone::Botzone::new(true)),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
