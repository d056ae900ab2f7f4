//! `arena resume`.

use std::path::PathBuf;

use clap::Args;

use super::bots::catalogue;
use super::boxes;
use super::interrupt::stop_on_ctrl_c;
use super::play::{announce_build, play};
use super::{CliError, grade, stages};
use crate::run::{Run, RunFile, build_all};
use crate::web;

/// Play the missing games of a run that was stopped
#[derive(Debug, Args)]
pub struct Resume {
    /// The folder of the run, such as results/quick
    run: PathBuf,
    /// Print the standings as JSON
    #[arg(long)]
    json: bool,
    /// Show the running games in a browser: prints the address
    #[arg(long)]
    watch: bool,
}

impl Resume {
    pub fn run(self) -> Result<(), CliError> {
        let file = RunFile::read(&self.run)?;
        for changed in file.changed_files() {
            say!(
                "warning: {} has changed since the run began; its games are no longer comparable",
                changed.display()
            );
        }
        boxes::check(&file.tournament)?;
        if web::is_played_by_people(&file.tournament) {
            let shown = self.run.display();
            return Err(problem!("a person plays in {shown}")
                .help("play on from any position of it in the page: arena serve")
                .into());
        }
        if file.stages.is_some() {
            return stages::resume(&self.run, &file, self.json);
        }
        let tournament = file.tournament.validate(&catalogue()?, &file.folder)?;
        // A run may be resumed on a machine where its bots have not been built.
        build_all(&tournament.contestants, announce_build)?;
        if file.tournament.is_suite() {
            return grade::resume(&self.run, file, self.json);
        }
        let run = Run::resume(tournament, &self.run, stop_on_ctrl_c()?)?;
        play(run, self.json, self.watch, None)
    }
}
