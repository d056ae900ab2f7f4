//! What a plan is of: a tournament, or a class.

use std::path::Path;

use super::super::CliError;
use super::super::grade::ClassPlan;
use crate::shard::{Plan, missing};

/// A plan, of which blocks are played.
pub enum Work {
    /// A block is some pairs of its games.
    Tournament(Box<Plan>),
    /// A block is a hand-in.
    Class(ClassPlan),
}

impl Work {
    /// That of this folder.
    pub fn read(folder: &Path) -> Result<Work, CliError> {
        if let Some(class) = ClassPlan::read(folder)? {
            return Ok(Work::Class(class));
        }
        let (plan, _) = Plan::read(folder)?;
        Ok(Work::Tournament(Box::new(plan)))
    }

    pub fn name(&self) -> &str {
        match self {
            Work::Tournament(plan) => &plan.name,
            Work::Class(class) => &class.name,
        }
    }

    pub fn blocks(&self) -> u64 {
        match self {
            Work::Tournament(plan) => plan.blocks,
            Work::Class(class) => class.hand_ins.len() as u64,
        }
    }

    /// The blocks that are not whole.
    pub fn missing(&self, folder: &Path) -> Result<Vec<u64>, CliError> {
        match self {
            Work::Tournament(plan) => Ok(missing(folder, plan)?),
            Work::Class(class) => Ok(class.missing(folder)),
        }
    }

    /// Cores of a block.
    pub fn cores(&self) -> usize {
        match self {
            Work::Tournament(plan) => plan.cores,
            Work::Class(_) => 1,
        }
    }

    /// Memory of a block, in MiB, where that is known.
    pub fn memory_mib(&self) -> Option<u64> {
        match self {
            Work::Tournament(plan) => plan.memory_mib,
            Work::Class(_) => None,
        }
    }
}
