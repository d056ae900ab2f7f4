//! Why a command ends early.

use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

/// The exit code and what to tell the person who called.
#[derive(Debug)]
pub struct Failure {
    /// 2: usage or input; 4: the program or the machine.
    pub code: u8,
    pub message: String,
}

impl Failure {
    /// What was given cannot be used.
    pub fn input(error: impl Display) -> Failure {
        Failure {
            code: 2,
            message: error.to_string(),
        }
    }
}

/// The program or the machine failed.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure {
            code: 4,
            message: error.to_string(),
        }
    }
}

/// Makes sure that a file can be written before hours of work go into it.
pub fn writable(path: &Path) -> Result<(), Failure> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened
        .map(|_| ())
        .map_err(|error| Failure::input(format!("cannot write {}: {error}", path.display())))
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| named(path, &error))
}

/// A file that could not be read or written.
pub fn named(path: &Path, error: &io::Error) -> Failure {
    io::Error::new(error.kind(), format!("{}: {error}", path.display())).into()
}
