//! The record of a run: every finished game, once, safe from crashes.
//!
//! `arena.db` is `SQLite` with a write-ahead log that is forced to disk at every commit. Games are
//! committed in groups, at most 50 ms or 100 games apart; a game counts once it is committed. The
//! number of a game is unique, so nothing can be kept twice; only a void game gives way to the same
//! game played again. A lock file keeps a second arena out;
//! it is the kernel's, so one that was left behind by a crash harms nobody.
//!
//! A write-ahead log needs memory that all who use it share: where the file system is another
//! machine's, or has none, a rollback journal is used instead, and [`Store::notes`] says so.
//!
//! A disk may give back other bytes than it was given. The write-ahead log has checksums of its
//! own, and ends where they fail. A game has one too, over its number and text, and [`Store::check`]
//! looks at what holds the games together. So a record is whole, or ends early, or is refused; it is
//! never read wrong. How many games it had is written beside it after each commit, in the lock file,
//! so that one that ends early is noticed.
//!
//! Start with [`Store::open`], [`Store::save`] and [`Store::each`]. How games are played and
//! what tables look like is not known here.

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

/// The longest that a finished game waits for its commit.
const COMMIT_AFTER: Duration = Duration::from_millis(50);
/// The most games that wait for one.
const COMMIT_GAMES: u32 = 100;

/// Of the database's tables; what stands in a row has a version of its own.
const VERSION: i64 = 2;

/// A record that cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no room.
    #[error(
        "the disk is full: {} cannot grow; the games committed so far are kept, and \
         `arena resume` plays the rest once there is room", path.display()
    )]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// What holds the games together is broken.
    #[error(
        "the record {} is damaged ({why}): put a sound copy in its place, or delete it and \
         `arena resume` plays the run from its first game", path.display()
    )]
    Broken {
        /// The database.
        path: PathBuf,
        /// What does not fit.
        why: String,
    },
    /// A later arena wrote it, or an earlier one.
    #[error("the record {} has version {version}, and this arena knows version {VERSION} only", path.display())]
    Version {
        /// The database.
        path: PathBuf,
        /// What it says it is.
        version: i64,
    },
    /// The database says no: not a database, input or output failed, …
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
    /// Where the number of games is kept; its lock is held for as long as the store may write.
    mark: Option<Mark>,
    notes: Vec<Note>,
}

impl Store {
    /// The record in `folder`, to write to; an empty one where there is none yet, since a run may
    /// have been killed before its first game. It is looked through for damage.
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
            // Not `IF NOT EXISTS`: a table that is there belies the version.
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

    /// The record in `folder`, to be read, where nothing can be written, too; the run may be going on.
    /// Each game is looked at for damage as it is read; see [`Store::check`] for the whole.
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

    /// What should be told of it before the run goes on.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Looks through the whole record for games that cannot be reached or stand where they do not
    /// belong. Takes about as long as reading it.
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
            if let Some(mark) = &mut self.mark {
                mark.write();
            }
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

    /// One game; `None` if it is not kept.
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
                    Err("it is not what was written".to_owned())
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

/// A checksum of a game, 64 bits of FNV-1a: each byte goes through a one-to-one function, so no
/// single change of a byte goes unseen, and of any others one in 2⁶⁴.
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

/// Takes the lock of a run, or says who has it.
fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("arena.lock");
    // What stands in it is not thrown away: it is the mark of the last sitting.
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
