//! The tables of a run: derived from its record, each replaced whole.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::games_csv::GamesCsv;
use super::moves_csv::MovesCsv;
use super::standings::{Placing, Standings};
use super::{pairs_csv, standings_csv};
use crate::store::{Store, StoreError};

/// The tables, in the order in which a reader wants them.
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
        /// The system's words.
        source: io::Error,
    },
}

impl TableError {
    /// Whether there is nothing wrong but that nothing may be written there.
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
    bots: &[String],
    placing: Option<Placing>,
) -> Result<Standings, TableError> {
    let mut standings = Standings::new(bots.iter().map(String::as_str));
    store.each(|record| -> Result<(), StoreError> {
        standings.add(&record);
        Ok(())
    })?;
    standings.place(placing);
    Ok(standings)
}

/// Writes all tables of the run in `folder` from its record, for `bots` in the tournament's order,
/// with the places that its format gives; returns what was counted. Memory does not grow with the
/// number of games.
pub fn write(
    folder: &Path,
    store: &Store,
    bots: &[String],
    placing: Option<Placing>,
) -> Result<Standings, TableError> {
    let mut standings = Standings::new(bots.iter().map(String::as_str));
    let mut games = Replaced::begin(&folder.join("games.csv"))?;
    let mut moves = Replaced::begin(&folder.join("moves.csv"))?;
    let mut games_csv = games.check(GamesCsv::new)?;
    let mut moves_csv = moves.check(MovesCsv::new)?;
    store.each(|record| {
        standings.add(&record);
        games_csv
            .add(&record)
            .map_err(|error| failed(&folder.join("games.csv"), error))?;
        moves_csv
            .add(&record)
            .map_err(|error| failed(&folder.join("moves.csv"), error))
    })?;
    games_csv
        .finish()
        .map_err(|error| failed(&folder.join("games.csv"), error))?;
    moves_csv
        .finish()
        .map_err(|error| failed(&folder.join("moves.csv"), error))?;
    games.end()?;
    moves.end()?;
    standings.place(placing);
    for (name, table) in [
        ("standings.csv", standings_csv::csv(&standings)),
        ("pairs.csv", pairs_csv::csv(&standings)),
    ] {
        let path = folder.join(name);
        let table = table.map_err(|error| failed(&path, error))?;
        replace(&path, &table)?;
    }
    Ok(standings)
}

/// Replaces a file whole: after a crash there is the old one or the new one, never half of either.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    let mut file = Replaced::begin(path)?;
    file.check(|file| file.write_all(bytes).map_err(csv::Error::from))?;
    file.end()
}

fn failed(path: &Path, error: csv::Error) -> TableError {
    let source = match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        other => io::Error::other(format!("{other:?}")),
    };
    TableError::Write {
        path: path.to_owned(),
        source,
    }
}

/// A file that is written beside the one it replaces and takes its place at the end. Its draft has a
/// name of its own, so that a report made while the run ends does not write into the run's.
struct Replaced {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
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

    fn check<'a, T>(
        &'a mut self,
        write: impl FnOnce(&'a mut BufWriter<NamedTempFile>) -> csv::Result<T>,
    ) -> Result<T, TableError> {
        write(&mut self.file).map_err(|error| failed(&self.path, error))
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
