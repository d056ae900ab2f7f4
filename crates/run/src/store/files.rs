//! The files of a record's database: which of them are refused unopened, the lock with the number of games, and the
//! journal.

use std::fs::{self, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use host::Lock;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::{Note, StoreError};

/// Refuses a folder of another user, who could change it while it is read, and a record one of whose files is a pipe, a
/// device or a link: opening it could wait for ever, or write to a file elsewhere. A folder in the place of a file fails
/// at once by itself.
pub(super) fn refuse_irregular(folder: &Path) -> Result<(), StoreError> {
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

/// Whether a journal ends with the name of another file, which the database would open, whatever it is. A record is a
/// database alone and has no such journal.
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

/// Takes the lock of a run, or reports who has it.
pub(super) fn lock(folder: &Path) -> Result<Lock, StoreError> {
    let path = folder.join("arena.lock");
    // The file is not truncated: it has the mark of the earlier run.
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

/// Opens a record for writing: with a write-ahead log if the file system is local and supports it,
/// else with a rollback journal. Both are forced to disk at every commit.
pub(super) fn open(path: &Path) -> rusqlite::Result<(Connection, Option<Note>)> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let why = match host::remote_file_system(&folder) {
        Some(kind) => format!("{} is on a network file system ({kind})", folder.display()),
        None => match with_log(path) {
            Ok(Some(connection)) => return Ok((connection, None)),
            Ok(None) => format!("{} refused the log", folder.display()),
            Err(error) if is_damage(&error) => return Err(error),
            Err(error) => format!("the log failed in {}: {error}", folder.display()),
        },
    };
    let connection = Connection::open(path)?;
    // The file may already be marked as having a log. In exclusive mode that needs no shared memory.
    connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE")?;
    switch(&connection, "DELETE")?;
    // EXTRA: the folder is also forced to disk after the journal is deleted.
    connection.execute_batch("PRAGMA locking_mode = NORMAL; PRAGMA synchronous = EXTRA")?;
    // The next read of the file releases the lock.
    connection.query_row("PRAGMA schema_version", (), |_| Ok(()))?;
    Ok((connection, Some(Note::NoLog { why })))
}

fn with_log(path: &Path) -> rusqlite::Result<Option<Connection>> {
    let connection = Connection::open(path)?;
    let mode = switch(&connection, "WAL")?;
    connection.execute_batch("PRAGMA synchronous = FULL")?;
    // Writing needs shared memory for the first time.
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

/// Requests a journal mode, and returns the actual one. The answer to the request is not reliable: it
/// comes before the file is changed.
fn switch(connection: &Connection, mode: &str) -> rusqlite::Result<String> {
    let mut request = connection.prepare(&format!("PRAGMA journal_mode = {mode}"))?;
    let mut rows = request.query(())?;
    while rows.next()?.is_some() {}
    connection.query_row("PRAGMA journal_mode", (), |row| row.get(0))
}

/// Opens a record for reading. Readers also write to a log's shared memory; on a read-only file system
/// without a log, the file is opened as immutable.
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

/// Escapes a path for a URI.
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

/// The mark of an open record, and the lock that the store holds while it is open.
#[derive(Debug)]
pub(super) struct Mark {
    lock: Lock,
    games: u64,
}

impl Mark {
    /// Reads the number that the earlier run left; 0 if there was none or it cannot be read.
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

    /// Records a saved game.
    pub fn count(&mut self) {
        self.games += 1;
    }

    pub fn set(&mut self, games: u64) {
        self.games = games;
        self.write();
    }

    /// Writes the mark. If that fails, as on a full disk, no game is lost; only a loss is not noticed.
    pub fn write(&mut self) {
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
