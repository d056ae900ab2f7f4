//! `arena resume`.

use std::path::PathBuf;

use clap::Args;

use super::bots::catalogue;
use super::play::{announce_build, play};
use super::run_file::RunFile;
use super::{CliError, grade};
use crate::store::Store;
use crate::tournament::build;

/// Play what is missing of a run that was stopped
#[derive(Debug, Args)]
pub struct Resume {
    /// The folder of the run, such as results/quick
    run: PathBuf,
    /// Print the standings as JSON
    #[arg(long)]
    json: bool,
}

impl Resume {
    /// Runs the command.
    pub fn run(self) -> Result<(), CliError> {
        let file = RunFile::read(&self.run)?;
        let tournament = file.tournament.validate(&catalogue()?, &file.folder)?;
        for changed in file.changed_files() {
            say!(
                "warning: {} is not what it was when the run began",
                changed.display()
            );
        }
        // A run may go on where its bots have not been built yet.
        for contestant in &tournament.contestants {
            announce_build(contestant);
            build(contestant)?;
        }
        if file.tournament.is_suite() {
            return grade::resume(&self.run, file, self.json);
        }
        let store = Store::open(&self.run)?;
        play(&tournament, &self.run, store, self.json)
    }
}
