//! Evidence: the state of a bot when it failed, and the lines that a finding shows of it.

use std::time::Duration;

use message::Message;
use message::width::cut;
use referee::record::{Exit, Fault, harmless};

/// The width of a shown line, in columns.
const WIDTH: usize = 72;
/// How many lines of an exchange are shown.
const LINES: usize = 6;
/// How many lines of standard error are shown.
const ERROR_LINES: usize = 8;

/// The heading of the end of standard error.
const STDERR: &str = "its standard error ends:";

/// What a bot had to do when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Nothing yet: it was not started.
    Launch,
    /// Send `ready` for the first time.
    Start,
    /// Send `ready` for another game of the same process.
    Again,
    /// Answer the first question of its game.
    FirstQuestion,
    /// Answer a later one.
    Question,
    /// Nothing: it had answered, and must wait.
    Waiting,
}

/// Why a bot was silent, as far as the arena can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Silence {
    /// It wrote this without a newline.
    Unended(String),
    /// It had read the question and was idle; when its input was closed, it wrote this.
    Held(String),
    /// It was computing; when its input was closed, it wrote this.
    Late(String),
    /// It was computing when it was last observed.
    Busy,
    /// It had not read the greeting in its time, and read and answered it so much later: it was loading.
    Loading(Duration),
    /// It is idle and has not read what was sent.
    NotReading,
    /// It has read the question and is idle.
    Idle,
}

/// What is known about the moment in which a bot failed.
#[derive(Clone, Debug)]
pub struct Evidence {
    pub fault: Fault,
    pub moment: Moment,
    pub silence: Option<Silence>,
    pub exit: Option<Exit>,
    /// The last line that was sent, and what came after it.
    pub exchange: Vec<Message>,
    /// The end of its standard error.
    pub stderr: String,
    /// The time that the bot was given.
    pub given: Duration,
}

impl Evidence {
    /// Returns the lines that a finding shows: the exchange, then the end of standard error.
    pub fn shown(&self) -> Vec<Message> {
        let mut lines = self.exchange.clone();
        lines.extend(stderr_tail(&self.stderr));
        lines
    }
}

/// Returns the end of what a bot wrote to standard error, with a heading; nothing if it wrote nothing.
pub fn stderr_tail(stderr: &str) -> Vec<Message> {
    let lines: Vec<&str> = stderr
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    if lines.is_empty() {
        return Vec::new();
    }
    // A trace of Java begins with its error and goes on with all calls.
    let trace = lines
        .iter()
        .rposition(|line| line.starts_with("Exception in thread"));
    let last = lines.len().saturating_sub(ERROR_LINES);
    let begin = trace.map_or(last, |trace| trace.min(last));
    let last = &lines[begin..lines.len().min(begin + ERROR_LINES)];
    let heading = std::iter::once(Message::from(STDERR));
    heading
        .chain(last.iter().map(|line| quoted(line)))
        .collect()
}

/// Returns the last line that the arena sent (`> `) and what the bot wrote after it (`< `), from the log of its game.
pub fn exchange(log: &[u8]) -> Vec<Message> {
    let text = String::from_utf8_lossy(log);
    let lines: Vec<&str> = text.split('\n').filter(|line| !line.is_empty()).collect();
    let last_sent = lines.iter().rposition(|line| line.starts_with("> "));
    let lines = &lines[last_sent.unwrap_or(0)..];
    let (first, rest) = lines.split_at(lines.len().min(1));
    let kept = &rest[rest.len().saturating_sub(LINES - 1)..];
    first
        .iter()
        .chain(kept)
        .map(|line| Message::quote(shortened(line)))
        .collect()
}

/// Cuts a line to the shown width, and escapes control characters.
pub fn shortened(line: &str) -> String {
    let line = harmless(&line.trim_end().replace('\t', "    "));
    cut(&line, WIDTH)
}

/// Shortens a line of a program, and puts a bar before it: it cannot pass for a line of the arena.
pub fn quoted(line: &str) -> Message {
    Message::quote(shortened(&format!("| {line}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_exchange_is_cut_out() {
        let log = b"> hello\n< ready\n> turn\n< one\n< two\r\n";
        assert_eq!(exchange(log), ["> turn", "< one", "< two"]);
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
        let calls = "\tat Bot.search(Bot.java:7)\n".repeat(50);
        let lines = stderr_tail(&format!(
            "hm\nException in thread \"main\" java.lang.StackOverflowError\n{calls}"
        ));
        assert!(lines[1].to_string().starts_with("| Exception"), "{lines:?}");
        assert_eq!(lines.len(), 1 + ERROR_LINES);
        assert_eq!(lines[2], "|     at Bot.search(Bot.java:7)");
    }
}
