//! The analyses in a run's folder: those of `arena analyze RUN --keep`, and those that pages of games requested.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use referee::record::{GameRecord, Outcome};
use serde_json::{Value, json};

use crate::report::whole_file::{TableError, replace};

/// One line per game: the number of the game, and its analysis.
const FILE: &str = "analyses.jsonl";
const LONGEST: u64 = 32 << 20;

/// The analyses by the numbers of their games, each as JSON.
#[derive(Debug, Default)]
pub struct Analyses(HashMap<u64, String>);

impl Analyses {
    /// Reads the analyses in a folder; without the file there are none. Ignores lines of another form.
    pub fn read(folder: &Path) -> Analyses {
        Analyses(lines(folder).into_iter().flatten().collect())
    }

    pub fn of_game(folder: &Path, record: &GameRecord) -> Option<Value> {
        let (_, analysis) = lines(folder)?.find(|(number, _)| *number == record.id.0)?;
        shown(&analysis, record)
    }

    pub fn of(&self, record: &GameRecord) -> Option<Value> {
        shown(self.0.get(&record.id.0)?, record)
    }

    /// Writes these analyses, and keeps the earlier analyses of other games.
    pub fn keep(
        folder: &Path,
        found: impl IntoIterator<Item = (u64, Value)>,
    ) -> Result<(), TableError> {
        let Analyses(mut known) = Analyses::read(folder);
        known.extend(found.into_iter().map(|(game, one)| (game, one.to_string())));
        let mut lines: Vec<_> = known.into_iter().collect();
        lines.sort_unstable();
        let lines = lines
            .iter()
            .map(|(game, analysis)| format!("[{game},{analysis}]\n"));
        replace(&folder.join(FILE), lines.collect::<String>().as_bytes())
    }
}

/// Returns an analysis as the scripts of pages receive it; `None` for a void game, which may be played again.
fn shown(analysis: &str, record: &GameRecord) -> Option<Value> {
    let mut analysis: Value = serde_json::from_str(analysis).ok()?;
    let fields = analysis.as_object_mut()?;
    fields.insert("before".to_owned(), json!(before(record)));
    (record.verdict.outcome() != Outcome::Void).then_some(analysis)
}

/// Returns the number of half-moves that the page of a game shows before the first analysed half-move. In a game of a
/// stage, these are the moves that place the stones of the stage.
pub fn before(record: &GameRecord) -> usize {
    (record.opening.len() + record.counted().len()).saturating_sub(record.saved().moves.len())
}

fn lines(folder: &Path) -> Option<impl Iterator<Item = (u64, String)>> {
    let file = host::open_regular(&folder.join(FILE)).ok()?;
    let lines = BufReader::new(file.take(LONGEST)).lines();
    Some(lines.map_while(Result::ok).filter_map(|line| split(&line)))
}

fn split(line: &str) -> Option<(u64, String)> {
    let (game, analysis) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(',')?;
    Some((game.parse().ok()?, analysis.to_owned()))
}
