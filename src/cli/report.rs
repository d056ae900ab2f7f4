//! `arena report`.

use std::path::PathBuf;

use clap::Args;

use super::bots::catalogue;
use super::outcome::{Outcome, restored};
use super::run_file::RunFile;
use super::{CliError, grade, print};
use crate::store::Store;

/// Make the tables of a run again from its record
#[derive(Debug, Args)]
pub struct Report {
    /// The folder of the run, such as results/quick
    run: PathBuf,
    /// Print the standings as JSON
    #[arg(long)]
    json: bool,
}

impl Report {
    /// Runs the command.
    pub fn run(self) -> Result<(), CliError> {
        let file = RunFile::read(&self.run)?;
        let tournament = file.tournament.validate(&catalogue()?, &file.folder)?;
        let store = Store::read(&self.run)?;
        store.check()?;
        let (agenda, _) = restored(&tournament, &store)?;
        let outcome = match Outcome::write(&tournament, &agenda, &self.run, &store) {
            Err(CliError::Table(error)) if error.is_read_only() => {
                say!("note: no tables are written: {error}");
                Outcome::read(&tournament, &agenda, &store)?
            }
            outcome => {
                if file.tournament.is_suite() {
                    grade::rewrite(&self.run, file, &store)?;
                }
                outcome?
            }
        };
        print(&if self.json {
            outcome.json(&tournament.name, &self.run)
        } else {
            outcome.text(&self.run)
        })
    }
}
