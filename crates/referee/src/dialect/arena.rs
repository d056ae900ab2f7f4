//! The arena's own protocol, JSON lines: see `docs/protocol.md`.

use std::borrow::Cow;
use std::time::Duration;

use games::Move;
use message::{Message, message};
use protocol::{Hello, Over, Start, ToBot, TurnEncoder};
use serde::Deserialize;
use serde_json::Value;
use serde_json::error::Category;

use super::{Due, EngineAdapter, Heard, Protocol, Question, ResourceLimits, wrong};
use crate::record::{Spent, Thought};

#[derive(Debug)]
pub struct ArenaAdapter {
    encoder: TurnEncoder,
    limits: ResourceLimits,
    openings: Vec<String>,
    start_only: bool,
}

/// A line of a bot, parsed in one pass without copies. Duplicate keys, infinite numbers and invalid UTF-8 are errors.
#[derive(Deserialize)]
#[serde(expecting = "an object such as {\"move\":\"d3\"}")]
struct JsonLine<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    id: Option<u64>,
    #[serde(borrow, rename = "move")]
    played: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    version: Option<Cow<'a, str>>,
    openings: Option<Value>,
    start_only: Option<Value>,
    depth: Option<f64>,
    score: Option<f64>,
    nodes: Option<f64>,
    /// An invalid value of `time_ms`, `pv` or `spent` is ignored: it is no reason to lose a game.
    time_ms: Option<Value>,
    pv: Option<Value>,
    spent: Option<Value>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

impl ArenaAdapter {
    pub fn new() -> ArenaAdapter {
        ArenaAdapter {
            encoder: TurnEncoder::new(),
            limits: ResourceLimits::default(),
            openings: Vec::new(),
            start_only: false,
        }
    }
}

fn send(message: &ToBot, out: &mut Vec<u8>) {
    serde_json::to_writer(&mut *out, message).expect("a message is always JSON");
    out.push(b'\n');
}

impl EngineAdapter for ArenaAdapter {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        let hello = Hello {
            processes: self.limits.processes,
            disk_mib: self.limits.disk_mib,
            cores: self.limits.cores,
            ..Hello::from(start)
        };
        send(&ToBot::Hello(hello), out);
    }

    fn set_limits(&mut self, limits: ResourceLimits) {
        self.limits = limits;
    }

    fn turn(&mut self, id: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        let Question {
            board,
            legal,
            moves,
            left_ms,
            moves_to_go,
        } = *question;
        out.extend_from_slice(
            self.encoder
                .encode(id, board, legal, moves, left_ms, moves_to_go),
        );
    }

    fn over(&mut self, over: &Over, out: &mut Vec<u8>) {
        send(&ToBot::Over(over.clone()), out);
    }

    fn quit(&self, out: &mut Vec<u8>) {
        send(&ToBot::Quit, out);
    }

    fn hear(&mut self, line: &[u8], due: Due) -> Heard {
        match parse(line) {
            Err(why) => wrong(why, line, Protocol::Arena),
            Ok(line) => {
                if due == Due::Ready {
                    self.openings = words(line.openings.as_ref());
                    self.start_only = line.start_only == Some(Value::Bool(true));
                }
                understand(line, due)
            }
        }
    }

    fn openings(&self) -> Vec<String> {
        self.openings.clone()
    }

    fn start_only(&self) -> bool {
        self.start_only
    }

    fn is_talkative(&self) -> bool {
        false
    }

    fn unanswered(&self) -> String {
        String::new()
    }
}

fn parse(bytes: &[u8]) -> Result<JsonLine<'_>, Message> {
    let text = std::str::from_utf8(bytes).map_err(|error| message!("not UTF-8 ({error})"))?;
    // The parser would accept a list for a struct.
    if text.starts_with('[') {
        return Err("not a message (a list where an object was expected)".into());
    }
    serde_json::from_str(text).map_err(|error| message!("not a message ({})", unreadable(&error)))
}

/// Beginnings of the parser's messages on the syntax of a line, and their texts for users.
const SYNTAX: [(&str, &str); 5] = [
    ("number out of range", "number out of range"),
    ("key must be a string", "a key is not in double quotes"),
    ("trailing comma", "there is a comma before the end"),
    ("trailing characters", "more text follows the message"),
    ("control character", "a text has a control character"),
];

/// Returns why a line is not a message, for readers who do not know this parser.
fn unreadable(error: &serde_json::Error) -> Message {
    match error.classify() {
        Category::Eof => "the line ends too early".into(),
        Category::Syntax | Category::Io if error.column() <= 1 => "it is not JSON".into(),
        Category::Syntax | Category::Io => {
            let text = error.to_string();
            let known = SYNTAX.iter().find(|(start, _)| text.starts_with(start));
            let what = Message::from(known.map_or("it is not JSON", |(_, words)| words));
            message!("{what}, at character {}", error.column())
        }
        Category::Data => {
            let text = error.to_string();
            let what = text.split(" at line ").next().unwrap_or_default();
            let what = what.trim_start_matches("invalid type: ");
            let what = what.replace("sequence", "a list");
            let what = what.replace("map", "an object");
            match what.split_once(", expected ") {
                Some(parts) => {
                    let [found, expected] =
                        <[&str; 2]>::from(parts).map(|part| Message::whole(part.to_owned()));
                    message!("found {found}, expected {expected}")
                }
                None => Message::quote(what),
            }
        }
    }
}

fn understand(line: JsonLine<'_>, due: Due) -> Heard {
    let bad = |why: &'static str| Heard::Wrong(why.into());
    match (due, line.kind.as_deref(), line.played) {
        (Due::Ready, Some("ready"), _) => Heard::Ready {
            name: line.name.unwrap_or_default().into_owned(),
            version: line.version.unwrap_or_default().into_owned(),
        },
        (_, Some("info"), _) => Heard::Thought(Thought {
            depth: whole(line.depth),
            score: line.score,
            nodes: whole(line.nodes),
            time: line.time_ms.as_ref().and_then(time),
            pv: line.pv.as_ref().map(pv).unwrap_or_default(),
            spent: line.spent.as_ref().map(Spent::read).unwrap_or_default(),
            text: line.text.unwrap_or_default().into_owned(),
        }),
        (Due::Ready | Due::Move, Some("unable"), _) => {
            Heard::Unable(line.text.unwrap_or_default().into_owned())
        }
        (Due::Ready, ..) => bad("\"ready\" was expected"),
        (Due::Move, Some("move") | None, Some(played)) => Heard::Move {
            id: line.id,
            played: played.into_owned(),
            thought: Thought::default(),
        },
        (Due::Move, Some("move") | None, None) => bad("a \"move\" was expected"),
        (Due::Move, Some("ready"), _) => bad("\"ready\" was already sent; a \"move\" was expected"),
        (Due::Move, Some(other), _) => {
            Heard::Wrong(message!("the arena knows no message of type {other:?}"))
        }
        (Due::Nothing, ..) => bad("nothing was asked"),
    }
}

fn whole<T: TryFrom<i64>>(number: Option<f64>) -> Option<T> {
    T::try_from(number? as i64).ok()
}

fn time(ms: &Value) -> Option<Duration> {
    Duration::try_from_secs_f64(ms.as_f64()? / 1000.0).ok()
}

fn words(value: Option<&Value>) -> Vec<String> {
    let entries = value.and_then(Value::as_array).into_iter().flatten();
    let words = entries.filter_map(|entry| Some(entry.as_str()?.to_owned()));
    words.take(games::OpeningRule::ALL.len()).collect()
}

fn pv(value: &Value) -> Vec<Move> {
    let entries = value.as_array().into_iter().flatten();
    entries
        .map_while(|entry| entry.as_str()?.parse().ok())
        .take(Thought::LONGEST_PV)
        .collect()
}
