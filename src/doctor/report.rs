//! The report on a bot: checks and findings. The [`Code`] of a problem never changes, so programs can rely on it.

use std::time::Duration;

use message::Message;
use serde::{Serialize, Serializer};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Note,
    /// The arena tolerates the problem, but it may cost the bot time or points.
    Warning,
    /// The problem loses games.
    Error,
}

impl Severity {
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($name:ident $word:literal $severity:ident $title:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            pub const ALL: &[Code] = &[$(Code::$name),*];

            pub const fn word(self) -> &'static str {
                match self { $(Code::$name => $word,)* }
            }

            pub const fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }

            pub const fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }
        }
    };
}

codes! {
    BuildFailed "build-failed" Error "it cannot be built"
    DoesNotStart "does-not-start" Error "it cannot be started"
    CrashesAtStart "crashes-at-start" Error "it ends before it sends ready"
    NoReady "no-ready" Error "it does not send ready"
    SlowStart "slow-start" Warning "it is slow to start"
    LoadsTooLong "loads-too-long" Error "it loads for too long before it is ready"
    NotFlushed "not-flushed" Error "its output stays in a buffer"
    NoNewline "no-newline" Error "its answer does not end with a newline"
    ReadsToTheEnd "reads-to-the-end" Error "it reads all its input before it answers"
    ReadsAhead "reads-ahead" Error "it waits for another line before it answers"
    WrongProtocol "wrong-protocol" Error "it uses another protocol"
    StrayOutput "stray-output" Error "it prints text that is not a message to standard output"
    NotJson "not-json" Error "its message is not JSON"
    BareMove "bare-move" Error "its move is not wrapped in a message"
    WrongMessage "wrong-message" Error "its message is not the expected one"
    NotUtf8 "not-utf8" Error "its output is not UTF-8"
    LineTooLong "line-too-long" Error "it writes a line of more than 64 KiB"
    WrongId "wrong-id" Error "the id of its answer is not the id of the question"
    EarlyAnswer "early-answer" Error "it answers before it is asked"
    SecondAnswer "second-answer" Error "it answers twice"
    IllegalMove "illegal-move" Error "it plays a move that is not legal"
    OtherColour "other-colour" Error "it plays the other colour's moves"
    Passes "passes" Error "it passes although it has a legal move"
    SwappedCoordinates "swapped-coordinates" Error "rows and columns are swapped"
    CountedFrom0 "counted-from-0" Error "rows are counted from 0, not from 1"
    CountedFromBottom "counted-from-bottom" Error "rows are counted from the bottom, not from the top"
    RowOff "row-off" Error "its row numbers are one too high"
    LetterOff "letter-off" Error "its column letters are off by one"
    OneDigit "one-digit" Error "row numbers of two digits lose a digit"
    Mirrored "mirrored" Error "columns are counted from the right"
    PairOfNumbers "pair-of-numbers" Error "its move is a pair of numbers, not a square"
    SquareNumber "square-number" Error "its move is the number of a square, not its name"
    NotASquare "not-a-square" Error "its move is not the name of a square"
    Resigns "resigns" Note "it resigned"
    Memory "memory" Error "it needs more memory than a grade allows"
    TooSlow "too-slow" Error "it takes too long for a move"
    NoAnswer "no-answer" Error "it does not answer a question"
    Crashes "crashes" Error "it ends in the middle of a game"
    ClosedOutput "closed-output" Error "it closes its standard output"
    AfterAPass "after-a-pass" Error "it fails in a position where a side had to pass"
    ShortBuffer "short-buffer" Error "it does not read long lines whole"
    BoardSize "board-size" Error "it fails on boards of another size, or with other rules"
    OpeningRule "opening-rule" Error "it fails in an opening by a rule that it lists"
    UnknownField "unknown-field" Error "an unknown field breaks it"
    UnknownMessage "unknown-message" Error "an unknown message breaks it"
    DiesOnOver "dies-on-over" Warning "it ends when a game is over"
    SecondGame "second-game" Error "it fails in its second game"
    IgnoresQuit "ignores-quit" Warning "it does not exit after quit"
    IgnoresEndOfInput "ignores-end-of-input" Warning "it does not exit when its input ends"
    ExitStatus "exit-status" Warning "it exits with an error"
    StartOnly "start-only" Warning "it cannot begin from an opening"
    LeavesChildren "leaves-children" Warning "it leaves child processes behind"
    OneGame "one-game" Note "it plays one game only"
    CarriageReturn "carriage-return" Note "its lines end with CR LF"
    ByteOrderMark "byte-order-mark" Note "its output begins with a byte-order mark"
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

#[expect(clippy::ref_option, reason = "serde calls it so")]
fn maybe_in_english<S: Serializer>(
    message: &Option<Message>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&message.clone().unwrap_or_default())
}

fn all_in_english<S: Serializer>(messages: &[Message], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(messages.iter().map(Message::to_string))
}

/// A problem of a bot, or a note about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    /// What happened, in one or two sentences.
    #[serde(serialize_with = "message::in_english")]
    pub what: Message,
    /// The evidence: lines sent (`> `) and received (`< `), a board, the end of standard error.
    #[serde(serialize_with = "all_in_english")]
    pub seen: Vec<Message>,
    #[serde(serialize_with = "message::in_english")]
    pub fix: Message,
    /// Code that fixes the problem, in the bot's language if it is known.
    pub example: Option<String>,
    pub times: u32,
    /// The time that a slow answer took. Of several findings about slow answers, the slowest is shown.
    #[serde(skip)]
    pub took: Duration,
}

impl Finding {
    pub fn new(code: Code, what: impl Into<Message>, fix: impl Into<Message>) -> Finding {
        Finding {
            code,
            severity: code.severity(),
            what: what.into(),
            seen: Vec::new(),
            fix: fix.into(),
            example: None,
            times: 1,
            took: Duration::ZERO,
        }
    }

    #[must_use]
    pub fn seen(mut self, lines: impl IntoIterator<Item = Message>) -> Finding {
        self.seen.extend(lines);
        self
    }

    #[must_use]
    pub fn example(mut self, code: impl Into<String>) -> Finding {
        self.example = Some(code.into()).filter(|code| !code.is_empty());
        self
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    #[serde(serialize_with = "message::in_english")]
    pub title: Message,
    /// `None`: the check was not reached.
    pub passed: Option<bool>,
    pub warning: bool,
    /// The measured value or the problem, briefly.
    #[serde(serialize_with = "message::in_english")]
    pub detail: Message,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    pub bot: String,
    pub command: String,
    pub language: &'static str,
    /// See [`Subject::taken_for`](super::Subject).
    #[serde(
        serialize_with = "maybe_in_english",
        skip_serializing_if = "Option::is_none"
    )]
    pub taken_for: Option<Message>,
    pub protocol: &'static str,
    pub checks: Vec<Check>,
    pub findings: Vec<Finding>,
}

impl CheckReport {
    /// Returns whether no finding is worse than a warning.
    pub fn passes(&self) -> bool {
        let is_wrong = |finding: &Finding| finding.severity > Severity::Warning;
        !self.findings.iter().any(is_wrong)
    }

    pub fn count(&self, severity: Severity) -> usize {
        let found = self.findings.iter();
        found.filter(|finding| finding.severity == severity).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_plain_and_unique() {
        let mut words: Vec<&str> = Code::ALL.iter().map(|code| code.word()).collect();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(words.iter().all(|word| word.chars().all(plain)));
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Code::ALL.len());
    }
}
