//! `run.toml`: everything needed to repeat a run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::RunError;
use crate::report::tables;
use crate::tournament::{Tournament, TournamentFile};
use referee::bot::{Identity, sha256};

const NAME: &str = "run.toml";

/// The contents of `run.toml`.
#[derive(Debug, Deserialize, Serialize)]
pub struct RunFile {
    /// The arena's version.
    arena: String,
    /// When the run began, UTC.
    pub started: String,
    /// The folder for relative paths of the tournament.
    pub folder: PathBuf,
    /// The machine it began on.
    machine: Machine,
    /// The tournament, with the changes from the command line.
    pub tournament: TournamentFile,
    /// The stages, if stages are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stages: Option<StagesFile>,
    /// The version of each bot.
    #[serde(default)]
    bots: Vec<BotIdentity>,
}

/// The stages of a run.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct StagesFile {
    /// The file of each, as [`stages::read`](crate::stages::read) reads it.
    pub texts: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Machine {
    processor: String,
    cores: usize,
    system: String,
}

#[derive(Debug, Deserialize, Serialize)]
struct BotIdentity {
    name: String,
    command: String,
    says_it_is: String,
    #[serde(default)]
    files: Vec<HashedFile>,
}

#[derive(Debug, Deserialize, Serialize)]
struct HashedFile {
    path: PathBuf,
    sha256: String,
}

impl RunFile {
    /// What is known of a run that is about to begin.
    pub fn new(
        tournament: &Tournament,
        file: &TournamentFile,
        folder: &Path,
        identities: &[Identity],
    ) -> RunFile {
        let bots = tournament.contestants.iter().zip(identities);
        RunFile {
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            started: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            folder: std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()),
            machine: Machine {
                processor: host::processor_name(),
                cores: std::thread::available_parallelism().map_or(1, usize::from),
                system: host::system_name(),
            },
            tournament: TournamentFile {
                name: crate::tournament::given(Some(tournament.name.clone())),
                ..file.clone()
            },
            stages: None,
            bots: bots
                .map(|(contestant, identity)| BotIdentity {
                    name: contestant.name.clone(),
                    command: contestant.launch.display(),
                    says_it_is: format!("{} {}", identity.name, identity.version)
                        .trim()
                        .to_owned(),
                    files: contestant.files().into_iter().filter_map(hashed).collect(),
                })
                .collect(),
        }
    }

    /// Writes it into the run's folder.
    pub fn write(&self, run: &Path) -> Result<(), RunError> {
        let text = toml::to_string(self).map_err(|error| {
            RunError::system("run.toml cannot be written")(io::Error::other(error))
        })?;
        let head = "# Everything needed to repeat this run: arena resume, arena report.\n";
        Ok(tables::replace(
            &run.join(NAME),
            format!("{head}{text}").as_bytes(),
        )?)
    }

    /// Reads it from the run's folder.
    pub fn read(run: &Path) -> Result<RunFile, RunError> {
        let path = run.join(NAME);
        let text = fs::read_to_string(&path).map_err(|error| {
            problem!("there is no run in {}: {NAME}: {error}", run.display())
                .help("name the folder that the run printed, such as results/quick")
        })?;
        toml::from_str(&text)
            .map_err(|error| problem!("{} is damaged: {}", path.display(), error.message()).into())
    }

    /// Files of bots that have changed since.
    pub fn changed_files(&self) -> impl Iterator<Item = &Path> {
        let files = self.bots.iter().flat_map(|bot| &bot.files);
        let changed = |file: &&HashedFile| {
            hashed(file.path.clone()).is_none_or(|now| now.sha256 != file.sha256)
        };
        files.filter(changed).map(|file| file.path.as_path())
    }
}

fn hashed(path: PathBuf) -> Option<HashedFile> {
    let sha256 = sha256(&path).ok()?;
    Some(HashedFile { path, sha256 })
}
