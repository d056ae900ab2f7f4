//! `junit.xml`, which continuous-integration servers show: a test case an opponent.
//!
//! Format: <https://github.com/testmoapp/junitxml>. An opponent that is not beaten is a `failure`;
//! one whose verdict is open, or a bot that could not play, is an `error`.

use std::fmt::Write as _;

use super::{interval, needed, rate, remarks, results};
use crate::mark::{Card, Row, State};

/// The file.
pub fn junit(card: &Card, run: &str) -> String {
    let cases: Vec<Case> = match &card.state {
        State::Unusable { why, stderr } => vec![Case {
            name: "the bot plays".to_owned(),
            trouble: Some(("error", why.clone())),
            text: stderr.clone(),
        }],
        _ => card.rows.iter().map(|row| case(card, row, run)).collect(),
    };
    let count = |kind| {
        let of = cases.iter().filter_map(|case| case.trouble.as_ref());
        of.filter(|(trouble, _)| *trouble == kind).count()
    };
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
        cases.len(),
        count("failure"),
        count("error")
    );
    let suite = escaped(&card.suite);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(xml, "<testsuites name=\"arena grade\" {totals}>");
    let _ = writeln!(xml, "  <testsuite name=\"{suite}\" {totals}>");
    let class = escaped(&format!("{}.{}", card.suite, card.bot));
    for case in &cases {
        let name = escaped(&case.name);
        let _ = writeln!(xml, "    <testcase classname=\"{class}\" name=\"{name}\">");
        if let Some((kind, message)) = &case.trouble {
            let (message, text) = (escaped(message), escaped(&case.text));
            let _ = writeln!(xml, "      <{kind} message=\"{message}\">{text}</{kind}>");
        } else {
            let _ = writeln!(
                xml,
                "      <system-out>{}</system-out>",
                escaped(&case.text)
            );
        }
        xml += "    </testcase>\n";
    }
    let _ = writeln!(
        xml,
        "    <system-out>{}</system-out>",
        escaped(&card.headline())
    );
    xml + "  </testsuite>\n</testsuites>\n"
}

/// A test case; what is wrong is `failure` or `error` and a message.
struct Case {
    name: String,
    trouble: Option<(&'static str, String)>,
    text: String,
}

fn case(card: &Card, row: &Row, run: &str) -> Case {
    let trouble = match (row.beaten, &card.state) {
        (Some(true), _) => None,
        (Some(false), _) => Some((
            "failure",
            format!(
                "won {} ({}), {} needed",
                rate(row),
                results(row),
                needed(row)
            ),
        )),
        (None, State::NotGraded { why }) => Some(("error", format!("not graded: {why}"))),
        (None, _) => Some(("error", "not settled".to_owned())),
    };
    let mut text = format!(
        "{}: {}, 95 % interval {}; {}",
        results(row),
        rate(row),
        interval(row),
        row.how_settled()
    );
    for remark in remarks(row, run) {
        let _ = write!(text, "\n{remark}");
    }
    Case {
        name: format!("beats {}", row.opponent),
        trouble,
        text,
    }
}

/// Text that may stand in an attribute or an element: XML 1.0 knows no other control characters
/// than tab and line feeds, even escaped.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\t' | '\n' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
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
    fn a_case_an_opponent_counted_at_the_top() {
        let xml = junit(&card(State::Graded), "results/two");
        assert!(xml.contains("<testsuite name=\"two\" tests=\"2\" failures=\"1\" errors=\"0\">"));
        assert!(
            xml.contains("<testcase classname=\"two.mine\" name=\"beats greedy\">"),
            "{xml}"
        );
        assert_eq!(xml.matches("<failure ").count(), 1);
    }

    #[test]
    fn what_a_bot_wrote_cannot_leave_its_element() {
        let state = State::Unusable {
            why: "wrote \"<script>\"".to_owned(),
            stderr: "</error> & \u{1b}[2J".to_owned(),
        };
        let xml = junit(&card(state), "results/two");
        assert!(
            xml.contains("message=\"wrote &quot;&lt;script&gt;&quot;\""),
            "{xml}"
        );
        assert!(xml.contains("&lt;/error&gt; &amp; \u{fffd}[2J"), "{xml}");
    }
}
