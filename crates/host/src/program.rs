//! A program to be started, why a start may fail, and commands as they are typed.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use crate::{Sandbox, system, turns};

/// A program to be started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// A path, or a name that is looked up in the `PATH`.
    pub path: PathBuf,
    pub arguments: Vec<OsString>,
    /// The folder in which it starts; `None`: that of this process.
    pub folder: Option<PathBuf>,
    /// The variables of this process that it sees, where they are set; no others.
    pub variables: Vec<&'static str>,
    /// Further variables, with their values.
    pub settings: Vec<(&'static str, OsString)>,
    /// What it may do; `None`: what we may.
    pub sandbox: Option<Sandbox>,
}

impl Program {
    /// Returns our own program with the role to start this one anew for each [turn](crate::turns).
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

    /// Returns whether [`Program::turn_by_turn`] made it.
    pub fn is_turn_by_turn(&self) -> bool {
        self.arguments
            .first()
            .is_some_and(|word| word == turns::WORD)
    }
}

/// The standard streams of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// A pipe for its input, one for its output, one for its errors.
    Dialogue,
    /// No input; one pipe for output and errors, which is read as its output.
    Report,
}

/// Why a process was not started.
#[derive(Debug, thiserror::Error, message::Message)]
pub enum StartError {
    /// The program, or something that it needs, is missing or unfit.
    #[error("{1}")]
    Refused(Refusal, io::Error),
    /// The system has no process, memory or open file left.
    #[error("the system has no resources left for a process: {0}")]
    Exhausted(io::Error),
    /// Its [`ProcessGroup`](crate::ProcessGroup) has been killed.
    #[error("its work has been stopped")]
    GivenUp,
    /// No box could be made for it, for this reason.
    #[error("the sandbox cannot be made: {0}")]
    NoBox(String),
    /// The arena cannot do it on this system yet.
    #[error("starting a process is not supported on this system yet")]
    NotSupported,
}

/// The defect of a program that cannot be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The program, its folder or its interpreter does not exist.
    NotFound,
    /// It is not executable.
    NotAllowed,
    /// It is not a program for this system.
    NotAProgram,
    /// Another error.
    Other,
}

/// Splits a command into words, some of them in quotes, as the system's usual shell does; `None`: a quote does not end.
pub fn split_words(command: &str) -> Option<Vec<String>> {
    system::split_words(command)
}

/// Joins words to one command, which [`split_words`] takes apart again.
pub fn join_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    system::join_words(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_is_split_again() {
        for words in [
            vec!["python3", "my bot.py", "--fast"],
            vec!["./bot", "", "it's"],
            vec!["bot", "say \"hm\""],
        ] {
            let command = join_words(words.iter().copied());
            let again = split_words(&command).expect("quotes end");
            assert_eq!(again, words, "{command}");
        }
        assert_eq!(split_words("bot \"--fast"), None);
    }
}
