//! A run as one HTML file, `report.html`: it opens from disk, loads nothing, and replays its games by
//! its own script.
//!
//! A [`Page`] is filled game by game while the tables are written. Its memory does not grow with the
//! games, but for a line of some bytes for each in the list. Games that do not fit into one file of
//! 2 MB go to files of their own, at most [`MOST_PARTS`]; the page says where each game is.
//!
//! Texts of bots are escaped where they stand in the page, and compressed into base64 where the script
//! reads them, which cannot end an element.

mod class;
mod content;
mod course;
mod frame;
mod grade;
mod plot;
mod run;
mod shelf;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use askama::Template;
use serde_json::{Value, json};

use super::Standings;
use super::file::{TableError, replace};
pub use content::About;
use content::{Fault, Games, unrendered};
use course::Course;
use frame::{Frame, json_in_html};
use referee::record::{GameRecord, Outcome, Verdict, harmless};
use run::RunPage;
use shelf::{Names, Packed, Part, entry, why};

pub use class::class;
pub use grade::grade;

/// The file.
pub const NAME: &str = "report.html";
/// The folder of the games that it has no room for.
pub const FOLDER: &str = "report-games";
/// How many files of games are written: writing more takes time that nobody asked for.
const MOST_PARTS: usize = 10;
/// The most games in the list.
const LISTED: u64 = 100_000;
/// The most faults in the page.
const FAULTS: usize = 200;

/// A page that is being filled.
#[derive(Debug)]
pub struct Page {
    folder: PathBuf,
    names: Names,
    list: Packed,
    listed: u64,
    part: Part,
    /// The first part, which waits to see whether it stays alone.
    first: Option<Part>,
    written: Vec<Value>,
    course: Course,
    faults: Vec<Fault>,
    fault_count: u64,
}

impl Page {
    /// An empty page of the run in `folder`, for these bots.
    pub fn new(folder: &Path, bots: &[String]) -> Page {
        Page {
            folder: folder.to_owned(),
            names: Names::new(bots),
            list: Packed::default(),
            listed: 0,
            part: Part::default(),
            first: None,
            written: Vec::new(),
            course: Course::new(bots.len()),
            faults: Vec::new(),
            fault_count: 0,
        }
    }

    /// One more game, which `standings` have counted.
    pub fn add(&mut self, record: &GameRecord, standings: &Standings) -> Result<(), TableError> {
        self.course.add(record, standings);
        self.note_fault(record);
        if self.listed < LISTED {
            self.list.line(&entry(record, &mut self.names));
        }
        self.listed += 1;
        if self.part.is_full() {
            let full = std::mem::take(&mut self.part);
            match (&self.first, self.written.is_empty()) {
                (None, true) => self.first = Some(full),
                _ => self.shelve(full)?,
            }
        }
        if self.has_room() {
            if let Some(first) = self.first.take() {
                self.shelve(first)?;
            }
            self.part.add(record, &mut self.names);
        }
        Ok(())
    }

    fn has_room(&self) -> bool {
        self.written.len() < MOST_PARTS
    }

    fn note_fault(&mut self, record: &GameRecord) {
        let who = match &record.verdict {
            Verdict::Forfeit { by, .. } => record.player(*by).to_owned(),
            Verdict::BothFailed(_) => record.players.join(", "),
            Verdict::Void { .. } => "(void)".to_owned(),
            Verdict::Rules { .. } | Verdict::Resigned(_) | Verdict::Adjudicated { .. } => return,
        };
        if record.verdict.outcome() != Outcome::Void {
            self.fault_count += 1;
        }
        if let (true, Some(what)) = (self.faults.len() < FAULTS, why(&record.verdict)) {
            self.faults.push(Fault {
                game: record.id.0,
                who: harmless(&who),
                what: harmless(&what),
            });
        }
    }

    /// Writes a part to a file of its own.
    fn shelve(&mut self, part: Part) -> Result<(), TableError> {
        let Some(numbers) = part.numbers() else {
            return Ok(());
        };
        let (first, last) = (*numbers.start(), *numbers.end());
        let file = format!("{}.html", self.written.len() + 1);
        let folder = self.folder.join(FOLDER);
        fs::create_dir_all(&folder).map_err(|source| TableError::Write {
            path: folder.clone(),
            source,
        })?;
        let (records, index) = part.texts();
        let page = run::PartPage {
            frame: Frame::new(),
            title: format!("Games {first} to {last}"),
            games: Games {
                note: String::new(),
                names: json_in_html(&self.names.json()),
                index,
                records,
            },
        };
        let html = page.render().map_err(|error| unrendered(&folder, &error))?;
        replace(&folder.join(&file), html.as_bytes())?;
        let file = format!("{FOLDER}/{file}");
        self.written
            .push(json!({ "first": first, "last": last, "file": file }));
        Ok(())
    }

    /// Writes the page. Without games, only what tells that there are none.
    pub fn end(mut self, standings: &Standings, about: &About) -> Result<(), TableError> {
        let part = std::mem::take(&mut self.part);
        let alone = match self.first.take() {
            // It was full, and no game came after it.
            Some(first) => first,
            None if self.written.is_empty() => part,
            None => {
                if self.has_room() {
                    self.shelve(part)?;
                }
                Part::default()
            }
        };
        self.remove_old_parts()?;
        let note = self.note_on_games(&alone);
        let mut names = self.names.json();
        names["parts"] = json!(self.written);
        let games = Games {
            note,
            names: json_in_html(&names),
            index: std::mem::take(&mut self.list).text(),
            records: alone.texts().0,
        };
        let more = self.fault_count.saturating_sub(self.faults.len() as u64);
        let page = RunPage::new(
            &self.course,
            &self.folder,
            (&self.faults, more),
            standings,
            about,
            games,
        );
        let path = self.folder.join(NAME);
        let html = page.render().map_err(|error| unrendered(&path, &error))?;
        replace(&path, html.as_bytes())
    }

    /// Where the games are.
    fn note_on_games(&self, alone: &Part) -> String {
        let games = self.listed;
        if self.written.is_empty() {
            return match alone.numbers() {
                None => "No game has been played yet.".to_owned(),
                Some(_) => "Choose a game. Then ← and → step through it, Home and End go to its \
                            ends."
                    .to_owned(),
            };
        }
        let parts = self.written.len();
        let last = self
            .written
            .last()
            .map_or(0, |part| part["last"].as_u64().unwrap_or(0));
        let mut note = format!(
            "This run has {games} games. They are not in this file but in {parts} files in the \
             folder {FOLDER} beside it: keep them together."
        );
        if !self.has_room() && games > last + 1 {
            note += &format!(
                " Games after number {last} are not in these files; arena replay RUN/GAME shows them."
            );
        }
        if games > LISTED {
            note += &format!(" The list has the first {LISTED}.");
        }
        note
    }

    /// Removes files of games that an earlier page had.
    fn remove_old_parts(&self) -> Result<(), TableError> {
        let folder = self.folder.join(FOLDER);
        for number in self.written.len() + 1..=MOST_PARTS {
            let path = folder.join(format!("{number}.html"));
            match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(TableError::Write { path, source });
                }
                _ => {}
            }
        }
        if self.written.is_empty() {
            // It stays if it has files of others.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
