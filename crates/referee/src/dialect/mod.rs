//! The languages that bots speak: the arena's own and those of the trade.
//!
//! A [`Dialect`] turns what the arena has to say (a game begins, a question, the end) into the
//! bytes of one language, and a line of that language into what it means ([`Heard`]). It is pure:
//! it knows no process, no pipe and no clock, so that a transcript is enough to test it. Deadlines
//! and faults are the business of `bot::Conversation` and are the same for all.
//!
//! Each language has a file: [`arena`] (JSON lines), [`gomocup`], [`gtp`], [`nboard`].

mod arena;
mod gomocup;
mod gtp;
mod language;
mod moves;
mod nboard;
mod thoughts;

pub use language::{Dialect, Due, Heard, Protocol, Question, looks_like};

impl Protocol {
    /// The games that can be played in it.
    pub fn games(self) -> Vec<&'static str> {
        match self {
            Protocol::Arena | Protocol::Gtp => games::names(),
            Protocol::Gomocup => gomocup::GAMES.to_vec(),
            Protocol::Nboard => nboard::GAMES.to_vec(),
        }
    }

    /// A talk in it that has not begun. `setup`: lines in the engine's language, sent before each
    /// game.
    pub fn dialect(self, setup: &[String]) -> Box<dyn Dialect> {
        match self {
            Protocol::Arena => Box::new(arena::Arena::new()),
            Protocol::Gomocup => Box::new(gomocup::Gomocup::new(setup)),
            Protocol::Gtp => Box::new(gtp::Gtp::new(setup)),
            Protocol::Nboard => Box::new(nboard::Nboard::new(setup)),
        }
    }
}

#[cfg(test)]
mod tests;
