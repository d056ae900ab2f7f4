//! The tables of a run: derived from its record, each file replaced as a whole.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::cell::Column;
use super::standings::{Placing, Standings};
use super::{games_csv, moves_csv, pairs_csv, standings_csv};
use crate::store::{Store, StoreError};

/// The tables, the most useful first.
pub const NAMES: [&str; 4] = ["standings.csv", "pairs.csv", "games.csv", "moves.csv"];

/// Tables that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The record could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The table.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl TableError {
    /// Whether the only problem is that the folder is not writable.
    pub fn is_read_only(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        let TableError::Write { source, .. } = self else {
            return false;
        };
        matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem)
    }
}

/// Counts a run without writing anything; see [`write`].
pub fn count(
    store: &Store,
    mut standings: Standings,
    placing: Option<Placing>,
) -> Result<Standings, TableError> {
    store.each(|record| -> Result<(), StoreError> {
        standings.add(&record);
        Ok(())
    })?;
    standings.place(placing);
    Ok(standings)
}

/// Writes all tables of the run in `folder` from its record; `standings` are empty, with the bots in the
/// tournament's order, and are returned with the places that its format gives. Memory does not grow with
/// the number of games.
pub fn write(
    folder: &Path,
    store: &Store,
    mut standings: Standings,
    placing: Option<Placing>,
) -> Result<Standings, TableError> {
    let mut games = Table::begin(
        folder,
        "games.csv",
        games_csv::COLUMNS.map(|(title, _)| title),
    )?;
    let mut moves = Table::begin(folder, "moves.csv", moves_csv::HEADER)?;
    store.each(|record| {
        standings.add(&record);
        games.row(games_csv::COLUMNS.map(|(_, cell)| cell(&record)))?;
        moves_csv::rows(&record).try_for_each(|row| moves.row(row))
    })?;
    games.end()?;
    moves.end()?;
    standings.place(placing);
    let lines = standings_csv::rows(&standings);
    whole(folder, "standings.csv", &standings_csv::columns(), lines)?;
    let lines = pairs_csv::rows(&standings);
    whole(folder, "pairs.csv", &pairs_csv::columns(), lines)?;
    Ok(standings)
}

fn whole<T>(
    folder: &Path,
    name: &str,
    columns: &[Column<T>],
    lines: impl Iterator<Item = T>,
) -> Result<(), TableError> {
    let mut table = Table::begin(folder, name, columns.iter().map(|(title, _)| title))?;
    for line in lines {
        table.row(columns.iter().map(|(_, cell)| cell(&line)))?;
    }
    table.end()
}

/// Replaces a whole file: after a crash there is the old or the new one, never a part of one.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    let mut file = Replaced::begin(path)?;
    let written = file.file.write_all(bytes);
    written.map_err(|source| file.failed(source))?;
    file.end()
}

/// A table that is being written, row by row.
struct Table(csv::Writer<Replaced>);

impl Table {
    fn begin<T: AsRef<[u8]>>(
        folder: &Path,
        name: &str,
        header: impl IntoIterator<Item = T>,
    ) -> Result<Table, TableError> {
        let file = Replaced::begin(&folder.join(name))?;
        let mut table = Table(csv::Writer::from_writer(file));
        table.row(header)?;
        Ok(table)
    }

    fn row<T: AsRef<[u8]>>(&mut self, row: impl IntoIterator<Item = T>) -> Result<(), TableError> {
        self.0.write_record(row).map_err(|error| {
            self.0.get_ref().failed(match error.into_kind() {
                csv::ErrorKind::Io(source) => source,
                other => io::Error::other(format!("{other:?}")),
            })
        })
    }

    fn end(mut self) -> Result<(), TableError> {
        let flushed = self.0.flush();
        flushed.map_err(|source| self.0.get_ref().failed(source))?;
        let file = self.0.into_inner();
        file.unwrap_or_else(|_| unreachable!("it has been flushed"))
            .end()
    }
}

/// A file that is written beside the one it replaces and takes its place at the end. Each draft has a
/// different name, so that a report made while the run ends does not write to the run's draft.
struct Replaced {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Write for Replaced {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Replaced {
    fn begin(path: &Path) -> Result<Replaced, TableError> {
        let begin = || {
            let name = path.file_name().unwrap_or_default();
            let folder = path.parent().unwrap_or(Path::new("."));
            let mut draft = tempfile::Builder::new();
            if let Some(permissions) = host::usual_permissions() {
                draft.permissions(permissions);
            }
            draft.prefix(name).suffix(".draft").tempfile_in(folder)
        };
        let file = begin().map_err(|source| TableError::Write {
            path: path.to_owned(),
            source,
        })?;
        Ok(Replaced {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 16, file),
        })
    }

    fn failed(&self, source: io::Error) -> TableError {
        TableError::Write {
            path: self.path.clone(),
            source,
        }
    }

    fn end(self) -> Result<(), TableError> {
        let wrap = |source| TableError::Write {
            path: self.path.clone(),
            source,
        };
        let file = self
            .file
            .into_inner()
            .map_err(|error| wrap(error.into_error()))?;
        file.as_file().sync_all().map_err(wrap)?;
        file.persist(&self.path)
            .map_err(|error| wrap(error.error))?;
        Ok(())
    }
}
