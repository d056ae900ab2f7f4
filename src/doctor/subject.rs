//! Which bot is examined, in which games, and how long each step may take.

use std::time::Duration;

use games::Game;

use super::finding::Report;
use super::language::Language;
use referee::bot::{Build, Launch, Restart};

/// The bot to examine.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name.
    pub name: String,
    /// What its file was recognised as, if nobody wrote down how it is started.
    pub taken_for: Option<String>,
    /// What to start.
    pub launch: Launch,
    /// How it is built before its first start.
    pub build: Option<Build>,
    /// Whether it gets a new process for each game.
    pub restart: Restart,
    /// The memory limit that it is told.
    pub memory_mib: Option<u64>,
}

/// How long each step may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// The limit of a move.
    pub move_time: Duration,
    /// The tolerance beyond that limit.
    pub margin: Duration,
    /// From the start to `ready`.
    pub start: Duration,
    /// How long it may be silent beyond its limit before the doctor looks for the cause.
    pub silence: Duration,
    /// How long the doctor waits for late output, or to see that the bot is idle.
    pub settle: Duration,
    /// From `quit` to the end.
    pub parting: Duration,
}

/// A game that the bot is tested in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The game.
    pub game: Game,
    /// Whether also on other boards and with other rules.
    pub all: bool,
}

/// The description of the protocol in the arena's own documents.
const PAGE: &str = "docs/protocol.md";
/// The same description in a folder that `arena new-bot` made.
const PAGE_BESIDE_IT: &str = "PROTOCOL.md";

impl Subject {
    /// The same advice, with the path of the protocol description that the author has.
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

    /// An empty report.
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
    /// Its name in a report.
    pub fn title(&self) -> String {
        let course = self.game.family().course(self.game, self.all);
        format!("plays {course}")
    }
}
