//! A grade for programs: `results.json`, the output file of a Gradescope autograder, and `junit.xml` for
//! continuous-integration servers. In `junit.xml`, each opponent is a test case: a `failure` if it is not beaten, and
//! an `error` if the verdict is open or the bot could not play.
//!
//! Formats: <https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format>,
//! <https://github.com/testmoapp/junitxml>.

use message::message;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};
use tournament::mark::{Accuracy, Card, GradeState, OpponentResult};

use super::{Audience, again, interval, needed, rate, remarks, results};

/// Makes `results.json`; `None` if there is no mark: without the file, Gradescope shows a failure and no score.
pub fn gradescope(card: &Card) -> Option<Value> {
    let score = card.mark()?;
    let tests: Vec<Value> = match &card.state {
        GradeState::Unusable { why, stderr } => vec![json!({
            "name": "the bot plays",
            "number": "1",
            "score": 0.0,
            "max_score": card.possible(),
            "status": "failed",
            "output": std::iter::once(why.to_string()).chain(stderr.quoted()).collect::<Vec<_>>().join("\n"),
            "output_format": "text",
            "visibility": "visible",
        })],
        _ => (1..)
            .zip(&card.rows)
            .map(|(number, row)| test(number, row))
            .chain(
                card.accuracy
                    .as_ref()
                    .map(|accuracy| of_accuracy(card, accuracy)),
            )
            .collect(),
    };
    Some(json!({
        "score": score,
        "output": format!(
            "{} in {} ({}, {})\n{}",
            card.bot, card.suite, card.game, card.conditions, card.headline()
        ),
        "output_format": "text",
        "visibility": "visible",
        "tests": tests,
        "extra_data": {
            "arena": card.arena,
            "submission_sha256": card.submission_sha256,
            "suite_sha256": card.suite_sha256,
        },
    }))
}

fn test(number: usize, row: &OpponentResult) -> Value {
    let same_again = match row.confirm {
        // `how_settled` shows whether the verdict is certain.
        Some(_) => String::new(),
        None => format!("; the same verdict if all was played again: {}", again(row)),
    };
    let faults = message!("{count} {count|fault|faults}", count = row.fault_count());
    let mut output = format!(
        "won {} (wins, draws, losses: {}; 95 % interval {}); {} needed\n{}{}\n{}, {:.1} ms a \
         move on average, {:.1} ms at most\n",
        rate(row),
        results(row),
        interval(row),
        needed(row),
        row.how_settled(),
        same_again,
        faults,
        row.mean_ms.unwrap_or_default(),
        row.max_ms.unwrap_or_default(),
    );
    for remark in remarks(row, Audience::Student) {
        output += &format!("{remark}\n");
    }
    json!({
        "name": format!("beats {}", row.opponent),
        "number": number.to_string(),
        "score": row.earned(),
        "max_score": row.points,
        "status": if row.beaten == Some(true) { "passed" } else { "failed" },
        "output": output,
        "output_format": "text",
        "visibility": "visible",
    })
}

fn of_accuracy(card: &Card, accuracy: &Accuracy) -> Value {
    json!({
        "name": "accurate moves",
        "number": (card.rows.len() + 1).to_string(),
        "score": accuracy.earned(),
        "max_score": accuracy.points,
        "output": accuracy.headline().to_string(),
        "output_format": "text",
        "visibility": "visible",
    })
}

/// Makes `junit.xml`, without terminal colours and characters that XML does not allow.
pub fn junit(card: &Card) -> String {
    let mut suite = TestSuite::new(card.suite.as_str());
    let trouble = match &card.state {
        GradeState::Unusable { why, stderr } => Some(("the bot plays", why, stderr.to_string())),
        GradeState::NotABot { why, fix } => Some(("the hand-in is a bot", why, fix.to_string())),
        _ => None,
    };
    if let Some((name, why, more)) = trouble {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(why.to_string()).set_description(more);
        suite.add_test_case(TestCase::new(name, status));
    } else {
        suite.add_test_cases(card.rows.iter().map(|row| case(card, row)));
    }
    for case in &mut suite.test_cases {
        case.set_classname(format!("{}.{}", card.suite, card.bot));
    }
    suite.set_system_out(card.headline().to_string());
    let mut report = Report::new("arena grade");
    report.add_test_suite(suite);
    let mut text = report.to_string().expect("a report in memory");
    // `quick_junit` removes control characters, but not these two, which XML does not allow.
    text.retain(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'));
    // Jenkins validates files, and its schema does not allow this attribute at the root.
    text.replacen(" skipped=\"0\"", "", 1)
}

fn case(card: &Card, row: &OpponentResult) -> TestCase {
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
        (None, GradeState::NotGraded { why, .. }) => Some((Error, format!("not graded: {why}"))),
        (None, _) => Some((Error, "not decided".to_owned())),
    };
    let mut text = format!(
        "{}: {}, 95 % interval {}; {}",
        results(row),
        rate(row),
        interval(row),
        row.how_settled()
    );
    for remark in remarks(row, Audience::Student) {
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
#[path = "junit_schema.rs"]
mod schema;

#[cfg(test)]
mod tests {
    use tournament::mark::{Confirm, FirstFault};

    use super::super::example::{card, row};
    use super::*;

    /// The keys of the published format; see the head of this file.
    const TOP: &str = "score execution_time output output_format test_output_format \
                       test_name_format visibility stdout_visibility extra_data tests";
    const TEST: &str = "score max_score status name name_format number output output_format tags \
                        visibility extra_data";
    const FORMATS: [&str; 5] = ["text", "html", "simple_format", "md", "ansi"];
    const VISIBILITY: [&str; 4] = ["hidden", "after_due_date", "after_published", "visible"];

    fn is_in(list: &str, key: &str) -> bool {
        list.split(' ').any(|known| known == key)
    }

    fn word(value: &serde_json::Value) -> &str {
        value.as_str().expect("text")
    }

    #[test]
    fn only_published_fields_with_their_types() {
        for state in [
            GradeState::Graded,
            GradeState::Unusable {
                why: "did not start".into(),
                stderr: "Traceback".into(),
            },
        ] {
            let file = gradescope(&card(state)).expect("a mark");
            let top = file.as_object().expect("an object");
            assert!(top.keys().all(|key| is_in(TOP, key)), "{top:?}");
            assert!(top["score"].is_number() && top["output"].is_string());
            assert!(FORMATS.contains(&word(&top["output_format"])));
            assert!(VISIBILITY.contains(&word(&top["visibility"])));
            assert!(top["extra_data"].is_object());
            let tests = top["tests"].as_array().expect("a list");
            let total: f64 = tests.iter().filter_map(|test| test["score"].as_f64()).sum();
            assert_eq!(
                Some(total),
                top["score"].as_f64(),
                "the score is the sum of the tests"
            );
            let most: f64 = tests
                .iter()
                .filter_map(|test| test["max_score"].as_f64())
                .sum();
            assert!((most - 20.0).abs() < 1e-9, "all points of the suite");
            for test in tests {
                let test = test.as_object().expect("an object");
                assert!(test.keys().all(|key| is_in(TEST, key)), "{test:?}");
                assert!(["passed", "failed"].contains(&word(&test["status"])));
                assert!(VISIBILITY.contains(&word(&test["visibility"])));
                assert!(FORMATS.contains(&word(&test["output_format"])));
                let figures = [&test["score"], &test["max_score"]].map(serde_json::Value::as_f64);
                assert!(
                    figures[0] <= figures[1] && figures[0] >= Some(0.0),
                    "{test:?}"
                );
                assert!(test["number"].is_string() && test["output"].is_string());
            }
        }
    }

    #[test]
    fn without_a_mark_there_is_no_file() {
        let why = "the machine stood still".into();
        let state = GradeState::NotGraded {
            why,
            only_its_turns: false,
        };
        assert_eq!(gradescope(&card(state)), None);
        assert_eq!(gradescope(&card(GradeState::Unfinished)), None);
    }

    /// Tries every state of a card, with hostile texts of a bot.
    #[test]
    fn every_card_is_a_file_of_the_published_schema() {
        let hostile = "\u{1b}[31m</failure> & <x a=\"'\"> ]]> \u{0} \u{fffe} 作业 \n\ttail";
        let unusable = GradeState::Unusable {
            why: hostile.into(),
            stderr: hostile.into(),
        };
        let not_a_bot = GradeState::NotABot {
            why: hostile.into(),
            fix: hostile.into(),
        };
        let not_graded = GradeState::NotGraded {
            why: hostile.into(),
            only_its_turns: true,
        };
        for (state, cases, failures, errors) in [
            (GradeState::Graded, 4, 2, 1),
            (GradeState::Unfinished, 4, 2, 1),
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
            let text = junit(&card);
            let counts = schema::check(&text);
            let all = [
                ("testcase", "tests", cases),
                ("failure", "failures", failures),
                ("error", "errors", errors),
            ];
            for (element, attribute, count) in all {
                assert_eq!(
                    counts.get(element).copied().unwrap_or(0),
                    count,
                    "{element} in {text}"
                );
                let said = text.matches(&format!(" {attribute}=\"{count}\"")).count();
                assert_eq!(said, 2, "{attribute} in {text}");
            }
        }
    }
}
