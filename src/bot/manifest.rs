//! `bot.toml`: how the author of a bot says what to start.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Launch;

/// Whether one process plays many games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// It does, for as long as it behaves.
    #[default]
    Never,
    /// A fresh process for each game.
    Always,
}

/// What `bot.toml` says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The bot's name; the folder's name where it is left out.
    pub name: Option<String>,
    /// Program and arguments; a program with a slash and the working folder are the manifest's.
    pub command: Vec<String>,
    /// The games it plays; both where it is left out.
    #[serde(default)]
    pub games: Option<Vec<String>>,
    /// Whether it gets a fresh process for each game.
    #[serde(default)]
    pub restart: Restart,
}

/// A manifest that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The manifest.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// It is not what a manifest is.
    #[error("{}: {source}", path.display())]
    Malformed {
        /// The manifest.
        path: PathBuf,
        /// Where and what.
        source: Box<toml::de::Error>,
    },
    /// It names no command.
    #[error("{}: command is empty: write command = [\"python3\", \"my_bot.py\"]", path.display())]
    NoCommand {
        /// The manifest.
        path: PathBuf,
    },
}

impl Manifest {
    /// Reads `bot.toml` in `folder`.
    pub fn read(folder: &Path) -> Result<Manifest, ManifestError> {
        let path = folder.join("bot.toml");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(ManifestError::Unreadable { path, source }),
        };
        let manifest: Manifest = match toml::from_str(&text) {
            Ok(manifest) => manifest,
            Err(source) => {
                return Err(ManifestError::Malformed {
                    path,
                    source: Box::new(source),
                });
            }
        };
        if manifest.command.is_empty() {
            return Err(ManifestError::NoCommand { path });
        }
        Ok(manifest)
    }

    /// What to start for the manifest in `folder`.
    pub fn launch(&self, folder: &Path) -> Launch {
        let mut words = self.command.iter();
        Launch {
            program: words.next().map(PathBuf::from).unwrap_or_default(),
            arguments: words.map(OsString::from).collect(),
            folder: Some(folder.to_owned()),
        }
    }
}
