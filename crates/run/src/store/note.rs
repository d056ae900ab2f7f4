//! Notes for the user when a record is opened.

use std::fmt;

/// What the user should know about a record before the run continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// It has a rollback journal.
    NoLog {
        /// Why not with a write-ahead log.
        why: String,
    },
    /// A shard's file could not be locked.
    NoLock {
        /// Why.
        why: String,
    },
    /// A shard's file ended in the middle of a line, which was cut off.
    Torn {
        /// Bytes of it.
        bytes: u64,
    },
    /// It had more games before.
    Lost {
        /// How many games are lost.
        games: u64,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::NoLog { why } => write!(
                f,
                "the record has a rollback journal, which is as safe as a write-ahead log but slower: {why}"
            ),
            Note::NoLock { why } => write!(
                f,
                "the file system knows no locks ({why}): see to it that no block is played twice at a time"
            ),
            Note::Torn { bytes } => write!(
                f,
                "the last {bytes} bytes of the block's file were half a line, and are cut off: its games \
                 are played again"
            ),
            Note::Lost { games: 1 } => {
                f.write_str("the record lost 1 game, which is played again: check the disk")
            }
            Note::Lost { games } => write!(
                f,
                "the record lost {games} games, which are played again: check the disk"
            ),
        }
    }
}
