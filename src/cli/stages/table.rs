//! The results as rows for a person, and as JSON for programs.

use std::path::Path;
use std::time::Duration;

use games::Square;
use serde_json::json;
use textwrap::core::display_width;

use super::missed::{Missed, missed};
use crate::stages::{Attempt, Stage};
use message::Lang;
use message::width::{left, right};
use referee::record::{SafeText, harmless};

/// How many lines of a failed bot's standard error are shown.
const STDERR_LINES: usize = 10;

/// How wide the column of names is.
pub(super) fn name_width(stages: &[Stage]) -> usize {
    let widths = stages.iter().map(|stage| display_width(&stage.name));
    widths.max().unwrap_or_default().clamp(5, 40)
}

/// The columns after the name: how wide they are, and whether they are aligned to the right.
const COLUMNS: [(&str, usize, bool); 5] = [
    ("win in", 8, true),
    ("result", 13, false),
    ("moves", 5, true),
    ("longest", 9, true),
    ("mean", 9, true),
];

/// The cells of a row, as wide as their columns on the screen.
fn cells(cells: [&str; 5]) -> String {
    let padded = |(cell, (_, width, is_right)): (&str, (&str, usize, bool))| {
        let align = if is_right { right } else { left };
        format!("  {}", align(cell, width))
    };
    cells.into_iter().zip(COLUMNS).map(padded).collect()
}

/// The heading, with the players and the columns; `name` is the width of the first.
pub(super) fn head(name: usize, bot: &str, defender: &str, move_ms: u128, lang: &Lang) -> String {
    let time = match move_ms {
        0 => "no time limit".to_owned(),
        ms => format!("{ms} ms per move"),
    };
    let players = format!("{bot} plays black against {defender}, {time}");
    let titles = COLUMNS.map(|(title, ..)| lang.word("stages-table", title));
    format!(
        "{}\n\n   {}{}\n \
         ─{:─<name$}────────────────────────────────────────────────────────",
        lang.say(&players),
        left(lang.word("stages-table", "stage"), name),
        cells(titles),
        ""
    )
}

/// A stage that was played.
pub(super) fn row(
    name: usize,
    stage: &Stage,
    attempt: &Attempt,
    missed: Option<&Missed>,
    lang: &Lang,
) -> String {
    let sign = if attempt.is_passed() { "✓" } else { "✗" };
    let win = stage.win.as_ref().map(|win| format!("{} plies", win.plies));
    let [longest, mean] = attempt.times().map(ms);
    let mut text = format!(
        " {sign} {}{}\n",
        left(&stage.name, name),
        cells([
            &lang.say(&win.unwrap_or_default()),
            &lang.say(attempt.word()),
            &attempt.moves().to_string(),
            &longest,
            &mean,
        ])
    );
    if let Some(remark) = attempt.remark(stage) {
        text += &format!("     {}\n", harmless(&lang.say(&remark)));
    }
    if let Some(missed) = missed {
        text += &format!("     {}\n", lang.say(&missed.sentence()));
    }
    let stderr: Vec<String> = SafeText::from(attempt.stderr.trim()).quoted().collect();
    let first = stderr.len().saturating_sub(STDERR_LINES);
    for line in &stderr[first..] {
        text += &format!("     {line}\n");
    }
    text
}

/// `12.3 ms`.
fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

/// How many of how many.
pub(super) fn summary(attempts: &[Option<Attempt>], run: &Path) -> String {
    let played: Vec<&Attempt> = attempts.iter().flatten().collect();
    let passed = played.iter().filter(|attempt| attempt.is_passed()).count();
    let longest = played.iter().map(|attempt| attempt.times()[0]).max();
    let mut text = format!(
        "\n{passed} of {} stages passed; the longest move took {}\n",
        attempts.len(),
        ms(longest.unwrap_or_default())
    );
    if let Some(failed) = played.iter().find(|attempt| !attempt.is_passed()) {
        let game = run.join(failed.game.0.to_string());
        text += &format!(
            "the first that was not passed: arena replay {}\n",
            game.display()
        );
    }
    text
}

/// All results for programs: one object, on one line.
pub(super) fn json(
    stages: &[Stage],
    attempts: &[Option<Attempt>],
    [bot, defender]: [&str; 2],
    move_ms: u128,
    run: &Path,
) -> String {
    let ms = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    let row = |(stage, attempt): (&Stage, &Option<Attempt>)| {
        let attempt = attempt.as_ref()?;
        let [longest, mean] = attempt.times();
        Some(json!({
            "stage": stage.name,
            "game": attempt.game.0,
            "win_plies": stage.win.as_ref().map(|win| win.plies),
            "most_moves": stage.most_moves(),
            "passed": attempt.is_passed(),
            "result": attempt.word(),
            "remark": attempt.remark(stage),
            "missed": missed(stage, attempt).map(|missed| json!({
                "move": missed.number,
                "played": missed.played.to_string(),
                "win": missed.line.iter().map(Square::to_string).collect::<Vec<_>>(),
                "win_plies": missed.line.len(),
            })),
            "moves": attempt.moves(),
            "longest_ms": ms(longest),
            "mean_ms": ms(mean),
            "line": attempt.line().iter().map(ToString::to_string).collect::<Vec<_>>(),
        }))
    };
    let rows: Vec<_> = stages.iter().zip(attempts).filter_map(row).collect();
    let passed = attempts
        .iter()
        .flatten()
        .filter(|one| one.is_passed())
        .count();
    let value = json!({
        "bot": bot,
        "defender": defender,
        "move_ms": move_ms as u64,
        "run": run.display().to_string(),
        "stages": rows,
        "passed": passed,
        "of": stages.len(),
    });
    format!("{value}\n")
}
