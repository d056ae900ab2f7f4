//! The page of a class, for the grader: a row per hand-in, each with a link to its own page.

use std::path::Path;

use askama::Template;

use super::content::unrendered;
use super::frame::Frame;
use crate::report::file::TableError;
use crate::report::grade::{self as words, Entry};
use message::Lang;
use referee::record::harmless;
use tournament::mark::points;

/// `class.html`.
#[derive(Template)]
#[template(path = "report/class.html")]
struct ClassPage {
    frame: Frame,
    title: String,
    passed: usize,
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

/// The page of these grades, for a file in the folder that the runs are in.
pub fn class(suite: &str, entries: &[Entry]) -> Result<String, TableError> {
    let opponents = entries.first().map_or(&[][..], |entry| &entry.card.rows);
    let page = ClassPage {
        frame: Frame::new(),
        title: harmless(suite),
        passed: entries.iter().filter(|entry| entry.card.passed()).count(),
        opponents: opponents
            .iter()
            .map(|row| harmless(&row.opponent))
            .collect(),
        rows: entries.iter().map(row).collect(),
    };
    page.render()
        .map_err(|error| unrendered(Path::new("class.html"), &error))
}

fn row(entry: &Entry) -> HandedIn {
    let card = &entry.card;
    let played = card.can_play();
    // All runs of a class lie in one folder beside its page.
    let steps = Path::new(&entry.run).iter().rev().take(2);
    let mut steps: Vec<String> = steps
        .map(|step| in_address(&step.to_string_lossy()))
        .collect();
    steps.reverse();
    let cells = card.rows.iter().map(|row| {
        let shown = || format!("{} {}", words::sign(row), words::results(row));
        if played { shown() } else { String::new() }
    });
    HandedIn {
        name: harmless(&entry.submission),
        link: format!("{}/grade.html", steps.join("/")),
        mark: card.mark().map_or_else(
            || "–".to_owned(),
            |mark| format!("{} of {}", points(mark), points(card.possible())),
        ),
        state: words::state(card),
        cells: cells.collect(),
        slowest: words::ms(words::slowest(card)),
        note: harmless(&words::note_of(entry, Lang::usual())),
    }
}

/// A name as a step of an address: what is not plain is a number.
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
