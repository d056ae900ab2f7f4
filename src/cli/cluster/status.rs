//! `arena status`.

use std::path::PathBuf;

use clap::Args;

use super::super::grade::ClassPlan;
use super::super::{CliError, print_said};
use crate::shard::Overview;

/// Show how far a plan has come: blocks, rate, faults, machines, verdict
#[derive(Debug, Args)]
pub struct Status {
    /// The folder of the plan
    plan: PathBuf,
}

impl Status {
    pub fn run(self) -> Result<(), CliError> {
        if let Some(class) = ClassPlan::read(&self.plan)? {
            return print_said(&class.status(&self.plan));
        }
        print_said(&Overview::of(&self.plan)?.text(&self.plan))
    }
}
