//! `junit.xml`, which continuous-integration servers show: one test case per opponent.
//!
//! Format: <https://github.com/testmoapp/junitxml>. An opponent that is not beaten is a `failure`;
//! one whose verdict is open, or a bot that could not play, is an `error`.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Reader, interval, needed, rate, remarks, results};
use tournament::mark::{Card, Row, State};

/// The file. Characters that XML does not allow and terminal colours are left out.
pub fn junit(card: &Card) -> String {
    let mut suite = TestSuite::new(card.suite.as_str());
    if let State::Unusable { why, stderr } = &card.state {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(&**why).set_description(&**stderr);
        suite.add_test_case(TestCase::new("the bot plays", status));
    } else if let State::NotABot { why, fix } = &card.state {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(&**why).set_description(&**fix);
        suite.add_test_case(TestCase::new("the hand-in is a bot", status));
    } else {
        suite.add_test_cases(card.rows.iter().map(|row| case(card, row)));
    }
    for case in &mut suite.test_cases {
        case.set_classname(format!("{}.{}", card.suite, card.bot));
    }
    suite.set_system_out(card.headline());
    let mut report = Report::new("arena grade");
    report.add_test_suite(suite);
    let mut text = report.to_string().expect("a report in memory");
    // Its writer leaves out control characters, but not these two.
    text.retain(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'));
    // The root has no such number in the schema by which Jenkins refuses files.
    text.replacen(" skipped=\"0\"", "", 1)
}

fn case(card: &Card, row: &Row) -> TestCase {
    use NonSuccessKind::{Error, Failure};
    let trouble = match (row.beaten, &card.state) {
        (Some(true), _) => None,
        (Some(false), _) => Some((
            Failure,
            format!(
                "won {} ({}), {} needed",
                rate(row),
                results(row),
                needed(row)
            ),
        )),
        (None, State::NotGraded { why, .. }) => Some((Error, format!("not graded: {why}"))),
        (None, _) => Some((Error, "not decided".to_owned())),
    };
    let mut text = format!(
        "{}: {}, 95 % interval {}; {}",
        results(row),
        rate(row),
        interval(row),
        row.how_settled()
    );
    for remark in remarks(row, Reader::Student) {
        text += &format!("\n{remark}");
    }
    let name = format!("beats {}", row.opponent);
    let Some((kind, message)) = trouble else {
        let mut case = TestCase::new(name, TestCaseStatus::success());
        case.set_system_out(text);
        return case;
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message).set_description(text);
    TestCase::new(name, status)
}

#[cfg(test)]
mod schema;

#[cfg(test)]
mod tests {
    use super::super::example::{card, row};
    use super::*;
    use tournament::mark::{Confirm, FirstFault};

    /// Every state that a card can be in, with whatever a bot may have written.
    #[test]
    fn every_card_is_a_file_of_the_published_schema() {
        let hostile = "\u{1b}[31m</failure> & <x a=\"'\"> ]]> \u{0} \u{fffe} 作业 \n\ttail";
        let unusable = State::Unusable {
            why: hostile.into(),
            stderr: hostile.into(),
        };
        let not_a_bot = State::NotABot {
            why: hostile.into(),
            fix: hostile.into(),
        };
        let not_graded = State::NotGraded {
            why: hostile.into(),
            only_its_turns: true,
        };
        for (state, cases, failures, errors) in [
            (State::Graded, 4, 2, 1),
            (State::Unfinished, 4, 2, 1),
            (not_graded, 4, 2, 1),
            (unusable, 1, 0, 1),
            (not_a_bot, 1, 0, 1),
        ] {
            let mut card = card(state);
            card.bot = hostile.to_owned();
            let mut open = row(hostile, None, [1, 0, 0]);
            open.void = vec![7];
            let mut close = row("close", Some(false), [9, 1, 10]);
            close.confirm = Some(Confirm {
                level: 0.95,
                is_certain: false,
            });
            close.first_fault = Some(FirstFault {
                game: 3,
                side: "black".to_owned(),
                what: hostile.into(),
                said: hostile.into(),
            });
            card.rows.extend([open, close]);
            let root = schema::check(&junit(&card));
            let count = |name| root.all(name).count();
            assert_eq!(
                (count("testcase"), count("failure"), count("error")),
                (cases, failures, errors),
                "{:?}",
                card.state
            );
        }
    }

    #[test]
    fn a_case_an_opponent_counted_at_the_top() {
        let xml = junit(&card(State::Graded));
        let suite =
            "<testsuite name=\"two\" tests=\"2\" skipped=\"0\" errors=\"0\" failures=\"1\">";
        assert!(xml.contains(suite), "{xml}");
        let case = "<testcase name=\"beats greedy\" classname=\"two.mine\">";
        assert!(xml.contains(case), "{xml}");
        assert_eq!(xml.matches("<failure ").count(), 1);
    }

    #[test]
    fn what_a_bot_wrote_cannot_leave_its_element() {
        let state = State::Unusable {
            why: "wrote \"<script>\"".into(),
            stderr: "</error> & \u{1b}[2J".into(),
        };
        let xml = junit(&card(state));
        assert!(
            xml.contains("message=\"wrote &quot;&lt;script&gt;&quot;\""),
            "{xml}"
        );
        assert!(
            xml.contains("&lt;/error&gt; &amp; \\u{1b}[2J</error>"),
            "{xml}"
        );
    }
}
