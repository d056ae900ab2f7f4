//! The tables of a run, made from its record. Each file is replaced as a whole.

use std::collections::HashMap;
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use referee::Limits;
use referee::record::GameRecord;
use serde_json::Value;

use super::columns::{self, Column, Figure};
use super::goal::GoalLine;
use super::page::{About, Page};
use super::standings::Standings;
use super::whole_file::Replaced;
pub use super::whole_file::{TableError, replace, replace_own};
use crate::store::{Store, StoreError};
use tournament::Places;

/// At most this many games wait for the thread that writes their half-moves.
const AHEAD: usize = 256;

/// The file names of the tables and the report, the most useful first.
pub const NAMES: [&str; 5] = [
    "standings.csv",
    "pairs.csv",
    "games.csv",
    "moves.csv",
    super::page::NAME,
];

/// Returns the same standings of a run as [`Tables`], but writes no files.
pub fn count(
    store: &Store,
    mut standings: Standings,
    placing: Option<Places>,
    goal: Option<&GoalLine>,
) -> Result<Standings, TableError> {
    store.each(|record| -> Result<(), StoreError> {
        standings.add(&record);
        Ok(())
    })?;
    standings.conclude(placing, goal);
    Ok(standings)
}

/// All tables of a run and `report.html`, while games are added. [`Tables::end`] replaces the earlier files.
#[derive(Debug)]
pub struct Tables {
    folder: PathBuf,
    standings: Standings,
    page: Page,
    games: Table,
    columns: Vec<Column<GameRecord>>,
    moves: Moves,
}

impl Tables {
    /// Begins the tables of the run in `folder`. `standings` must have the bots in the tournament's order, and no
    /// games. `limits` are the time limits of the bots, by name.
    pub fn begin(
        folder: &Path,
        standings: Standings,
        limits: HashMap<String, Limits>,
    ) -> Result<Tables, TableError> {
        let columns = columns::games();
        Ok(Tables {
            page: Page::new(folder, limits),
            games: Table::begin(
                folder,
                "games.csv",
                columns.iter().map(|column| column.name),
            )?,
            columns,
            moves: Moves::begin(folder)?,
            folder: folder.to_owned(),
            standings,
        })
    }

    /// Adds a game. Games must come in the order of their numbers.
    pub fn add(&mut self, record: GameRecord) -> Result<(), TableError> {
        self.standings.add(&record);
        self.page.add(&record, &self.standings)?;
        self.games.row(&self.columns, &record)?;
        self.moves.add(record);
        Ok(())
    }

    /// Replaces the files. Returns the standings, ranked by `placing`, with only the pairs that count for `goal`.
    pub fn end(
        self,
        placing: Option<Places>,
        goal: Option<&GoalLine>,
        about: impl FnOnce(&Standings) -> About,
    ) -> Result<Standings, TableError> {
        let Tables {
            folder,
            mut standings,
            page,
            games,
            moves,
            ..
        } = self;
        moves.end()?;
        games.end()?;
        standings.conclude(placing, goal);
        let rows = columns::ranked(&standings);
        whole(&folder, "standings.csv", columns::STANDINGS, rows)?;
        let rows = columns::paired(&standings);
        whole(&folder, "pairs.csv", columns::PAIRS, rows)?;
        page.end(&standings, &about(&standings))?;
        Ok(standings)
    }
}

/// `moves.csv`. A separate thread writes this file, because its rows, one for each half-move, are half of the work.
#[derive(Debug)]
struct Moves {
    /// `None` once the thread has ended.
    worker: Option<(SyncSender<GameRecord>, Worker)>,
}

type Worker = JoinHandle<Result<Table, TableError>>;

impl Moves {
    fn begin(folder: &Path) -> Result<Moves, TableError> {
        let table = Table::begin(
            folder,
            "moves.csv",
            columns::moves().iter().map(|column| column.name),
        )?;
        let (sender, records) = sync_channel::<GameRecord>(AHEAD);
        let work = move || {
            let mut table = table;
            for record in records {
                let columns = columns::moves();
                columns::half_moves(&record).try_for_each(|row| table.row(&columns, &row))?;
            }
            Ok(table)
        };
        let worker = thread::Builder::new().spawn(work);
        let worker = worker.map_err(|source| TableError::Write {
            path: folder.join("moves.csv"),
            source,
        })?;
        Ok(Moves {
            worker: Some((sender, worker)),
        })
    }

    fn add(&self, record: GameRecord) {
        if let Some((sender, _)) = &self.worker {
            // Sending fails only if the worker has failed. `join` returns its error at the end.
            let _ = sender.send(record);
        }
    }

    fn end(mut self) -> Result<(), TableError> {
        self.join().map_or(Ok(()), |table| table?.end())
    }

    fn join(&mut self) -> Option<Result<Table, TableError>> {
        let (sender, worker) = self.worker.take()?;
        drop(sender);
        Some(worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl Drop for Moves {
    /// Waits for the worker, so that the draft of `moves.csv` is removed.
    fn drop(&mut self) {
        let _ = self.join();
    }
}

fn whole(
    folder: &Path,
    name: &str,
    figures: &[Figure],
    rows: impl Iterator<Item = Value>,
) -> Result<(), TableError> {
    let mut table = Table::begin(folder, name, figures.iter().map(|figure| figure.name))?;
    for row in rows {
        table.record(figures.iter().map(|figure| figure.cell(&row)))?;
    }
    table.end()
}

#[derive(Debug)]
struct Table(csv::Writer<Replaced>);

impl Table {
    fn begin<'a>(
        folder: &Path,
        name: &str,
        titles: impl Iterator<Item = &'a str>,
    ) -> Result<Table, TableError> {
        let file = Replaced::begin(&folder.join(name))?;
        let mut table = Table(csv::Writer::from_writer(file));
        table.record(titles)?;
        Ok(table)
    }

    fn row<T>(&mut self, columns: &[Column<T>], row: &T) -> Result<(), TableError> {
        self.record(columns.iter().map(|column| (column.cell)(row)))
    }

    fn record<C: AsRef<[u8]>>(
        &mut self,
        cells: impl IntoIterator<Item = C>,
    ) -> Result<(), TableError> {
        self.0.write_record(cells).map_err(|error| {
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
