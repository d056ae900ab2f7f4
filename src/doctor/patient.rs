//! Who is looked at, in which games, and how long things may take.

use std::time::Duration;

use games::Game;

use super::finding::Report;
use super::language::Language;
use referee::bot::{Build, Launch, Restart};

/// The bot that is to be looked at.
#[derive(Clone, Debug)]
pub struct Patient {
    /// How it is called.
    pub name: String,
    /// What to start.
    pub launch: Launch,
    /// What is done before its first start.
    pub build: Option<Build>,
    /// Whether it gets a fresh process for each game.
    pub restart: Restart,
    /// The memory it is told that it may use.
    pub memory_mib: Option<u64>,
}

/// How long things may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// The limit of a move.
    pub move_time: Duration,
    /// What is borne beyond it.
    pub margin: Duration,
    /// From the start to `ready`.
    pub start: Duration,
    /// How long silence is borne beyond what is due, before it is looked into.
    pub silence: Duration,
    /// For what comes a little later, or shows that nothing comes.
    pub settle: Duration,
    /// From `quit` to the end.
    pub parting: Duration,
}

/// A game that the bot is tried in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// Which.
    pub game: Game,
    /// Whether on other boards and by other rules, too.
    pub all: bool,
}

/// The page on the protocol, as the arena's own documents have it.
const PAGE: &str = "docs/protocol.md";
/// The same beside a bot that `arena new-bot` began.
const PAGE_BESIDE_IT: &str = "PROTOCOL.md";

impl Patient {
    /// The same advice, naming the page on the protocol that its author has.
    pub(super) fn with_page(&self, advice: &str) -> String {
        let files = self.launch.files();
        let folders = files.iter().filter_map(|file| file.parent());
        let mut folders = folders.chain(self.launch.folder.as_deref());
        if folders.any(|folder| folder.join(PAGE_BESIDE_IT).is_file()) {
            advice.replace(PAGE, PAGE_BESIDE_IT)
        } else {
            advice.replace(PAGE, &format!("{PAGE} of the arena"))
        }
    }

    /// A report that says nothing yet.
    pub fn report(&self) -> Report {
        Report {
            bot: self.name.clone(),
            command: self.launch.display(),
            language: Language::of(&self.launch).name(),
            protocol: self.launch.protocol.word(),
            checks: Vec::new(),
            findings: Vec::new(),
        }
    }
}

impl Course {
    /// What it is called in a report.
    pub fn title(&self) -> String {
        let course = self.game.family().course(self.game, self.all);
        format!("plays {course}")
    }
}
