//! The record of a run: every finished game, exactly once, safe from crashes.
//!
//! There are two kinds of [`Store`]. `arena.db` is a database ([`Store::open`]), the record of a run on one machine. A
//! file of lines ([`LineFile`]) is the record of a block of a plan; it is only appended to, so it may be on a network
//! file system. Both store the same text and checksum for a game, so [`Store::mirror`] copies games without a change.
//!
//! Games are committed to disk in groups, after at most 50 ms or 100 games. A game counts once it is committed.
//!
//! A disk may return wrong bytes, so each game has a checksum. A damaged record may lose games, but shows no wrong one.

mod database;
mod files;
mod lines;
mod stored;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use database::Database;
pub use lines::{LineFile, RecordEntry, each_line, entries};
use message::{Message, message};
use referee::bot::read_regular;
use referee::record::{GameId, GameRecord};
pub use stored::{RawGame, verdict};

/// The lock file, which holds one line, has at most this many bytes.
const LONGEST_MARK: u64 = 4096;

/// An open record. Dropping it does not commit: games that are not committed do not count.
#[derive(Debug)]
pub struct Store(StoreBackend);

#[derive(Debug)]
enum StoreBackend {
    Database(Box<Database>),
    Lines(LineFile),
}

impl From<LineFile> for Store {
    fn from(lines: LineFile) -> Store {
        Store(StoreBackend::Lines(lines))
    }
}

impl Store {
    /// Opens the database in `folder` for writing and checks it for damage. Creates an empty database if there is none,
    /// because a run may have been killed before its first game.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let database = Database::open(folder)?;
        Ok(Store(StoreBackend::Database(database.into())))
    }

    /// Opens the database in `folder` for reading, even during a run or on a read-only file system; games are checked.
    pub fn read(folder: &Path) -> Result<Store, StoreError> {
        let database = Database::read(folder)?;
        Ok(Store(StoreBackend::Database(database.into())))
    }

    pub fn notes(&self) -> &[RecordNote] {
        match &self.0 {
            StoreBackend::Database(database) => database.notes(),
            StoreBackend::Lines(lines) => lines.notes(),
        }
    }

    /// Checks the structure of the whole record, which takes about as long as reading it.
    pub fn check(&self) -> Result<(), StoreError> {
        match &self.0 {
            StoreBackend::Database(database) => database.check(),
            StoreBackend::Lines(_) => Ok(()),
        }
    }

    /// Stores a game, which counts after the next commit. Fails if the store has a non-void game with this number.
    pub fn save(&mut self, record: &GameRecord, now: Instant) -> Result<(), StoreError> {
        match &mut self.0 {
            StoreBackend::Database(database) => database.save(record, now),
            StoreBackend::Lines(lines) => lines.save(record, now),
        }
    }

    /// Commits if enough games wait, or the first has waited long enough. Must be called at least every 50 ms.
    pub fn commit_if_due(&mut self, now: Instant) -> Result<(), StoreError> {
        match &mut self.0 {
            StoreBackend::Database(database) => database.commit_if_due(now),
            StoreBackend::Lines(lines) => lines.commit_if_due(now),
        }
    }

    pub fn commit(&mut self) -> Result<(), StoreError> {
        match &mut self.0 {
            StoreBackend::Database(database) => database.commit(),
            StoreBackend::Lines(lines) => lines.commit(),
        }
    }

    /// Returns the numbers of all stored games except void ones, which may be played again.
    pub fn ids(&self) -> Result<BTreeSet<GameId>, StoreError> {
        match &self.0 {
            StoreBackend::Database(database) => database.ids(),
            StoreBackend::Lines(lines) => Ok(lines.ids()),
        }
    }

    pub fn each<E: From<StoreError>>(
        &self,
        take: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        match &self.0 {
            StoreBackend::Database(database) => database.each(take),
            StoreBackend::Lines(lines) => lines.each(take),
        }
    }

    /// Returns the numbers and checksums of up to `most` games from `from` on. A replaced void game has a new checksum.
    pub fn sums(&self, from: GameId, most: usize) -> Result<Vec<(GameId, i64)>, StoreError> {
        match &self.0 {
            StoreBackend::Database(database) => database.sums_from(from, most),
            // Another arena never changes an open file of lines, so there is nothing to compare.
            StoreBackend::Lines(_) => Ok(Vec::new()),
        }
    }

    /// Returns a number that changes when another arena commits games; always 0 for a file of lines.
    pub fn state(&self) -> Result<i64, StoreError> {
        match &self.0 {
            StoreBackend::Database(database) => database.state(),
            StoreBackend::Lines(_) => Ok(0),
        }
    }

    /// Returns whether an arena has the record of `folder` open for writing, as during a run.
    pub fn is_locked(folder: &Path) -> bool {
        files::is_locked(folder)
    }

    /// Returns the number of non-void games. Reads only the lock file, which is written after each commit.
    pub fn counted(folder: &Path) -> Option<u64> {
        let mark = read_regular(&folder.join("arena.lock"), LONGEST_MARK).ok()?;
        let mark = std::str::from_utf8(&mark).ok()?;
        mark.split(' ').next()?.parse().ok()
    }

    pub fn game(&self, id: GameId) -> Result<Option<GameRecord>, StoreError> {
        match &self.0 {
            StoreBackend::Database(database) => database.game(id),
            StoreBackend::Lines(lines) => lines.game(id),
        }
    }

    /// Replaces the games in the database of `folder` in one transaction, and returns their number. Games must come in
    /// the order of their numbers. Readers see the earlier games until the transaction ends.
    pub fn mirror<E: From<StoreError>>(
        folder: &Path,
        games: impl FnOnce(&mut dyn FnMut(&RawGame) -> Result<(), StoreError>) -> Result<(), E>,
    ) -> Result<u64, E> {
        Database::open(folder)?.mirror(games)
    }
}

/// A finished game waits at most this long for its commit.
pub(super) const COMMIT_AFTER: Duration = Duration::from_millis(50);
pub(super) const COMMIT_GAMES: usize = 100;

/// Returns whether the waiting games must be committed now. `since` is when the first of them was saved. Games are
/// committed in groups, because forcing a game to disk takes longer than playing a short game.
pub(super) fn is_due(games: usize, since: Option<Instant>, now: Instant) -> bool {
    since.is_some_and(|since| {
        games >= COMMIT_GAMES || now.saturating_duration_since(since) >= COMMIT_AFTER
    })
}

/// The version of the database's tables; the content of a row has its own version.
pub(super) const VERSION: i64 = 2;

#[derive(Debug, thiserror::Error, message::Message)]
pub enum StoreError {
    #[error(
        "the disk is full: {} cannot grow. The committed games are safe: free some space, then run \
         `arena resume` to play the rest", path.display()
    )]
    Full { path: PathBuf },
    #[error(
        "the record {} is damaged ({why}): replace it with an undamaged copy, or delete it and run \
         `arena resume` to play the run from its first game", path.display()
    )]
    Broken { path: PathBuf, why: String },
    #[error("the record {} has version {version}, and this arena knows version {VERSION} only", path.display())]
    Version { path: PathBuf, version: i64 },
    /// `SQLite` returned an error; for example, the file is no database, or reading failed.
    #[error("cannot read or write the record {}: {source}", path.display())]
    Database {
        path: PathBuf,
        source: rusqlite::Error,
    },
    #[error("cannot use {}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("another arena is playing this run ({} is locked)", path.display())]
    Locked { path: PathBuf },
    #[error("there is no run in {}: it has no arena.db", path.display())]
    Missing { path: PathBuf },
    /// A line of a block's file is too long, or it is not valid and valid lines follow it.
    #[error(
        "line {line} of {} is damaged ({why}): move the file away, merge again, then \
         `arena submit --missing` plays its block once more", path.display(), why = Message::whole(why.clone())
    )]
    Line {
        path: PathBuf,
        line: u64,
        why: String,
    },
    #[error("game {} in {} is damaged: {why}", id.0, path.display(), why = Message::whole(why.clone()))]
    Damaged {
        path: PathBuf,
        id: GameId,
        why: String,
    },
}

/// A note about a record, which is printed before the run continues.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum RecordNote {
    #[error(
        "the record has a rollback journal, which is as safe as a write-ahead log but slower: {why}"
    )]
    NoLog {
        /// The reason why the record has no write-ahead log.
        why: Message,
    },
    #[error(
        "the file system has no locks ({why}): make sure that no block is played twice at the \
         same time"
    )]
    NoLock { why: Message },
    /// A block's file ended with an incomplete line, which was removed.
    #[error(
        "the last {bytes} bytes of the block's file were an incomplete line, and are cut off: \
         its games are played again"
    )]
    Torn { bytes: u64 },
    /// The record has fewer games than the lock file counted.
    #[error("{}", lost(*games))]
    Lost { games: u64 },
}

fn lost(games: u64) -> Message {
    message!(
        "the record lost {games} {games|game, which is|games, which are} played again: check the disk"
    )
}

#[cfg(test)]
mod tests;
