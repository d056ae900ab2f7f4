//! Why a bot could not be built.

use std::io;

use crate::bot::ArenaError;

/// Why a bot could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The command failed.
    #[error("cannot be built: {why}")]
    Failed {
        /// How it ended.
        why: String,
        /// The command as it would be typed, with its folder.
        command: String,
        /// The end of its output.
        output: String,
    },
    /// The arena failed.
    #[error("cannot be built: {what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// The machine had no process for it, or the run is being stopped.
    #[error("cannot be built: {0}")]
    Arena(ArenaError),
}

impl From<ArenaError> for BuildError {
    fn from(error: ArenaError) -> BuildError {
        BuildError::Arena(error)
    }
}
