//! The record as a database: `SQLite` with a write-ahead log that is forced to disk at every commit.
//!
//! The number of a game is unique, so no game is stored twice. Only a void game is replaced, when it is played again.
//! A locked file keeps other arenas out. The kernel releases the lock when the process ends, even by a crash.
//!
//! A write-ahead log needs shared memory. On a file system without it, such as a network file system, the database uses
//! a rollback journal instead, and [`Database::notes`] reports that.
//!
//! The write-ahead log has checksums, and `SQLite` ignores the part of the log after a wrong checksum. Each game has a
//! checksum over its number and text, and [`Database::check`] checks the structure of the database. The number of games
//! is written to the lock file after each commit, so that lost games are noticed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Instant;

use rusqlite::TransactionBehavior::Immediate;
use rusqlite::{Connection, Row};

use super::files::{self, Mark};
use super::stored::RawGame;
use super::{RecordNote, StoreError, VERSION, is_due};
use referee::record::{GameId, GameRecord};

const BATCH: usize = 64;
const AHEAD: usize = 4;

const TABLE: &str = "CREATE TABLE game
    (id INTEGER PRIMARY KEY, record TEXT NOT NULL, sum INTEGER NOT NULL) STRICT";

const INSERT: &str = "INSERT OR REPLACE INTO game (id, record, sum) VALUES (?1, ?2, ?3)";

#[derive(Debug)]
pub(super) struct Database {
    path: PathBuf,
    pub(super) connection: Connection,
    /// The games saved since the last commit. A commit that fails keeps them for the next one. `since` is when the first
    /// of them was saved.
    waiting: Vec<RawGame>,
    since: Option<Instant>,
    /// The lock file with its number of games; `None` if the store is open for reading only.
    mark: Option<Mark>,
    notes: Vec<RecordNote>,
}

impl Database {
    pub fn open(folder: &Path) -> Result<Database, StoreError> {
        refuse_irregular(folder)?;
        let mut mark = Mark::new(files::lock(folder)?);
        let path = folder.join("arena.db");
        // Only the owner may open this file and SQLite's other files: a lock of another user could block the arena.
        host::own_file(&path).map_err(|source| StoreError::File {
            path: path.clone(),
            source,
        })?;
        let (connection, note) = files::open(&path).map_err(|source| database(&path, source))?;
        let mut store = Database {
            notes: Vec::from_iter(note),
            path,
            connection,
            waiting: Vec::new(),
            since: None,
            mark: None,
        };
        store.refuse_foreign_objects()?;
        match store.version()? {
            // There is no `IF NOT EXISTS`, because a database of version 0 with a table is damaged.
            0 => store.execute(&format!(
                "BEGIN;
                 {TABLE};
                 PRAGMA user_version = {VERSION};
                 COMMIT;"
            ))?,
            _ => store.check()?,
        }
        let games = store.ids()?.len() as u64;
        if let Some(games) = mark.games().checked_sub(games).filter(|&lost| lost > 0) {
            store.notes.push(RecordNote::Lost { games });
        }
        mark.set(games);
        store.mark = Some(mark);
        Ok(store)
    }

    pub fn read(folder: &Path) -> Result<Database, StoreError> {
        refuse_irregular(folder)?;
        let path = folder.join("arena.db");
        if !path.is_file() {
            let path = folder.to_owned();
            return Err(StoreError::Missing { path });
        }
        let connection = files::open_to_read(&path).map_err(|source| database(&path, source))?;
        let store = Database {
            path,
            connection,
            waiting: Vec::new(),
            since: None,
            mark: None,
            notes: Vec::new(),
        };
        store.refuse_foreign_objects()?;
        Ok(store)
    }

    pub fn notes(&self) -> &[RecordNote] {
        &self.notes
    }

    pub fn check(&self) -> Result<(), StoreError> {
        let version = self.version()?;
        if version != VERSION {
            let path = self.path.clone();
            return Err(StoreError::Version { path, version });
        }
        let answer: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", (), |row| row.get(0))
            .map_err(|source| database(&self.path, source))?;
        if answer == "ok" {
            return Ok(());
        }
        Err(StoreError::Broken {
            path: self.path.clone(),
            why: answer.lines().collect::<Vec<_>>().join(" "),
        })
    }

    /// Fails if the database has more than our table, because a foreign view or trigger could run code.
    fn refuse_foreign_objects(&self) -> Result<(), StoreError> {
        let read = || -> rusqlite::Result<Vec<(String, Option<String>)>> {
            let mut select = self
                .connection
                .prepare("SELECT name, sql FROM sqlite_schema")?;
            let objects = select.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
            objects.collect()
        };
        let words = |sql: &str| {
            sql.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let objects = read().map_err(|source| database(&self.path, source))?;
        let is_unexpected = |(_, sql): &&(String, Option<String>)| {
            sql.as_deref().is_none_or(|sql| words(sql) != words(TABLE))
        };
        match objects.iter().find(is_unexpected) {
            None => Ok(()),
            Some((name, _)) => Err(StoreError::Broken {
                path: self.path.clone(),
                why: format!("{name:?} in it is not the table of an arena"),
            }),
        }
    }

    fn version(&self) -> Result<i64, StoreError> {
        self.connection
            .query_row("PRAGMA user_version", (), |row| row.get(0))
            .map_err(|source| database(&self.path, source))
    }

    pub fn save(&mut self, record: &GameRecord, now: Instant) -> Result<(), StoreError> {
        let game = RawGame::of(record).map_err(|why| damaged(&self.path, record.id, &why))?;
        let kept = (self.connection)
            .prepare_cached(
                "SELECT 1 FROM game WHERE id = ?1 AND record ->> '$.verdict.void' IS NULL",
            )
            .and_then(|mut select| select.exists((game.id.0 as i64,)))
            .map_err(|source| database(&self.path, source))?;
        let waits = |other: &RawGame| other.id == game.id && !other.is_void();
        if kept || self.waiting.iter().any(waits) {
            return Err(damaged(&self.path, game.id, "it was played twice"));
        }
        self.waiting.push(game);
        self.since.get_or_insert(now);
        self.commit_if_due(now)
    }

    pub fn commit_if_due(&mut self, now: Instant) -> Result<(), StoreError> {
        if is_due(self.waiting.len(), self.since, now) {
            self.commit()
        } else {
            Ok(())
        }
    }

    pub fn commit(&mut self) -> Result<(), StoreError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let wrap = |source| database(&self.path, source);
        // Dropping the transaction after a failure takes it back.
        let transaction = self.connection.transaction_with_behavior(Immediate);
        let transaction = transaction.map_err(wrap)?;
        let mut insert = transaction.prepare_cached(INSERT).map_err(wrap)?;
        for game in &self.waiting {
            let row = (game.id.0 as i64, &game.text, game.sum as i64);
            insert.execute(row).map_err(wrap)?;
        }
        drop(insert);
        transaction.commit().map_err(wrap)?;
        self.since = None;
        let saved = self.waiting.drain(..);
        let counted = saved.filter(|game| !game.is_void()).count();
        if let Some(mark) = &mut self.mark {
            mark.set(mark.games() + counted as u64);
        }
        Ok(())
    }

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

    pub fn sums_from(&self, from: GameId, most: usize) -> Result<Vec<(GameId, i64)>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(GameId, i64)>> {
            let mut select = self
                .connection
                .prepare_cached("SELECT id, sum FROM game WHERE id >= ?1 ORDER BY id LIMIT ?2")?;
            let (from, most) = (from.0.min(i64::MAX as u64), most.min(i64::MAX as usize));
            let rows = select.query_map((from as i64, most as i64), |row| {
                Ok((GameId(row.get::<_, i64>(0)? as u64), row.get(1)?))
            })?;
            rows.collect()
        };
        read().map_err(|source| database(&self.path, source))
    }

    pub fn state(&self) -> Result<i64, StoreError> {
        self.connection
            .query_row("PRAGMA data_version", (), |row| row.get(0))
            .map_err(|source| database(&self.path, source))
    }

    /// Calls `take` with every game in order. In a long record, another thread decodes games ahead.
    pub fn each<E: From<StoreError>>(
        &self,
        mut take: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let wrap = |source| database(&self.path, source);
        let mut select = self
            .connection
            .prepare("SELECT id, record, sum FROM game ORDER BY id")
            .map_err(wrap)?;
        let mut texts = select.query_map((), raw_game).map_err(wrap)?;
        let mut next = || -> Result<Vec<RawGame>, StoreError> {
            texts
                .by_ref()
                .take(BATCH)
                .map(|game| game.map_err(wrap))
                .collect()
        };
        let mut games = next()?;
        if games.len() < BATCH {
            return games.iter().try_for_each(|game| take(self.decode(game)?));
        }
        thread::scope(|scope| {
            let (sender, texts) = sync_channel::<Vec<RawGame>>(AHEAD);
            let (decoded, records) = sync_channel(AHEAD);
            let decode = move || {
                let record = |game: &RawGame| (game.id, game.record());
                // Sending fails once the receiver has stopped. This ends the loop.
                let send = |games: Vec<RawGame>| decoded.send(games.iter().map(record).collect());
                texts.into_iter().try_for_each(|games| send(games).ok())
            };
            let refused = |source| StoreError::File {
                path: self.path.clone(),
                source,
            };
            let worker = thread::Builder::new().spawn_scoped(scope, decode);
            worker.map_err(refused)?;
            let mut ahead = 0;
            loop {
                let is_end = games.is_empty();
                if !is_end {
                    let _ = sender.send(games);
                    ahead += 1;
                }
                while ahead == AHEAD || (is_end && ahead > 0) {
                    let batch: Vec<_> = records.recv().unwrap_or_default();
                    for (id, record) in batch {
                        take(record.map_err(|why| damaged(&self.path, id, &why))?)?;
                    }
                    ahead -= 1;
                }
                if is_end {
                    return Ok(());
                }
                games = next()?;
            }
        })
    }

    pub fn game(&self, id: GameId) -> Result<Option<GameRecord>, StoreError> {
        let mut select = self
            .connection
            .prepare_cached("SELECT id, record, sum FROM game WHERE id = ?1")
            .map_err(|source| database(&self.path, source))?;
        match select.query_row((id.0 as i64,), raw_game) {
            Ok(game) => self.decode(&game).map(Some),
            Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
            Err(source) => Err(database(&self.path, source)),
        }
    }

    fn decode(&self, game: &RawGame) -> Result<GameRecord, StoreError> {
        game.record()
            .map_err(|why| damaged(&self.path, game.id, &why))
    }

    pub fn mirror<E: From<StoreError>>(
        &mut self,
        games: impl FnOnce(&mut dyn FnMut(&RawGame) -> Result<(), StoreError>) -> Result<(), E>,
    ) -> Result<u64, E> {
        self.execute("BEGIN IMMEDIATE")?;
        let mirrored = self.replace(games);
        let end = if mirrored.is_ok() {
            "COMMIT"
        } else {
            "ROLLBACK"
        };
        let ended = self.execute(end);
        let (games, void) = mirrored?;
        ended?;
        if let Some(mark) = &mut self.mark {
            mark.set(games - void);
        }
        Ok(games)
    }

    fn replace<E: From<StoreError>>(
        &self,
        games: impl FnOnce(&mut dyn FnMut(&RawGame) -> Result<(), StoreError>) -> Result<(), E>,
    ) -> Result<(u64, u64), E> {
        let wrap = |source| database(&self.path, source);
        let mut known = self.sums().map_err(wrap)?.into_iter().peekable();
        let (mut held, mut void) = (0, 0);
        let mut delete = (self.connection)
            .prepare("DELETE FROM game WHERE id = ?1")
            .map_err(wrap)?;
        let mut insert = (self.connection).prepare(INSERT).map_err(wrap)?;
        games(&mut |game| {
            let (id, sum) = (game.id.0 as i64, game.sum as i64);
            held += 1;
            void += u64::from(game.is_void());
            while let Some((gone, _)) = known.next_if(|&(known, _)| known < id) {
                delete.execute((gone,)).map_err(wrap)?;
            }
            if known.next_if(|&(known, _)| known == id) != Some((id, sum)) {
                insert.execute((id, &game.text, sum)).map_err(wrap)?;
            }
            Ok(())
        })?;
        for (gone, _) in known {
            delete.execute((gone,)).map_err(wrap)?;
        }
        Ok((held, void))
    }

    fn sums(&self) -> rusqlite::Result<Vec<(i64, i64)>> {
        let mut select = self
            .connection
            .prepare("SELECT id, sum FROM game ORDER BY id")?;
        let sums = select.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        sums.collect()
    }

    pub(super) fn execute(&self, statements: &str) -> Result<(), StoreError> {
        self.connection
            .execute_batch(statements)
            .map_err(|source| database(&self.path, source))
    }
}

fn damaged(path: &Path, id: GameId, why: &str) -> StoreError {
    StoreError::Damaged {
        path: path.to_owned(),
        id,
        why: why.to_owned(),
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

fn raw_game(row: &Row) -> rusqlite::Result<RawGame> {
    Ok(RawGame {
        id: GameId(row.get::<_, i64>(0)? as u64),
        text: row.get(1)?,
        sum: row.get::<_, i64>(2)? as u64,
    })
}

/// Fails if the folder belongs to another user, who could change it during reading. Also fails if a file of the record
/// is a pipe, a device or a link: opening it could block forever, or write to a file elsewhere.
fn refuse_irregular(folder: &Path) -> Result<(), StoreError> {
    const FILES: [&str; 5] = [
        "arena.db",
        "arena.db-wal",
        "arena.db-journal",
        "arena.db-shm",
        "arena.lock",
    ];
    let paths = FILES.map(|name| folder.join(name));
    let is_irregular = |path: &&PathBuf| {
        path.symlink_metadata()
            .is_ok_and(|data| !data.is_file() && !data.is_dir())
    };
    let refused = |path: &Path, why: &str| StoreError::File {
        path: path.to_owned(),
        source: io::Error::other(why),
    };
    host::check_own(folder).map_err(|source| StoreError::File {
        path: folder.to_owned(),
        source,
    })?;
    if let Some(path) = paths.iter().find(is_irregular) {
        return Err(refused(path, "it is not a regular file"));
    }
    let journal = folder.join("arena.db-journal");
    match names_another(&journal) {
        Ok(true) => Err(refused(&journal, "it names another journal: delete it")),
        Ok(false) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(StoreError::File {
            path: journal,
            source,
        }),
    }
}

/// Returns whether a journal ends with the name of a super-journal, which `SQLite` would open. The arena uses none.
///
/// Source: <https://www.sqlite.org/fileformat2.html#the_rollback_journal>.
fn names_another(journal: &Path) -> io::Result<bool> {
    const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    let mut file = fs::File::open(journal)?;
    let mut end = [0; MAGIC.len()];
    let is_shorter = file.metadata()?.len() < end.len() as u64;
    if is_shorter {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-(end.len() as i64)))?;
    file.read_exact(&mut end)?;
    Ok(end == MAGIC)
}
