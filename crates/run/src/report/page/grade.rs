//! The page of one grade, for the student: the mark, the opponents, the lost games.

use std::path::Path;

use askama::Template;
use serde_json::json;

use super::content::{Games, unrendered};
use super::frame::{Frame, json_in_html};
use super::shelf::{Names, Part};
use crate::report::file::TableError;
use crate::report::grade as words;
use crate::store::{Store, StoreError};
use referee::record::{GameId, harmless};
use tournament::mark::{Card, Row, State, points};

/// `grade.html`.
#[derive(Template)]
#[template(path = "report/grade.html")]
struct GradePage<'a> {
    frame: Frame,
    title: String,
    bot: String,
    suite: String,
    headline: String,
    card: &'a Card,
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

/// The page of a card, with the lost games of the run in the folder `run`, as many as fit.
pub fn grade(run: &Path, card: &Card) -> Result<String, TableError> {
    let unusable = !card.can_play();
    let stderr = match &card.state {
        State::Unusable { stderr, .. } => stderr.to_string(),
        State::Unfinished | State::Graded | State::NotABot { .. } | State::NotGraded { .. } => {
            String::new()
        }
    };
    let shown = run.display().to_string();
    let rows = card.rows.iter().filter(|_| !unusable);
    let page = GradePage {
        frame: Frame::new(),
        title: harmless(&format!("{} · {}", card.bot, card.suite)),
        bot: harmless(&card.bot),
        suite: harmless(&card.suite),
        headline: harmless(&card.headline()),
        card,
        stderr,
        rows: rows.map(|row| opponent(row, &shown)).collect(),
        games: lost_games(run, card)?,
    };
    page.render().map_err(|error| unrendered(run, &error))
}

fn opponent(row: &Row, run: &str) -> Opponent {
    let cells = vec![
        words::sign(row).to_owned(),
        harmless(&row.opponent),
        words::results(row),
        words::rate(row),
        words::interval(row),
        words::needed(row),
        row.fault_count().to_string(),
        words::ms(row.mean_ms),
        words::ms(row.max_ms),
        points(row.earned()),
    ];
    let remarks = words::remarks(row, words::Reader::Grader(run));
    Opponent {
        title: harmless(&format!("{} {}", words::sign(row), row.opponent)),
        cells,
        settled: row.how_settled(),
        remarks: remarks.iter().map(|remark| harmless(remark)).collect(),
    }
}

/// The lost games, in the order of the opponents.
fn lost_games(run: &Path, card: &Card) -> Result<Games, TableError> {
    let lost = card.rows.iter().flat_map(|row| &row.lost);
    let lost: Vec<u64> = lost.map(|(game, _)| *game).collect();
    let (mut names, mut part) = (Names::new(&[]), Part::default());
    match Store::read(run) {
        // A bot that could not be used has no record.
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
        (0, _) => "No game was lost.".to_owned(),
        (all, shown) if shown < all => format!(
            "{all} games were lost; {shown} of them are in this file. arena replay shows the others."
        ),
        _ => "The lost games. “Turning point” goes to the move before which the loser's own score \
              had fallen most."
            .to_owned(),
    };
    let mut json = names.json();
    json["first"] = json!(lost.first());
    let (records, index) = part.texts();
    Ok(Games {
        note,
        names: json_in_html(&json),
        index,
        records,
    })
}
