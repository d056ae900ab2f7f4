//! Why there is no bot to start.

use std::io;

use crate::bot::ArenaError;

/// Why there is no bot.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The command failed.
    #[error("cannot be built: {why}")]
    Failed {
        /// How it ended.
        why: String,
        /// The command as it would be typed, with its folder.
        command: String,
        /// The end of what it said.
        output: String,
    },
    /// The arena could not do its part.
    #[error("cannot be built: {what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// The system's words.
        source: io::Error,
    },
    /// The machine had no process for it, or the run is being given up.
    #[error("cannot be built: {0}")]
    Arena(ArenaError),
}

impl From<ArenaError> for BuildError {
    fn from(error: ArenaError) -> BuildError {
        BuildError::Arena(error)
    }
}
