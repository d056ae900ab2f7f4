//! An error in a text that a person wrote: a tournament file, a `bot.toml`, an argument of a command. A [`Problem`] has
//! the error, its fix, and its place in the text. Nothing here prints it.

use std::fmt;
use std::ops::Range;

use games::formats::text::NotText;

use message::{Message, ToValue, Value, message};

#[macro_export]
macro_rules! problem {
    ($($text:tt)*) => { $crate::problem::Problem::new(::message::message!($($text)*)) };
}

pub type Placed<T> = Option<toml::Spanned<T>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub what: Message,
    pub help: Option<Message>,
    /// The place in the text, in bytes.
    pub at: Option<Range<usize>>,
    /// The file with the error; `None`: the text is not from a file, or is from the file that the caller read.
    pub file: Option<Box<ProblemFile>>,
    /// Whether the machine is at fault instead of the author: a full disk, a folder without permissions.
    pub is_machine: bool,
    pub more: Vec<Problem>,
}

#[derive(Debug, Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    pub fn take<T>(&mut self, checked: Result<T, Problem>) -> Option<T> {
        checked.map_err(|problem| self.0.push(problem)).ok()
    }

    /// Returns all problems as one error, in the order of the text; problems without a place come first.
    pub fn check(self) -> Result<(), Problem> {
        let flat = |mut problem: Problem| {
            let more = std::mem::take(&mut problem.more);
            std::iter::once(problem).chain(more)
        };
        let mut all: Vec<Problem> = self.0.into_iter().flat_map(flat).collect();
        all.sort_by_key(|problem| problem.at.as_ref().map_or(0, |at| at.start));
        let mut all = all.into_iter();
        all.next().map_or(Ok(()), |first| {
            let more = all.collect();
            Err(Problem { more, ..first })
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemFile {
    pub name: String,
    pub text: String,
}

/// Endings of the TOML parser's messages that name the expected value, and the texts for users.
const EXPECTED: [(&str, &str); 9] = [
    ("expected i64", "a whole number"),
    ("expected u64", "a whole number, 0 or more"),
    ("expected f64", "a number"),
    ("expected a boolean", "true or false"),
    ("expected a string", "a text in quotes"),
    ("expected a sequence", "a list"),
    ("expected a map", "a table, { key = value }"),
    ("expected a TOML table", "a table, { key = value }"),
    ("elements", "a table, { key = value }"),
];

const SYNTAX: [(&str, &str); 10] = [
    (
        "string values must be quoted",
        "a text must be in quotes, and a number has no unit",
    ),
    ("invalid key-value pair", "a line is key = value"),
    ("wanted string or table", "expected a text in quotes"),
    ("invalid basic string", "the text has no closing quote"),
    ("invalid literal string", "the text has no closing quote"),
    ("unclosed array table", "the closing ]] is missing"),
    ("unclosed table", "the closing ] is missing"),
    ("unclosed array", "the closing ] is missing"),
    ("unclosed inline table", "the closing } is missing"),
    ("duplicate key", "this key is written twice"),
];

fn in_words(message: &str) -> Message {
    if let Some((_, words)) = SYNTAX.iter().find(|(start, _)| message.starts_with(start)) {
        return Message::from(*words);
    }
    let kinds = ["invalid type: ", "invalid value: ", "invalid length "];
    let Some(rest) = kinds.iter().find_map(|kind| message.strip_prefix(kind)) else {
        return Message::quote(message);
    };
    if let Some((number, _)) = rest.split_once("` as ") {
        return message!(
            "the number {} is too large",
            number.replace("integer `", "")
        );
    }
    let (found, expected) = rest.rsplit_once(", expected").unwrap_or((rest, ""));
    let expected = format!("expected{expected}");
    let expected = match EXPECTED.iter().find(|(end, _)| expected.ends_with(end)) {
        Some((_, words)) => Message::from(*words),
        None if expected.starts_with("expected struct") => "a table, { key = value }".into(),
        None => Message::quote(expected.trim_start_matches("expected ")),
    };
    let value = found.replace('`', "");
    let after = |kind| value.strip_prefix(kind);
    let number = after("integer ").or_else(|| after("floating point "));
    let found = match (after("string "), number, after("boolean "), value.as_str()) {
        (Some(text), ..) => {
            // The parser has already put the text in quotes.
            let text = vec![("text".into(), Value::text(text))];
            Some(Message::new("the text {text:?}", text))
        }
        (_, Some(number), ..) => Some(message!("the number {number}")),
        (.., Some(word), _) => Some(Message::quote(word)),
        (.., value) if value.starts_with("map") => Some("a table".into()),
        (.., value) if value.starts_with("sequence") => Some("a list".into()),
        (.., value) if value.starts_with('0') => Some("an empty list".into()),
        _ => None,
    };
    match found {
        Some(found) => message!("expected {expected}, not {found}"),
        None => message!("expected {expected}"),
    }
}

fn as_list(message: &str) -> Message {
    let text = message.split('"').nth(1).unwrap_or("python3 my_bot.py");
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| format!("{word:?}"))
        .collect();
    message!(
        "write a list in brackets, each word in quotes: [{}]",
        words.join(", ")
    )
}

impl Problem {
    pub fn new(what: impl Into<Message>) -> Problem {
        Problem {
            what: what.into(),
            help: None,
            at: None,
            file: None,
            is_machine: false,
            more: Vec::new(),
        }
    }

    pub fn not_text(name: impl ToValue, why: NotText) -> Problem {
        problem!("{name} is not text: {why}").help(NotText::FIX)
    }

    pub fn in_toml(error: &toml::de::Error) -> Problem {
        let mut at = error.span().unwrap_or_default();
        let is_missing = at.is_empty();
        if is_missing {
            // If something is missing, such as a quote, the place is the character before it.
            at.start = at.start.saturating_sub(1);
        }
        let message = error.message().lines().next().unwrap_or_default();
        // "unknown field `x`, expected one of `a`, `b`": every second piece between ticks is a key.
        let words = |start: &str| {
            let rest = message.strip_prefix(start).into_iter();
            rest.flat_map(|rest| rest.split('`').skip(1).step_by(2))
        };
        let (mut keys, mut values) = (words("unknown field "), words("unknown variant "));
        if let Some(value) = values.next() {
            let problem = problem!("unknown value {value:?}");
            return problem.did_you_mean(value, values).at(at);
        }
        match keys.next() {
            None if is_missing && message.starts_with("string values must be quoted") => {
                Problem::new("a value is missing")
            }
            Some(key) => problem!("unknown key {key:?}").did_you_mean(key, keys),
            None if message.starts_with("invalid type: map, expected a sequence") => {
                Problem::new(in_words(message))
                    .help("write its name in two brackets, such as [[bot]]")
            }
            None if message.contains("expected a sequence") => {
                Problem::new(in_words(message)).help(as_list(message))
            }
            None => Problem::new(in_words(message)),
        }
        .at(at)
    }

    /// Sets the place, unless the problem is in another file.
    #[must_use]
    pub fn at(mut self, at: Range<usize>) -> Problem {
        if self.file.is_none() {
            // A value from the command line has an empty place.
            self.at = (at.start < at.end).then_some(at);
        }
        self
    }

    /// Sets the file, unless the problem is in another file.
    #[must_use]
    pub fn in_file(mut self, name: impl ToValue + fmt::Display, text: &str) -> Problem {
        if self.file.is_some() {
            return self;
        }
        if self.at.is_none() {
            // Without a place, no line of the file is shown, so the message names the file.
            self.what = message!("{name}: {}", self.what);
        }
        self.file = Some(Box::new(ProblemFile {
            name: name.to_string(),
            text: text.to_owned(),
        }));
        self
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<Message>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// Replaces the path of a copy by that of the original.
    pub fn replace_path(&mut self, copy: &str, original: &str) {
        let messages = std::iter::once(&mut self.what).chain(&mut self.help);
        messages.for_each(|message| message.replace_path(copy, original));
        if let Some(file) = &mut self.file {
            file.name = file.name.replace(copy, original);
        }
        let more = self.more.iter_mut();
        more.for_each(|more| more.replace_path(copy, original));
    }

    /// Returns the problem, its place and its help as one message, with the file's name but not its folders.
    pub fn with_help(&self) -> Message {
        let place = self.file.as_ref().zip(self.at.as_ref());
        let what = match place.and_then(|(file, at)| Some((file, file.text.get(..at.start)?))) {
            Some((file, before)) => {
                let name = file.name.rsplit(['/', '\\']).next().unwrap_or_default();
                let line = 1 + before.matches('\n').count();
                message!("{name}, line {line}: {what}", what = self.what)
            }
            None => self.what.clone(),
        };
        match &self.help {
            Some(help) => message!("{}: {help}", what),
            None => what,
        }
    }

    pub fn help_text(&self) -> String {
        self.help
            .as_ref()
            .map(Message::to_string)
            .unwrap_or_default()
    }

    #[must_use]
    pub fn of_machine(mut self) -> Problem {
        self.is_machine = true;
        self
    }

    /// Adds "did you mean …?" if one of `known` is similar to `written`, otherwise the list of `known`.
    #[must_use]
    pub fn did_you_mean<'a>(self, written: &str, known: impl Iterator<Item = &'a str>) -> Problem {
        let known: Vec<&str> = known.collect();
        let distance = |name: &&&str| strsim::osa_distance(&written.to_lowercase(), name);
        // Of two equally near names, prefers the one of the same length, in which two letters may have been swapped.
        let nearness = |name: &&&str| (distance(name), name.len().abs_diff(written.len()));
        match known.iter().min_by_key(nearness) {
            Some(near) if distance(&near) <= 1 + near.len() / 4 => {
                self.help(message!("did you mean {near:?}?"))
            }
            _ => self.help(message!("valid values: {}", known)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn the_parsers_messages_become_texts_for_users() {
        for (message, words) in cases::<(String, String)>("parser-messages") {
            assert_eq!(in_words(&message).to_string(), words, "{message}");
        }
    }

    #[test]
    fn a_strangers_text_is_escaped_and_bounded() {
        let name = format!("\u{1b}]0;taken\u{7}\r\u{202e}{}", "x".repeat(5000));
        let problem = problem!("there is no game {name}").help(Message::quote(&name));
        let problem = problem.in_file(&name, "");
        for text in [problem.what, problem.help.expect("a help")].map(|text| text.to_string()) {
            assert!(
                text.starts_with("\\u{1b}]0;taken\\u{7}\\r\\u{202e}x"),
                "{text}"
            );
            assert!(text.chars().count() < 700, "{text}");
        }
    }
}
