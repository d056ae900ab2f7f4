//! Why a run cannot begin or continue.

use std::any::Any;
use std::io;

use super::Unusable;
use crate::report::tables::TableError;
use crate::store::StoreError;
use tournament::Problem;

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
    /// A thread that plays games panicked: a defect of the arena.
    #[error(
        "the arena failed in a game, which is a defect of the arena: {what}; all finished games are saved, \
         and arena resume plays the others"
    )]
    Panic {
        /// The message of the panic.
        what: String,
    },
}

impl RunError {
    /// The error of a system that could not do `what`.
    pub fn system(what: impl Into<String>) -> impl FnOnce(io::Error) -> RunError {
        let what = what.into();
        |source| RunError::System { what, source }
    }

    /// The error of a thread that panicked.
    pub fn panic(panic: &(dyn Any + Send)) -> RunError {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref().copied());
        RunError::Panic {
            what: text.unwrap_or("a panic without a message").to_owned(),
        }
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
