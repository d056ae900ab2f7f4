//! The pages of grades. A student's page has the mark, the lost games and, for each opponent, the share of points that
//! the bot reached and needed. The page of a class, for the grader, links to these pages.

use std::collections::HashMap;
use std::path::Path;

use askama::Template;
use message::{Lang, Message, message};
use referee::record::{GameId, harmless};
use tournament::mark::{Card, GradeState, OpponentResult};

use super::file_link::FileLink;
use super::head::{PageHead, address};
use super::{About, FilePage, Page, tail, unrendered};
use crate::report::Standings;
use crate::report::grade as words;
use crate::report::grade::{ClassEntry, Similar};
use crate::report::whole_file::TableError;
use crate::store::{Store, StoreError};

pub struct GradeShown {
    pub card: Card,
    pub headline: String,
    pub stderr: String,
    /// The prefix and suffix of a lost game's address. `None`: the page is anonymous, without links to games and
    /// without texts of bots, which may contain a name.
    games: Option<[String; 2]>,
}

/// A picture of the bot's share of points and the required share, in percent.
pub struct Bar {
    pub rate: Option<f64>,
    pub low: f64,
    pub width: f64,
    pub threshold: f64,
    pub label: String,
}

/// Returns the class for the style sheet: `passed`, `failed` or `open`.
pub fn class_of(card: &Card) -> &'static str {
    match card.state {
        GradeState::Graded if card.passed() => "passed",
        GradeState::Graded | GradeState::Unusable { .. } => "failed",
        GradeState::Unfinished | GradeState::NotABot { .. } | GradeState::NotGraded { .. } => {
            "open"
        }
    }
}

impl GradeShown {
    pub fn of(card: &Card, games: Option<[String; 2]>, lang: &Lang) -> GradeShown {
        // An anonymous page has no text of the bot: no standard error, and no reason why the bot cannot play.
        let (message, stderr) = match &card.state {
            _ if games.is_none() => (
                Message::list([words::mark_of(card), words::state(card).into()]),
                String::new(),
            ),
            GradeState::Unusable { stderr, .. } => (words::headline(card), tail(stderr)),
            _ => (words::headline(card), String::new()),
        };
        GradeShown {
            card: card.clone(),
            headline: harmless(&lang.render(&message)),
            stderr,
            games,
        }
    }

    pub fn terms(&self) -> Message {
        let Card {
            game, conditions, ..
        } = &self.card;
        // The page of a run names the game, but an anonymous page does not.
        match self.games {
            Some(_) => message!("{}.", conditions),
            None => message!("{game}; {conditions}."),
        }
    }

    /// Returns the opponents; none if the bot cannot play.
    pub fn rows(&self) -> &[OpponentResult] {
        let can_play = self.card.can_play();
        if can_play { &self.card.rows } else { &[] }
    }

    /// Describes how the verdict was reached, with remarks on it.
    pub fn settled(&self, row: &OpponentResult) -> Vec<Message> {
        let remarks = match self.games {
            None => words::borderline(row).into_iter().collect(),
            Some(_) => words::reservations(row),
        };
        std::iter::once(row.how_settled()).chain(remarks).collect()
    }

    /// Returns the lost games by title: links to the first ten and, if there are more, to all games against this
    /// opponent.
    pub fn lost(&self, row: &OpponentResult) -> Vec<(Message, Vec<(String, String)>)> {
        const SHOWN: usize = 10;
        let Some([start, end]) = &self.games else {
            return Vec::new();
        };
        let lost = words::lost(row).into_iter();
        let lost = lost.filter(|(_, games)| !games.is_empty());
        let linked = |(title, games): (Message, Vec<u64>)| {
            let first = games.iter().take(SHOWN);
            let mut links: Vec<_> = first
                .map(|game| (game.to_string(), format!("{start}{game}{end}")))
                .collect();
            if games.len() > SHOWN {
                let all = format!("?against={}#games", address(&row.opponent));
                links.push(("…".to_owned(), all));
            }
            (title, links)
        };
        lost.map(linked).collect()
    }
}

impl Bar {
    pub fn of(row: &OpponentResult, lang: &Lang) -> Bar {
        let interval = row.interval();
        let is_played = row.games() > 0;
        let threshold = 100.0 * row.threshold;
        let needed = format!("{threshold:.0} %");
        let (rate, certain) = (words::rate(row), words::interval(row));
        Bar {
            rate: is_played.then(|| 100.0 * row.score().rate()),
            low: 100.0 * interval.low,
            width: 100.0 * (interval.high - interval.low),
            threshold,
            label: lang.with(
                "grade.bar",
                &[("rate", &rate), ("interval", &certain), ("needed", &needed)],
            ),
        }
    }
}

/// Makes `grade.html`: the page of the run with its grade and lost games. `is_of_class`: the run belongs to a class.
pub fn grade(run: &Path, card: &Card, is_of_class: bool) -> Result<String, TableError> {
    let mut standings = Standings::new(card.rows.iter().map(|row| row.opponent.as_str()));
    let mut page = Page::new(run, HashMap::new());
    match Store::read(run) {
        // If the bot could not play, there is no record.
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
    page.html(&standings, &about, Some((card, is_of_class)))
}

#[derive(Template)]
#[template(path = "web/class.html")]
pub struct ClassPage {
    pub page: PageHead,
    pub name: String,
    pub summary: String,
    pub is_anonymous: bool,
    pub is_graded: bool,
    /// Each opponent, with the number of hand-ins that passed it.
    pub opponents: Vec<(String, usize)>,
    pub rows: Vec<HandInRow>,
    pub similar: Vec<SimilarRow>,
    pub files: Vec<FileLink>,
}

pub struct HandInRow {
    pub name: String,
    pub link: String,
    pub entry: ClassEntry,
}

impl HandInRow {
    /// Returns for each opponent the text of its cell and the share of points, or -1 if there was no game.
    fn cells(&self) -> Vec<(String, f64)> {
        let rate = |row: &OpponentResult| match row.games() {
            0 => -1.0,
            _ => row.score().rate(),
        };
        let card = &self.entry.card;
        let rates = card.rows.iter().map(rate);
        words::played(card, false).zip(rates).collect()
    }
}

pub struct SimilarRow {
    pub names: [(String, String); 2],
    pub percent: String,
}

impl ClassPage {
    /// Each entry comes with the address of its page. `shown` returns the name under which a reader sees a hand-in.
    pub fn of(
        page: PageHead,
        name: &str,
        entries: &[(String, ClassEntry)],
        similar: &[Similar],
        is_anonymous: bool,
        shown: impl Fn(&str) -> String,
    ) -> ClassPage {
        let links: HashMap<&str, &str> = entries
            .iter()
            .map(|(link, entry)| (entry.submission.as_str(), link.as_str()))
            .collect();
        let named = |name: &String| {
            let link = links.get(name.as_str()).copied().unwrap_or_default();
            (shown(name), link.to_owned())
        };
        let similar = similar.iter().map(|pair| SimilarRow {
            names: [&pair.submission, &pair.other].map(named),
            percent: format!("{:.0} %", 100.0 * pair.similarity),
        });
        let lang = page.lang;
        let is = |state: fn(&ClassEntry) -> bool| {
            entries.iter().filter(|(_, entry)| state(entry)).count()
        };
        let graded = is(|entry| entry.card.state != GradeState::Unfinished);
        let (all, passed) = (entries.len(), is(|entry| entry.card.passed()));
        let opponents = entries
            .first()
            .map_or(&[][..], |(_, entry)| &entry.card.rows);
        let passed_by = |at: usize| {
            let rows = entries
                .iter()
                .filter_map(|(_, entry)| entry.card.rows.get(at));
            rows.filter(|row| row.beaten == Some(true)).count()
        };
        let row = |(link, entry): &(String, ClassEntry)| HandInRow {
            name: shown(&entry.submission),
            link: link.clone(),
            entry: entry.clone(),
        };
        ClassPage {
            name: harmless(name),
            summary: lang.with(
                "class.summary",
                &[("all", &all), ("graded", &graded), ("passed", &passed)],
            ),
            is_anonymous,
            is_graded: graded == entries.len(),
            opponents: opponents
                .iter()
                .enumerate()
                .map(|(at, row)| (harmless(&row.opponent), passed_by(at)))
                .collect(),
            rows: entries.iter().map(row).collect(),
            similar: similar.collect(),
            files: Vec::new(),
            page,
        }
    }
}

pub fn class(
    suite: &str,
    entries: &[ClassEntry],
    similar: &[Similar],
) -> Result<String, TableError> {
    // The page and the folder with the runs of the class are side by side.
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
        ..FilePage::default()
    };
    page.html(|head| ClassPage::of(head, suite, &entries, similar, false, harmless).render())
        .map_err(|error| unrendered(Path::new("class.html"), &error))
}
