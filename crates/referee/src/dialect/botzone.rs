//! Botzone's interaction, for its games Gomoku and Reversi: the arena's side of what
//! `protocol::engine` speaks as a bot.
//!
//! A program is told all requests and responses so far, answers, and ends; or it asks to be kept, and is told
//! one request at a time from then on. A request is the opponent's move, a response the program's own:
//! column and row from 0 at the top left. −1 and −1 is no move: black's first request, and a pass, which the
//! program itself answers there and the arena makes for it here. In JSON that is `{"requests":[{"x":-1,"y":-1}],
//! "responses":[]}` and `{"response":{"x":2,"y":3}}`; in the simplified interaction the number of the turn, then
//! a line for each. `data` and `globaldata` of an answer come back with the next question of the game.
//!
//! Which process is told is the business of [`host::turns`]; the lines that it needs for that stand between.
//!
//! Source: wiki.botzone.org.cn, the page Bot, and the sample programs of Gomoku and Reversi.

use std::io::Write as _;

use games::Move;
use host::turns::{GAME, KEEP, READY, TURN};
use protocol::{Over, Start};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::language::{Dialect, Due, Heard, Question};
use crate::record::Thought;

/// The games that are played in it.
pub(super) const GAMES: [&str; 2] = ["othello", "gomoku"];

/// The dialogue with one program.
#[derive(Debug, Default)]
pub struct Botzone {
    /// Whether it is the simplified interaction.
    is_text: bool,
    /// Whether the process that answered last asked to be kept.
    is_kept: bool,
    /// How many requests of this game it has been told.
    told: usize,
    /// Requests that a kept process has to be told after the one that it answers now.
    further: Vec<Point>,
    /// The question with all that was said before, should the process not be kept.
    whole: Vec<u8>,
    /// What the program stored: `data` and `globaldata`.
    stored: [Option<Value>; 2],
    /// Lines of the last simplified answer: debug, data, global data.
    after: Vec<String>,
    asked: &'static str,
}

/// A move as column and row.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Point {
    x: i64,
    y: i64,
}

impl Point {
    /// No move.
    const NONE: Point = Point { x: -1, y: -1 };

    fn of(played: Move) -> Point {
        played.square().map_or(Point::NONE, |square| Point {
            x: square.column().into(),
            y: square.row().into(),
        })
    }

    /// The square, as [`Move`] parses it; numbers off the board stay as they are.
    fn square(self) -> String {
        match (u8::try_from(self.x), u8::try_from(self.y)) {
            (Ok(column @ 0..26), Ok(row)) => {
                format!("{}{}", char::from(b'a' + column), u32::from(row) + 1)
            }
            _ => format!("{} {}", self.x, self.y),
        }
    }
}

impl Botzone {
    /// A dialogue that has not begun.
    pub fn new(is_text: bool) -> Botzone {
        Botzone {
            is_text,
            ..Botzone::default()
        }
    }

    /// A request alone, for a process that was kept.
    fn request(&self, request: Point, out: &mut Vec<u8>) {
        let Point { x, y } = request;
        let line = if self.is_text {
            format!("{x} {y}")
        } else {
            json!(request).to_string()
        };
        write!(out, "{TURN} 1\n{line}\n").expect("memory takes all");
    }

    /// All that was said in this game.
    fn everything(&self, requests: &[Point], responses: &[Point]) -> Vec<u8> {
        let mut lines = Vec::new();
        if self.is_text {
            lines.push(requests.len().to_string());
            for (number, Point { x, y }) in requests.iter().enumerate() {
                lines.push(format!("{x} {y}"));
                let response = responses.get(number);
                lines.extend(response.map(|Point { x, y }| format!("{x} {y}")));
            }
            if self.stored.iter().any(Option::is_some) {
                let text = |stored: &Option<Value>| match stored {
                    Some(Value::String(text)) => text.clone(),
                    _ => String::new(),
                };
                lines.extend(self.stored.iter().map(text));
            }
        } else {
            let mut message = json!({ "requests": requests, "responses": responses });
            for (key, stored) in ["data", "globaldata"].into_iter().zip(&self.stored) {
                if let Some(stored) = stored {
                    message[key] = stored.clone();
                }
            }
            lines.push(message.to_string());
        }
        let count = lines.len();
        let mut text = lines.join("\n");
        text.insert_str(0, &format!("{TURN} {count}\n"));
        text.push('\n');
        text.into_bytes()
    }

    /// A line in the place of an answer.
    fn answer(&mut self, line: &str) -> Heard {
        let numbers = numbers(line);
        let point = if self.is_text {
            if line.starts_with('{') {
                return Heard::Wrong(
                    "that is JSON, and the arena used the simplified interaction: put botzone: before \
                     the command"
                        .to_owned(),
                );
            }
            numbers
        } else if numbers.is_some() {
            return Heard::Wrong(
                "that is Botzone's simplified interaction, and the arena used JSON: put botzone-text: \
                 before the command"
                    .to_owned(),
            );
        } else if line.starts_with('{') {
            match self.response(line) {
                Ok(point) => Some(point),
                Err(why) => return Heard::Wrong(why),
            }
        } else {
            None
        };
        let Some(point) = point else {
            return Heard::Nothing;
        };
        if !self.further.is_empty() {
            return Heard::Again(self.next());
        }
        Heard::Move {
            id: None,
            played: point.square(),
            thought: Thought::default(),
        }
    }

    /// What a process that passed has to be told next.
    fn next(&mut self) -> Vec<u8> {
        if !std::mem::take(&mut self.is_kept) {
            self.further.clear();
            return self.whole.clone();
        }
        let next = self.further.remove(0);
        let mut out = Vec::new();
        self.request(next, &mut out);
        out
    }

    fn response(&mut self, line: &str) -> Result<Point, String> {
        let message: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        for (stored, key) in self.stored.iter_mut().zip(["data", "globaldata"]) {
            if let Some(value) = message.get(key) {
                *stored = Some(value.clone());
            }
        }
        let response = message.get("response").unwrap_or(&message);
        let point = match response {
            // Encoded twice, which Botzone takes for text that only the game's judge looks into.
            Value::String(text) => serde_json::from_str(text),
            other => serde_json::from_value(other.clone()),
        };
        point.map_err(|_| format!("its response {response} is not such as {{\"x\":2,\"y\":3}}"))
    }
}

/// The two numbers of a line, and nothing else.
fn numbers(line: &str) -> Option<Point> {
    let words = line.split([' ', ',', '\t']).filter(|word| !word.is_empty());
    let numbers = words.map(|word| word.parse::<i64>().ok());
    let [x, y] = numbers.collect::<Option<Vec<_>>>()?.try_into().ok()?;
    Some(Point { x, y })
}

impl Dialect for Botzone {
    fn hello(&mut self, _: &Start, out: &mut Vec<u8>) {
        *self = Botzone::new(self.is_text);
        writeln!(out, "{GAME}").expect("memory takes all");
        self.asked = "the start of its first turn";
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        if let [_, stored @ ..] = self.after.as_slice() {
            for (place, line) in self.stored.iter_mut().zip(stored) {
                *place = Some(Value::String(line.clone()));
            }
        }
        self.after.clear();
        // Black moves first.
        let is_black = question.moves.len().is_multiple_of(2);
        let of = |from: usize| question.moves.iter().skip(from).step_by(2);
        let first = is_black.then_some(Point::NONE).into_iter();
        let others = of(usize::from(is_black)).map(|&played| Point::of(played));
        let requests: Vec<Point> = first.chain(others).collect();
        let own = of(usize::from(!is_black));
        let responses: Vec<Point> = own.map(|&played| Point::of(played)).collect();
        self.whole = self.everything(&requests, &responses);
        let unheard = requests.get(self.told..).unwrap_or_default();
        self.further.clear();
        match unheard {
            [next, further @ ..] if std::mem::take(&mut self.is_kept) => {
                self.further = further.to_vec();
                self.request(*next, out);
            }
            _ => out.extend_from_slice(&self.whole),
        }
        self.told = requests.len();
        self.asked = "its turn";
    }

    fn over(&mut self, _: &Over, _: &mut Vec<u8>) {}

    fn quit(&self, _: &mut Vec<u8>) {}

    fn hear(&mut self, line: &[u8], due: Due) -> Heard {
        let said = String::from_utf8_lossy(line);
        match due {
            _ if said == KEEP => {
                self.is_kept = true;
                Heard::Nothing
            }
            Due::Ready if said == READY => Heard::Ready {
                name: String::new(),
                version: String::new(),
            },
            Due::Ready => Heard::Nothing,
            Due::Move => self.answer(&said),
            Due::Nothing => {
                if self.is_text {
                    self.after.push(said.into_owned());
                }
                Heard::Nothing
            }
        }
    }

    fn is_talkative(&self) -> bool {
        true
    }

    fn unanswered(&self) -> String {
        self.asked.to_owned()
    }
}
