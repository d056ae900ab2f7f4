//! A class: one row per hand-in, for the terminal and as `class.csv`.

use std::collections::BTreeMap;

use comfy_table::CellAlignment;
use textwrap::core::display_width;

use super::student::Student;
use super::{kind_of, results, sign};
use crate::report::columns::{self as cell, Column, columns};
use crate::report::terminal::{ruled, trimmed};
use message::width::cut;
use message::{Lang, Message, in_quotes, message};
use referee::record::LastError;
use serde::{Deserialize, Serialize};
use tournament::mark::{Accuracy, Card, GradeState, OpponentResult, points};

/// Notes are never cut to fewer columns of the terminal than this.
const SHORTEST_NOTE: usize = 16;

#[derive(Clone, Debug)]
pub struct ClassEntry {
    /// The name of the hand-in's file or folder; with its extension only if another hand-in has the same name.
    pub submission: String,
    /// The students who handed it in, for the search in a gradebook; uncertain if several hand-ins have the same name.
    pub students: Vec<Student>,
    pub card: Card,
    pub run: String,
    /// Whether the grade is from an earlier run of the command, because neither the hand-in nor the suite has changed.
    pub is_unchanged: bool,
    /// Names equal hand-ins: `the same as bob`.
    pub same_as: Option<Message>,
    /// A description of the recognised file, if the hand-in has no manifest.
    pub taken_for: Option<Message>,
}

fn note(card: &Card) -> Option<Message> {
    match &card.state {
        GradeState::Unusable { why, stderr } => Some(Message::list(
            std::iter::once(why.clone()).chain(reason(stderr)),
        )),
        GradeState::NotGraded { why, .. } => Some(why.clone()),
        GradeState::NotABot { why, fix } => Some(message!("{why}: {fix}")),
        GradeState::Unfinished => Some("not all games have been played".into()),
        GradeState::Graded => {
            let faults: Vec<Message> = faults(card).collect();
            (!faults.is_empty()).then(|| Message::list(faults))
        }
    }
}

/// Names the opponents whose verdict a person should check, such as `borderline: greedy 62 %`.
fn borderline(card: &Card) -> Option<Message> {
    let is_graded = card.state == GradeState::Graded;
    let decides = is_graded && card.accuracy_decides();
    let rows = card.rows.iter();
    let mut rows = rows
        .filter(|row| is_graded && row.is_borderline())
        .peekable();
    if rows.peek().is_none() && !decides {
        return None;
    }
    let verdicts = rows.map(|row| {
        let (opponent, again) = (&row.opponent, super::again(row));
        message!("{opponent} {again}")
    });
    let accuracy = decides.then(|| "the points for accuracy decide".into());
    let verdicts = Message::enumeration(verdicts.chain(accuracy));
    Some(message!("borderline: {verdicts}"))
}

/// Counts the faults against all opponents: `crashed in 3, out of time in 1 of 60 games`. Adds the first known cause.
fn faults(card: &Card) -> impl Iterator<Item = Message> {
    let mut first = card.rows.iter().filter_map(|row| row.first_fault.as_ref());
    let reason = first.find_map(|first| reason(&first.said));
    fault_kinds(card).into_iter().chain(reason)
}

fn fault_kinds(card: &Card) -> Option<Message> {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for (word, count) in card.rows.iter().flat_map(|row| &row.faults) {
        *kinds.entry(word).or_default() += count;
    }
    if kinds.is_empty() {
        return None;
    }
    let games = card.games();
    let kinds = kinds.into_iter();
    let kinds = Message::enumeration(
        kinds.map(|(kind, count)| message!("{kind} in {count}", kind = kind_of(kind))),
    );
    Some(message!("{kinds} of {games} {games|game|games}"))
}

/// Returns the mark in one line, with the faults of the games or the reason why the bot could not play.
pub fn headline(card: &Card) -> Message {
    let more = match &card.state {
        GradeState::Graded => faults(card).collect(),
        GradeState::Unusable { stderr, .. } => reason(stderr).into_iter().collect(),
        _ => Vec::new(),
    };
    Message::list(std::iter::once(card.headline()).chain(more))
}

/// Returns the error that a bot's standard error names, or the last line if it names none.
pub fn reason(stderr: &str) -> Option<Message> {
    let error = LastError::read(stderr).map(|found| found.error);
    let last = || stderr.trim_end().lines().next_back().map(str::to_owned);
    let said = error.or_else(last)?;
    Some(Message::quote(in_quotes(&said)))
}

pub fn mark_of(card: &Card) -> Message {
    card.mark().map_or_else(
        || "–".into(),
        |mark| {
            let (mark, possible) = (points(mark), points(card.possible()));
            message!("{mark} of {possible}")
        },
    )
}

/// Returns a cell for each opponent: the sign of the verdict and, unless `is_brief`, the results. The cells are empty
/// if the bot could not play.
pub fn played(card: &Card, is_brief: bool) -> impl Iterator<Item = String> {
    let can_play = card.can_play();
    card.rows.iter().map(move |row| match (can_play, is_brief) {
        (false, _) => String::new(),
        (true, true) => sign(row).to_owned(),
        (true, false) => format!("{} {}", sign(row), results(row)),
    })
}

pub fn state(card: &Card) -> &'static str {
    match &card.state {
        GradeState::Graded if card.passed() => "passed",
        GradeState::Graded => "not passed",
        GradeState::Unusable { .. } => "unusable",
        GradeState::NotGraded { .. } | GradeState::NotABot { .. } => "not graded",
        GradeState::Unfinished => "unfinished",
    }
}

/// The width of a hand-in's name in the table; `class.csv` has the whole name.
const LONGEST_NAME: usize = 64;

/// The amount of detail that a table shows about the games against each opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    Results,
    Signs,
    /// All signs in one column; a line below the table names the opponents.
    Numbered,
}

/// Draws the table, if possible in at most `width` columns of the terminal (`None`: a file or a pipe). To save width,
/// cuts the notes; if they would become too short, shows less detail of the games.
pub fn table(entries: &[ClassEntry], width: Option<usize>, lang: &Lang) -> String {
    let notes = entries
        .iter()
        .map(|entry| display_width(&cell::text(&lang.render(&note_of(entry)))));
    let longest = notes.max().unwrap_or(0);
    let mut table = String::new();
    for detail in [Detail::Results, Detail::Signs, Detail::Numbered] {
        table = drawn(entries, usize::MAX, detail, lang);
        // The rule under the titles is as long as the table is wide.
        let rule = table.lines().nth(1).unwrap_or_default().chars().count();
        let excess = rule.saturating_sub(width.unwrap_or(rule));
        if excess == 0 {
            break;
        }
        let note_width = longest.saturating_sub(excess);
        table = drawn(entries, note_width.max(SHORTEST_NOTE), detail, lang);
        if note_width >= SHORTEST_NOTE {
            break;
        }
    }
    table
}

fn drawn(entries: &[ClassEntry], note_width: usize, detail: Detail, lang: &Lang) -> String {
    let title = |title| lang.word("table", title).to_owned();
    let opponents = entries.first().map_or(&[][..], |entry| &entry.card.rows);
    let mut header = vec![title("submission"), title("mark"), String::new()];
    match detail {
        Detail::Numbered => header.push(format!("1–{}", opponents.len())),
        Detail::Results | Detail::Signs => {
            header.extend(opponents.iter().map(|row| row.opponent.clone()));
        }
    }
    header.extend(["max ms", "note"].map(title));
    let of_times = header.len() - 2;
    let mut table = ruled(header);
    for entry in entries {
        let card = &entry.card;
        let (mark, state) = (lang.render(&mark_of(card)), lang.fixed(state(card)));
        let name = cut(&entry.submission, LONGEST_NAME);
        let mut row = vec![name, mark, state.into_owned()];
        let played = played(card, detail != Detail::Results);
        match detail {
            Detail::Numbered => row.push(played.collect()),
            Detail::Results | Detail::Signs => row.extend(played),
        }
        row.push(super::ms(slowest(card)));
        row.push(cut(&cell::text(&lang.render(&note_of(entry))), note_width));
        table.add_row(row);
    }
    for column in [1, of_times] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = trimmed(&table) + "\n";
    if detail == Detail::Numbered {
        let named = (1..).zip(opponents);
        let names: Vec<String> = named
            .map(|(number, row)| format!("{number}\u{a0}{}", row.opponent))
            .collect();
        let rule = text.lines().nth(1).map_or(0, display_width);
        let indented = textwrap::Options::new(rule)
            .initial_indent("  ")
            .subsequent_indent("  ");
        text += &(textwrap::fill(&names.join(", "), indented).replace('\u{a0}', " ") + "\n");
    }
    text
}

pub fn note_of(entry: &ClassEntry) -> Message {
    let parts = [
        entry.is_unchanged.then(|| "unchanged".into()),
        entry.same_as.clone(),
        note(&entry.card),
        borderline(&entry.card),
        entry.taken_for.clone(),
    ];
    Message::list(parts.into_iter().flatten())
}

/// Makes the table for a GitHub step summary, indented so that Markdown shows it as code.
pub fn markdown(suite: &str, entries: &[ClassEntry], lang: &Lang) -> String {
    let mut text = format!("### {suite}\n\n");
    for line in table(entries, None, lang).lines() {
        text += &format!("    {line}\n");
    }
    text
}

pub fn slowest(card: &Card) -> Option<f64> {
    let times = card.rows.iter().filter_map(|row| row.max_ms);
    times.max_by(f64::total_cmp)
}

fn first_columns() -> Vec<Column<ClassEntry>> {
    columns! {
        "submission" "the name of the hand-in's file or folder, as it was written; with its extension if two hand-ins \
            would have the same name" => |entry| cell::text(&entry.submission);
        "state" "`passed`, `not passed`; `unusable`: the bot could not play, by its own fault; `not graded`: it is not a \
            bot, or the arena or the machine failed, which does not mean zero; `unfinished`"
            => |entry| state(&entry.card).to_owned();
        "points" "the mark; empty if there is none" => |entry| cell::maybe(entry.card.mark(), points);
        "points_possible" => |entry| points(entry.card.possible());
        "beaten" "number of opponents beaten" => |entry| entry.card.beaten().to_string();
    }
}

/// Returns the columns of each opponent, weakest first: `<opponent>_beaten` and so on.
fn opponent_columns() -> Vec<Column<OpponentResult>> {
    columns! {
        "beaten" "for each opponent, weakest first: the verdict, the share of points won, games counted, the chance that \
            the verdict would be the same if all games were played again; with `--confirm`, instead of this chance, \
            whether the verdict is certain" => |row| cell::maybe(row.beaten, |beaten| beaten.to_string());
        "win_rate" => |row| cell::maybe((row.games() > 0).then(|| row.score().rate()), cell::rate);
        "games" => |row| row.games().to_string();
        "same_again" => |row| cell::maybe(row.same_again(), cell::rate);
        "certain" => |row| {
            let certain = row.confirm.filter(|_| row.beaten.is_some());
            cell::maybe(certain, |confirm| confirm.is_certain.to_string())
        };
    }
}

fn judged(entry: &ClassEntry) -> Option<&Accuracy> {
    let accuracy = entry.card.accuracy.as_ref();
    accuracy.filter(|accuracy| accuracy.is_judged())
}

fn hundredths(loss: f64) -> String {
    format!("{loss:.2}")
}

fn last_columns() -> Vec<Column<ClassEntry>> {
    columns! {
        "faults" "over all opponents" => |entry| fault_count(&entry.card).to_string();
        "max_ms" => |entry| cell::maybe(slowest(&entry.card), |ms| format!("{ms:.3}"));
        "note" "the hand-in's problem, or its faults: `crashed in 3 of 60 games`; the hand-in's `summary.md` lists \
            them by opponent" => |entry| cell::text(&english(note(&entry.card)));
        "borderline" "the opponents whose verdict would be the same with a chance of less than 90 %, or with `--confirm` is \
            not certain" => |entry| english(borderline(&entry.card));
        "same_as" "other hand-ins that are equal to this one, differ from it only in blanks and comments, or are similar to it (`similarity` in `similar.csv` is at least 0.7)"
            => |entry| cell::text(&english(entry.same_as.clone()));
        "taken_for" "in a hand-in without a `bot.toml`: the recognised form, the chosen file, the names of the other \
            recognised files, and the time limits of its course (`docs/courses.md`)"
            => |entry| cell::text(&english(entry.taken_for.clone()));
        "submission_sha256" "the hand-in and the suite; the grade stays the same while both are unchanged"
            => |entry| entry.card.submission_sha256.clone();
        "suite_sha256" => |entry| entry.card.suite_sha256.clone();
        "folder" "the folder of its run" => |entry| cell::text(&entry.run);
        "accuracy_points" "with `accuracy` in the suite: the points for accurate moves, which are a part of `points`; the \
            mean loss of a move (discs, or hundredths of a winning chance), and the half-width of its \
            95 % interval" => |entry| cell::maybe(judged(entry), |accuracy| points(accuracy.earned()));
        "accuracy_loss" => |entry| cell::maybe(judged(entry).and_then(|accuracy| accuracy.loss), hundredths);
        "accuracy_error_95" => |entry| cell::maybe(judged(entry).and_then(|accuracy| accuracy.error_95), hundredths);
    }
}

pub fn fault_count(card: &Card) -> u64 {
    card.rows.iter().map(OpponentResult::fault_count).sum()
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Similar {
    pub submission: String,
    pub other: String,
    /// The share of sequences of tokens that the two programs have in common, from 0 to 1.
    pub similarity: f64,
}

#[derive(Clone, Debug)]
pub struct Similarity {
    pub pairs: Vec<Similar>,
    /// A note about files that were not compared.
    pub left_out: Option<Message>,
}

pub fn similar_csv(pairs: &[Similar]) -> csv::Result<Vec<u8>> {
    let row = |pair: &Similar| {
        let rate = cell::rate(pair.similarity);
        [pair.submission.clone(), pair.other.clone(), rate]
    };
    let rows: Vec<[String; 3]> = pairs.iter().map(row).collect();
    names_csv(["submission", "other", "similarity"], &rows)
}

pub fn names_csv<const N: usize>(header: [&str; N], rows: &[[String; N]]) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row.each_ref().map(|text| cell::text(text)))?;
    }
    writer
        .into_inner()
        .map_err(|error| error.into_error().into())
}

fn english(message: Option<Message>) -> String {
    message.map_or_else(String::new, |message| message.to_string())
}

pub fn csv(entries: &[ClassEntry]) -> csv::Result<Vec<u8>> {
    let (first, each, last) = (first_columns(), opponent_columns(), last_columns());
    let opponents = entries.first().map_or(&[][..], |entry| &entry.card.rows);
    let of_opponents = opponents.iter().flat_map(|row| {
        let names = each.iter().map(|column| column.name);
        names.map(|name| format!("{}_{name}", row.opponent))
    });
    let names = |columns: &[Column<ClassEntry>]| -> Vec<String> {
        columns
            .iter()
            .map(|column| column.name.to_owned())
            .collect()
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = names(&first).into_iter().chain(of_opponents);
    writer.write_record(header.chain(names(&last)))?;
    for entry in entries {
        let cell = |column: &Column<ClassEntry>| (column.cell)(entry);
        let rows = entry.card.rows.iter();
        let of_opponents = rows.flat_map(|row| each.iter().map(|column| (column.cell)(row)));
        let record = first.iter().map(cell).chain(of_opponents);
        writer.write_record(record.chain(last.iter().map(cell)))?;
    }
    writer
        .into_inner()
        .map_err(|error| error.into_error().into())
}

#[cfg(test)]
mod tests {
    use super::super::example::card;
    use super::*;
    use crate::report::columns::tests::{described, is_described};

    fn entry(submission: &str, state: GradeState) -> ClassEntry {
        ClassEntry {
            submission: submission.to_owned(),
            students: vec![Student::called(submission)],
            card: card(state),
            run: format!("results/class/{submission}"),
            is_unchanged: false,
            same_as: None,
            taken_for: None,
        }
    }

    fn table(entries: &[ClassEntry], width: Option<usize>) -> String {
        super::table(entries, width, Lang::usual())
    }

    #[test]
    fn each_submission_is_a_row_and_a_missing_mark_is_empty() {
        let why = "the machine stood still".into();
        let entries = [
            entry("=cmd", GradeState::Graded),
            entry(
                "bob",
                GradeState::NotGraded {
                    why,
                    only_its_turns: false,
                },
            ),
        ];
        let text = String::from_utf8(csv(&entries).expect("a table")).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(
            lines[1].starts_with("'=cmd,not passed,10,20,1,true,0.9167,12,0.9"),
            "{text}"
        );
        assert!(lines[2].starts_with("bob,not graded,,20,"), "{text}");
    }

    #[test]
    fn exactly_the_columns_are_described() {
        let before = "| column of `class.csv` | meaning |\n|---|---|\n";
        let lines = described(&first_columns(), "")
            + &described(&opponent_columns(), "<opponent>_")
            + &described(&last_columns(), "");
        is_described(before, &lines);
    }

    #[test]
    fn a_note_counts_faults_and_fits_the_terminal() {
        let why = "the bot did not start: there is no program pyton3".into();
        let stderr = "".into();
        let entries = [
            entry("ada", GradeState::Graded),
            entry("bob", GradeState::Unusable { why, stderr }),
        ];
        insta::assert_snapshot!(table(&entries, Some(90)), @r"
         submission       mark                random     greedy    max ms   note
        ─────────────────────────────────────────────────────────────────────────────────────────
         ada          10 of 20   not passed   ✓ 11–0–1   ✗ 0–1–9      9.0   crashed in 1 of 22 …
         bob           0 of 20   unusable                             9.0   the bot did not sta…
        ");
        insta::assert_snapshot!(table(&entries, Some(72)), @r"
         submission       mark                1–2   max ms   note
        ───────────────────────────────────────────────────────────────────────
         ada          10 of 20   not passed   ✓✗       9.0   crashed in 1 of …
         bob           0 of 20   unusable              9.0   the bot did not …
         1 random, 2 greedy
        ");
        let mut many = entries.clone();
        for one in &mut many {
            let row = one.card.rows[0].clone();
            let named = |number| OpponentResult {
                opponent: format!("opponent-{number}"),
                ..row.clone()
            };
            one.card.rows = (0..12).map(named).collect();
        }
        for width in [80, 100] {
            let widest = table(&many, Some(width)).lines().map(display_width).max();
            assert!(widest <= Some(width), "{widest:?} of {width} columns");
        }
        assert!(table(&entries, None).contains("there is no program pyton3"));
        let wide = [entry(&"\\u{301}".repeat(120), GradeState::Graded)];
        let widest = table(&wide, None).lines().map(display_width).max();
        assert!(widest < Some(200), "a name of 840 characters: {widest:?}");
        assert_eq!(
            headline(&entries[0].card),
            "10 of 20 points, 1 of 2 opponents beaten: not passed (20 needed); \
             crashed in 1 of 22 games"
        );
    }
}
