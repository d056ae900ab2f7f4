//! A doctor for bots: finds a bot's problems and explains how to fix them.
//!
//! [`examine`] starts the bot, plays prepared positions with it, and returns a [`Report`]: the checks and the findings.
//! `examination` has the order of the checks, `session` one process, `experiment` the runs with one thing changed, and
//! `changed` the protocol with which they run. A cause is claimed only if such a run shows it; otherwise the finding
//! has the evidence. Pure functions interpret that, so that tables can test them:
//!
//! | module | from | to |
//! |---|---|---|
//! | `fault` | a fault and its `evidence` | a finding |
//! | `line` | a line that is no answer | a finding |
//! | `illegal_move` | illegal moves | the notation in which they are legal |
//! | `traceback` | the output of a compiler or a runtime | the error and its line of source |
//! | `packages` | an error about something missing | how to install it |
//! | `language` | a command | code examples in the bot's language |
//!
//! This module does not depend on tournaments and writes nothing to disk.

mod changed;
mod evidence;
mod examination;
mod experiment;
mod fault;
mod illegal_move;
mod language;
mod line;
mod measures;
mod packages;
mod report;
mod session;
pub mod text;
mod traceback;

use std::fmt::Debug;
use std::path::Path;
use std::time::Duration;

use games::Game;
use message::{Message, message};

use self::language::Language;
use referee::bot::{Build, Launch, Restart, cache};
use referee::dialect::Protocol;

pub use examination::examine;
pub use report::{Check, Code, Finding, Report, Severity};
pub use traceback::Traceback;

#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    /// The recognised form of its file; `None` if a command or a manifest starts it.
    pub taken_for: Option<Message>,
    pub launch: Launch,
    pub build: Option<Build>,
    pub restart: Restart,
    /// The memory limit in `hello`.
    pub memory_mib: Option<u64>,
    /// The memory limit of a grade.
    pub most_mib: u64,
}

impl Subject {
    /// Returns whether its author wrote the arena's messages: it is not an engine of another protocol, nor a program
    /// that one of the arena's own asks.
    pub fn speaks_our_protocol(&self) -> bool {
        let words = self.launch.arguments.iter().map(Path::new);
        let is_asked_by_ours = words
            .into_iter()
            .any(|word| word.starts_with(cache("frames")));
        self.launch.protocol == Protocol::Arena && !is_asked_by_ours
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    pub move_time: Duration,
    /// The tolerance beyond that limit.
    pub margin: Duration,
    /// From the start to `ready`.
    pub start: Duration,
    /// The silence beyond a limit after which the doctor looks for the cause.
    pub silence: Duration,
    /// The wait for late output, or for an idle bot.
    pub settle: Duration,
    /// From `quit` to the end.
    pub parting: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    pub game: Game,
    /// Also tests other boards and other rules.
    pub all: bool,
}

impl Subject {
    pub fn report(&self) -> Report {
        Report {
            bot: self.name.clone(),
            command: self.launch.display(),
            language: Language::of(&self.launch).idioms().name,
            taken_for: self.taken_for.clone(),
            protocol: self.launch.protocol.word(),
            checks: Vec::new(),
            findings: Vec::new(),
        }
    }
}

impl Course {
    pub fn title(&self) -> Message {
        let course = self.game.family().course(self.game, self.all);
        message!("plays {course}")
    }
}

pub trait Observer: Debug {
    /// The doctor begins to wait; a phrase without a full stop: `waiting for ready`.
    fn waits(&self, what: Message);

    fn made(&self, check: &Check);

    /// Returns the start of the bot in the sandbox of a grade; `None`: this machine has none.
    fn in_a_grade(&self, game: Game) -> Option<Launch>;
}
