//! What the pages are made of.

use std::io;
use std::path::Path;

use crate::report::file::TableError;

/// What a page says about its run before the tables.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The name of the run.
    pub title: String,
    /// How it is played, a sentence each.
    pub lines: Vec<String>,
    /// The result of a match or a sequential test.
    pub result: String,
}

/// A fault for the page.
#[derive(Debug)]
pub(super) struct Fault {
    pub game: u64,
    pub who: String,
    pub what: String,
}

/// What the viewer of games needs.
pub(super) struct Games {
    pub note: String,
    pub names: String,
    pub index: String,
    pub records: String,
}

/// A page that could not be put together.
pub(super) fn unrendered(path: &Path, error: &askama::Error) -> TableError {
    TableError::Write {
        path: path.to_owned(),
        source: io::Error::other(error.to_string()),
    }
}
