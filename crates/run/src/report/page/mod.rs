//! The pages of a run, a game, a grade and a class. A server sends them, and [`Page`], [`grade()`] and [`class`] make
//! the files `report.html`, `grade.html` and `class.html`. Such a file contains its games and loads nothing.
//!
//! A [`Page`] receives the games one by one while the tables are written. Its memory does not grow with the games,
//! except for a few bytes per game in the list. If the games do not fit into 2 MB, all of them are in other files, at
//! most [`MOST_PARTS`], to which the page links.
//!
//! Texts of bots are escaped in the page. The script's data are in base64, so no text in them can end their element.

mod analyses;
mod bundle;
mod faults;
pub mod file_link;
pub mod game;
pub mod game_view;
pub mod grade;
mod head;
pub mod history;
pub mod list;
pub mod plot;
pub mod position;
pub mod run;
mod shelf;

use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{fs, io};

use askama::Template;
use message::{Lang, Message};
use referee::Limits;
use referee::record::{GameRecord, harmless};
use serde_json::json;
use tournament::mark::Card;

use self::game::{GamePage, PairPage};
use self::game_view::GameView;
use self::grade::GradeShown;
use self::head::FileParts;
use self::history::RunHistory;
use self::list::{GameList, GameQuery};
use self::run::{RunLine, RunPage, RunParts};
use self::shelf::{Packed, PagePart, entry};
use super::whole_file::{TableError, replace};
use super::{GoalLine, Standings, TuningLine};
use crate::RunFile;

pub use analyses::{Analyses, before};
pub use bundle::MODULES;
pub use faults::{Faults, READ as MOST_FAULTS, tail};
pub use grade::{class, grade};
pub use head::{PageHead, STYLE, address, as_word, source_hash};
pub use plot::{Axis, Series, lines as plot, whisker};

pub const NAME: &str = "report.html";
pub const FOLDER: &str = "report-games";
pub const ICON: &str = include_str!("assets/icon.svg");
/// At most this many files of games are written. More files would take much time, and few readers need them.
const MOST_PARTS: usize = 10;
const LISTED: u64 = 100_000;

#[derive(Debug, Default)]
pub struct Page {
    folder: PathBuf,
    limits: HashMap<String, Limits>,
    analyses: Analyses,
    games: GameList,
    history: RunHistory,
    faults: Faults,
    list: Packed,
    listed: u64,
    part: PagePart,
    /// For each file of games: the numbers of its first and last game, and its address.
    written: Vec<(u64, u64, String)>,
}

impl Page {
    /// `limits` are the time limits of the bots, by name, as far as they are known.
    pub fn new(folder: &Path, limits: HashMap<String, Limits>) -> Page {
        Page {
            folder: folder.to_owned(),
            limits,
            analyses: Analyses::read(folder),
            ..Page::default()
        }
    }

    /// Adds a game that `standings` have already counted.
    pub fn add(&mut self, record: &GameRecord, standings: &Standings) -> Result<(), TableError> {
        self.games.add(record, standings);
        self.history.add(record, standings);
        self.faults.add(record, &self.folder);
        if self.listed < LISTED {
            self.list.line(&entry(record));
        }
        self.listed += 1;
        if self.part.is_full() {
            let full = std::mem::take(&mut self.part);
            self.write_part(full)?;
        }
        if self.can_write_part() {
            let [black, white] = record.players.each_ref().map(|bot| self.limits.get(bot));
            let limits = black.zip(white).map(|(&black, &white)| [black, white]);
            let mut view = GameView::for_file(record, limits);
            view.analysis = self.analyses.of(record);
            view.explain(&self.folder);
            self.part.add(record, view, standings);
        }
        Ok(())
    }

    fn can_write_part(&self) -> bool {
        self.written.len() < MOST_PARTS
    }

    fn has_room(&self) -> bool {
        !self.part.is_full()
    }

    fn write_part(&mut self, part: PagePart) -> Result<(), TableError> {
        let Some((first, last)) = part.numbers() else {
            return Ok(());
        };
        let file = format!("{}.html", self.written.len() + 1);
        let folder = self.folder.join(FOLDER);
        fs::create_dir_all(&folder).map_err(|source| TableError::Write {
            path: folder.clone(),
            source,
        })?;
        let (file, back) = (format!("{FOLDER}/{file}"), ("../report.html", "file.run"));
        let html = games_page(
            &format!("{first}–{last}"),
            back,
            part,
            as_word(&self.folder),
        );
        let path = self.folder.join(&file);
        let html = html.map_err(|error| unrendered(&path, &error))?;
        replace(&path, html.as_bytes())?;
        self.written.push((first, last, file));
        Ok(())
    }

    pub fn end(mut self, standings: &Standings, about: &About) -> Result<(), TableError> {
        let part = std::mem::take(&mut self.part);
        if self.written.is_empty() {
            self.part = part;
        } else if self.can_write_part() {
            self.write_part(part)?;
        }
        self.remove_old_parts()?;
        let path = self.folder.join(NAME);
        let html = self.html(standings, about, None)?;
        replace(&path, html.as_bytes())
    }

    /// Makes the page as one file. `grade`: the grade of a graded run, and whether the run belongs to a class.
    fn html(
        self,
        standings: &Standings,
        about: &About,
        grade: Option<(&Card, bool)>,
    ) -> Result<String, TableError> {
        let run = RunFile::read(&self.folder).ok();
        let parts = RunParts {
            standings,
            list: &self.games,
            history: &self.history,
            faults: &self.faults,
            about,
            grade: grade.map(|(card, _)| card),
            planned: None,
        };
        let page = FilePage {
            entry: "file.js",
            title: harmless(&about.title),
            back: grade.and_then(|(_, is_of_class)| {
                is_of_class.then_some(("../../class.html", "class.hand-ins"))
            }),
            parts: &self.written,
            list: self.list.text(),
            games: Some(self.part.games.text()),
            // A student who receives a grade does not have the run.
            folder: grade.map_or_else(|| as_word(&self.folder), |_| String::new()),
        };
        let html = page.html(|head| {
            let lang = head.lang;
            let line = RunLine::with(&about.title, run.as_ref(), lang, None, false);
            RunPage {
                title: harmless(&about.title),
                note: match grade {
                    Some((card, _)) => lost_games(card, self.listed, lang),
                    None => note_on_games(self.listed, &self.written, lang),
                },
                grade: grade.map(|(card, _)| {
                    GradeShown::of(card, Some(["#game-", "-lost"].map(str::to_owned)), lang)
                }),
                parts: self.written.clone(),
                ..RunPage::of(head, line, &parts, &GameQuery::default())
            }
            .render()
        });
        html.map_err(|error| unrendered(&self.folder, &error))
    }

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
            // This fails if the folder has other files, which are kept.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }
}

/// Describes which games are in other files, and which are in none.
fn note_on_games(games: u64, parts: &[(u64, u64, String)], lang: &Lang) -> String {
    let Some((_, last, _)) = parts.last() else {
        return String::new();
    };
    let values: [(&str, &dyn Display); _] = [
        ("games", &games),
        ("parts", &parts.len()),
        ("last", last),
        ("listed", &LISTED),
        ("folder", &FOLDER),
    ];
    let is_due = [
        ("file.parts", true),
        ("file.rest", parts.len() == MOST_PARTS && games > last + 1),
        ("file.listed", games > LISTED),
    ];
    let notes = is_due.into_iter().filter(|(_, is_due)| *is_due);
    let notes: Vec<String> = notes.map(|(key, _)| lang.with(key, &values)).collect();
    notes.join(" ")
}

fn lost_games(card: &Card, shown: u64, lang: &Lang) -> String {
    let all: u64 = card.rows.iter().map(|row| row.lost.len() as u64).sum();
    let key = match shown {
        _ if all == 0 => "file.none-lost",
        shown if shown < all => "file.some-lost",
        _ => "file.all-lost",
    };
    lang.with(key, &[("all", &all), ("shown", &shown)])
}

/// Makes a page with a list of games. `back` is the page to which it links: its address, and its name or text key.
fn games_page(
    title: &str,
    back: (&str, &str),
    part: PagePart,
    folder: String,
) -> askama::Result<String> {
    let (history, faults) = (RunHistory::default(), Faults::default());
    let none = Standings::new([""; 0]);
    let parts = RunParts {
        standings: &none,
        list: &part.known,
        history: &history,
        faults: &faults,
        about: &About::default(),
        grade: None,
        planned: None,
    };
    let page = FilePage {
        entry: "file.js",
        title: title.to_owned(),
        back: Some(back),
        list: part.list.text(),
        games: Some(part.games.text()),
        folder,
        ..FilePage::default()
    };
    page.html(|head| {
        let line = RunLine {
            id: title.to_owned(),
            ..RunLine::default()
        };
        let page = RunPage::of(head, line, &parts, &GameQuery::default());
        RunPage {
            progress: page.found.clone(),
            ..page
        }
        .render()
    })
}

/// Returns a page with as many of these games as fit, and how many it has. The page has no texts of bots and faults.
/// `back` is the address and the name of the page to which it links.
pub fn public_games(
    title: &str,
    back: (&str, &str),
    records: impl Iterator<Item = GameRecord>,
) -> Result<(String, usize), askama::Error> {
    let mut part = PagePart::default();
    let mut standings = Standings::new([""; 0]);
    let mut count = 0;
    for record in records {
        standings.add(&record);
        let mut view = GameView::for_file(&record, None);
        view.keep_own([false; 2]);
        part.add(&record, view, &standings);
        count += 1;
        if part.is_full() {
            break;
        }
    }
    Ok((
        games_page(&harmless(title), back, part, String::new())?,
        count,
    ))
}

/// The parts of a report that do not come from single games.
#[derive(Clone, Debug, Default)]
pub struct About {
    pub title: String,
    pub conditions: Message,
    pub goal: Option<GoalLine>,
    pub tuning: Option<TuningLine>,
}

#[derive(Default)]
struct FilePage<'a> {
    entry: &'a str,
    title: String,
    back: Option<(&'a str, &'a str)>,
    parts: &'a [(u64, u64, String)],
    list: String,
    games: Option<String>,
    folder: String,
}

impl FilePage<'_> {
    /// `render` makes the page, given its head; it is called once for each language.
    fn html(self, render: impl Fn(PageHead) -> askama::Result<String>) -> askama::Result<String> {
        let head = |lang: &'static Lang, file: FileParts| {
            let back = self
                .back
                .map(|(address, name)| (address.to_owned(), lang.get(name).to_owned()));
            PageHead::of_file(lang, &self.title, FileParts { back, ..file })
        };
        let mut languages = json!({});
        for lang in message::all() {
            let head = || head(lang, FileParts::default());
            let mut inside = json!({ "texts": lang.texts(), "messages": lang.for_pages() });
            if lang.code != Lang::usual().code {
                inside["page"] = json!(render(head())?);
            }
            if self.games.is_some() {
                let link = || Some("#".to_owned());
                let game = GamePage {
                    back: vec![("#games".to_owned(), self.title.clone())],
                    beside: [link(), link()],
                    pair: link(),
                    folder: self.folder.clone(),
                    page: head(),
                    ..GamePage::default()
                };
                let pair = PairPage {
                    page: head(),
                    run: self.title.clone(),
                    games: [0, 1],
                    ..PairPage::default()
                };
                (inside["game"], inside["pair"]) = (json!(game.render()?), json!(pair.render()?));
            }
            languages[lang.code] = inside;
        }
        let mut pages = Packed::default();
        pages.line(&json!({ "languages": languages, "parts": self.parts }));
        let games = self.games.clone().unwrap_or_default();
        let packed = [
            ("pages", pages.text()),
            ("list", self.list.clone()),
            ("games", games),
        ];
        render(head(Lang::usual(), FileParts::new(self.entry, packed)))
    }
}

fn unrendered(path: &Path, error: &askama::Error) -> TableError {
    TableError::Write {
        path: path.to_owned(),
        source: io::Error::other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use games::{Game, Move, Rules};
    use referee::record::{Effort, GameId, Ply, Thought, Verdict};

    use super::*;

    /// Returns a generator of pseudo-random numbers with a fixed seed.
    fn numbers() -> impl FnMut() -> u64 {
        let mut state = 1_u64;
        move || {
            state = state.wrapping_mul(6364136223846793005);
            state = state.wrapping_add(1442695040888963407);
            state >> 33
        }
    }

    fn game(id: u64, numbers: &mut impl FnMut() -> u64) -> GameRecord {
        let mut board = Game::OTHELLO.start();
        let mut plies = Vec::new();
        while board.ending().is_none() {
            let legal = board.legal_moves();
            let played = legal[numbers() as usize % legal.len()];
            let wall = Duration::from_micros(1 + numbers() % 200_000);
            let pv: Vec<Move> = (0..8).map(|step| legal[step % legal.len()]).collect();
            board.play(played).expect("it is legal");
            plies.push(Ply {
                played,
                effort: Some(Effort {
                    wall,
                    cpu: Some(wall),
                }),
                thought: Thought {
                    depth: Some(4 + (numbers() % 12) as u32),
                    score: Some((numbers() % 6400) as f64 / 100.0 - 32.0),
                    nodes: Some(numbers() % 1_000_000),
                    pv,
                    ..Thought::default()
                },
            });
        }
        let verdict = Verdict::Rules {
            winner: board.ending().and_then(|ending| ending.winner),
            reason: games::Reason::DISCS,
        };
        GameRecord {
            plies,
            counts: board.counts(),
            ..GameRecord::new(GameId(id), Game::OTHELLO, ["one", "two"], verdict)
        }
    }

    fn written(folder: &Path, records: impl Iterator<Item = GameRecord>) -> String {
        let mut page = Page::new(folder, HashMap::new());
        let mut standings = Standings::new(["one", "two"]);
        for record in records {
            standings.add(&record);
            page.add(&record, &standings).expect("a folder to write in");
        }
        page.end(&standings, &About::default())
            .expect("a folder to write in");
        fs::read_to_string(folder.join(NAME)).expect("the page")
    }

    /// The report of a thousand games must have at most 2 MB.
    #[test]
    fn a_thousand_games_fit_and_more_games_go_to_other_files() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut numbers = numbers();
        let thousand: Vec<GameRecord> = (0..1000).map(|id| game(id, &mut numbers)).collect();
        let page = written(folder.path(), thousand.iter().cloned());
        let parts = || {
            let folder = folder.path().join(FOLDER);
            let files = fs::read_dir(folder).into_iter().flatten().flatten();
            let sizes = files.map(|file| file.metadata().expect("a file").len());
            sizes.collect::<Vec<_>>()
        };
        assert!(page.len() <= 2_000_000, "{} bytes", page.len());
        // Long games may need two files, but short games do not.
        assert!(
            parts().iter().all(|&size| size <= 2_000_000),
            "{:?}",
            parts()
        );
        let again = thousand.iter().cycle().take(2300).enumerate();
        let more = again.map(|(id, record)| GameRecord {
            id: GameId(id as u64),
            ..record.clone()
        });
        let page = written(folder.path(), more);
        assert!(
            page.contains("This run has 2300 games."),
            "the note has the number of games"
        );
        assert!(
            parts().len() >= 3 && parts().iter().all(|&size| size <= 2_000_000),
            "{:?}",
            parts()
        );
        let page = written(folder.path(), thousand.into_iter().take(10));
        assert!(parts().is_empty(), "old parts are gone");
        assert!(page.contains("10 games"));
    }
}
