//! What to start, and why that may fail.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use crate::{Sandbox, turns};

/// A program to be started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// A path, or a name that is looked up in the `PATH`.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder it starts in; `None`: ours.
    pub folder: Option<PathBuf>,
    /// The variables of our environment that it sees, those that are set; no others.
    pub variables: Vec<&'static str>,
    /// Further variables, with their values.
    pub settings: Vec<(&'static str, OsString)>,
    /// What it may do; `None`: what we may.
    pub sandbox: Option<Sandbox>,
}

impl Program {
    /// The same program, started anew for each [turn](crate::turns) by ours.
    ///
    /// # Errors
    /// If the system does not say where our program is.
    pub fn turn_by_turn(self) -> io::Result<Program> {
        let words = [turns::WORD.into(), self.path.into_os_string()];
        Ok(Program {
            path: std::env::current_exe()?,
            arguments: words.into_iter().chain(self.arguments).collect(),
            ..self
        })
    }

    /// Whether it is such a program.
    pub fn is_turn_by_turn(&self) -> bool {
        self.arguments
            .first()
            .is_some_and(|word| word == turns::WORD)
    }
}

/// What a process has for its standard streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// A pipe for its input, one for its output, one for its errors.
    Dialogue,
    /// No input; one pipe for output and errors, which is read as its output.
    Report,
}

/// Why a process was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program cannot be started: it, or what it needs, is not there or not fit.
    #[error("{1}")]
    Refused(Refusal, io::Error),
    /// The system has no process, memory or open file left.
    #[error("the system has no resources left for a process: {0}")]
    Exhausted(io::Error),
    /// The [`Crew`](crate::Crew) that it was to belong to has been ended.
    #[error("its work has been stopped")]
    GivenUp,
    /// No box could be made for it; the text says why.
    #[error("the sandbox cannot be made: {0}")]
    NoBox(String),
    /// This system cannot be asked for it yet.
    #[error("starting a process is not supported on this system yet")]
    NotSupported,
}

/// What is wrong with a program that cannot be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It, its folder or its interpreter is not there.
    NotFound,
    /// It is not executable.
    NotAllowed,
    /// It is not a program for this system.
    NotAProgram,
    /// Another error, with the system's text.
    Other,
}
