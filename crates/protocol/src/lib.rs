//! The protocol between the arena and its bots, version 1: JSON Lines over stdin and stdout.
//!
//! The author of a bot in Rust implements [`Bot`] and calls [`serve()`]. The arena uses the messages [`ToBot`] and
//! [`ToArena`]; [`LineBuffer`], which cuts bytes into lines; and [`TurnEncoder`], a fast writer of the most frequent
//! message. [`codec`] has the lines of other standard protocols, and [`engine_server`] connects a bot to these
//! protocols. The crate parses the JSON, so that [`Start`] and [`Question`] contain squares and durations, not strings.
//! Nothing here starts a process, and only [`serve()`] and [`engine_server`] read the time.

#![warn(missing_docs)]

mod bot;
pub mod codec;
pub mod engine_server;
mod line;
mod serve;
mod turn;
mod wire;

pub use bot::{Bot, Question, Start};
pub use line::{LineBuffer, LineTooLong, MAX_LINE};
pub use serve::{BadLine, serve};
pub use turn::TurnEncoder;
pub use wire::{
    Colour, GameResult, Hello, Info, MoveMessage, OpeningTurn, Over, Ready, ToArena, ToBot, Turn,
    VERSION,
};
