//! The tables of a run: derived from its record, each file replaced as a whole.

use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::cell::Column;
use super::file::Replaced;
pub use super::file::{TableError, replace, replace_own};
use super::page::{About, Page};
use super::standings::{Placing, Standings};
use super::{games_csv, moves_csv, pairs_csv, standings_csv};
use crate::store::{Store, StoreError};
use referee::record::GameRecord;

/// Games that may wait for their half-moves to be written.
const AHEAD: usize = 256;

/// The tables, the most useful first.
pub const NAMES: [&str; 5] = [
    "standings.csv",
    "pairs.csv",
    "games.csv",
    "moves.csv",
    super::page::NAME,
];

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

/// Writes all tables of the run in `folder` from its record; see [`Tables`].
pub fn write(
    folder: &Path,
    store: &Store,
    standings: Standings,
    placing: Option<Placing>,
    about: impl FnOnce(&Standings) -> About,
) -> Result<Standings, TableError> {
    let mut tables = Tables::begin(folder, standings)?;
    store.each(|record| tables.add(record))?;
    tables.end(placing, about)
}

/// All tables of a run, and `report.html`, while its games are read. Memory does not grow with the number
/// of games. Where they do not come to their end, those of before stay.
#[derive(Debug)]
pub struct Tables {
    folder: PathBuf,
    standings: Standings,
    page: Page,
    games: Table,
    moves: Moves,
}

impl Tables {
    /// Tables without a game for the run in `folder`; `standings` are empty, with the bots in the
    /// tournament's order.
    pub fn begin(folder: &Path, standings: Standings) -> Result<Tables, TableError> {
        let bots = standings.bots().iter();
        let names: Vec<String> = bots.map(|bot| bot.name.clone()).collect();
        let titles = games_csv::COLUMNS.map(|(title, _)| title);
        Ok(Tables {
            page: Page::new(folder, &names),
            games: Table::begin(folder, "games.csv", titles)?,
            moves: Moves::begin(folder)?,
            folder: folder.to_owned(),
            standings,
        })
    }

    /// One more game. They come in the order of their numbers.
    pub fn add(&mut self, record: GameRecord) -> Result<(), TableError> {
        self.standings.add(&record);
        self.page.add(&record, &self.standings)?;
        self.games
            .row(games_csv::COLUMNS.map(|(_, cell)| cell(&record)))?;
        self.moves.add(record);
        Ok(())
    }

    /// Replaces the files. Returns the standings, with the places that the format gives; `about` says
    /// what the page tells of the run.
    pub fn end(
        self,
        placing: Option<Placing>,
        about: impl FnOnce(&Standings) -> About,
    ) -> Result<Standings, TableError> {
        let Tables {
            folder,
            mut standings,
            page,
            games,
            moves,
        } = self;
        moves.end()?;
        games.end()?;
        standings.place(placing);
        let lines = standings_csv::rows(&standings);
        whole(&folder, "standings.csv", &standings_csv::columns(), lines)?;
        let lines = pairs_csv::rows(&standings);
        whole(&folder, "pairs.csv", &pairs_csv::columns(), lines)?;
        page.end(&standings, &about(&standings))?;
        Ok(standings)
    }
}

/// `moves.csv`, written by a thread of its own: half of the work is a row for each half-move.
#[derive(Debug)]
struct Moves {
    /// `None` once it has ended.
    worker: Option<(SyncSender<GameRecord>, Worker)>,
}

type Worker = JoinHandle<Result<Table, TableError>>;

impl Moves {
    fn begin(folder: &Path) -> Result<Moves, TableError> {
        let table = Table::begin(folder, "moves.csv", moves_csv::HEADER)?;
        let (sender, records) = sync_channel::<GameRecord>(AHEAD);
        let work = move || {
            let mut table = table;
            for record in records {
                moves_csv::rows(&record)
                    .try_for_each(|row| table.row(row.iter().map(|cell| cell.as_bytes())))?;
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
            // Who has failed listens no more, and says why at the end.
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
    /// No draft is left behind.
    fn drop(&mut self) {
        let _ = self.join();
    }
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

/// A table that is being written, row by row.
#[derive(Debug)]
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
