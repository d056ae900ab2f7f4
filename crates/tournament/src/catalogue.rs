//! The bots that users can name without a path, as a [`Catalogue`].

use std::ffi::OsString;
use std::path::PathBuf;

use referee::Solver;
use referee::bot::{BotOption, Launch, Manifest};
use referee::problem::Problem;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueEntry {
    pub name: &'static str,
    pub games: Vec<&'static str>,
    pub about: &'static str,
    pub options: Vec<String>,
    pub files: Vec<String>,
}

/// An external engine for which the arena has a manifest. It can play if it is installed.
#[derive(Clone, Debug)]
pub struct KnownEngine {
    pub name: &'static str,
    pub about: &'static str,
    pub manifest: Manifest,
}

/// The built-in bots, weakest first; the program that runs them (`PROGRAM bot NAME`); and the known engines.
#[derive(Clone, Debug)]
pub struct Catalogue {
    pub program: PathBuf,
    pub entries: Vec<CatalogueEntry>,
    pub engines: Vec<KnownEngine>,
    pub check: fn(&str, &[BotOption]) -> Result<(), Problem>,
    /// The solvers of late positions, each with the name of its game.
    pub solvers: Vec<(&'static str, Solver)>,
}

impl Catalogue {
    pub fn empty() -> Catalogue {
        Catalogue {
            program: PathBuf::new(),
            entries: Vec::new(),
            engines: Vec::new(),
            check: |_, _| Ok(()),
            solvers: Vec::new(),
        }
    }

    pub fn find(&self, name: &str) -> Option<&CatalogueEntry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    pub fn find_engine(&self, name: &str) -> Option<&KnownEngine> {
        self.engines.iter().find(|engine| engine.name == name)
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let entries = self.entries.iter().map(|entry| entry.name);
        entries.chain(self.engines.iter().map(|engine| engine.name))
    }

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

/// Formats an option for a built-in bot. Key and value are one argument, so that a value may begin with a dash.
pub fn argument((key, value): &BotOption) -> String {
    format!("--{}={value}", key.replace('_', "-"))
}
