//! `arena bot`.

use std::io;

use clap::Args;

use super::CliError;
use crate::tournament::Problem;

/// Be a bot of the house: speak the protocol on standard input and output
#[derive(Debug, Args)]
pub struct Bot {
    /// Its name: see arena bots
    name: String,
    #[command(flatten)]
    options: reference::Options,
}

impl Bot {
    /// Runs the command.
    pub fn run(self) -> Result<(), CliError> {
        let mut bot = reference::bot(&self.name, &self.options).map_err(Problem::new)?;
        protocol::serve(&mut *bot, io::stdin().lock(), io::stdout().lock())?;
        Ok(())
    }
}
