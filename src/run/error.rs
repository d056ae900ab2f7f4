//! Why a run cannot begin or continue.

use std::io;

use super::Unusable;
use crate::report::tables::TableError;
use crate::store::StoreError;
use crate::tournament::Problem;

/// Why a run cannot begin or continue.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An error in the user's input.
    #[error("{}", .0.what)]
    Input(Box<Problem>),
    /// A bot cannot be used.
    #[error(transparent)]
    Bot(Box<Unusable>),
    /// The record failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A table failed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system failed.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// The system's error.
        source: io::Error,
    },
}

impl RunError {
    /// The error of a system that could not do `what`.
    pub fn system(what: impl Into<String>) -> impl FnOnce(io::Error) -> RunError {
        let what = what.into();
        |source| RunError::System { what, source }
    }
}

impl From<Problem> for RunError {
    fn from(problem: Problem) -> RunError {
        RunError::Input(Box::new(problem))
    }
}

impl From<Unusable> for RunError {
    fn from(error: Unusable) -> RunError {
        RunError::Bot(Box::new(error))
    }
}
