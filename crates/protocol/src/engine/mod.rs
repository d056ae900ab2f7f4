//! A bot of ours as an engine in other people's programs: Gomocup, GTP, `NBoard`, Botzone.
//!
//! Each protocol is a [`Dialect`](dialect::Dialect), a pure state machine: a line in; lines to say,
//! games to start and questions for the bot out. [`Conversation`] has the bot beside the dialect
//! and does what it is told; [`speak`] ties both to pipes. Only `conversation` reads a clock.
//!
//! Reading order: `setting` (what a person may choose), `dialect`, `conversation`, then any of
//! `gomocup`, `gtp`, `nboard`, `botzone`.

mod botzone;
mod conversation;
mod dialect;
mod gomocup;
mod gtp;
mod nboard;
mod setting;
mod speak;

pub use conversation::Conversation;
pub use setting::{BadSetting, Language, Setting};
pub use speak::{NotSpoken, speak};
