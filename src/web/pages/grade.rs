//! A grade: the mark, and for each opponent the share of points with its interval and the share that is needed.

use std::path::Path;

use message::Lang;
use referee::record::harmless;
use run::RunFile;
use run::report::grade as words;
use tournament::Catalogue;
use tournament::mark::{Card, GradeState, OpponentResult, points};

use super::address;
use crate::grade::{Grading, files};

pub struct GradeShown {
    pub headline: String,
    pub mark: String,
    /// `passed`, `failed` or `open`.
    pub class: &'static str,
    pub state: String,
    pub conditions: String,
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
    /// How the verdict was reached and, if it is borderline, why.
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

/// Reads the grade in a run's folder. If the grade is not complete, counts the games so far.
pub fn card(folder: &Path, catalogue: &Catalogue) -> Option<Card> {
    let card = files::read(folder)?;
    let Ok(file) = RunFile::read(folder) else {
        return Some(card);
    };
    let Ok(grading) = Grading::of_run(folder, file.for_reading(catalogue), catalogue) else {
        return Some(card);
    };
    match card.state {
        GradeState::Unfinished => Some(grading.counted(folder).unwrap_or(card)),
        _ => Some(grading.card),
    }
}

pub fn class(card: &Card) -> &'static str {
    match card.state {
        GradeState::Graded if card.passed() => "passed",
        GradeState::Graded | GradeState::Unusable { .. } => "failed",
        GradeState::Unfinished | GradeState::NotABot { .. } | GradeState::NotGraded { .. } => {
            "open"
        }
    }
}

impl GradeShown {
    pub fn of(card: &Card, lang: &Lang) -> GradeShown {
        let said = |message| harmless(&lang.render(&message));
        let stderr = match &card.state {
            GradeState::Unusable { stderr, .. } => stderr.quoted().collect::<Vec<_>>().join("\n"),
            _ => String::new(),
        };
        let rows = card.rows.iter().filter(|_| card.can_play());
        GradeShown {
            headline: said(words::headline(card)),
            mark: said(words::mark_of(card)),
            class: class(card),
            state: lang.fixed(words::state(card)).into_owned(),
            conditions: said(message::message!(
                "{game}; {conditions}.",
                game = card.game,
                conditions = card.conditions
            )),
            stderr,
            opponents: rows.map(|row| opponent(row, lang)).collect(),
        }
    }
}

fn opponent(row: &OpponentResult, lang: &Lang) -> OpponentRow {
    let said = |message| harmless(&lang.render(&message));
    let settled = std::iter::once(row.how_settled()).chain(words::borderline(row));
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
