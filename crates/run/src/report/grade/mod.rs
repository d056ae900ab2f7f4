//! A grade in several formats: for a terminal, Gradescope, a continuous-integration server and a class list. Every
//! writer is a pure function, and escapes a bot's text for its format.

mod ci;
mod class;
pub mod gradebook;
pub mod list;
pub mod roster;
pub mod student;
mod text;

pub use ci::{gradescope, junit};
pub use class::{
    ClassEntry, Similar, Similarity, csv, fault_count, headline, mark_of,
    markdown as class_markdown, names_csv, note_of, played, reason, similar_csv, slowest, state,
    table,
};
pub use text::{markdown, terminal};

use std::collections::BTreeMap;

use message::{Lang, Message, message};
use tournament::mark::{Accuracy, Card, OpponentResult, percent, points};

/// A column of the table of opponents: its title, and its cell for an opponent.
pub(super) type OpponentColumn = (&'static str, fn(&OpponentResult) -> Message);

pub(super) const COLUMNS: [OpponentColumn; 11] = [
    ("", |row| Message::quote(sign(row))),
    ("opponent", |row| Message::quote(&*row.opponent)),
    ("W–D–L", |row| Message::quote(results(row))),
    ("win rate", |row| Message::quote(rate(row))),
    ("95 %", |row| Message::quote(interval(row))),
    ("needed", needed),
    ("again", again),
    ("faults", |row| {
        Message::quote(row.fault_count().to_string())
    }),
    ("mean ms", |row| Message::quote(ms(row.mean_ms))),
    ("max ms", |row| Message::quote(ms(row.max_ms))),
    ("points", |row| Message::quote(points(row.earned()))),
];

pub fn rate(row: &OpponentResult) -> String {
    match row.games() {
        0 => "–".to_owned(),
        _ => format!("{:.1} %", 100.0 * row.score().rate()),
    }
}

pub fn earned(row: &OpponentResult) -> String {
    format!("{}/{}", points(row.earned()), points(row.points))
}

pub fn results(row: &OpponentResult) -> String {
    format!("{}–{}–{}", row.wins, row.draws, row.losses)
}

pub fn interval(row: &OpponentResult) -> String {
    let interval = row.interval();
    format!("{:.0}–{:.0} %", 100.0 * interval.low, 100.0 * interval.high)
}

/// Formats the required result, as a rate and in games: `55 % (11 of 20)`.
pub fn needed(row: &OpponentResult) -> Message {
    let rate = 100.0 * row.threshold;
    if row.confirm.is_some() {
        return message!("{rate:.0} %");
    }
    let (needed, most) = (points(row.needed()), row.most);
    message!("{rate:.0} % ({needed} of {most})")
}

/// Formats the certainty of the verdict, or the chance of the same verdict if all games were played again.
pub fn again(row: &OpponentResult) -> Message {
    if let (Some(confirm), Some(_)) = (row.confirm, row.beaten) {
        let level = percent(confirm.level);
        return if confirm.is_certain {
            message!("certain at {level}")
        } else {
            message!("not certain at {level}")
        };
    }
    row.same_again()
        .map_or_else(|| "–".into(), |chance| message!("{:.0} %", 100.0 * chance))
}

pub fn sign(row: &OpponentResult) -> &'static str {
    match row.beaten {
        Some(true) => "✓",
        Some(false) => "✗",
        None => "?",
    }
}

/// Describes the points for accuracy; `None` if the suite has none, or the bot could not play.
pub fn accuracy(card: &Card) -> Option<Message> {
    let accuracy = card.accuracy.as_ref().filter(|_| card.can_play());
    accuracy.map(Accuracy::headline)
}

pub fn ms(time: Option<f64>) -> String {
    time.map_or_else(String::new, |ms| format!("{ms:.1}"))
}

#[derive(Clone, Copy)]
pub(super) enum Audience<'a> {
    /// Remarks contain commands for the run. The field is the run's folder.
    Grader(&'a str),
    Student,
}

/// Returns two lists of lost games, each after its title: the games lost by a fault, and the other lost games.
pub(super) fn lost(row: &OpponentResult) -> [(Message, Vec<u64>); 2] {
    let kinds = kinds(&row.faults);
    let by_fault = message!("games lost by its own fault ({kinds}):");
    [
        (by_fault, lost_games(row, true)),
        ("games lost normally:".into(), lost_games(row, false)),
    ]
}

fn lost_games(row: &OpponentResult, is_fault: bool) -> Vec<u64> {
    let lost = row.lost.iter();
    let lost = lost.filter(|(_, fault)| fault.is_some() == is_fault);
    lost.map(|(game, _)| *game).collect()
}

pub(super) fn remarks(row: &OpponentResult, reader: Audience<'_>) -> Vec<Message> {
    let mut lines = Vec::new();
    let with = |lost: Message, more: &dyn Fn(&str) -> Message| match reader {
        Audience::Grader(run) => Message::list([lost, more(run)]),
        Audience::Student => lost,
    };
    let [by_fault, normally] = [true, false].map(|is_fault| lost_games(row, is_fault));
    if let Some(game) = by_fault.first() {
        let (kinds, games) = (kinds(&row.faults), numbers(&by_fault));
        let lost = message!("lost by its own fault: {kinds} in {games}");
        lines.push(with(lost, &|run| {
            let place = format!("{run}/failures/{game}/");
            message!("what happened: {place}")
        }));
    }
    if let Some(first) = &row.first_fault {
        let (game, side, what) = (first.game, word(&first.side), &first.what);
        lines.push(message!("game {game}, as {side}: the bot {what}"));
        if !first.said.trim().is_empty() {
            lines.push("the end of what it wrote to standard error:".into());
            let said = first.said.quoted();
            lines.extend(said.map(|line| Message::quote(format!("    {line}"))));
        }
    }
    if let Some(game) = normally.first() {
        let games = numbers(&normally);
        let lost = message!("lost normally: {games}");
        lines.push(with(lost, &|run| {
            let run = format!("{run}/{game}");
            message!("why: arena analyze {run}")
        }));
    }
    lines.extend(reservations(row));
    lines
}

/// Reports the games won by a fault of the opponent, the games that do not count, and whether the verdict is close.
pub(super) fn reservations(row: &OpponentResult) -> Vec<Message> {
    let mut lines = Vec::new();
    if !row.opponent_faults.is_empty() {
        let kinds = kinds(&row.opponent_faults);
        lines.push(message!("won by a fault of {}: {kinds}", row.opponent));
    }
    if !row.void.is_empty() {
        let games = numbers(&row.void);
        lines.push(message!(
            "void because of the arena or the machine, not counted: {games}"
        ));
    }
    lines.extend(borderline(row));
    lines
}

/// Explains why a person should look at a verdict; `None` if it is clear.
pub fn borderline(row: &OpponentResult) -> Option<Message> {
    if !row.is_borderline() {
        return None;
    }
    if row.confirm.is_some() {
        return Some(message!(
            "borderline: the share of points is too near to {:.0} % to be certain",
            100.0 * row.threshold
        ));
    }
    let percent = 100.0 * row.same_again()?;
    Some(message!(
        "borderline: if the games were played again, the verdict would be the same with a chance of {percent:.0} %"
    ))
}

fn word(word: &str) -> Message {
    Message::whole(word.to_owned())
}

/// Returns the words for a kind of fault: `out of time` for `out-of-time`.
fn kind_of(fault: &str) -> Message {
    word(Lang::usual().word("reason", fault))
}

fn kinds(faults: &BTreeMap<String, u64>) -> Message {
    let kinds = faults.iter();
    Message::enumeration(
        kinds.map(|(kind, count)| message!("{kind} {count}×", kind = kind_of(kind))),
    )
}

fn numbers(all: &[u64]) -> Message {
    const SHOWN: usize = 10;
    let games = &all[..all.len().min(SHOWN)];
    match all.len() {
        1 => message!("game {games}"),
        count if count > SHOWN => {
            let more = count - SHOWN;
            message!("games {games} and {more} more")
        }
        _ => message!("games {games}"),
    }
}

#[cfg(test)]
pub(super) mod example {
    use tournament::mark::{Card, GradeState, OpponentResult};

    pub fn row(
        opponent: &str,
        beaten: Option<bool>,
        [wins, draws, losses]: [u64; 3],
    ) -> OpponentResult {
        OpponentResult {
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
            ..OpponentResult::default()
        }
    }

    pub fn card(state: GradeState) -> Card {
        let mut greedy = row("greedy", Some(false), [0, 1, 9]);
        greedy.faults.insert("crashed".to_owned(), 1);
        greedy.lost[0].1 = Some("crashed".to_owned());
        Card {
            suite: "two".to_owned(),
            game: "othello".into(),
            conditions: "at most 20 games an opponent, 1000 ms a move".into(),
            bot: "mine".to_owned(),
            submission_sha256: "5ab".to_owned(),
            suite_sha256: "50b".to_owned(),
            state,
            pass: 20.0,
            rows: vec![row("random", Some(true), [11, 0, 1]), greedy],
            accuracy: None,
            arena: "0.1.0".to_owned(),
            messages: Vec::new(),
        }
    }
}
