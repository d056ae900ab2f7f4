//! `arena shard`.

use referee::problem;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::super::CliError;
use super::super::bots::catalogue;
use super::super::boxes;
use super::super::error::Ending;
use super::super::grade::{ClassPlan, blocks};
use super::super::interrupt::stop_on_ctrl_c;
use super::calibrate::calibrate;
use crate::shard::{self, Ended};
use run::RunError;
use run::store::StoreError;

/// Play one block of a plan
///
/// A block that was begun goes on where it was. On SIGTERM the running games have a grace time to end.
///
/// Exit codes: 0 the block is whole, or the plan was stopped; 75 not whole: run it again; 2 the plan or
/// the input; 3 a bot could not be used; 4 the arena or the machine failed.
#[derive(Debug, Args)]
pub struct Shard {
    /// The folder of the plan
    plan: PathBuf,
    /// The block, counted from 0; by default what the scheduler says in the environment
    #[arg(long, value_name = "N")]
    index: Option<u64>,
    /// The index is one into these blocks, separated by commas
    #[arg(long, value_name = "BLOCKS", value_delimiter = ',')]
    of: Vec<u64>,
    /// Games played at a time; by default as many as the plan says, but no more than there are cores
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    concurrency: Option<u64>,
    /// Seconds that running games have to end once the shard is asked to stop
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    grace: u64,
}

impl Shard {
    pub fn run(self) -> Result<(), CliError> {
        let block = self.block()?;
        let folder = &self.plan;
        if let Some(why) = shard::stop_reason(folder) {
            say!("block {block} is not played: the plan was stopped: {why}");
            return Ok(());
        }
        if let Some(class) = ClassPlan::read(folder)? {
            return blocks::grade(&class, folder, block);
        }
        let (catalogue, stop) = (catalogue()?, stop_on_ctrl_c()?);
        boxes::check(&shard::Plan::file(folder)?)?;
        let workers = self.concurrency.map(|workers| workers as usize);
        let opened = shard::Shard::open(
            folder,
            block,
            workers,
            &catalogue,
            calibrate(),
            stop.clone(),
        );
        let mut shard = match opened {
            Err(RunError::Store(StoreError::Locked { .. })) => {
                return Err(Ending::TryAgain.because(format!(
                    "block {block} is being played by another shard of {}",
                    folder.display()
                )));
            }
            opened => opened?,
        };
        for note in shard.notes() {
            say!("note: {note}");
        }
        let (before, games) = (shard.status().played(), shard.status().games());
        say!("block {block}: {games} games, {before} of them played before");
        let ended = shard.play(Duration::from_secs(self.grace))?;
        for warning in shard.warnings() {
            say!("warning: {warning}");
        }
        let played = shard.status().played();
        match ended {
            Ended::Whole => say!("block {block} is whole: {played} games"),
            Ended::Stopped(why) => {
                say!("block {block}: {played} of {games} games; the plan was stopped: {why}");
            }
            Ended::Unfinished => {
                return Err(Ending::TryAgain.because(format!(
                    "block {block} is not whole: {played} of {games} games; run it again"
                )));
            }
        }
        Ok(())
    }

    fn block(&self) -> Result<u64, CliError> {
        let named = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
        let index = self
            .index
            .or_else(|| named("SLURM_ARRAY_TASK_ID"))
            .or_else(|| named("JOB_COMPLETION_INDEX"))
            .or_else(|| named("PARALLEL_SEQ")?.checked_sub(1));
        let Some(index) = index else {
            return Err(problem!("which block is to be played?")
                .help("--index N; Slurm, Kubernetes and GNU parallel say it in the environment")
                .into());
        };
        if self.of.is_empty() {
            return Ok(index);
        }
        let block = self.of.get(index as usize).copied();
        Ok(block.ok_or_else(|| problem!("there is no block number {index} in --of"))?)
    }
}
