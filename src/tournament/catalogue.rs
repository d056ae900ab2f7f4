//! The bots that can be named without a path.
//!
//! Only the command line knows which bots are linked in; it hands the list down as a [`Catalogue`].

use std::ffi::OsString;
use std::path::PathBuf;

use referee::Solver;
use referee::bot::{BotOption, Launch, Manifest};
use referee::problem::Problem;

/// A bot of the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueEntry {
    /// How it is called.
    pub name: &'static str,
    /// The games it plays, by their names.
    pub games: Vec<&'static str>,
    /// One line on what it does.
    pub about: &'static str,
    /// The options it takes, such as `depth`.
    pub options: Vec<String>,
}

/// An engine that others have written, known by a manifest of ours, played where it is installed.
#[derive(Clone, Debug)]
pub struct KnownEngine {
    /// How it is called.
    pub name: &'static str,
    /// One line on what it is.
    pub about: &'static str,
    /// How it is started and spoken to.
    pub manifest: Manifest,
}

/// The bots of the house, weakest first, and the program that is each of them (`PROGRAM bot NAME`).
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// The arena's own binary.
    pub program: PathBuf,
    /// What there is.
    pub entries: Vec<CatalogueEntry>,
    /// The engines of others.
    pub engines: Vec<KnownEngine>,
    /// Whether the bot of the house of this name can be started with these options; it says what is
    /// wrong and what there is to choose from.
    pub check: fn(&str, &[BotOption]) -> Result<(), Problem>,
    /// Who solves the late positions of a game, by the game's name.
    pub solvers: Vec<(&'static str, Solver)>,
}

impl Catalogue {
    /// The bot called `name`.
    pub fn find(&self, name: &str) -> Option<&CatalogueEntry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The engine called `name`.
    pub fn find_engine(&self, name: &str) -> Option<&KnownEngine> {
        self.engines.iter().find(|engine| engine.name == name)
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let entries = self.entries.iter().map(|entry| entry.name);
        entries.chain(self.engines.iter().map(|engine| engine.name))
    }

    /// What to start for `entry` with these options.
    pub fn launch(&self, entry: &CatalogueEntry, options: &[BotOption]) -> Launch {
        let mut arguments: Vec<OsString> = vec!["bot".into(), entry.name.into()];
        arguments.extend(options.iter().map(|option| argument(option).into()));
        Launch {
            program: self.program.clone(),
            arguments,
            ..Launch::default()
        }
    }
}

/// An option as a bot of the house reads it. In one word, so that a value may begin with a dash.
pub fn argument((key, value): &BotOption) -> String {
    format!("--{}={value}", key.replace('_', "-"))
}
