//! Evidence: the state of a bot when it failed, and the lines of its messages and errors that a finding shows.

use std::time::Duration;

use games::{Board, Move};
use message::Message;
use message::width::{cut, lines as wrapped};
use referee::record::{Exit, Fault, harmless};

const WIDTH: usize = 72;
const LINES: usize = 6;
const ERROR_LINES: usize = 8;
/// The limit for a line of standard error, in characters.
const LONGEST_ERROR: usize = 1000;

const BAR: &str = "| ";
const STDERR: &str = "its standard error ends:";

/// The task of the bot when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Nothing: the bot was not started.
    Launch,
    Start,
    /// Send `ready` for another game of the same process.
    Again,
    /// Answer the first question of its game.
    FirstQuestion,
    /// Answer a later question.
    Question,
    /// Nothing: the bot had answered, and had to wait.
    Waiting,
}

/// The observed cause of a bot's silence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The bot wrote this without a newline.
    Unended(String),
    /// The bot had read the question and was idle. When its input was closed, it wrote this.
    Held(String),
    /// The bot was idle. When it received one more line, it wrote this.
    Ahead(String),
    /// The bot wrote this, but only after the limit.
    Late(String),
    /// The bot was computing when it was last observed.
    Busy,
    /// The bot was loading: it answered the greeting too late, this long after its start.
    Loading(Duration),
    /// The bot is idle and has not read its input.
    NotReading,
    /// The bot has read the question and is idle.
    Idle,
}

impl Silence {
    /// Replaces `Held` by `Late`, for an answer that the end of the input did not cause.
    pub fn by_itself(self) -> Silence {
        match self {
            Silence::Held(text) => Silence::Late(text),
            other => other,
        }
    }

    pub fn is_idle(&self) -> bool {
        matches!(self, Silence::Idle | Silence::NotReading)
    }
}

#[derive(Clone, Debug)]
pub struct Evidence {
    pub fault: Fault,
    pub moment: Moment,
    /// The number of the question in its game, from 1; 0 before the first question.
    pub asked: u32,
    /// The position of the last question, and the moves that led to it.
    pub position: Option<(Board, Vec<Move>)>,
    pub silence: Option<Silence>,
    pub exit: Option<Exit>,
    pub exchange: Vec<Message>,
    pub stderr: String,
    pub given: Duration,
}

impl Evidence {
    pub fn shown(&self) -> Vec<Message> {
        let mut lines = self.exchange.clone();
        lines.extend(stderr_tail(&self.stderr));
        lines
    }
}

/// Returns the end of a bot's standard error with a heading, or nothing if it is empty.
pub fn stderr_tail(stderr: &str) -> Vec<Message> {
    let lines: Vec<&str> = stderr
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    if lines.is_empty() {
        return Vec::new();
    }
    // A Java trace begins with its error. A Python trace can begin with the same words, but ends with its error.
    let is_java = |two: &[&str]| {
        two[0].starts_with("Exception in thread") && !two[1].starts_with("Traceback")
    };
    let trace = lines.windows(2).rposition(is_java);
    let last = lines.len().saturating_sub(ERROR_LINES);
    let begin = trace.map_or(last, |trace| trace.min(last));
    let last = &lines[begin..lines.len().min(begin + ERROR_LINES)];
    let heading = std::iter::once(Message::from(STDERR));
    // The advice refers to these lines, so they are wrapped instead of cut.
    let last = last.iter().flat_map(|line| {
        if line.starts_with([' ', '\t']) {
            // An indented line is not the text of an error, so it may be cut: it is source, a mark, or a call.
            return vec![(*line).to_owned()];
        }
        let line: String = line.trim_end().chars().take(LONGEST_ERROR).collect();
        let line = harmless(&line.replace('\t', "    "));
        wrapped(&line, WIDTH - BAR.len())
    });
    heading
        .chain(last.map(|line| Message::quote(shortened(&format!("{BAR}{line}")))))
        .collect()
}

/// Returns, from a game's log, the last line sent (`> `) and the end of the bot's output after it (`< `). For a
/// protocol other than the arena's, also returns the line sent just before, since the bot may have answered that line.
pub fn exchange(log: &[u8]) -> Vec<Message> {
    let text = String::from_utf8_lossy(log);
    let lines: Vec<&str> = text.split('\n').filter(|line| !line.is_empty()).collect();
    let last_sent = lines.iter().rposition(|line| line.starts_with("> "));
    let last_sent = last_sent.unwrap_or(0);
    let is_of_engine = |line: &str| line.starts_with("> ") && !line.starts_with("> {");
    let together = last_sent > 0
        && lines[last_sent - 1..=last_sent]
            .iter()
            .all(|line| is_of_engine(line));
    let lines = &lines[last_sent - usize::from(together)..];
    let (first, rest) = lines.split_at(lines.len().min(1 + usize::from(together)));
    let kept = &rest[rest.len().saturating_sub(LINES - 1)..];
    first
        .iter()
        .chain(kept)
        .map(|line| Message::quote(shortened(line)))
        .collect()
}

pub fn shortened(line: &str) -> String {
    let line = harmless(&line.trim_end().replace('\t', "    "));
    cut(&line, WIDTH)
}

/// Shortens a program's line and puts a bar before it, so that it cannot look like a line of the arena.
pub fn quoted(line: &str) -> Message {
    Message::quote(shortened(&format!("{BAR}{line}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_exchange_is_cut_out() {
        let log = b"> hello\n< ready\n> turn\n< one\n< two\r\n";
        assert_eq!(exchange(log), ["> turn", "< one", "< two"]);
        let engine = b"> INFO time_left 9\n> TURN 7,7\n< UNKNOWN\n";
        assert_eq!(
            exchange(engine),
            ["> INFO time_left 9", "> TURN 7,7", "< UNKNOWN"]
        );
        assert!(exchange(b"").is_empty());
        let flood = [b"> turn\n".to_vec(), b"< x\n".repeat(100)].concat();
        assert_eq!(exchange(&flood).len(), LINES);
        assert_eq!(exchange(&flood)[0], "> turn");
        let long = format!("> {}\n", "x".repeat(500));
        assert_eq!(
            exchange(long.as_bytes())[0].to_string().chars().count(),
            WIDTH
        );
        assert_eq!(shortened("\u{1b}[31mred"), "\\u{1b}[31mred");
    }

    #[test]
    fn the_end_of_standard_error_is_shown() {
        assert!(stderr_tail(" \n").is_empty());
        let lines = stderr_tail("a\n\nb\n");
        assert_eq!(lines, ["its standard error ends:", "| a", "| b"]);
        let error = "Error: ".to_owned() + &"word ".repeat(40) + "end";
        let lines: Vec<String> = stderr_tail(&error)[1..]
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(lines.len() > 1 && lines.iter().all(|line| line.starts_with(BAR)));
        assert!(lines.last().expect("a line").ends_with("end"), "{lines:?}");
        let calls = "\tat Bot.search(Bot.java:7)\n".repeat(50);
        let lines = stderr_tail(&format!(
            "hm\nException in thread \"main\" java.lang.StackOverflowError\n{calls}"
        ));
        assert!(lines[1].to_string().starts_with("| Exception"), "{lines:?}");
        assert_eq!(lines.len(), 1 + ERROR_LINES);
        assert_eq!(lines[2], "|     at Bot.search(Bot.java:7)");
    }
}
