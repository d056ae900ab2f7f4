//! `arena merge`.

use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use super::super::CliError;
use super::super::bots::catalogue;
use super::super::grade::{ClassPlan, blocks};
use super::super::play::show;
use crate::shard::{merge, stop_reason, submit};

/// Make one record and the tables of all blocks played so far
///
/// Works while shards run. A sequential test counts the pairs before the first missing one; once it has
/// decided, the file STOP in the plan's folder ends the shards. Of a class, the tables are those of arena
/// grade --all.
#[derive(Debug, Args)]
pub struct Merge {
    /// The folder of the plan
    plan: PathBuf,
    /// Once the plan is stopped, also cancel the jobs that wait
    #[arg(long)]
    cancel: bool,
    /// Print the standings as JSON
    #[arg(long)]
    json: bool,
}

impl Merge {
    pub fn run(self) -> Result<(), CliError> {
        if let Some(class) = ClassPlan::read(&self.plan)? {
            return blocks::merge(&class, &self.plan);
        }
        let merged = merge(&self.plan, &catalogue()?)?;
        for note in &merged.notes {
            say!("note: {note}");
        }
        let [all, played] = merged.games;
        say!("{played} of {all} games are played");
        if merged.has_stopped {
            say!("the test has decided: STOP is written, and no shard begins another pair");
        }
        if self.cancel && stop_reason(&self.plan).is_some() {
            for (scheduler, job) in submit::submitted(&self.plan) {
                cancel(&scheduler, &job);
            }
        }
        show(&merged.run, &merged.summary, self.json)
    }
}

/// A job that has ended already cannot be cancelled, and need not be.
fn cancel(scheduler: &str, job: &str) {
    let Some(words) = submit::cancel(scheduler, job) else {
        return;
    };
    match Command::new(&words[0]).args(&words[1..]).status() {
        Ok(status) if status.success() => say!("{scheduler}: {job} is cancelled"),
        Ok(status) => say!("note: {} {job}: {status}", words[0]),
        Err(error) => say!("note: {} cannot be started: {error}", words[0]),
    }
}
