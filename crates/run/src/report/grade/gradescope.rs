//! `results.json`, the output file of a Gradescope autograder.
//!
//! Format: <https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format>.

use serde_json::{Value, json};

use super::{Reader, again, interval, needed, rate, remarks, results};
use tournament::mark::{Card, Row, State};

/// The file, or `None` if there is no mark: Gradescope shows an autograder without a file as failed
/// and gives no score.
pub fn gradescope(card: &Card) -> Option<Value> {
    let score = card.mark()?;
    let tests: Vec<Value> = match &card.state {
        State::Unusable { why, stderr } => vec![json!({
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

fn test(number: usize, row: &Row) -> Value {
    let same_again = match row.confirm {
        // How it was settled says it.
        Some(_) => String::new(),
        None => format!("; the same verdict if all was played again: {}", again(row)),
    };
    let mut output = format!(
        "won {} (wins, draws, losses: {}; 95 % interval {}); {} needed\n{}{}\n{} faults, {:.1} ms a \
         move on average, {:.1} ms at most\n",
        rate(row),
        results(row),
        interval(row),
        needed(row),
        row.how_settled(),
        same_again,
        row.fault_count(),
        row.mean_ms.unwrap_or_default(),
        row.max_ms.unwrap_or_default(),
    );
    for remark in remarks(row, Reader::Student) {
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

#[cfg(test)]
mod tests {
    use super::super::example::card;
    use super::*;

    /// What the published format allows; see the head of this file.
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
            State::Graded,
            State::Unusable {
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
                "the score is that of the tests"
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
        let state = State::NotGraded {
            why,
            only_its_turns: false,
        };
        assert_eq!(gradescope(&card(state)), None);
        assert_eq!(gradescope(&card(State::Unfinished)), None);
    }
}
