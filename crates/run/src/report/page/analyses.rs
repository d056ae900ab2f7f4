//! The analyses of games that `arena analyze RUN --keep` left in the folder of the run, for the pages of these games.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde_json::Value;

use crate::report::tables::{TableError, replace};

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

    pub fn of_game(folder: &Path, game: u64) -> Option<Value> {
        let (_, analysis) = lines(folder)?.find(|(number, _)| *number == game)?;
        serde_json::from_str(&analysis).ok()
    }

    pub fn of(&self, game: u64) -> Option<Value> {
        serde_json::from_str(self.0.get(&game)?).ok()
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

fn lines(folder: &Path) -> Option<impl Iterator<Item = (u64, String)>> {
    let file = host::open_regular(&folder.join(FILE)).ok()?;
    let lines = BufReader::new(file.take(LONGEST)).lines();
    Some(lines.map_while(Result::ok).filter_map(|line| split(&line)))
}

fn split(line: &str) -> Option<(u64, String)> {
    let (game, analysis) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(',')?;
    Some((game.parse().ok()?, analysis.to_owned()))
}
