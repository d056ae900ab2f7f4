//! Files that cannot be read or written, told with their names.

use std::error::Error;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::path::Path;

/// Why a command ends early, for the person who called.
pub type Failure = Box<dyn Error>;

/// Makes sure that a file can be written before hours of work go into it.
pub fn writable(path: &Path) -> Result<(), Failure> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened
        .map(|_| ())
        .map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|error| named(path, &error))
}

/// What is wrong with a file.
pub fn named(path: &Path, error: &dyn Display) -> Failure {
    format!("{}: {error}", path.display()).into()
}
