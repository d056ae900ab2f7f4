//! A grade in several formats: for a terminal, Gradescope, a continuous-integration server, a class
//! list. Every writer is pure; text from a bot is escaped for the format.

mod ci;
mod class;
pub mod gradebook;
mod text;

pub use ci::{gradescope, junit};
pub use class::{Entry, csv, headline, markdown as class_markdown, table};
pub(super) use class::{mark_of, note_of, played, slowest, state};
pub use text::{markdown, terminal};

use std::collections::BTreeMap;

use tournament::mark::{Row, percent, points};

/// A column of the table of opponents: its title, and its cell for an opponent.
pub(super) type Column = (&'static str, fn(&Row) -> String);

/// All columns. Each writer shows some of them.
pub(super) const COLUMNS: [Column; 11] = [
    ("", |row| sign(row).to_owned()),
    ("opponent", |row| row.opponent.clone()),
    ("W–D–L", results),
    ("win rate", rate),
    ("95 %", interval),
    ("needed", needed),
    ("again", again),
    ("faults", |row| row.fault_count().to_string()),
    ("mean ms", |row| ms(row.mean_ms)),
    ("max ms", |row| ms(row.max_ms)),
    ("points", |row| points(row.earned())),
];

/// Formats the win rate of the games played; `–` without a game.
fn rate(row: &Row) -> String {
    match row.games() {
        0 => "–".to_owned(),
        _ => format!("{:.1} %", 100.0 * row.score().rate()),
    }
}

fn results(row: &Row) -> String {
    format!("{}–{}–{}", row.wins, row.draws, row.losses)
}

fn interval(row: &Row) -> String {
    let interval = row.interval();
    format!("{:.0}–{:.0} %", 100.0 * interval.low, 100.0 * interval.high)
}

/// Formats the required result, as a rate and in games: `55 % (11 of 20)`.
fn needed(row: &Row) -> String {
    if row.confirm.is_some() {
        return format!("{:.0} %", 100.0 * row.threshold);
    }
    let needed = points(row.needed());
    format!("{:.0} % ({needed} of {})", 100.0 * row.threshold, row.most)
}

/// Formats the chance of the same verdict if all was played again, or whether it is certain.
fn again(row: &Row) -> String {
    if let (Some(confirm), Some(_)) = (row.confirm, row.beaten) {
        return if confirm.is_certain {
            format!("certain at {}", percent(confirm.level))
        } else {
            format!("not certain at {}", percent(confirm.level))
        };
    }
    row.same_again().map_or_else(
        || "–".to_owned(),
        |chance| format!("{:.0} %", 100.0 * chance),
    )
}

/// `✓` beaten, `✗` not beaten, `?` not decided.
pub(super) fn sign(row: &Row) -> &'static str {
    match row.beaten {
        Some(true) => "✓",
        Some(false) => "✗",
        None => "?",
    }
}

pub(super) fn ms(time: Option<f64>) -> String {
    time.map_or_else(String::new, |ms| format!("{ms:.1}"))
}

/// The reader of a remark.
#[derive(Clone, Copy)]
pub(super) enum Reader<'a> {
    /// Has the folder of the games, for the commands in the remarks.
    Grader(&'a str),
    /// Sees nothing but the remark.
    Student,
}

/// Writes remarks on the games against one opponent, one line each.
pub(super) fn remarks(row: &Row, reader: Reader<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let faults: Vec<(u64, &str)> = row
        .lost
        .iter()
        .filter_map(|(game, fault)| Some((*game, fault.as_deref()?)))
        .collect();
    if let Some((game, _)) = faults.first() {
        let place = match reader {
            Reader::Grader(run) => format!("; what happened: {run}/failures/{game}/"),
            Reader::Student => String::new(),
        };
        lines.push(format!(
            "lost by its own fault: {} in {}{place}",
            kinds(&row.faults),
            numbers(faults.iter().map(|(game, _)| *game)),
        ));
    }
    if let Some(first) = &row.first_fault {
        let (game, side) = (first.game, &first.side);
        lines.push(format!("game {game}, as {side}: the bot {}", first.what));
        if !first.said.trim().is_empty() {
            lines.push("the end of what it wrote to standard error:".to_owned());
            lines.extend(first.said.quoted().map(|line| format!("    {line}")));
        }
    }
    let played = row.lost.iter().filter(|(_, fault)| fault.is_none());
    let mut played = played.map(|(game, _)| *game).peekable();
    if let Some(&game) = played.peek() {
        let games = numbers(played);
        let place = match reader {
            Reader::Grader(run) => format!("; why: arena analyze {run}/{game}"),
            Reader::Student => String::new(),
        };
        lines.push(format!("lost normally: {games}{place}"));
    }
    if !row.opponent_faults.is_empty() {
        let kinds = kinds(&row.opponent_faults);
        lines.push(format!("won by a fault of {}: {kinds}", row.opponent));
    }
    if !row.void.is_empty() {
        let games = numbers(row.void.iter().copied());
        lines.push(format!(
            "void because of the arena or the machine, not counted: {games}"
        ));
    }
    if row.confirm.is_some() && row.is_borderline() {
        lines.push(format!(
            "borderline: the share of points is too near to {:.0} % to be certain",
            100.0 * row.threshold
        ));
    }
    if let Some(chance) = row.same_again().filter(|_| row.is_borderline()) {
        let percent = 100.0 * chance;
        lines.push(format!(
            "borderline: played again, this verdict would be the same with a chance of {percent:.0} %"
        ));
    }
    lines
}

/// `crashed 2×, out-of-time 1×`.
fn kinds(faults: &BTreeMap<String, u64>) -> String {
    let kinds = faults
        .iter()
        .map(|(word, count)| format!("{word} {count}×"));
    kinds.collect::<Vec<_>>().join(", ")
}

/// The first few of these games: `games 1, 3`.
fn numbers(all: impl Iterator<Item = u64>) -> String {
    const SHOWN: usize = 10;
    let all: Vec<String> = all.map(|number| number.to_string()).collect();
    let shown = all[..all.len().min(SHOWN)].join(", ");
    match all.len() {
        1 => format!("game {shown}"),
        count if count > SHOWN => format!("games {shown} and {} more", count - SHOWN),
        _ => format!("games {shown}"),
    }
}

/// Cards for the tests of the writers.
#[cfg(test)]
pub(super) mod example {
    use tournament::mark::{Card, Row, State};

    pub fn row(opponent: &str, beaten: Option<bool>, [wins, draws, losses]: [u64; 3]) -> Row {
        Row {
            opponent: opponent.to_owned(),
            beaten,
            wins,
            draws,
            losses,
            most: 20,
            threshold: 0.55,
            points: 10.0,
            mean_ms: Some(1.25),
            max_ms: Some(9.0),
            lost: (0..losses).map(|game| (2 * game, None)).collect(),
            ..Row::default()
        }
    }

    pub fn card(state: State) -> Card {
        let mut greedy = row("greedy", Some(false), [0, 1, 9]);
        greedy.faults.insert("crashed".to_owned(), 1);
        greedy.lost[0].1 = Some("crashed".to_owned());
        Card {
            suite: "two".to_owned(),
            game: "othello".to_owned(),
            conditions: "at most 20 games an opponent, 1000 ms a move".to_owned(),
            bot: "mine".to_owned(),
            submission_sha256: "5ab".to_owned(),
            suite_sha256: "50b".to_owned(),
            state,
            pass: 20.0,
            rows: vec![row("random", Some(true), [11, 0, 1]), greedy],
            arena: "0.1.0".to_owned(),
        }
    }
}
