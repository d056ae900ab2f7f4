//! A run as one HTML file, `report.html`. It opens from disk, loads nothing, and replays its games with its own script.
//!
//! A [`Page`] is filled game by game while the tables are written. Its memory does not grow with the games, except for
//! a few bytes per game in the list. If the games do not fit into 2 MB, they all go to further files, at most
//! [`MOST_PARTS`], to which the page links.
//!
//! Texts of bots are escaped in the page; for the script they are in base64, which cannot end an element.

mod grade;
pub(super) mod plot;
mod run;
mod shelf;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fs, io};

use askama::Template;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use message::{Lang, Message, ToValue, message};
use referee::record::{GameRecord, Outcome, Verdict, harmless};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use self::run::{RunHistory, RunPage};
use super::Standings;
use super::tables::{TableError, replace};
use shelf::{Names, Packed, PagePart, entry, why};

pub use grade::{class, grade};
pub use plot::{Axis, Series, lines as plot, whisker};

pub const NAME: &str = "report.html";
pub const FOLDER: &str = "report-games";
/// The most files of games. More files would take much time, and few readers need them.
const MOST_PARTS: usize = 10;
const LISTED: u64 = 100_000;
const FAULTS: usize = 200;

#[derive(Debug)]
pub struct Page {
    folder: PathBuf,
    names: Names,
    list: Packed,
    listed: u64,
    part: PagePart,
    written: Vec<Value>,
    course: RunHistory,
    faults: Vec<Fault>,
    fault_count: u64,
}

impl Page {
    pub fn new(folder: &Path, bots: &[String]) -> Page {
        Page {
            folder: folder.to_owned(),
            names: Names::new(bots),
            list: Packed::default(),
            listed: 0,
            part: PagePart::default(),
            written: Vec::new(),
            course: RunHistory::new(bots.len()),
            faults: Vec::new(),
            fault_count: 0,
        }
    }

    /// Adds a game that `standings` have already counted.
    pub fn add(&mut self, record: &GameRecord, standings: &Standings) -> Result<(), TableError> {
        self.course.add(record, standings);
        self.note_fault(record);
        if self.listed < LISTED {
            self.list.line(&entry(record, &mut self.names));
        }
        self.listed += 1;
        if self.part.is_full() {
            let full = std::mem::take(&mut self.part);
            self.write_part(full)?;
        }
        if self.can_write_part() {
            self.part.add(record, &mut self.names);
        }
        Ok(())
    }

    fn can_write_part(&self) -> bool {
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
                what: said(&what),
            });
        }
    }

    fn write_part(&mut self, part: PagePart) -> Result<(), TableError> {
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
            frame: PageFrame::new(),
            title: format!("Games {first} to {last}"),
            back: ("../report.html".to_owned(), "All of this run".to_owned()),
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

    pub fn end(mut self, standings: &Standings, about: &About) -> Result<(), TableError> {
        let part = std::mem::take(&mut self.part);
        let alone = if self.written.is_empty() {
            part
        } else {
            if self.can_write_part() {
                self.write_part(part)?;
            }
            PagePart::default()
        };
        self.remove_old_parts()?;
        let note = self.note_on_games(&alone);
        let mut names = self.names.json();
        names["parts"] = json!(self.written);
        let games = Games {
            note: said(&note),
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

    fn note_on_games(&self, alone: &PagePart) -> Message {
        let games = self.listed;
        if self.written.is_empty() {
            return match alone.numbers() {
                None => "No game has been played yet.".into(),
                Some(_) => {
                    "Choose a game. Then ← and → step through it, Home and End go to its ends."
                        .into()
                }
            };
        }
        let parts = self.written.len();
        let last = self
            .written
            .last()
            .map_or(0, |part| part["last"].as_u64().unwrap_or(0));
        let mut note = vec![message!(
            "This run has {games} games. They are not in this file but in {parts} files in the folder {FOLDER} \
             beside it: keep them together."
        )];
        if !self.can_write_part() && games > last + 1 {
            note.push(message!(
                "Games after number {last} are not in these files; arena replay RUN/GAME shows them."
            ));
        }
        if games > LISTED {
            note.push(message!("The list has only the first {LISTED} games."));
        }
        Message::sentences(note)
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
            // Fails if the folder has other files; it is kept then.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }
}

/// Returns a page with a viewer of these games, and the number of those that fit. It has no texts of bots and of faults.
/// `back` is the address and the name of the page to which it leads.
pub fn public_games(
    title: &str,
    back: (&str, &str),
    records: impl Iterator<Item = GameRecord>,
) -> Result<(String, usize), askama::Error> {
    let (mut part, mut names) = (PagePart::default(), Names::new(&[]));
    names.are_public = true;
    let mut count = 0;
    for record in records {
        part.add(&record, &mut names);
        count += 1;
        if part.is_full() {
            break;
        }
    }
    let (records, index) = part.texts();
    let note: Message =
        "Choose a game. Then ← and → step through it, Home and End go to its ends.".into();
    let page = run::PartPage {
        frame: PageFrame::new(),
        title: harmless(title),
        back: (back.0.to_owned(), harmless(back.1)),
        games: Games {
            note: said(&note),
            names: json_in_html(&names.json()),
            index,
            records,
        },
    };
    Ok((page.render()?, count))
}

#[derive(Clone, Debug, Default)]
pub struct About {
    pub title: String,
    pub conditions: Message,
    pub result: String,
    /// The picture of a tuning, as SVG.
    pub picture: Option<String>,
}

#[derive(Debug)]
struct Fault {
    pub game: u64,
    pub who: String,
    /// HTML.
    pub what: String,
}

struct Games {
    /// HTML.
    pub note: String,
    pub names: String,
    pub index: String,
    pub records: String,
}

fn unrendered(path: &Path, error: &askama::Error) -> TableError {
    TableError::Write {
        path: path.to_owned(),
        source: io::Error::other(error.to_string()),
    }
}

const STYLE: &str = include_str!("assets/report.css");
const SCRIPT: &str = concat!(
    include_str!("../../../../message/src/message.js"),
    include_str!("assets/report.js")
);

/// Formats a message as HTML: in English, with data from which the page's script makes the other language.
fn said(message: &impl ToValue) -> String {
    let message = message.to_message();
    let escaped =
        |text: &str| askama::filters::escape(text, askama::filters::Html).map(|it| it.to_string());
    let [json, english] = [serde_json::json!(message).to_string(), message.to_string()]
        .map(|text| escaped(&text).unwrap_or_default());
    format!("<span data-said=\"{json}\">{english}</span>")
}

/// The frame of all pages: style, script, and the policy that allows only these.
struct PageFrame {
    /// The content security policy: this style, this script, and no other resource.
    pub policy: String,
    pub style: &'static str,
    pub script: &'static str,
    pub version: String,
    /// The other language: its code, its name and the page's texts, for the script.
    pub other: &'static str,
    pub other_name: &'static str,
    pub texts: &'static str,
}

impl PageFrame {
    pub fn new() -> PageFrame {
        let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
        PageFrame {
            policy: format!(
                "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; \
                 base-uri 'none'; form-action 'none'",
                hash(SCRIPT),
                hash(STYLE)
            ),
            style: STYLE,
            script: SCRIPT,
            version: said(&message!(
                "arena {version}. This file is complete: it loads nothing.",
                version = env!("CARGO_PKG_VERSION")
            )),
            other: Lang::usual().other().code,
            other_name: Lang::usual().other().get("lang.name"),
            texts: texts(),
        }
    }
}

/// Returns all texts of a page, including words of the record, in English and the other language. The script reads them
/// as JSON and replaces the English texts.
fn texts() -> &'static str {
    static TEXTS: OnceLock<String> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let english = Lang::usual();
        let other = english.other();
        let of = |(key, text): (&String, &String)| {
            let source = match key.split_once('.')? {
                ("report", _) => english.get(key).to_owned(),
                ("reason", word) => word.to_owned(),
                _ => return None,
            };
            Some((source, text.clone()))
        };
        // A text of the page takes precedence over an equal word of the record.
        let (page, record): (Vec<_>, Vec<_>) = other
            .texts()
            .iter()
            .partition(|(key, _)| key.starts_with("report."));
        let own = record.into_iter().chain(page).filter_map(of);
        let messages = other.for_pages().clone();
        let all: BTreeMap<_, _> = messages.into_iter().chain(own).collect();
        json_in_html(&serde_json::json!(all))
    })
}

/// Formats JSON for a script element; a `<` in it could end the element.
fn json_in_html(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use games::{Game, Move, Rules, Side};
    use referee::record::{Effort, Fault as BotFault, GameId, Ply, Thought};

    use super::*;

    struct NumberGenerator(u64);

    impl NumberGenerator {
        fn next(&mut self) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            self.0 >> 33
        }
    }

    fn game(id: u64, numbers: &mut NumberGenerator) -> GameRecord {
        let mut board = Game::OTHELLO.start();
        let mut plies = Vec::new();
        while board.ending().is_none() {
            let legal = board.legal_moves();
            let played = legal[numbers.next() as usize % legal.len()];
            let wall = Duration::from_micros(1 + numbers.next() % 200_000);
            let pv: Vec<Move> = (0..8).map(|step| legal[step % legal.len()]).collect();
            board.play(played).expect("it is legal");
            plies.push(Ply {
                played,
                effort: Some(Effort {
                    wall,
                    cpu: Some(wall),
                }),
                thought: Thought {
                    depth: Some(4 + (numbers.next() % 12) as u32),
                    score: Some((numbers.next() % 6400) as f64 / 100.0 - 32.0),
                    nodes: Some(numbers.next() % 1_000_000),
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
        let bots = ["one", "two"].map(str::to_owned);
        let mut page = Page::new(folder, &bots);
        let mut standings = Standings::new(["one", "two"]);
        for record in records {
            standings.add(&record);
            page.add(&record, &standings).expect("a folder to write in");
        }
        let about = About {
            title: "</title><script>hacked=1</script>\u{202e}".to_owned(),
            ..About::default()
        };
        page.end(&standings, &about).expect("a folder to write in");
        fs::read_to_string(folder.join(NAME)).expect("the page")
    }

    /// The report of a thousand games must have at most 2 MB.
    #[test]
    fn a_thousand_games_fit_and_more_games_go_to_other_files() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut numbers = NumberGenerator(1);
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
        assert!(page.contains("Choose a game."));
    }

    #[test]
    fn the_policy_allows_this_script_and_style_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut numbers = NumberGenerator(2);
        let fault = BotFault::IllegalMove {
            played: "</td><script>hacked=1</script>\u{1b}[31m".to_owned(),
            why: "it is no square".into(),
        };
        let forfeit = GameRecord {
            verdict: Verdict::Forfeit {
                by: Side::White,
                fault,
            },
            warnings: vec!["</script><script>hacked=2</script>".into()],
            ..game(0, &mut numbers)
        };
        let page = written(folder.path(), [forfeit].into_iter());
        let between = |from: &str, to: &str| {
            let (_, rest) = page.split_once(from).expect(from);
            rest.split_once(to).expect(to).0
        };
        let policy = between("Content-Security-Policy\" content=\"", "\">").replace("&#39;", "'");
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        let hash = |text: &str| {
            use base64::Engine as _;
            base64::prelude::BASE64_STANDARD.encode(Sha256::digest(text))
        };
        let style = hash(between("<style>", "</style>"));
        assert!(
            policy.contains(&format!("style-src 'sha256-{style}'")),
            "{policy}"
        );
        let script = hash(between("<script>", "</script>"));
        assert!(
            policy.contains(&format!("script-src 'sha256-{script}'")),
            "{policy}"
        );
        assert_eq!(
            page.matches("<script>").count(),
            1,
            "no text has become an element"
        );
        assert!(!page.contains(['\u{1b}', '\u{202e}']));
        assert!(!page.contains(" style=\""), "the policy would refuse it");
    }
}
