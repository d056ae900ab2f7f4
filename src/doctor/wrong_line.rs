//! Diagnoses a line that is no answer: what the line is, and what the bot must write instead.

use games::Square;
use message::{Message, message};
use serde_json::Value;

use super::evidence::Moment;
use super::language::BotLanguage;
use super::report::{Code, Finding};
use referee::dialect::{Protocol, protocol_of_line};

/// Returns the finding for a line that is no answer. `why`: why the arena refused it.
pub fn diagnose_bad_line(
    line: &str,
    why: &Message,
    moment: Moment,
    language: BotLanguage,
    spoken: Protocol,
) -> Finding {
    let wrote = message!("It wrote {line:?}: {why}.");
    if let Some(other) = protocol_of_line(line.as_bytes()).filter(|&other| other != spoken) {
        let word = other.word();
        let others = Protocol::ALL
            .into_iter()
            .filter(|&known| known != Protocol::Arena);
        let others: Vec<&str> = others.map(Protocol::word).collect();
        let fix = message!(
            "Name its protocol, before the command ({word}:./engine) or in bot.toml (protocol = \
             \"{word}\"). The arena supports {} beside its own.",
            others
        );
        let wrote = match other {
            Protocol::Botzone => {
                message!("It wrote {line:?}: that is an answer for botzone.org.cn.")
            }
            _ => wrote,
        };
        return Finding::new(Code::WrongProtocol, wrote, fix);
    }
    // Ignores a replacement character where the line was truncated: the arena may have cut a valid character.
    if line
        .trim_end_matches("\u{fffd}…")
        .contains([char::REPLACEMENT_CHARACTER, '\0'])
    {
        let fix = "Write UTF-8. Text with 0 bytes is UTF-16, which PowerShell and some editors \
                   write.";
        return Finding::new(Code::NotUtf8, wrote, fix);
    }
    if spoken == Protocol::Gomocup
        && line.starts_with("ERROR")
        && line.to_lowercase().contains("size")
    {
        let fix = "It plays on boards of another size only: try --size 20, Gomocup's own, or ask its author which \
                   sizes it supports.";
        return Finding::new(Code::BoardSize, wrote, fix);
    }
    match serde_json::from_str(line) {
        Ok(Value::Object(message)) if has_wrong_id(&message, moment) => Finding::new(
            Code::WrongId,
            wrote,
            "Send back the id of the question unchanged, as a number, or leave it out.",
        )
        .example(language.idioms().answer),
        Ok(Value::Object(message)) if is_move_without_move(&message) => Finding::new(
            Code::WrongMessage,
            message!("It wrote {line:?}: a message of type \"move\", but without its \"move\"."),
            "Write the square into \"move\": {\"type\":\"move\",\"id\":7,\"move\":\"d3\"}.",
        ),
        Ok(Value::Object(message)) if message.get("move").is_some_and(Value::is_null) => {
            Finding::new(
                Code::WrongMessage,
                message!("It wrote {line:?}: its move is null, so it chose no move."),
                NOTHING_CHOSEN,
            )
        }
        Ok(Value::Object(_)) => Finding::new(
            Code::WrongMessage,
            wrote,
            match moment {
                Moment::Start | Moment::Again => {
                    "The answer to hello is {\"type\":\"ready\",\"name\":\"my bot\"}."
                }
                _ => "The answer to turn is {\"type\":\"move\",\"id\":7,\"move\":\"d3\"}.",
            },
        ),
        Ok(Value::String(text)) if text.trim_start().starts_with('{') => Finding::new(
            Code::NotJson,
            message!("It wrote a message as a string in quotes, {line:?}: the message was encoded twice."),
            "Encode the message as JSON once.",
        )
        .example(language.idioms().flush),
        _ if is_move(line) => Finding::new(
            Code::BareMove,
            message!("It wrote {line:?}: that is a move, but not a message."),
            if line.contains(|c: char| c.is_ascii_alphabetic()) {
                "Wrap the move in a message."
            } else {
                "Wrap the move in a message. A program that was written for a course or for Botzone \
                 needs none: put columbia: or botzone-text: before its file (docs/courses.md)."
            },
        )
        .example(language.idioms().answer),
        _ if line.starts_with('{') && line.contains('\'') => Finding::new(
            Code::NotJson,
            wrote,
            "Print json.dumps(message). JSON has double quotes; print(message) writes a Python dict \
             with single quotes.",
        )
        .example(language.idioms().answer),
        Err(error) if error.is_eof() && line.starts_with('{') => interrupted(line, language),
        _ if line.starts_with('{') => Finding::new(
            Code::NotJson,
            wrote,
            "Write each message as one line of JSON: keys and strings in double quotes, no comma at \
             the end, no line break inside.",
        )
        .example(language.idioms().answer),
        _ => stray(line, language, spoken),
    }
}

fn is_move_without_move(message: &serde_json::Map<String, Value>) -> bool {
    message.get("type").is_some_and(|kind| kind == "move") && !message.contains_key("move")
}

pub const NOTHING_CHOSEN: &str = "Find the case in which your search chooses no move (None, null, \"\"), and begin \
    with the first move of \"legal\" as the best.";

fn interrupted(line: &str, language: BotLanguage) -> Finding {
    if line.trim_end().ends_with(['{', ',', '[']) {
        return Finding::new(
            Code::NotJson,
            message!("It wrote {line:?}: the message continues on the next line."),
            "Write each message as one line of JSON, without line breaks or indentation inside.",
        )
        .example(language.idioms().answer);
    }
    Finding::new(
        Code::StrayOutput,
        message!("It wrote {line:?}: something was printed in the middle of a message."),
        "Print debug output to standard error, and choose the move before you begin to write the message: \
         std::cout << \"…\" << choose() prints the output of choose in the middle of the message.",
    )
    .example(language.idioms().debug_print)
}

/// Returns whether the id is the problem: the id is not a number, or nothing else is wrong.
fn has_wrong_id(message: &serde_json::Map<String, Value>, moment: Moment) -> bool {
    let is_question = matches!(moment, Moment::FirstQuestion | Moment::Question);
    let is_move = message.get("type").is_none_or(|word| word == "move")
        && message.get("move").is_some_and(Value::is_string);
    message
        .get("id")
        .is_some_and(|id| !id.is_u64() || is_question && is_move)
}

/// Returns whether a line is only a move, in any notation: `d3`, `"d3"`, `(2, 3)`, `2 3`.
pub fn is_move(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let numbers = |c: char| c.is_ascii_digit() || " ,;()[]".contains(c);
    is_square(bare) || line.len() < 12 && line.chars().all(numbers)
}

/// Returns the finding for text that is written in addition to the messages.
pub fn stray(text: &str, language: BotLanguage, spoken: Protocol) -> Finding {
    let begin = text.find('{').filter(|&begin| begin > 0);
    let is_message = |begin: &usize| {
        let message = serde_json::from_str::<Value>(&text[*begin..]);
        message.is_ok_and(|message| message.is_object())
    };
    if let Some(begin) = begin.filter(is_message) {
        return Finding::new(
            Code::StrayOutput,
            message!(
                "It printed {:?} to standard output before its message, on the same line.",
                &text[..begin]
            ),
            "Print nothing to standard output but messages. input(\"…\") of Python prints its prompt there: \
             read with input(), or with for line in sys.stdin.",
        )
        .example(language.idioms().debug_print);
    }
    if spoken == Protocol::Arena && is_printed_object(text) {
        return Finding::new(
            Code::NotJson,
            message!(
                "It printed {text:?}: that is how the language prints an object, not its contents."
            ),
            "Encode the message as JSON and print that text.",
        )
        .example(language.idioms().answer);
    }
    let what = match spoken {
        Protocol::Arena => {
            message!("It printed {text:?} to standard output, where only messages are allowed.")
        }
        _ => message!("It printed {text:?} where another answer was expected."),
    };
    Finding::new(
        Code::StrayOutput,
        what,
        "Print debug output to standard error: the arena keeps the end of it for you.",
    )
    .example(language.idioms().debug_print)
}

/// Returns whether a line is a language's default text for an object: `[object Object]`, `<a.Move object at 0x7f1c>`.
fn is_printed_object(line: &str) -> bool {
    let line = line.trim();
    let number = |digits: &str| digits.len() > 3 && digits.chars().all(|c| c.is_ascii_hexdigit());
    line.starts_with("[object ") && line.ends_with(']')
        || line
            .strip_suffix('>')
            .and_then(|line| line.rsplit_once(" object at 0x"))
            .is_some_and(|(_, address)| number(address))
        || line.split_once('@').is_some_and(|(class, hash)| {
            let is_name = |c: char| c.is_alphanumeric() || "_.$".contains(c);
            !class.is_empty() && class.chars().all(is_name) && number(hash)
        })
}

pub fn diagnose_unasked_output(
    text: &str,
    moment: Moment,
    language: BotLanguage,
    spoken: Protocol,
) -> Finding {
    let line = text.lines().next().unwrap_or_default().trim();
    let is_answer = line.contains("\"move\"") || is_move(line);
    if !is_answer {
        return stray(line, language, spoken);
    }
    if moment == Moment::FirstQuestion {
        return Finding::new(
            Code::EarlyAnswer,
            message!("It wrote {line:?} before the arena asked for a move."),
            "Answer hello only with ready; send a move only after a turn.",
        )
        .example(language.idioms().main_loop);
    }
    Finding::new(
        Code::SecondAnswer,
        message!("After its answer it wrote {line:?}, which the arena did not ask for."),
        "Answer every turn with one move. Look for an answer that is printed in two places or in a \
         loop.",
    )
}

/// Returns whether the protocol reads this as a square, on a board of any size.
pub fn is_square(answer: &str) -> bool {
    answer.parse::<Square>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn a_line_is_named_for_what_it_is() {
        // UTF-16 cannot be in the UTF-8 file that has the other cases.
        let utf16 = ["{\0\"\0m\0", "not a message (…)", "not-utf8"].map(str::to_owned);
        for [line, why, expected] in cases("doctor-line").into_iter().chain([utf16]) {
            let arena = Protocol::Arena;
            let finding = diagnose_bad_line(
                &line,
                &Message::quote(why),
                Moment::Question,
                BotLanguage::Python,
                arena,
            );
            assert_eq!(finding.code.word(), expected, "{line}");
        }
    }

    #[test]
    fn a_line_of_another_protocol_names_its_prefix() {
        let fix = |line: &str, spoken| {
            let finding = diagnose_bad_line(
                line,
                &"…".into(),
                Moment::Question,
                BotLanguage::Python,
                spoken,
            );
            (finding.code.word(), finding.fix.to_string())
        };
        let (_, numbers) = fix("4 2", Protocol::Arena);
        assert!(numbers.contains("botzone-text:"), "{numbers}");
        let (_, botzone) = fix("{\"response\":{\"x\":2,\"y\":3}}", Protocol::Arena);
        assert!(botzone.contains("botzone:"), "{botzone}");
        let (code, size) = fix("ERROR Maximal board size is 20", Protocol::Gomocup);
        assert_eq!(code, "board-size");
        assert!(size.contains("--size 20"), "{size}");
    }

    #[test]
    fn unasked_output_is_named_by_its_moment() {
        for (text, moment, expected) in [
            ("{\"move\":\"d3\"}\n", Moment::FirstQuestion, "early-answer"),
            ("{\"move\":\"d3\"}\n", Moment::Waiting, "second-answer"),
            ("d3\n", Moment::Question, "second-answer"),
            ("took 3 ms\n", Moment::Question, "stray-output"),
        ] {
            let finding =
                diagnose_unasked_output(text, moment, BotLanguage::Python, Protocol::Arena);
            assert_eq!(finding.code.word(), expected, "{text}");
        }
        let gomocup = Protocol::Gomocup;
        let finding = diagnose_unasked_output("3 ms", Moment::Waiting, BotLanguage::C, gomocup);
        let what = "It printed \"3 ms\" where another answer was expected.";
        assert_eq!(finding.what, what);
    }
}
