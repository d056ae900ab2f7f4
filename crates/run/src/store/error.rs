//! Why a record cannot be written or read.

use std::io;
use std::path::PathBuf;

use referee::record::GameId;

/// The version of the database's tables; the content of a row has its own version.
pub(super) const VERSION: i64 = 2;

/// A record that cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The disk is full.
    #[error(
        "the disk is full: {} cannot grow. The committed games are safe: free some space, then run \
         `arena resume` to play the rest", path.display()
    )]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// The structure of the database is damaged.
    #[error(
        "the record {} is damaged ({why}): replace it with an undamaged copy, or delete it and run \
         `arena resume` to play the run from its first game", path.display()
    )]
    Broken {
        /// The database.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A later arena wrote it, or an earlier one.
    #[error("the record {} has version {version}, and this arena knows version {VERSION} only", path.display())]
    Version {
        /// The database.
        path: PathBuf,
        /// The version in the file.
        version: i64,
    },
    /// The database returned an error: not a database, input or output failed, …
    #[error("the record {} failed: {source}", path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// The database's error.
        source: rusqlite::Error,
    },
    /// A file beside it failed.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Another arena uses this record.
    #[error("another arena is playing this run ({} is locked)", path.display())]
    Locked {
        /// The lock.
        path: PathBuf,
    },
    /// There is no run in this folder.
    #[error("there is no run in {}: it has no arena.db", path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// A line of a shard's file is not valid, and valid lines come after it.
    #[error(
        "line {line} of {} is damaged ({why}): move the file away, merge again, then \
         `arena submit --missing` plays its block once more", path.display()
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// What does not fit.
        why: String,
    },
    /// A game in it is not valid.
    #[error("game {} in {} is damaged: {why}", id.0, path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// Which game.
        id: GameId,
        /// What does not fit.
        why: String,
    },
}
