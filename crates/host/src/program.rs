//! A program to be started, the reasons why a start fails, and the syntax of commands.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use crate::{Sandbox, system, turns};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// A path, or a name that is looked up in the `PATH`.
    pub path: PathBuf,
    pub arguments: Vec<OsString>,
    /// The folder in which it starts; `None`: this process's folder.
    pub folder: Option<PathBuf>,
    /// The environment variables of this process that are passed on if they are set.
    pub variables: Vec<String>,
    pub settings: Vec<(&'static str, OsString)>,
    /// The program's rights; `None`: the rights of this process.
    pub sandbox: Option<Sandbox>,
    /// Whether the program starts another program for each turn, and waits while that program works.
    pub is_turn_by_turn: bool,
}

impl Program {
    /// Returns a command of our own program that starts this program anew for each [turn](crate::turns).
    pub fn turn_by_turn(self) -> io::Result<Program> {
        let words = [turns::WORD.into(), self.path.into_os_string()];
        Ok(Program {
            path: std::env::current_exe()?,
            arguments: words.into_iter().chain(self.arguments).collect(),
            is_turn_by_turn: true,
            ..self
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    Dialogue,
    /// No input, and one pipe for output and errors together.
    Report,
}

#[derive(Debug, thiserror::Error, message::Message)]
pub enum StartError {
    /// The program, or something that it needs, is missing or unfit.
    #[error("{1}")]
    Refused(Refusal, io::Error),
    /// The system has no process, memory or open file left.
    #[error("the system has no resources left for a process: {0}")]
    Exhausted(io::Error),
    /// The process's [`ProcessGroup`](crate::ProcessGroup) has been killed.
    #[error("the run has been stopped")]
    GroupKilled,
    #[error("the sandbox cannot be created: {0}")]
    NoBox(String),
    #[error("starting a process is not supported on this system yet")]
    NotSupported,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    NotFound,
    NotAllowed,
    NotAProgram,
    Other,
}

/// Splits a command into words, with quotes as in the system's usual shell; `None`: a quote is not closed.
pub fn split_words(command: &str) -> Option<Vec<String>> {
    system::split_words(command)
}

pub fn join_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    system::join_words(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_words_are_split_again() {
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
