//! The tables of a run: derived from its record, each file replaced as a whole.

use std::io;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::cell::Column;
use super::file::Replaced;
pub use super::file::{TableError, replace};
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

/// Writes all tables of the run in `folder` from its record; `standings` are empty, with the bots in the
/// tournament's order, and are returned with the places that its format gives. Memory does not grow with
/// the number of games. `report.html` is written, too; `about` says what it tells of the run.
pub fn write(
    folder: &Path,
    store: &Store,
    mut standings: Standings,
    placing: Option<Placing>,
    about: impl FnOnce(&Standings) -> About,
) -> Result<Standings, TableError> {
    let names: Vec<String> = standings
        .bots()
        .iter()
        .map(|bot| bot.name.clone())
        .collect();
    let mut page = Page::new(folder, &names);
    let mut games = Table::begin(
        folder,
        "games.csv",
        games_csv::COLUMNS.map(|(title, _)| title),
    )?;
    let mut moves = Table::begin(folder, "moves.csv", moves_csv::HEADER)?;
    // Half of the work is a row for each half-move.
    let (sender, records) = sync_channel::<GameRecord>(AHEAD);
    let all_moves = move || {
        for record in records {
            moves_csv::rows(&record).try_for_each(|row| moves.row(row))?;
        }
        moves.end()
    };
    thread::scope(|scope| -> Result<(), TableError> {
        let worker = thread::Builder::new().spawn_scoped(scope, all_moves);
        let worker = worker.map_err(|source| games.0.get_ref().failed(source))?;
        store.each(|record| -> Result<(), TableError> {
            standings.add(&record);
            page.add(&record, &standings)?;
            games.row(games_csv::COLUMNS.map(|(_, cell)| cell(&record)))?;
            // Who has failed listens no more, and says why at the end.
            let _ = sender.send(record);
            Ok(())
        })?;
        drop(sender);
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })?;
    games.end()?;
    standings.place(placing);
    let lines = standings_csv::rows(&standings);
    whole(folder, "standings.csv", &standings_csv::columns(), lines)?;
    let lines = pairs_csv::rows(&standings);
    whole(folder, "pairs.csv", &pairs_csv::columns(), lines)?;
    page.end(&standings, &about(&standings))?;
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
