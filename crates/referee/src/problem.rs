//! An error in a text that a person wrote: a tournament file, a `bot.toml`, an argument of a command.
//!
//! A [`Problem`] says what is wrong, how to fix it, and where it is in the text, so that the error can
//! point there. Another module shows it.

use std::fmt;
use std::ops::Range;

use games::formats::text::NotText;

/// A value with its place in the text.
pub type Placed<T> = Option<toml::Spanned<T>>;

/// An error in a text that a person wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in one line.
    pub what: String,
    /// How to fix it.
    pub help: Option<String>,
    /// Where in the text, in bytes.
    pub at: Option<Range<usize>>,
    /// The file that has the error, if it is not the file that was read: the `bot.toml` of a bot that
    /// a tournament file names.
    pub file: Option<Box<File>>,
}

/// Another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path for messages.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// An error of the TOML parser in words for a user.
fn in_words(message: &str) -> String {
    let words = [
        ("expected i64", "expected a whole number"),
        ("expected u64", "expected a whole number, 0 or more"),
        ("expected f64", "expected a number"),
        ("expected a boolean", "expected true or false"),
        ("expected a string", "expected a text in quotes"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected a table, { key = value }"),
    ];
    let known = words.iter().find(|(end, _)| message.ends_with(end));
    known.map_or_else(
        || message.to_owned(),
        |(end, words)| message.replace(end, words),
    )
}

impl Problem {
    /// A problem without a place in a file.
    pub fn new(what: impl fmt::Display) -> Problem {
        Problem {
            what: what.to_string(),
            help: None,
            at: None,
            file: None,
        }
    }

    /// A file cannot be read as text.
    pub fn not_text(name: impl fmt::Display, why: NotText) -> Problem {
        Problem::new(format!("{name} is not text: {why}")).help(NotText::FIX)
    }

    /// An error of the TOML parser.
    pub fn in_toml(error: &toml::de::Error) -> Problem {
        let mut at = error.span().unwrap_or_default();
        if at.is_empty() {
            // If something is missing, such as a quote, the text before it is shown.
            at.start = at.start.saturating_sub(1);
        }
        let message = error.message().lines().next().unwrap_or_default();
        // "unknown field `x`, expected one of `a`, `b`": every second word between ticks is a key.
        let mut keys = message
            .strip_prefix("unknown field ")
            .into_iter()
            .flat_map(|rest| rest.split('`').skip(1).step_by(2));
        match keys.next() {
            Some(key) => Problem::new(format!("unknown key {key:?}")).did_you_mean(key, keys),
            None if message.contains("expected a sequence") => Problem::new(in_words(message))
                .help(
                    "write a list in brackets, each word in quotes: [\"python3\", \"my_bot.py\"]",
                ),
            None => Problem::new(in_words(message)),
        }
        .at(at)
    }

    /// The same with its place. A problem in another file keeps its place.
    #[must_use]
    pub fn at(mut self, at: Range<usize>) -> Problem {
        if self.file.is_none() {
            // A value that came from the command line has an empty place.
            self.at = (at.start < at.end).then_some(at);
        }
        self
    }

    /// The same, for a problem in another file than the one that is read.
    #[must_use]
    pub fn in_file(mut self, name: impl fmt::Display, text: &str) -> Problem {
        if self.at.is_none() {
            // No text of the file is shown, so the message names it.
            self.what = format!("{name}: {}", self.what);
        }
        self.file = Some(Box::new(File {
            name: name.to_string(),
            text: text.to_owned(),
        }));
        self
    }

    /// The same with the fix.
    #[must_use]
    pub fn help(mut self, help: impl fmt::Display) -> Problem {
        self.help = Some(help.to_string());
        self
    }

    /// The same with "did you mean …?" if one of `known` is similar to `written`, otherwise with all
    /// of `known`.
    #[must_use]
    pub fn did_you_mean<'a>(self, written: &str, known: impl Iterator<Item = &'a str>) -> Problem {
        let known: Vec<&str> = known.collect();
        let distance = |name: &&&str| strsim::osa_distance(&written.to_lowercase(), name);
        match known.iter().min_by_key(distance) {
            Some(near) if distance(&near) <= 1 + near.len() / 4 => {
                self.help(format!("did you mean {near:?}?"))
            }
            _ => self.help(format!("there are {}", known.join(", "))),
        }
    }
}
