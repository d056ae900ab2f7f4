//! The record of a run: every finished game, once, safe from crashes.
//!
//! `arena.db` is `SQLite` with a write-ahead log that is forced to disk at every commit. Games are
//! committed in groups, at most 50 ms or 100 games apart; a game counts once it is committed. The
//! number of a game is unique, so nothing can be kept twice; only a void game gives way to the same
//! game played again. A lock file keeps a second arena out;
//! it is the kernel's, so one that was left behind by a crash harms nobody.
//!
//! Start with [`Store::open`], [`Store::save`] and [`Store::each`]. How games are played and
//! what tables look like is not known here.

mod stored;

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use crate::record::{GameId, GameRecord};
use stored::StoredGame;

/// The longest that a finished game waits for its commit.
const COMMIT_AFTER: Duration = Duration::from_millis(50);
/// The most games that wait for one.
const COMMIT_GAMES: u32 = 100;

/// A record that cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database says no: disk full, not a database, …
    #[error("the record {} failed: {source}", path.display())]
    Database {
        /// The database.
        path: PathBuf,
        /// What it says.
        source: rusqlite::Error,
    },
    /// A file beside it failed.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// Another arena is at work here.
    #[error("another arena is playing this run ({} is locked)", path.display())]
    Locked {
        /// The lock.
        path: PathBuf,
    },
    /// There is no run.
    #[error("there is no run in {}: it has no arena.db", path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// A game in it makes no sense.
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

/// An open record. Dropping it commits nothing: what was not committed was not played.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    /// Games saved since the last commit, and when the first of them was.
    waiting: u32,
    since: Option<Instant>,
    /// Held for as long as the store may write.
    _lock: Option<File>,
}

impl Store {
    /// The record in `folder`, to write to; an empty one where there is none yet, since a run may
    /// have been killed before its first game.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let lock = lock(folder)?;
        let path = folder.join("arena.db");
        let connection = Connection::open(&path).map_err(|source| database(&path, source))?;
        let store = Store {
            path,
            connection,
            waiting: 0,
            since: None,
            _lock: Some(lock),
        };
        store.execute(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA user_version = 1;
             CREATE TABLE IF NOT EXISTS
                 game (id INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT;",
        )?;
        Ok(store)
    }

    /// The record in `folder`, to be read; the run may be going on.
    pub fn read(folder: &Path) -> Result<Store, StoreError> {
        let path = existing(folder)?;
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .map_err(|source| database(&path, source))?;
        Ok(Store {
            path,
            connection,
            waiting: 0,
            since: None,
            _lock: None,
        })
    }

    /// Keeps a game. It counts after the next commit: see [`Store::commit_if_due`].
    ///
    /// # Errors
    /// Also when a game of that number is kept already and is not void.
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
                "INSERT INTO game (id, record) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE
                 SET record = excluded.record WHERE game.record ->> '$.verdict.void' IS NOT NULL",
            )
            .and_then(|mut insert| insert.execute((record.id.0 as i64, text)))
            .map_err(|source| database(&self.path, source))?;
        if kept == 0 {
            return Err(self.damaged(record.id, "it was played twice".to_owned()));
        }
        self.waiting += 1;
        self.commit_if_due(now)
    }

    /// Commits if enough games or time have gathered. To be called at least every 50 ms.
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

    /// Commits what has been saved.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        if self.since.take().is_some() {
            self.execute("COMMIT")?;
            self.waiting = 0;
        }
        Ok(())
    }

    /// The numbers of all games that are kept and need not be played again: the void ones do.
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

    /// Hands every game to `take`, in the order of their numbers, one at a time.
    pub fn each<E: From<StoreError>>(
        &self,
        mut take: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let wrap = |source| StoreError::Database {
            path: self.path.clone(),
            source,
        };
        let mut select = self
            .connection
            .prepare("SELECT id, record FROM game ORDER BY id")
            .map_err(wrap)?;
        let mut rows = select.query(()).map_err(wrap)?;
        while let Some(row) = rows.next().map_err(wrap)? {
            let id = GameId(row.get::<_, i64>(0).map_err(wrap)? as u64);
            take(self.decode(id, &row.get::<_, String>(1).map_err(wrap)?)?)?;
        }
        Ok(())
    }

    /// One game; `None` if it is not kept.
    pub fn game(&self, id: GameId) -> Result<Option<GameRecord>, StoreError> {
        let mut select = self
            .connection
            .prepare_cached("SELECT record FROM game WHERE id = ?1")
            .map_err(|source| database(&self.path, source))?;
        match select.query_row((id.0 as i64,), |row| row.get::<_, String>(0)) {
            Ok(text) => self.decode(id, &text).map(Some),
            Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
            Err(source) => Err(database(&self.path, source)),
        }
    }

    fn decode(&self, id: GameId, text: &str) -> Result<GameRecord, StoreError> {
        serde_json::from_str::<StoredGame>(text)
            .map_err(|error| error.to_string())
            .and_then(|stored| stored.into_record(id))
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
    StoreError::Database {
        path: path.to_owned(),
        source,
    }
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

/// Takes the lock of a run, or says who has it.
fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("arena.lock");
    let file = File::create(&path).map_err(|source| StoreError::File {
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
