//! A doctor for bots: finds a bot's problems and explains how to fix them.
//!
//! [`examine`] starts the bot, plays prepared positions with it, and returns a [`CheckReport`]: the checks and the
//! findings. `examination` has the order of the checks, and `session` runs one process of the bot. `experiment` runs
//! the bot again with one change, which `changed` makes in the protocol. A finding claims a cause only if such an
//! experiment shows it; otherwise the finding shows the evidence. The modules that interpret evidence start no
//! programs, so tests need only tables of cases:
//!
//! | module | from | to |
//! |---|---|---|
//! | `fault` | a fault and its `evidence` | a finding |
//! | `wrong_line` | a line that is no answer | a finding |
//! | `illegal_move` | illegal moves | the notation in which they are legal |
//! | `traceback` | the output of a compiler or a runtime | the error and its line of source |
//! | `packages` | an error about something missing | how to install it |
//! | `language` | a command | code examples in the bot's language |
//!
//! This module does not depend on tournaments and writes nothing to disk.

mod changed;
mod evidence;
mod examination;
mod exit;
mod experiment;
mod fault;
mod illegal_move;
mod language;
mod measures;
mod packages;
mod report;
mod session;
pub mod text;
mod traceback;
mod wrong_line;

use std::fmt::Debug;
use std::time::Duration;

use games::Game;
use message::{Message, message};

use self::language::BotLanguage;
use referee::bot::{Build, Launch, Restart};
use referee::dialect::Protocol;

pub use examination::examine;
pub use report::{Check, CheckReport, Code, Finding, Severity};
pub use traceback::Traceback;

#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    /// The recognised form of the bot's file; `None` if a command or a manifest starts the bot.
    pub taken_for: Option<Message>,
    pub launch: Launch,
    pub build: Option<Build>,
    pub restart: Restart,
    pub memory_mib: Option<u64>,
    /// The memory limit of a grade.
    pub most_mib: u64,
}

impl Subject {
    pub fn speaks_our_protocol(&self) -> bool {
        speaks_our_protocol(&self.launch)
    }
}

/// Returns whether the bot's author wrote code for the arena's protocol. Returns false for an engine with another
/// protocol, and for a bot in a course's form, which a program of the arena asks.
pub fn speaks_our_protocol(launch: &Launch) -> bool {
    launch.protocol == Protocol::Arena && !launch.has_frame()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    pub move_time: Duration,
    /// The tolerance beyond the limit of a move.
    pub margin: Duration,
    /// The time from the start to `ready`.
    pub start: Duration,
    /// The silence after which the doctor looks for a cause: beyond a move's limit, or in the first wait for `ready`.
    pub silence: Duration,
    /// The wait for late output or an exit; also the time in which the doctor observes whether the bot is idle.
    pub settle: Duration,
    pub parting: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckScope {
    pub game: Game,
    /// Whether to test other boards and other rules, too.
    pub all: bool,
}

impl Subject {
    pub fn report(&self) -> CheckReport {
        CheckReport {
            bot: self.name.clone(),
            command: self.launch.display(),
            language: BotLanguage::of(&self.launch).idioms().name,
            taken_for: self.taken_for.clone(),
            protocol: self.launch.protocol.word(),
            checks: Vec::new(),
            findings: Vec::new(),
        }
    }
}

impl CheckScope {
    pub fn title(&self) -> Message {
        let course = self.game.family().course(self.game, self.all);
        message!("plays {course}")
    }
}

pub trait Observer: Debug {
    /// Reports that the doctor begins to wait. `what` is a phrase without a full stop, such as `waiting for ready`.
    fn waits(&self, what: Message);

    fn made(&self, check: &Check);

    /// Returns how to start the bot in the sandbox of a grade; `None` if this machine has no sandbox.
    fn in_a_grade(&self, game: Game) -> Option<Launch>;
}
