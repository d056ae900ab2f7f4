//! `arena report`.

use std::path::PathBuf;

use clap::Args;

use super::bots::catalogue;
use super::play::names;
use super::run_file::RunFile;
use super::{CliError, print};
use crate::report::{json, tables, terminal};
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
        let standings = tables::write(&self.run, &store, &names(&tournament))?;
        print(&if self.json {
            format!(
                "{}\n",
                json::standings(&tournament.name, &self.run, &standings)
            )
        } else {
            format!(
                "{}\n{}",
                terminal::standings(&standings),
                terminal::faults(&standings)
            )
        })
    }
}
