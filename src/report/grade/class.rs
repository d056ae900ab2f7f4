//! A class: one row a submission, for the terminal and as `class.csv`.

use comfy_table::presets::NOTHING;
use comfy_table::{LineStyle, Table};

use super::sign;
use crate::grade::{Card, State, points};
use crate::report::cell;

/// A submission and what came of it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name of its file or folder.
    pub submission: String,
    /// Its grade.
    pub card: Card,
    /// The folder of its run.
    pub run: String,
    /// Whether the grade is that of an earlier grading, as nothing has changed since.
    pub is_unchanged: bool,
}

/// What is to be said beside the mark.
fn note(card: &Card) -> String {
    match &card.state {
        State::Unusable { why, .. } | State::NotGraded { why } => why.clone(),
        State::Unfinished => "games are still to be played".to_owned(),
        State::Graded => {
            let mut faults: Vec<String> = Vec::new();
            for row in &card.rows {
                for (word, count) in &row.faults {
                    faults.push(format!("{word} {count}× against {}", row.opponent));
                }
            }
            faults.join(", ")
        }
    }
}

fn state(card: &Card) -> &'static str {
    match &card.state {
        State::Graded if card.passed() => "passed",
        State::Graded => "not passed",
        State::Unusable { .. } => "unusable",
        State::NotGraded { .. } => "not graded",
        State::Unfinished => "unfinished",
    }
}

/// The table for the terminal.
pub fn table(entries: &[Entry]) -> String {
    let mut table = Table::new();
    let opponents = entries.first().map_or(&[][..], |entry| &entry.card.rows);
    let mut header = vec!["submission".to_owned(), "mark".to_owned(), String::new()];
    header.extend(opponents.iter().map(|row| row.opponent.clone()));
    header.extend(["max ms".to_owned(), "note".to_owned()]);
    table
        .load_style(NOTHING.header_separator(LineStyle::new(' ', '─', '─', ' ')))
        .set_header(header);
    for Entry {
        submission,
        card,
        is_unchanged,
        ..
    } in entries
    {
        let mark = card.mark().map_or_else(
            || "–".to_owned(),
            |mark| format!("{} of {}", points(mark), points(card.possible())),
        );
        let mut row = vec![submission.clone(), mark, state(card).to_owned()];
        let played = !matches!(card.state, State::Unusable { .. });
        row.extend(card.rows.iter().map(|row| {
            if played {
                format!("{} {}–{}–{}", sign(row), row.wins, row.draws, row.losses)
            } else {
                String::new()
            }
        }));
        row.push(super::ms(slowest(card)));
        let mut note = cell::text(&note(card));
        if *is_unchanged {
            note = if note.is_empty() {
                "unchanged".to_owned()
            } else {
                format!("unchanged; {note}")
            };
        }
        row.push(note);
        table.add_row(row);
    }
    format!("{table}\n")
}

/// The table for a GitHub step summary. Indented text is code, whatever stands in it.
pub fn markdown(suite: &str, entries: &[Entry]) -> String {
    let mut text = format!("### {suite}\n\n");
    for line in table(entries).lines() {
        text += &format!("    {}\n", line.trim_end());
    }
    text
}

/// The longest move.
fn slowest(card: &Card) -> Option<f64> {
    let times = card.rows.iter().filter_map(|row| row.max_ms);
    times.max_by(f64::total_cmp)
}

/// `class.csv`: see `results/README.md` for its columns.
pub fn csv(entries: &[Entry]) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let opponents = entries.first().map_or(&[][..], |entry| &entry.card.rows);
    let mut header: Vec<String> = ["submission", "state", "points", "points_possible", "beaten"]
        .map(str::to_owned)
        .into();
    for row in opponents {
        header.push(format!("{}_beaten", row.opponent));
        header.push(format!("{}_win_rate", row.opponent));
        header.push(format!("{}_games", row.opponent));
    }
    header.extend(
        [
            "faults",
            "max_ms",
            "note",
            "submission_sha256",
            "suite_sha256",
            "folder",
        ]
        .map(str::to_owned),
    );
    writer.write_record(&header)?;
    for Entry {
        submission,
        card,
        run,
        ..
    } in entries
    {
        let mut record = vec![
            cell::text(submission),
            state(card).to_owned(),
            cell::maybe(card.mark(), points),
            points(card.possible()),
            card.beaten().to_string(),
        ];
        for row in &card.rows {
            let played = row.games() > 0;
            record.push(cell::maybe(row.beaten, |beaten| beaten.to_string()));
            record.push(cell::maybe(played.then(|| row.score().rate()), |rate| {
                format!("{rate:.4}")
            }));
            record.push(row.games().to_string());
        }
        let faults: u64 = card.rows.iter().map(crate::grade::Row::fault_count).sum();
        record.extend([
            faults.to_string(),
            cell::maybe(slowest(card), |ms| format!("{ms:.3}")),
            cell::text(&note(card)),
            card.submission_sha256.clone(),
            card.suite_sha256.clone(),
            cell::text(run),
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
            card: card(state),
            run: format!("results/class/{submission}"),
            is_unchanged: false,
        }
    }

    #[test]
    fn a_row_a_submission_and_no_mark_where_there_is_none() {
        let why = "the machine stood still".to_owned();
        let entries = [
            entry("=cmd", State::Graded),
            entry("bob", State::NotGraded { why }),
        ];
        let text = String::from_utf8(csv(&entries).expect("a table")).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(
            lines[1].starts_with("'=cmd,not passed,10,20,1,true,0.9167,12,false,"),
            "{text}"
        );
        assert!(lines[2].starts_with("bob,not graded,,20,"), "{text}");
    }
}
