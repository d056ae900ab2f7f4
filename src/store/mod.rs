//! The record of a run: every finished game, exactly once, safe from crashes.
//!
//! `arena.db` is `SQLite` with a write-ahead log that is forced to disk at every commit. Games are
//! committed in groups, after at most 50 ms or 100 games; a game counts once it is committed. The
//! number of a game is unique, so no game is stored twice; only a void game is replaced when it is
//! played again. A lock file keeps a second arena out. The kernel releases the lock when the process
//! ends, so a lock file that remains after a crash does no harm.
//!
//! A write-ahead log needs shared memory: on a network file system, or one without shared memory, a
//! rollback journal is used instead, and [`Store::notes`] reports it.
//!
//! A disk may return wrong bytes. The write-ahead log has checksums, and ends where one fails. Each
//! game has a checksum over its number and text, and [`Store::check`] checks the structure of the
//! database. So a record is complete, or ends early, or is refused; it is never read with errors. The
//! number of games is written to the lock file after each commit, so that an early end is noticed.
//!
//! Start with [`Store::open`], [`Store::save`] and [`Store::each`]. This module does not know how
//! games are played or what tables look like.

mod journal;
mod mark;
mod note;
mod packed;
mod stored;

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use mark::Mark;
pub use note::Note;
use referee::record::{GameId, GameRecord, Outcome};
use stored::StoredGame;

/// The longest time that a finished game waits for its commit.
const COMMIT_AFTER: Duration = Duration::from_millis(50);
/// The maximum number of games that wait for a commit.
const COMMIT_GAMES: u32 = 100;

/// The version of the database's tables; the content of a row has its own version.
const VERSION: i64 = 2;

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

/// An open record. Dropping it commits nothing: games that are not committed do not count.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    /// The number of games saved since the last commit, and when the first of them was saved.
    waiting: u32,
    since: Option<Instant>,
    /// The number of games, and the lock that is held while the store may write.
    mark: Option<Mark>,
    notes: Vec<Note>,
}

impl Store {
    /// Opens the record in `folder` for writing and checks it for damage. Makes an empty record if
    /// there is none, because a run may have been killed before its first game.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let mut mark = Mark::new(lock(folder)?);
        let path = folder.join("arena.db");
        let (connection, note) = journal::open(&path).map_err(|source| database(&path, source))?;
        let mut store = Store {
            notes: Vec::from_iter(note),
            path,
            connection,
            waiting: 0,
            since: None,
            mark: None,
        };
        match store.version()? {
            // Not `IF NOT EXISTS`: an existing table contradicts the version.
            0 => store.execute(&format!(
                "BEGIN;
                 CREATE TABLE game
                     (id INTEGER PRIMARY KEY, record TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
                 PRAGMA user_version = {VERSION};
                 COMMIT;"
            ))?,
            _ => store.check()?,
        }
        let games = store.ids()?.len() as u64;
        if let Some(games) = mark.games().checked_sub(games).filter(|&lost| lost > 0) {
            store.notes.push(Note::Lost { games });
        }
        mark.set(games);
        store.mark = Some(mark);
        Ok(store)
    }

    /// Opens the record in `folder` for reading, also on a read-only file system and during a run.
    /// Each game is checked for damage when it is read; see [`Store::check`] for the whole record.
    pub fn read(folder: &Path) -> Result<Store, StoreError> {
        let path = existing(folder)?;
        let connection = journal::open_to_read(&path).map_err(|source| database(&path, source))?;
        Ok(Store {
            path,
            connection,
            waiting: 0,
            since: None,
            mark: None,
            notes: Vec::new(),
        })
    }

    /// Notes for the user before the run continues.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Checks the whole record for games that cannot be reached or are in the wrong place. Takes about
    /// as long as reading it.
    pub fn check(&self) -> Result<(), StoreError> {
        let version = self.version()?;
        if version != VERSION {
            let path = self.path.clone();
            return Err(StoreError::Version { path, version });
        }
        let said: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", (), |row| row.get(0))
            .map_err(|source| database(&self.path, source))?;
        if said == "ok" {
            return Ok(());
        }
        Err(StoreError::Broken {
            path: self.path.clone(),
            why: said.lines().collect::<Vec<_>>().join(" "),
        })
    }

    fn version(&self) -> Result<i64, StoreError> {
        self.connection
            .query_row("PRAGMA user_version", (), |row| row.get(0))
            .map_err(|source| database(&self.path, source))
    }

    /// Stores a game. It counts after the next commit: see [`Store::commit_if_due`].
    ///
    /// # Errors
    /// Also if a game with this number is stored and is not void.
    pub fn save(&mut self, record: &GameRecord, now: Instant) -> Result<(), StoreError> {
        if self.since.is_none() {
            self.execute("BEGIN IMMEDIATE")?;
            self.since = Some(now);
        }
        let text = serde_json::to_string(&StoredGame::from(record))
            .map_err(|error| self.damaged(record.id, error.to_string()))?;
        let kept = self
            .connection
            .prepare_cached(
                "INSERT INTO game (id, record, sum) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE
                 SET record = excluded.record, sum = excluded.sum
                 WHERE game.record ->> '$.verdict.void' IS NOT NULL",
            )
            .and_then(|mut insert| {
                let sum = checksum(record.id, &text) as i64;
                insert.execute((record.id.0 as i64, text, sum))
            })
            .map_err(|source| database(&self.path, source))?;
        if kept == 0 {
            return Err(self.damaged(record.id, "it was played twice".to_owned()));
        }
        self.waiting += 1;
        if let Some(mark) = &mut self.mark
            && record.verdict.outcome() != Outcome::Void
        {
            mark.count();
        }
        self.commit_if_due(now)
    }

    /// Commits if enough games or enough time have accumulated. Call it at least every 50 ms.
    pub fn commit_if_due(&mut self, now: Instant) -> Result<(), StoreError> {
        let due = |since: Instant| {
            self.waiting >= COMMIT_GAMES || now.saturating_duration_since(since) >= COMMIT_AFTER
        };
        if self.since.is_some_and(due) {
            self.commit()
        } else {
            Ok(())
        }
    }

    /// Commits the saved games.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        if self.since.take().is_some() {
            self.execute("COMMIT")?;
            self.waiting = 0;
            if let Some(mark) = &mut self.mark {
                mark.write();
            }
        }
        Ok(())
    }

    /// The numbers of all stored games that need not be played again: all but void ones.
    pub fn ids(&self) -> Result<BTreeSet<GameId>, StoreError> {
        let read = || -> rusqlite::Result<BTreeSet<GameId>> {
            let mut select = self
                .connection
                .prepare("SELECT id FROM game WHERE record ->> '$.verdict.void' IS NULL")?;
            let ids = select.query_map((), |row| Ok(GameId(row.get::<_, i64>(0)? as u64)))?;
            ids.collect()
        };
        read().map_err(|source| database(&self.path, source))
    }

    /// Passes every game to `take`, one at a time, in the order of their numbers.
    pub fn each<E: From<StoreError>>(
        &self,
        mut take: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let wrap = |source| database(&self.path, source);
        let mut select = self
            .connection
            .prepare("SELECT id, record, sum FROM game ORDER BY id")
            .map_err(wrap)?;
        let mut rows = select.query(()).map_err(wrap)?;
        while let Some(row) = rows.next().map_err(wrap)? {
            let id = GameId(row.get::<_, i64>(0).map_err(wrap)? as u64);
            let text = row.get::<_, String>(1).map_err(wrap)?;
            take(self.decode(id, &text, row.get(2).map_err(wrap)?)?)?;
        }
        Ok(())
    }

    /// The numbers of all stored games from `from` on, and a checksum that tells a game from an earlier
    /// attempt: how one who reads while another arena writes finds what is new.
    pub fn sums(&self, from: GameId) -> Result<Vec<(GameId, i64)>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(GameId, i64)>> {
            let mut select = self
                .connection
                .prepare_cached("SELECT id, sum FROM game WHERE id >= ?1 ORDER BY id")?;
            let rows = select.query_map((from.0.min(i64::MAX as u64) as i64,), |row| {
                Ok((GameId(row.get::<_, i64>(0)? as u64), row.get(1)?))
            })?;
            rows.collect()
        };
        read().map_err(|source| database(&self.path, source))
    }

    /// A number that changes when another arena has committed games.
    pub fn state(&self) -> Result<i64, StoreError> {
        self.connection
            .query_row("PRAGMA data_version", (), |row| row.get(0))
            .map_err(|source| database(&self.path, source))
    }

    /// The number of games that the arena that plays or played the run in `folder` has counted, without
    /// void ones. It is read without opening the record, and may lag behind.
    pub fn counted(folder: &Path) -> Option<u64> {
        let text = std::fs::read_to_string(folder.join("arena.lock")).ok()?;
        text.split(' ').next()?.parse().ok()
    }

    /// One game; `None` if it is not stored.
    pub fn game(&self, id: GameId) -> Result<Option<GameRecord>, StoreError> {
        let mut select = self
            .connection
            .prepare_cached("SELECT record, sum FROM game WHERE id = ?1")
            .map_err(|source| database(&self.path, source))?;
        match select.query_row((id.0 as i64,), |row| {
            Ok((row.get::<_, String>(0)?, row.get(1)?))
        }) {
            Ok((text, sum)) => self.decode(id, &text, sum).map(Some),
            Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
            Err(source) => Err(database(&self.path, source)),
        }
    }

    fn decode(&self, id: GameId, text: &str, sum: i64) -> Result<GameRecord, StoreError> {
        serde_json::from_str::<StoredGame>(text)
            .map_err(|error| error.to_string())
            .and_then(|stored| stored.into_record(id))
            .and_then(|record| {
                if checksum(id, text) as i64 == sum {
                    Ok(record)
                } else {
                    Err("its checksum does not match".to_owned())
                }
            })
            .map_err(|why| self.damaged(id, why))
    }

    fn damaged(&self, id: GameId, why: String) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            id,
            why,
        }
    }

    fn execute(&self, statements: &str) -> Result<(), StoreError> {
        self.connection
            .execute_batch(statements)
            .map_err(|source| database(&self.path, source))
    }
}

fn database(path: &Path, source: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode::{DatabaseCorrupt, DiskFull};
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(DiskFull) => StoreError::Full { path },
        Some(DatabaseCorrupt) => StoreError::Broken {
            path,
            why: source.to_string(),
        },
        _ => StoreError::Database { path, source },
    }
}

/// A checksum of a game, 64 bits of FNV-1a. Each byte goes through a one-to-one function, so every
/// change of a single byte is found; of other changes one in 2⁶⁴ is missed.
///
/// Source: G. Fowler, L. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm".
fn checksum(id: GameId, text: &str) -> u64 {
    let number = id.0.to_le_bytes();
    let bytes = number.iter().chain(text.as_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn existing(folder: &Path) -> Result<PathBuf, StoreError> {
    let path = folder.join("arena.db");
    if path.is_file() {
        Ok(path)
    } else {
        Err(StoreError::Missing {
            path: folder.to_owned(),
        })
    }
}

/// Takes the lock of a run, or reports who has it.
fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("arena.lock");
    // The file is not truncated: it has the mark of the earlier run.
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(&path).map_err(|source| StoreError::File {
        path: path.clone(),
        source,
    })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked { path }),
        Err(TryLockError::Error(source)) => Err(StoreError::File { path, source }),
    }
}

#[cfg(test)]
mod tests;
