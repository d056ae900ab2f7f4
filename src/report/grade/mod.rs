//! A grade in several formats: for a terminal, Gradescope, a continuous-integration server, a class
//! list. Every writer is pure; text from a bot is escaped for the format.

mod class;
pub mod gradebook;
mod gradescope;
mod junit;
mod markdown;
mod terminal;

pub use class::{Entry, csv, headline, markdown as class_markdown, table};
pub(super) use class::{note_of, slowest, state};
pub use gradescope::gradescope;
pub use junit::junit;
pub use markdown::markdown;
pub use terminal::terminal;

use std::collections::BTreeMap;

use crate::mark::Row;

/// A rate in percent, such as `62.5 %`.
fn percent(rate: f64) -> String {
    format!("{:.1} %", 100.0 * rate)
}

/// The win rate of the games played; `–` without a game.
pub(super) fn rate(row: &Row) -> String {
    if row.games() == 0 {
        "–".to_owned()
    } else {
        percent(row.score().rate())
    }
}

/// Wins, draws and losses.
pub(super) fn results(row: &Row) -> String {
    format!("{}–{}–{}", row.wins, row.draws, row.losses)
}

/// The confidence interval of the win rate.
pub(super) fn interval(row: &Row) -> String {
    let interval = row.interval();
    format!("{:.0}–{:.0} %", 100.0 * interval.low, 100.0 * interval.high)
}

/// The required result, as a rate and in games: `55 % (11 of 20)`.
pub(super) fn needed(row: &Row) -> String {
    let needed = crate::mark::points(row.needed());
    format!("{:.0} % ({needed} of {})", 100.0 * row.threshold, row.most)
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

/// Remarks on the games against one opponent, one line each.
///
/// `run` is the folder of the games, for the commands in the remarks.
pub(super) fn remarks(row: &Row, run: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let faults: Vec<(u64, &str)> = row
        .lost
        .iter()
        .filter_map(|(game, fault)| Some((*game, fault.as_deref()?)))
        .collect();
    if let Some((game, _)) = faults.first() {
        lines.push(format!(
            "lost by its own fault: {} in {}; what happened: {run}/failures/{game}/",
            kinds(&row.faults),
            numbers(faults.iter().map(|(game, _)| *game)),
        ));
    }
    let played = row.lost.iter().filter(|(_, fault)| fault.is_none());
    let mut played = played.map(|(game, _)| *game).peekable();
    if let Some(&game) = played.peek() {
        let games = numbers(played);
        lines.push(format!(
            "lost normally: {games}; why: arena analyze {run}/{game}"
        ));
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
    use crate::mark::{Card, Row, State};

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
