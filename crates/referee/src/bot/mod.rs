//! A bot process: its description, its start, the dialogue with it, its end.
//!
//! [`Launch`] describes the start, [`Build`] builds the bot first, and [`BotProcess`] is the running process.
//! [`Conversation`] is the dialogue with it as a pure state machine; `deadline` enforces the time limit of an answer. A
//! bot's misbehaviour is a [`Fault`](crate::record::Fault), and a failure of the arena is an [`ArenaError`]: see
//! [`void`](crate::void). This module does not interpret positions and moves.

mod build;
mod cache;
mod conversation;
mod deadline;
mod disk_share;
mod files;
mod launch;
mod log;
mod manifest;
mod name;
mod process;

pub use crate::void::{ArenaError, Failure};
pub use build::{Build, BuildError};
pub use cache::{cache, cached, is_kept, keep, new_entry, tidy};
pub use conversation::Answer;
use conversation::{Conversation, Event, Step};
pub use deadline::Allowance;
pub use disk_share::DiskShare;
pub use files::{
    Exceeded, Quota, add_bytes, add_entries, add_file, digits, is_generated_or_installed, is_junk,
    is_remade, read_in_own, read_named, read_own, read_regular, sha256, size,
};
pub use launch::{Asks, KnownGreeting, Launch};
pub use log::{Log, Tail};
pub use manifest::{BotOption, Manifest, Restart};
pub use name::{LONGEST_NAME, check_name, is_confusable, is_plain, looks_like, plain_name};
pub use process::{BotProcess, Hold, Identity, PARTING, Parting};

pub use host::{program_file, split_words};
