use std::fs::TryLockError;
use std::io::{Read, Seek, Write};
use std::path::Path;

use host::Lock;
use message::message;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::{RecordNote, StoreError};

const LOCK: &str = "arena.lock";

pub(super) fn is_locked(folder: &Path) -> bool {
    host::open_regular(&folder.join(LOCK)).is_ok_and(|file| host::is_locked(&file))
}

pub(super) fn lock(folder: &Path) -> Result<Lock, StoreError> {
    let path = folder.join(LOCK);
    // Does not truncate the file, because it holds the number of games of the earlier session.
    let file = host::own_file(&path).map_err(|source| StoreError::File {
        path: path.clone(),
        source,
    })?;
    match Lock::take(file) {
        Ok(lock) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked { path }),
        Err(TryLockError::Error(source)) => Err(StoreError::File { path, source }),
    }
}

/// Opens a record for writing, with a write-ahead log if possible, else a rollback journal. Forces each commit to disk.
pub(super) fn open(path: &Path) -> rusqlite::Result<(Connection, Option<RecordNote>)> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let why = match host::remote_file_system(&folder) {
        Some(kind) => message!("{} is on a network file system ({kind})", folder.display()),
        None => match with_log(path) {
            Ok(Some(connection)) => return Ok((connection, None)),
            Ok(None) => message!(
                "the file system of {} has no write-ahead log",
                folder.display()
            ),
            Err(error) if is_damage(&error) => return Err(error),
            Err(error) => message!(
                "the write-ahead log failed in {}: {error}",
                folder.display()
            ),
        },
    };
    let connection = Connection::open(path)?;
    // If the file is marked as having a write-ahead log, exclusive mode can remove the mark without shared memory.
    connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE")?;
    switch(&connection, "DELETE")?;
    // EXTRA also forces the folder to disk after the journal is deleted.
    connection.execute_batch("PRAGMA locking_mode = NORMAL; PRAGMA synchronous = EXTRA")?;
    // The next read of the file releases the exclusive lock.
    connection.query_row("PRAGMA schema_version", (), |_| Ok(()))?;
    Ok((connection, Some(RecordNote::NoLog { why })))
}

fn with_log(path: &Path) -> rusqlite::Result<Option<Connection>> {
    let connection = Connection::open(path)?;
    let mode = switch(&connection, "WAL")?;
    connection.execute_batch("PRAGMA synchronous = FULL")?;
    // Without shared memory, this fails now instead of at the first saved game.
    connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK")?;
    Ok((mode == "wal").then_some(connection))
}

fn is_damage(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

/// Requests a journal mode. Reads the actual mode by a second query, since the first one returns the old mode.
fn switch(connection: &Connection, mode: &str) -> rusqlite::Result<String> {
    let mut request = connection.prepare(&format!("PRAGMA journal_mode = {mode}"))?;
    let mut rows = request.query(())?;
    while rows.next()?.is_some() {}
    connection.query_row("PRAGMA journal_mode", (), |row| row.get(0))
}

/// Opens a record for reading. A record with a write-ahead log needs writable shared memory even for reading. So on a
/// read-only file system, a record with an empty log is opened as immutable.
pub(super) fn open_to_read(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let opened = connection.query_row("PRAGMA schema_version", (), |_| Ok(()));
    let is_refused = |error: &rusqlite::Error| {
        use ErrorCode::{CannotOpen, ReadOnly};
        matches!(error.sqlite_error_code(), Some(CannotOpen | ReadOnly))
    };
    let log = path.with_extension("db-wal");
    let has_log = log.metadata().is_ok_and(|log| log.len() > 0);
    match opened {
        Err(error) if is_refused(&error) && !has_log => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let uri = format!("file:{}?immutable=1", quoted(path));
            Connection::open_with_flags(uri, flags)
        }
        opened => opened.map(|()| connection),
    }
}

fn quoted(path: &Path) -> String {
    let quote = |byte: &u8| match byte {
        b'%' | b'?' | b'#' => format!("%{byte:02x}"),
        _ if byte.is_ascii() => char::from(*byte).to_string(),
        _ => format!("%{byte:02x}"),
    };
    path.as_os_str()
        .as_encoded_bytes()
        .iter()
        .map(quote)
        .collect()
}

/// The lock file, which is locked while the store is open, and the number of games in this file.
#[derive(Debug)]
pub(super) struct Mark {
    lock: Lock,
    games: u64,
}

impl Mark {
    /// Reads the number of games of the earlier session; 0 if the file has none.
    pub fn new(lock: Lock) -> Mark {
        let mut text = String::new();
        let _ = (&*lock).read_to_string(&mut text);
        let games = text.split(' ').next().and_then(|word| word.parse().ok());
        Mark {
            lock,
            games: games.unwrap_or(0),
        }
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// Writes the number of games. Ignores an error, such as a full disk: no game is lost, but a loss may go unnoticed.
    pub fn set(&mut self, games: u64) {
        self.games = games;
        let line = format!("{:<10} games kept\n", self.games);
        let mut file = &*self.lock;
        let _ = (file.rewind()).and_then(|()| file.write_all(line.as_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_its_uri() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("50%? #1 ö");
        Connection::open(&path)
            .and_then(|new| new.execute_batch("CREATE TABLE t (x)"))
            .expect("a database");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let uri = format!("file:{}?immutable=1", quoted(&path));
        let found = Connection::open_with_flags(uri, flags).expect("found");
        found.execute_batch("SELECT x FROM t").expect("the same");
    }
}
