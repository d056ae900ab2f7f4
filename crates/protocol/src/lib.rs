//! What the arena and its bots say to each other, version 1: JSON Lines over stdin and stdout.
//!
//! For the author of a bot in Rust: implement [`Bot`] and call [`serve`]; that is all.
//! For the arena: [`ToBot`] and [`ToArena`] are the messages, [`LineBuffer`] cuts bytes into lines,
//! [`TurnEncoder`] writes the one message that is sent a million times. [`codec`] has the lines of other
//! standard protocols, and [`engine`] lets a bot speak them.
//!
//! Strings become squares and durations here, at the border; past [`Start`] and [`Question`]
//! nothing knows JSON. No process is handled here, and time is only read in [`serve`] and [`engine`].

#![warn(missing_docs)]

mod bot;
pub mod codec;
pub mod engine;
mod line;
mod message;
mod serve;
mod turn;

pub use bot::{Bot, Question, Start};
pub use line::{LineBuffer, LineTooLong, MAX_LINE};
pub use message::{
    Colour, GameResult, Hello, Info, MoveMessage, Over, Ready, ToArena, ToBot, Turn, VERSION,
};
pub use serve::{BadLine, serve};
pub use turn::TurnEncoder;
