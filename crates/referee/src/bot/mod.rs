//! One bot process: its description, its start, the dialogue with it, its end.
//!
//! [`Launch`] says what to start; [`BotProcess`] is the running process with its pipes and
//! deadlines; [`Build`] makes the bot before the first start; [`Conversation`] is the dialogue as a
//! pure state machine. The process itself is a [`host::Process`]. A bot's failure is a value
//! ([`Fault`](crate::record::Fault)), a failure of the arena is an error ([`ArenaError`]): see
//! [`Failure`]. This module does not know games, clocks and legal moves.

mod build;
mod cache;
mod conversation;
mod file;
mod hold;
mod late;
mod launch;
mod leftovers;
mod log;
mod manifest;
mod name;
mod process;
mod quota;
mod sha256;

pub use build::{Build, BuildError};
pub use cache::{cache, cached, keep, new_entry};
pub use conversation::{Allowance, Answer, Conversation, Event, Step};
pub use file::{read_in_own, read_named, read_own, read_regular, size};
pub use hold::Hold;
pub use launch::{Asks, Launch};
pub use leftovers::{is_foreign, is_junk, is_remade};
pub use log::{Log, Tail};
pub use manifest::{BotOption, Manifest, Restart};
pub use name::{LONGEST_NAME, check_name, is_plain, looks_like, plain_name};
pub use process::{BotProcess, Identity, PARTING, Parting};
pub use quota::{Exceeded, Quota};
pub use sha256::{add_bytes, add_entries, add_file, digits, sha256};

/// What those who name a bot need to know of the system.
pub use host::{program_file, split_words};

use crate::record::Fault;

/// Why a bot gave no answer.
#[derive(Debug)]
pub enum Failure {
    /// A failure of the bot.
    Fault(Fault),
    /// A failure of the arena or the machine.
    Arena(ArenaError),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

impl From<ArenaError> for Failure {
    fn from(error: ArenaError) -> Failure {
        Failure::Arena(error)
    }
}

/// A failure of the arena or of the machine: it voids a game and is never charged to a bot.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// The system gave no process, pipe or memory.
    #[error("the system gave no process for a bot")]
    Spawn(#[source] std::io::Error),
    /// The system gave no thread; the text says so.
    #[error("{0}")]
    Thread(std::io::Error),
    /// Bots cannot be started on this system yet.
    #[error("bots cannot be started on this system yet")]
    NotSupported,
    /// No box could be made for a bot.
    #[error("the sandbox of a bot cannot be made: {0}")]
    NoBox(String),
    /// The run is being stopped.
    #[error("the run is being stopped")]
    Aborted,
    /// A pipe or a poll failed in a way that no bot can cause.
    #[error("a pipe to a bot failed")]
    Pipe(#[source] std::io::Error),
    /// The machine stood still while a clock ran.
    #[error("the machine stood still for {} ms while a clock ran", .0.as_millis())]
    Stalled(std::time::Duration),
    /// Other programs kept the bot, or the arena from reading its answer, for as long as it was late.
    #[error("a bot was kept from its core for {} ms: the machine has other work", .0.as_millis())]
    Starved(std::time::Duration),
    /// A built-in bot or a test player did not start, which is no win of its opponent.
    #[error("a reference opponent {0}")]
    Reference(Fault),
}
