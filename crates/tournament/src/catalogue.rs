//! The bots that can be named without a path.
//!
//! Only the command line knows the built-in bots; it passes the list as a [`Catalogue`].

use std::ffi::OsString;
use std::path::PathBuf;

use referee::Solver;
use referee::bot::{BotOption, Launch, Manifest};
use referee::problem::Problem;

/// A built-in bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueEntry {
    /// Its name.
    pub name: &'static str,
    /// The games it plays, by their names.
    pub games: Vec<&'static str>,
    /// One line of description.
    pub about: &'static str,
    /// The options it takes, such as `depth`.
    pub options: Vec<String>,
    /// Those whose values are files.
    pub files: Vec<String>,
}

/// An external engine with a manifest of ours; it can play if it is installed.
#[derive(Clone, Debug)]
pub struct KnownEngine {
    /// Its name.
    pub name: &'static str,
    /// One line of description.
    pub about: &'static str,
    /// Its manifest: how it is started, and its protocol.
    pub manifest: Manifest,
}

/// The built-in bots, weakest first, and the program that runs them (`PROGRAM bot NAME`).
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// The arena's own binary.
    pub program: PathBuf,
    /// The built-in bots.
    pub entries: Vec<CatalogueEntry>,
    /// The external engines.
    pub engines: Vec<KnownEngine>,
    /// Checks whether the built-in bot of this name can be started with these options; the problem says
    /// what is wrong and what can be chosen.
    pub check: fn(&str, &[BotOption]) -> Result<(), Problem>,
    /// The solver of late positions, by the game's name.
    pub solvers: Vec<(&'static str, Solver)>,
}

impl Catalogue {
    /// No bot at all, as for a tournament whose bots are commands.
    pub fn empty() -> Catalogue {
        Catalogue {
            program: PathBuf::new(),
            entries: Vec::new(),
            engines: Vec::new(),
            check: |_, _| Ok(()),
            solvers: Vec::new(),
        }
    }

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

/// An option as a built-in bot reads it. One argument, so that a value may begin with a dash.
pub fn argument((key, value): &BotOption) -> String {
    format!("--{}={value}", key.replace('_', "-"))
}
