//! Programs for botzone.org.cn.
//!
//! On botzone.org.cn, a program also answers forced passes; here, the arena makes them. The server of [`host::turns`]
//! starts the processes and passes a question to the right one, as the lines of this module tell it.

use host::turns::{GAME, KEEP, READY, TURN};
use message::{Message, message};
use protocol::codec::botzone::{self as codec, Point, Response, Stored};
use protocol::{Over, Start};
use serde_json::Value;

use super::{Due, EngineAdapter, Heard, Question, send};
use crate::record::Thought;

#[derive(Debug, Default)]
pub struct BotzoneAdapter {
    is_text: bool,
    /// Whether the process that answered last asked to be kept.
    is_kept: bool,
    sent: usize,
    further: Vec<Point>,
    /// The question with all earlier moves, in case the process is not kept.
    whole: Vec<u8>,
    stored: Stored,
    /// The further lines of the last simplified answer: debug, data, global data.
    after: Vec<String>,
    asked: &'static str,
}

/// Returns the square as [`games::Move`] parses it; numbers off the board stay as they are.
fn square(Point { x, y }: Point) -> String {
    match (u8::try_from(x), u8::try_from(y)) {
        (Ok(column @ 0..26), Ok(row)) => {
            format!("{}{}", char::from(b'a' + column), u32::from(row) + 1)
        }
        _ => format!("{x} {y}"),
    }
}

impl BotzoneAdapter {
    pub fn new(is_text: bool) -> BotzoneAdapter {
        BotzoneAdapter {
            is_text,
            ..BotzoneAdapter::default()
        }
    }

    fn request(&self, request: Point, out: &mut Vec<u8>) {
        let line = if self.is_text {
            request.to_string()
        } else {
            codec::BotzoneInput::Next(request).write(&self.stored)
        };
        send(out, format_args!("{TURN} 1\n{line}"));
    }

    fn everything(&self, requests: &[Point], responses: &[Point]) -> Vec<u8> {
        let mut lines = Vec::new();
        if self.is_text {
            lines.push(requests.len().to_string());
            for (number, request) in requests.iter().enumerate() {
                lines.push(request.to_string());
                lines.extend(responses.get(number).map(Point::to_string));
            }
            if self.stored.iter().any(Option::is_some) {
                let text = |stored: &Option<Value>| match stored {
                    Some(Value::String(text)) => text.clone(),
                    _ => String::new(),
                };
                lines.extend(self.stored.iter().map(text));
            }
        } else {
            let question = codec::BotzoneInput::Whole {
                requests: requests.to_vec(),
                responses: responses.to_vec(),
            };
            lines.push(question.write(&self.stored));
        }
        let mut text = Vec::new();
        send(
            &mut text,
            format_args!("{TURN} {}\n{}", lines.len(), lines.join("\n")),
        );
        text
    }

    fn answer(&mut self, line: &str) -> Heard {
        let numbers = Point::parse(line);
        let point = if self.is_text {
            if line.starts_with('{') {
                return Heard::Wrong(
                    "that is JSON, and the arena used the simplified interaction: put botzone: before \
                     the command"
                        .into(),
                );
            }
            numbers
        } else if numbers.is_some() {
            return Heard::Wrong(
                "that is Botzone's simplified interaction, and the arena used JSON: put botzone-text: \
                 before the command"
                    .into(),
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
            played: square(point),
            thought: Thought::default(),
        }
    }

    /// Returns the bytes to send after the answer to an earlier request: the next request, or all for a new process.
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

    fn response(&mut self, line: &str) -> Result<Point, Message> {
        let response = Response::parse(line).map_err(Message::quote)?;
        for (known, stored) in self.stored.iter_mut().zip(response.stored) {
            *known = stored.or(known.take());
        }
        let played = response.played;
        played.map_err(|text| {
            message!("its response {text} does not have the form {{\"x\":2,\"y\":3}}")
        })
    }
}

impl EngineAdapter for BotzoneAdapter {
    fn hello(&mut self, _: &Start, out: &mut Vec<u8>) {
        *self = BotzoneAdapter::new(self.is_text);
        send(out, GAME);
        self.asked = "the start of its first turn";
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        if let [_, stored @ ..] = self.after.as_slice() {
            for (place, line) in self.stored.iter_mut().zip(stored) {
                *place = Some(Value::String(line.clone()));
            }
        }
        self.after.clear();
        let is_black = question.moves.len().is_multiple_of(2);
        let of = |from: usize| question.moves.iter().skip(from).step_by(2);
        let first = is_black.then_some(Point::NONE).into_iter();
        let others = of(usize::from(is_black)).map(|&played| Point::from(played));
        let requests: Vec<Point> = first.chain(others).collect();
        let own = of(usize::from(!is_black));
        let responses: Vec<Point> = own.map(|&played| Point::from(played)).collect();
        self.whole = self.everything(&requests, &responses);
        let unheard = requests.get(self.sent..).unwrap_or_default();
        self.further.clear();
        match unheard {
            [next, further @ ..] if std::mem::take(&mut self.is_kept) => {
                self.further = further.to_vec();
                self.request(*next, out);
            }
            _ => out.extend_from_slice(&self.whole),
        }
        self.sent = requests.len();
        self.asked = "its turn";
    }

    fn over(&mut self, _: &Over, _: &mut Vec<u8>) {}

    fn quit(&self, _: &mut Vec<u8>) {}

    fn hear(&mut self, line: &[u8], due: Due) -> Heard {
        let reply = String::from_utf8_lossy(line);
        match due {
            _ if reply == KEEP => {
                self.is_kept = true;
                Heard::Nothing
            }
            Due::Ready if reply == READY => Heard::Ready {
                name: String::new(),
                version: String::new(),
            },
            Due::Ready => Heard::Nothing,
            Due::Move => self.answer(&reply),
            Due::Nothing => {
                if self.is_text {
                    self.after.push(reply.into_owned());
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
