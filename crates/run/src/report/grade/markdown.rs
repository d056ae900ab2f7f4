//! `summary.md`, for a GitHub step summary or an issue.

use std::fmt::Write as _;

use super::{Reader, again, interval, ms, needed, rate, remarks, results, sign};
use tournament::mark::{Card, State};

/// The summary of one grade.
pub fn markdown(card: &Card) -> String {
    let mut text = format!("### {} in {}\n\n", plain(&card.bot), plain(&card.suite));
    let _ = write!(text, "**{}**\n\n", plain(&card.headline()));
    if let State::Unusable { stderr, .. } = &card.state {
        if !stderr.trim().is_empty() {
            // Indented text is code, whatever stands in it.
            for line in stderr.quoted() {
                text += &format!("    {line}\n");
            }
        }
        return text;
    }
    if !card.can_play() {
        return text;
    }
    text +=
        "| | opponent | W–D–L | win rate | 95 % | needed | again | faults | mean ms | max ms | |\n";
    text += "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n";
    for row in &card.rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            sign(row),
            plain(&row.opponent),
            results(row),
            rate(row),
            interval(row),
            needed(row),
            again(row),
            row.fault_count(),
            ms(row.mean_ms),
            ms(row.max_ms),
            row.how_settled(),
        );
    }
    let _ = write!(text, "\n{}, {}\n\n", card.game, card.conditions);
    for row in &card.rows {
        for remark in remarks(row, Reader::Student) {
            // Indented text under a point is code, whatever stands in it.
            let _ = match remark.strip_prefix("    ") {
                Some(quoted) => writeln!(text, "\n      {quoted}"),
                None => writeln!(text, "- {}: {}", plain(&row.opponent), plain(&remark)),
            };
        }
    }
    text
}

/// Text that is escaped for Markdown and HTML.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out += "&lt;",
            '&' => out += "&amp;",
            '|' | '*' | '`' | '[' | ']' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::example::card;
    use super::*;

    #[test]
    fn a_row_an_opponent() {
        let text = markdown(&card(State::Graded));
        assert!(text.contains("| ✗ | greedy | 0–1–9 |"), "{text}");
        assert!(
            text.contains("- greedy: lost by its own fault: crashed 1× in game 0\n"),
            "{text}"
        );
    }

    #[test]
    fn what_a_bot_wrote_is_text() {
        let state = State::Unusable {
            why: "wrote \"<img src=x>|`\"".into(),
            stderr: "<b>\r\r# passed \u{1b}]0;taken\u{7}\u{2028}\u{202e}".into(),
        };
        let text = markdown(&card(state));
        assert!(text.contains(r"&lt;img src=x>\|\`"), "{text}");
        assert!(
            text.contains("\n    | <b>\\r\\r# passed \\u{1b}]0;taken"),
            "{text}"
        );
    }
}
