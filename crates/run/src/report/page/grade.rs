//! The pages of grades. A student's page has the mark, the opponents with the share of points that each needs, and the
//! lost games. The page of a class, for the grader, has a row per hand-in with a link to the student's page.

use std::collections::HashMap;
use std::path::Path;

use askama::Template;
use message::{Lang, message};
use referee::record::{GameId, harmless};
use tournament::mark::{Card, GradeState, OpponentResult, points};

use super::head::{PageHead, address};
use super::run::FileLink;
use super::{About, FilePage, Page, unrendered};
use crate::report::Standings;
use crate::report::grade as words;
use crate::report::grade::ClassEntry;
use crate::report::tables::TableError;
use crate::store::{Store, StoreError};

pub struct GradeShown {
    pub headline: String,
    pub mark: String,
    /// `passed`, `failed` or `open`.
    pub class: &'static str,
    pub state: String,
    pub conditions: String,
    /// The points for accurate moves, if the suite gives any.
    pub accuracy: Option<String>,
    pub stderr: String,
    pub opponents: Vec<OpponentRow>,
}

pub struct OpponentRow {
    pub sign: &'static str,
    pub class: &'static str,
    pub name: String,
    pub query: String,
    pub results: String,
    pub rate: String,
    pub bar: Bar,
    pub needed: String,
    pub again: String,
    pub faults: u64,
    pub max_ms: String,
    pub points: String,
    /// How the verdict was reached, and remarks on it.
    pub settled: Vec<String>,
}

/// Shares of points in percent, for a picture.
pub struct Bar {
    pub rate: Option<f64>,
    pub low: f64,
    pub width: f64,
    pub threshold: f64,
    pub label: String,
}

fn class_of(card: &Card) -> &'static str {
    match card.state {
        GradeState::Graded if card.passed() => "passed",
        GradeState::Graded | GradeState::Unusable { .. } => "failed",
        GradeState::Unfinished | GradeState::NotABot { .. } | GradeState::NotGraded { .. } => {
            "open"
        }
    }
}

impl GradeShown {
    /// If the page is anonymous, leaves out the texts of bots, which may contain a name.
    pub fn of(card: &Card, is_anonymous: bool, lang: &Lang) -> GradeShown {
        let said = |message| harmless(&lang.render(&message));
        let stderr = match &card.state {
            GradeState::Unusable { stderr, .. } => stderr.quoted().collect::<Vec<_>>().join("\n"),
            _ => String::new(),
        };
        let rows = card.rows.iter().filter(|_| card.can_play());
        GradeShown {
            headline: said(words::headline(card)),
            mark: said(words::mark_of(card)),
            class: class_of(card),
            state: lang.fixed(words::state(card)).into_owned(),
            conditions: said(message!(
                "{game}; {conditions}.",
                game = card.game,
                conditions = card.conditions
            )),
            accuracy: words::accuracy(card).map(said),
            stderr,
            opponents: rows.map(|row| opponent(row, is_anonymous, lang)).collect(),
        }
    }
}

fn opponent(row: &OpponentResult, is_anonymous: bool, lang: &Lang) -> OpponentRow {
    let said = |message| harmless(&lang.render(&message));
    let remarks = if is_anonymous {
        words::borderline(row).into_iter().collect()
    } else {
        words::remarks(row, words::Audience::Page)
    };
    let settled = std::iter::once(row.how_settled()).chain(remarks);
    OpponentRow {
        sign: words::sign(row),
        class: match row.beaten {
            Some(true) => "passed",
            Some(false) => "failed",
            None => "open",
        },
        name: harmless(&row.opponent),
        query: address(&row.opponent),
        results: words::results(row),
        rate: words::rate(row),
        bar: Bar::of(row, lang),
        needed: said(words::needed(row)),
        again: said(words::again(row)),
        faults: row.fault_count(),
        max_ms: words::ms(row.max_ms),
        points: format!("{}/{}", points(row.earned()), points(row.points)),
        settled: settled.map(said).collect(),
    }
}

impl Bar {
    fn of(row: &OpponentResult, lang: &Lang) -> Bar {
        let interval = row.interval();
        let is_played = row.games() > 0;
        let threshold = 100.0 * row.threshold;
        let needed = format!("{threshold:.0} %");
        let (rate, interval_text) = (words::rate(row), words::interval(row));
        let values = [
            ("rate", rate.as_str()),
            ("interval", &interval_text),
            ("needed", &needed),
        ];
        Bar {
            rate: is_played.then(|| 100.0 * row.score().rate()),
            low: 100.0 * interval.low,
            width: 100.0 * (interval.high - interval.low),
            threshold,
            label: lang.with("grade.bar", &values),
        }
    }
}

/// Makes `grade.html`: the page of the run with its grade and the lost games.
pub fn grade(run: &Path, card: &Card) -> Result<String, TableError> {
    let mut standings = Standings::new(card.rows.iter().map(|row| row.opponent.as_str()));
    let mut page = Page::new(run, HashMap::new());
    match Store::read(run) {
        // There is no record if the bot could not play.
        Err(StoreError::Missing { .. }) => {}
        Err(error) => return Err(error.into()),
        Ok(store) => {
            for (game, _) in card.rows.iter().flat_map(|row| &row.lost) {
                if let Some(record) = store.game(GameId(*game))?.filter(|_| page.has_room()) {
                    standings.add(&record);
                    page.add(&record, &standings)?;
                }
            }
        }
    }
    let about = About {
        title: format!("{} · {}", card.bot, card.suite),
        ..About::default()
    };
    page.html(&standings, &about, Some(card))
}

#[derive(Template)]
#[template(path = "web/class.html")]
pub struct ClassPage {
    pub page: PageHead,
    pub name: String,
    pub summary: String,
    pub is_anonymous: bool,
    pub is_graded: bool,
    pub opponents: Vec<String>,
    pub rows: Vec<HandInRow>,
    pub similar: Vec<SimilarRow>,
    pub files: Vec<FileLink>,
}

pub struct HandInRow {
    pub name: String,
    pub link: String,
    pub mark: String,
    pub points: f64,
    pub state: String,
    pub class: &'static str,
    pub cells: Vec<RateCell>,
    pub faults: u64,
    pub slowest: String,
    pub note: String,
}

pub struct RateCell {
    pub text: String,
    pub rate: f64,
}

pub struct SimilarRow {
    pub names: [(String, String); 2],
    pub percent: String,
}

/// Returns the row of a hand-in without its name and its note.
fn row(card: &Card, link: &str, lang: &Lang) -> HandInRow {
    let rate = |row: &OpponentResult| {
        if row.games() > 0 {
            row.score().rate()
        } else {
            -1.0
        }
    };
    let rates = card.rows.iter().map(rate);
    HandInRow {
        name: String::new(),
        link: link.to_owned(),
        mark: lang.render(&words::mark_of(card)),
        points: card.mark().unwrap_or(-1.0),
        state: lang.fixed(words::state(card)).into_owned(),
        class: class_of(card),
        cells: words::played(card, false)
            .zip(rates)
            .map(|(text, rate)| RateCell { text, rate })
            .collect(),
        faults: card.rows.iter().map(OpponentResult::fault_count).sum(),
        slowest: words::ms(words::slowest(card)),
        note: String::new(),
    }
}

impl ClassPage {
    /// `entries` have the addresses of their pages; `shown` returns the name that a reader sees.
    pub fn of(
        page: PageHead,
        name: &str,
        entries: &[(String, ClassEntry)],
        is_anonymous: bool,
        shown: impl Fn(&str) -> String,
    ) -> ClassPage {
        let lang = page.lang;
        let is = |state: fn(&ClassEntry) -> bool| {
            entries.iter().filter(|(_, entry)| state(entry)).count()
        };
        let graded = is(|entry| entry.card.state != GradeState::Unfinished);
        let counts =
            [entries.len(), graded, is(|entry| entry.card.passed())].map(|one| one.to_string());
        let values = [
            ("all", counts[0].as_str()),
            ("graded", &counts[1]),
            ("passed", &counts[2]),
        ];
        let opponents = entries
            .first()
            .map_or(&[][..], |(_, entry)| &entry.card.rows);
        let row = |(link, entry): &(String, ClassEntry)| HandInRow {
            name: shown(&entry.submission),
            // A text may contain a name.
            note: if is_anonymous {
                String::new()
            } else {
                harmless(&lang.render(&words::note_of(entry)))
            },
            ..row(&entry.card, link, lang)
        };
        ClassPage {
            name: harmless(name),
            summary: lang.with("class.summary", &values),
            is_anonymous,
            is_graded: graded == entries.len(),
            opponents: opponents
                .iter()
                .map(|row| harmless(&row.opponent))
                .collect(),
            rows: entries.iter().map(row).collect(),
            similar: Vec::new(),
            files: Vec::new(),
            page,
        }
    }
}

/// Makes `class.html`.
pub fn class(suite: &str, entries: &[ClassEntry]) -> Result<String, TableError> {
    // All runs of a class are in one folder beside its page.
    let link = |entry: &ClassEntry| {
        let steps = Path::new(&entry.run).iter().rev().take(2);
        let mut steps: Vec<String> = steps.map(|step| address(&step.to_string_lossy())).collect();
        steps.reverse();
        format!("{}/grade.html", steps.join("/"))
    };
    let entries: Vec<_> = entries
        .iter()
        .map(|entry| (link(entry), entry.clone()))
        .collect();
    let page = FilePage {
        entry: "lists.js",
        title: harmless(suite),
        back: None,
        parts: &[],
        list: String::new(),
        games: None,
    };
    page.html(|head| ClassPage::of(head, suite, &entries, false, harmless).render())
        .map_err(|error| unrendered(Path::new("class.html"), &error))
}
