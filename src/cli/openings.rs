//! `arena openings`.

use clap::Args;

use super::CliError;

/// Make balanced openings by search
#[derive(Debug, Args)]
pub struct Openings {
    /// othello or gomoku
    game: String,
}

impl Openings {
    /// Runs the command.
    pub fn run(self) -> Result<(), CliError> {
        Err(crate::tournament::Problem::new(format!("{} openings come later", self.game)).into())
    }
}
