//! A class: one row per hand-in, for the terminal and as `class.csv`.

use std::collections::BTreeMap;

use comfy_table::CellAlignment;
use textwrap::core::display_width;

use super::{results, sign};
use crate::report::cell;
use crate::report::columns::{ruled, trimmed};
use message::Lang;
use message::width::cut;
use tournament::mark::{Card, Row, State, points};

/// The minimum width of a note, in columns.
const SHORTEST_NOTE: usize = 16;

/// A hand-in and its grade.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name of its file or folder, with its ending where another has the same name.
    pub submission: String,
    /// The student in a gradebook; `None` if several hand-ins have the name.
    pub student: Option<String>,
    /// Its grade.
    pub card: Card,
    /// The folder of its run.
    pub run: String,
    /// Whether the grade is from an earlier grading, because nothing has changed since.
    pub is_unchanged: bool,
    /// Other hand-ins that are equal to it: `the same as bob`; empty if there are none.
    pub same_as: String,
    /// What its file was recognised as, if nobody wrote down how it is started.
    pub taken_for: String,
}

/// The note beside the mark.
fn note(card: &Card, lang: &Lang) -> String {
    let said = |text: &str| lang.say(text).into_owned();
    match &card.state {
        State::Unusable { why, .. } | State::NotGraded { why, .. } => said(why),
        State::NotABot { why, fix } => lang.with(
            "note.of-no-bot",
            &[("why", &said(why)), ("fix", &said(fix))],
        ),
        State::Unfinished => said("games are still to be played"),
        State::Graded => said(&faults(card)),
    }
}

/// The verdicts that a person should look at: `borderline: greedy 62 %`.
fn borderline(card: &Card) -> String {
    if card.state != State::Graded {
        return String::new();
    }
    let rows = card.rows.iter().filter(|row| row.is_borderline());
    let verdicts: Vec<String> = rows
        .map(|row| format!("{} {}", row.opponent, super::again(row)))
        .collect();
    if verdicts.is_empty() {
        return String::new();
    }
    format!("borderline: {}", verdicts.join(", "))
}

/// Its faults against all opponents: `crashed in 3, out-of-time in 1 of 60 games`.
fn faults(card: &Card) -> String {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for (word, count) in card.rows.iter().flat_map(|row| &row.faults) {
        *kinds.entry(word).or_default() += count;
    }
    if kinds.is_empty() {
        return String::new();
    }
    let games: u64 = card.rows.iter().map(Row::games).sum();
    let kinds: Vec<String> = kinds
        .into_iter()
        .map(|(word, count)| format!("{word} in {count}"))
        .collect();
    format!("{} of {games} games", kinds.join(", "))
}

/// The result of a hand-in in one line.
pub fn headline(card: &Card) -> String {
    let faults = match &card.state {
        State::Graded => faults(card),
        _ => String::new(),
    };
    if faults.is_empty() {
        card.headline()
    } else {
        format!("{}; {faults}", card.headline())
    }
}

pub(in crate::report) fn state(card: &Card) -> &'static str {
    match &card.state {
        State::Graded if card.passed() => "passed",
        State::Graded => "not passed",
        State::Unusable { .. } => "unusable",
        State::NotGraded { .. } | State::NotABot { .. } => "not graded",
        State::Unfinished => "unfinished",
    }
}

/// The table in at most `width` columns of the terminal, if possible: notes are cut if it is narrow.
/// `None` is a file or a pipe.
pub fn table(entries: &[Entry], width: Option<usize>, lang: &Lang) -> String {
    let drawn = |room, is_brief| drawn(entries, room, is_brief, lang);
    let whole = drawn(usize::MAX, false);
    // The rule under the titles is as long as the table is wide.
    let rule = whole.lines().nth(1).unwrap_or_default().chars().count();
    let excess = rule.saturating_sub(width.unwrap_or(rule));
    if excess == 0 {
        return whole;
    }
    let notes = entries
        .iter()
        .map(|entry| display_width(&note_of(entry, lang)));
    let longest = notes.max().unwrap_or(0);
    let room = longest.saturating_sub(excess);
    if room >= SHORTEST_NOTE || longest <= SHORTEST_NOTE {
        return drawn(room.max(SHORTEST_NOTE), false);
    }
    let brief = drawn(usize::MAX, true);
    let rule = brief.lines().nth(1).unwrap_or_default().chars().count();
    let excess = rule.saturating_sub(width.unwrap_or(rule));
    drawn(longest.saturating_sub(excess).max(SHORTEST_NOTE), true)
}

/// The table with notes of at most `room` columns. A brief one has signs in the place of results.
fn drawn(entries: &[Entry], room: usize, is_brief: bool, lang: &Lang) -> String {
    let title = |title| lang.word("table", title).to_owned();
    let opponents = entries.first().map_or(&[][..], |entry| &entry.card.rows);
    let mut header = vec![title("submission"), title("mark"), String::new()];
    header.extend(opponents.iter().map(|row| row.opponent.clone()));
    header.extend(["max ms", "note"].map(title));
    let of_times = header.len() - 2;
    let mut table = ruled(header);
    for entry in entries {
        let card = &entry.card;
        let mark = card.mark().map_or_else(
            || "–".to_owned(),
            |mark| format!("{} of {}", points(mark), points(card.possible())),
        );
        let [mark, state] = [mark.as_str(), state(card)].map(|it| lang.say(it).into_owned());
        let mut row = vec![entry.submission.clone(), mark, state];
        let played = card.can_play();
        let shown = |row: &Row| {
            if is_brief {
                sign(row).to_owned()
            } else {
                format!("{} {}", sign(row), results(row))
            }
        };
        let rows = card.rows.iter().map(|row| Some(row).filter(|_| played));
        row.extend(rows.map(|row| row.map_or_else(String::new, shown)));
        row.push(super::ms(slowest(card)));
        row.push(cut(&note_of(entry, lang), room));
        table.add_row(row);
    }
    for column in [1, of_times] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    trimmed(&table) + "\n"
}

/// The text in the column of notes.
pub(in crate::report) fn note_of(entry: &Entry, lang: &Lang) -> String {
    let unchanged = if entry.is_unchanged { "unchanged" } else { "" };
    let borderline = borderline(&entry.card);
    let said = |text: &str| lang.say(text).into_owned();
    let parts = [
        said(unchanged),
        said(&entry.same_as),
        note(&entry.card, lang),
        said(&borderline),
        said(&entry.taken_for),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    cell::text(&parts.join(lang.get("note.and")))
}

/// The table for a GitHub step summary. It is indented, so that Markdown shows it as code.
pub fn markdown(suite: &str, entries: &[Entry]) -> String {
    let mut text = format!("### {suite}\n\n");
    for line in table(entries, None, Lang::usual()).lines() {
        text += &format!("    {line}\n");
    }
    text
}

/// The longest move.
pub(in crate::report) fn slowest(card: &Card) -> Option<f64> {
    let times = card.rows.iter().filter_map(|row| row.max_ms);
    times.max_by(f64::total_cmp)
}

/// `class.csv`: see `results/README.md` for its columns.
pub fn csv(entries: &[Entry]) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let opponents = entries.first().map_or(&[][..], |entry| &entry.card.rows);
    let first = ["submission", "state", "points", "points_possible", "beaten"];
    let mut header: Vec<String> = first.map(str::to_owned).into();
    for row in opponents {
        header.extend(
            ["beaten", "win_rate", "games", "same_again", "certain"]
                .map(|of| format!("{}_{of}", row.opponent)),
        );
    }
    let last =
        "faults max_ms note borderline same_as taken_for submission_sha256 suite_sha256 folder";
    header.extend(last.split(' ').map(str::to_owned));
    writer.write_record(&header)?;
    for entry in entries {
        let card = &entry.card;
        let mut record = vec![
            cell::text(&entry.submission),
            state(card).to_owned(),
            cell::maybe(card.mark(), points),
            points(card.possible()),
            card.beaten().to_string(),
        ];
        for row in &card.rows {
            let played = row.games() > 0;
            record.push(cell::maybe(row.beaten, |beaten| beaten.to_string()));
            record.push(cell::maybe(played.then(|| row.score().rate()), cell::rate));
            record.push(row.games().to_string());
            record.push(cell::maybe(row.same_again(), cell::rate));
            let certain = row.confirm.filter(|_| row.beaten.is_some());
            record.push(cell::maybe(certain, |confirm| {
                confirm.is_certain.to_string()
            }));
        }
        let faults: u64 = card.rows.iter().map(Row::fault_count).sum();
        record.extend([
            faults.to_string(),
            cell::maybe(slowest(card), |ms| format!("{ms:.3}")),
            cell::text(&note(card, Lang::usual())),
            borderline(card),
            cell::text(&entry.same_as),
            cell::text(&entry.taken_for),
            card.submission_sha256.clone(),
            card.suite_sha256.clone(),
            cell::text(&entry.run),
        ]);
        writer.write_record(&record)?;
    }
    writer
        .into_inner()
        .map_err(|error| error.into_error().into())
}

#[cfg(test)]
mod tests {
    use super::super::example::card;
    use super::*;

    fn entry(submission: &str, state: State) -> Entry {
        Entry {
            submission: submission.to_owned(),
            student: Some(submission.to_owned()),
            card: card(state),
            run: format!("results/class/{submission}"),
            is_unchanged: false,
            same_as: String::new(),
            taken_for: String::new(),
        }
    }

    fn table(entries: &[Entry], width: Option<usize>) -> String {
        super::table(entries, width, Lang::usual())
    }

    #[test]
    fn a_row_a_submission_and_no_mark_where_there_is_none() {
        let why = "the machine stood still".into();
        let entries = [
            entry("=cmd", State::Graded),
            entry(
                "bob",
                State::NotGraded {
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

    /// `results/README.md` is what is published of this file.
    #[test]
    fn every_column_is_described_and_none_that_is_not_there() {
        let readme = include_str!("../../../../../results/README.md");
        let (_, table) = readme
            .split_once("| column of `class.csv` |")
            .expect("its table");
        let rows = table
            .lines()
            .skip(2)
            .take_while(|line| line.starts_with('|'));
        let names = rows.flat_map(|row| {
            row.split('|')
                .nth(1)
                .unwrap_or_default()
                .split('`')
                .skip(1)
                .step_by(2)
        });
        let described: std::collections::BTreeSet<&str> = names
            .map(|name| name.trim_start_matches("<opponent>"))
            .collect();
        let text = String::from_utf8(csv(&[entry("ada", State::Graded)]).expect("a table"));
        let text = text.expect("text");
        let header = text.lines().next().unwrap_or_default();
        let written: std::collections::BTreeSet<&str> = header
            .split(',')
            .map(|name| {
                let of = ["random", "greedy"]
                    .iter()
                    .find_map(|bot| name.strip_prefix(bot));
                of.unwrap_or(name)
            })
            .collect();
        assert_eq!(written, described);
    }

    #[test]
    fn a_note_sums_faults_up_and_keeps_to_the_terminal() {
        let why = "the bot did not start: there is no program pyton3".into();
        let stderr = "".into();
        let entries = [
            entry("ada", State::Graded),
            entry("bob", State::Unusable { why, stderr }),
        ];
        insta::assert_snapshot!(table(&entries, Some(90)), @r"
         submission       mark                random     greedy    max ms   note
        ─────────────────────────────────────────────────────────────────────────────────────────
         ada          10 of 20   not passed   ✓ 11–0–1   ✗ 0–1–9      9.0   crashed in 1 of 22 …
         bob           0 of 20   unusable                             9.0   the bot did not sta…
        ");
        assert!(table(&entries, None).contains("there is no program pyton3"));
        assert_eq!(
            headline(&entries[0].card),
            "10 of 20 points, 1 of 2 opponents beaten: not passed (20 needed); \
             crashed in 1 of 22 games"
        );
    }
}
