//! The pages of grades. The student's page has the mark, the opponents and the lost games. The page of a class, for the
//! grader, has a row per hand-in with a link to the student's page.

use std::path::Path;

use askama::Template;
use message::{Message, message};
use referee::record::{GameId, harmless};
use serde_json::json;
use tournament::mark::{Card, GradeState, OpponentResult};

use super::shelf::{Names, PagePart};
use super::{Games, PageFrame, json_in_html, said, unrendered};
use crate::report::grade as words;
use crate::report::grade::ClassEntry;
use crate::report::tables::TableError;
use crate::store::{Store, StoreError};

#[derive(Template)]
#[template(path = "report/grade.html")]
struct GradePage {
    frame: PageFrame,
    title: String,
    bot: String,
    suite: String,
    headline: String,
    conditions: String,
    stderr: String,
    rows: Vec<Opponent>,
    games: Games,
}

struct Opponent {
    title: String,
    cells: Vec<String>,
    settled: String,
    remarks: Vec<String>,
}

pub fn grade(run: &Path, card: &Card) -> Result<String, TableError> {
    let unusable = !card.can_play();
    let stderr = match &card.state {
        GradeState::Unusable { stderr, .. } => stderr.to_string(),
        GradeState::Unfinished
        | GradeState::Graded
        | GradeState::NotABot { .. }
        | GradeState::NotGraded { .. } => String::new(),
    };
    let shown = run.display().to_string();
    let rows = card.rows.iter().filter(|_| !unusable);
    let page = GradePage {
        frame: PageFrame::new(),
        title: harmless(&format!("{} · {}", card.bot, card.suite)),
        bot: harmless(&card.bot),
        suite: harmless(&card.suite),
        headline: said(&card.headline()),
        conditions: said(&message!(
            "{game}; {conditions}.",
            game = card.game,
            conditions = card.conditions
        )),
        stderr,
        rows: rows.map(|row| opponent(row, &shown)).collect(),
        games: lost_games(run, card)?,
    };
    page.render().map_err(|error| unrendered(run, &error))
}

fn opponent(row: &OpponentResult, run: &str) -> Opponent {
    let columns = words::COLUMNS.iter();
    let columns = columns.filter(|(title, _)| *title != "again");
    let cells = columns.map(|(_, cell)| said(&cell(row))).collect();
    let remarks = words::remarks(row, words::Audience::Grader(run));
    Opponent {
        title: harmless(&format!("{} {}", words::sign(row), row.opponent)),
        cells,
        settled: said(&row.how_settled()),
        remarks: remarks.iter().map(said).collect(),
    }
}

fn lost_games(run: &Path, card: &Card) -> Result<Games, TableError> {
    let lost = card.rows.iter().flat_map(|row| &row.lost);
    let lost: Vec<u64> = lost.map(|(game, _)| *game).collect();
    let (mut names, mut part) = (Names::new(&[]), PagePart::default());
    match Store::read(run) {
        // There is no record if the bot could not play.
        Err(StoreError::Missing { .. }) => {}
        Err(error) => return Err(error.into()),
        Ok(store) => {
            for &game in &lost {
                if part.is_full() {
                    break;
                }
                if let Some(record) = store.game(GameId(game))? {
                    part.add(&record, &mut names);
                }
            }
        }
    }
    let note = match (lost.len(), part.count() as usize) {
        (0, _) => Message::from("No game was lost."),
        (all, shown) if shown < all => message!(
            "{all} games were lost; {shown} of them are in this file. arena replay shows the others."
        ),
        _ => "The lost games. “Turning point” shows the move after the largest fall of the loser's own score."
            .into(),
    };
    let mut json = names.json();
    json["first"] = json!(lost.first());
    let (records, index) = part.texts();
    Ok(Games {
        note: said(&note),
        names: json_in_html(&json),
        index,
        records,
    })
}

#[derive(Template)]
#[template(path = "report/class.html")]
struct ClassPage {
    frame: PageFrame,
    title: String,
    passed: String,
    opponents: Vec<String>,
    rows: Vec<HandedIn>,
}

struct HandedIn {
    name: String,
    link: String,
    mark: String,
    state: &'static str,
    cells: Vec<String>,
    slowest: String,
    note: String,
}

pub fn class(suite: &str, entries: &[ClassEntry]) -> Result<String, TableError> {
    let opponents = entries.first().map_or(&[][..], |entry| &entry.card.rows);
    let page = ClassPage {
        frame: PageFrame::new(),
        title: harmless(suite),
        passed: said(&message!(
            "{passed} of {all} passed.",
            passed = entries.iter().filter(|entry| entry.card.passed()).count(),
            all = entries.len()
        )),
        opponents: opponents
            .iter()
            .map(|row| harmless(&row.opponent))
            .collect(),
        rows: entries.iter().map(handed_in).collect(),
    };
    page.render()
        .map_err(|error| unrendered(Path::new("class.html"), &error))
}

fn handed_in(entry: &ClassEntry) -> HandedIn {
    let card = &entry.card;
    // All runs of a class are in one folder beside its page.
    let steps = Path::new(&entry.run).iter().rev().take(2);
    let mut steps: Vec<String> = steps
        .map(|step| in_address(&step.to_string_lossy()))
        .collect();
    steps.reverse();
    HandedIn {
        name: harmless(&entry.submission),
        link: format!("{}/grade.html", steps.join("/")),
        mark: said(&words::mark_of(card)),
        state: words::state(card),
        cells: words::played(card, false).collect(),
        slowest: words::ms(words::slowest(card)),
        note: said(&words::note_of(entry)),
    }
}

fn in_address(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let step = |byte: u8| {
        if plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    name.bytes().map(step).collect()
}
