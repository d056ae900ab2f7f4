//! What is worth a sentence when a record is opened.

use std::fmt;

/// What whoever goes on with a run should know of its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// It is kept with a rollback journal.
    NoLog {
        /// Why not with a write-ahead log.
        why: String,
    },
    /// It had more games once.
    Lost {
        /// How many are gone.
        games: u64,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::NoLog { why } => write!(
                f,
                "the record has a rollback journal, as safe as a write-ahead log and slower: {why}"
            ),
            Note::Lost { games: 1 } => f.write_str(
                "the record lost 1 game that it had, and it is played again: check the disk",
            ),
            Note::Lost { games } => write!(
                f,
                "the record lost {games} games that it had, and they are played again: check the disk"
            ),
        }
    }
}
