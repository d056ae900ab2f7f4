//! The arena's protocol with one change: `arena check` uses it for experiments on what a bot writes and reads.
//!
//! A line that is no message is noted, and then repaired or dropped, and the game continues. If nothing else fails,
//! that line was the only problem. A [`Change`] is one difference in what the arena sends.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use message::{Message, message};
use protocol::{Over, Start};
use serde_json::{Value, json};

use referee::dialect::{Due, EngineAdapter, Heard, Protocol, Question};
use referee::record::excerpt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Every message has an unknown field, as in a later version of the protocol.
    Field,
    /// An unknown message comes before every question and after every game.
    Message,
    /// The greeting is repeated so often that the answers fill every usual output buffer.
    Greetings,
    /// Every line has blanks after its first bracket, so that it has at least this many bytes.
    Length(usize),
}

/// A new field and the end of a message, as in `docs/protocol/golden`.
const FIELD: &[u8] = br#","later":{"than":[1,null,"version"]}}"#;
pub const MESSAGE: &[u8] = b"{\"type\":\"later\"}\n";
/// The number of greetings: the answers `{"type":"ready"}` are then longer than a buffer of 8 KiB.
const GREETINGS: usize = 500;
/// The most notes, since a bot may flood its output.
const MOST_NOTES: usize = 200;

#[derive(Clone, Debug)]
pub struct LineNote {
    pub line: String,
    pub why: Message,
    /// The message that was due; `Nothing` if no message was due, or if the line is a late second answer.
    pub due: Due,
    /// Whether the line was repaired and used as a message. If not, it was dropped.
    pub is_repaired: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Notes(Arc<Mutex<Vec<LineNote>>>);

impl Notes {
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    pub fn take(&self, begin: usize) -> Vec<LineNote> {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = begin.min(notes.len());
        notes.split_off(begin)
    }

    fn add(&self, note: LineNote) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.len() < MOST_NOTES {
            notes.push(note);
        }
    }
}

#[derive(Debug)]
pub struct ChangedAdapter {
    today: Box<dyn EngineAdapter>,
    change: Option<Change>,
    notes: Notes,
    asked: u64,
    answers: HashSet<Vec<u8>>,
}

impl ChangedAdapter {
    pub fn new(change: Option<Change>, notes: Notes) -> ChangedAdapter {
        ChangedAdapter {
            today: Protocol::Arena.adapter(&[]),
            change,
            notes,
            asked: 0,
            answers: HashSet::new(),
        }
    }

    fn send(
        &mut self,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut dyn EngineAdapter, &mut Vec<u8>),
    ) {
        write(&mut *self.today, out);
        if self.change == Some(Change::Field) && out.ends_with(b"}\n") {
            out.truncate(out.len() - 2);
            out.extend_from_slice(FIELD);
            out.push(b'\n');
        }
        if let Some(Change::Length(length)) = self.change
            && out.starts_with(b"{")
        {
            let blanks = vec![b' '; length.saturating_sub(out.len())];
            out.splice(1..1, blanks);
        }
    }

    /// Returns whether a line is a late second answer: a move when `ready` is due, or an answer with an old id.
    fn is_stale(&mut self, line: &[u8], heard: &Heard, due: Due) -> bool {
        match due {
            Due::Ready if self.asked > 0 => {
                matches!(heard, Heard::Wrong(_))
                    && matches!(self.today.hear(line, Due::Move), Heard::Move { .. })
            }
            Due::Move => {
                matches!(heard, Heard::Move { id: Some(id), .. } if *id != self.asked)
                    && self.answers.contains(line)
            }
            _ => false,
        }
    }

    fn objection(&self, heard: &Heard) -> Option<Message> {
        match heard {
            Heard::Wrong(why) => Some(why.clone()),
            Heard::Move {
                id: Some(echoed), ..
            } if *echoed != self.asked => {
                let id = self.asked;
                Some(message!(
                    "the answer is for turn {echoed}, but the arena sent turn {id}"
                ))
            }
            _ => None,
        }
    }
}

impl EngineAdapter for ChangedAdapter {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        self.answers.clear();
        self.send(out, |today, out| today.hello(start, out));
        if self.change == Some(Change::Greetings) {
            *out = out.repeat(GREETINGS);
        }
    }

    fn turn(&mut self, id: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        self.asked = id;
        if self.change == Some(Change::Message) {
            out.extend_from_slice(MESSAGE);
        }
        self.send(out, |today, out| today.turn(id, question, out));
    }

    fn over(&mut self, over: &Over, out: &mut Vec<u8>) {
        self.send(out, |today, out| today.over(over, out));
        if self.change == Some(Change::Message) {
            out.extend_from_slice(MESSAGE);
        }
    }

    fn quit(&self, out: &mut Vec<u8>) {
        self.today.quit(out);
    }

    fn hear(&mut self, line: &[u8], due: Due) -> Heard {
        let heard = self.today.hear(line, due);
        let is_stale = self.is_stale(line, &heard, due);
        if due == Due::Move && !is_stale {
            self.answers.insert(line.to_vec());
        }
        let Some(why) = self.objection(&heard) else {
            return heard;
        };
        let mut note = LineNote {
            line: excerpt(line),
            why,
            due: if is_stale { Due::Nothing } else { due },
            is_repaired: true,
        };
        let text = String::from_utf8_lossy(line);
        if note.due != Due::Nothing && std::str::from_utf8(line).is_ok() {
            for repaired in repairs(&text) {
                let heard = self.today.hear(repaired.as_bytes(), due);
                if self.objection(&heard).is_none() {
                    // A move that is not a string is examined as an illegal move in another notation.
                    if !has_odd_move(&text) {
                        self.notes.add(note);
                    }
                    return heard;
                }
            }
        } else if due == Due::Nothing
            && (serde_json::from_str::<Value>(&text).is_ok_and(|line| line.is_object())
                || super::wrong_line::is_move(&text))
        {
            return heard;
        }
        note.is_repaired = false;
        self.notes.add(note);
        Heard::Nothing
    }

    fn openings(&self) -> Vec<String> {
        self.today.openings()
    }

    fn start_only(&self) -> bool {
        self.today.start_only()
    }

    /// Always true, so that text between the questions is noted, too.
    fn is_talkative(&self) -> bool {
        true
    }

    fn unanswered(&self) -> String {
        self.today.unanswered()
    }
}

fn has_odd_move(line: &str) -> bool {
    let message = serde_json::from_str::<Value>(line).unwrap_or_default();
    !matches!(message["move"], Value::String(_) | Value::Null)
}

fn repairs(line: &str) -> Vec<String> {
    let mut repairs = Vec::new();
    match serde_json::from_str(line) {
        Ok(Value::Object(mut message)) => {
            if let Some(played) = message.get_mut("move") {
                if !played.is_string() && !played.is_null() {
                    *played = json!(played.to_string());
                    repairs.push(json!(message).to_string());
                }
                message.remove("id");
                repairs.push(json!(message).to_string());
            }
        }
        Ok(Value::String(message)) => repairs.push(message),
        _ if line.starts_with('{') => {
            let json = line.replace('\'', "\"").replace("None", "null");
            repairs.push(json);
        }
        // A prompt may precede the message.
        _ => repairs.extend(line.find('{').map(|begin| line[begin..].to_owned())),
    }
    repairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;
    use protocol::GameResult;

    #[test]
    fn the_new_part_is_sent_and_every_line_is_json() {
        let over = Over {
            result: GameResult::Win,
            reason: "discs".to_owned(),
            black: 40,
            white: 24,
        };
        let messages_of = |change| {
            let mut out = Vec::new();
            ChangedAdapter::new(Some(change), Notes::default()).over(&over, &mut out);
            let text = String::from_utf8(out).expect("text");
            let lines = text
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"));
            lines.collect::<Vec<serde_json::Value>>()
        };
        let with_field = messages_of(Change::Field);
        assert_eq!(with_field.len(), 1);
        assert_eq!(with_field[0]["black"], 40);
        assert_eq!(with_field[0]["later"]["than"][2], "version");
        assert_eq!(messages_of(Change::Message)[1]["type"], "later");
        let mut out = Vec::new();
        ChangedAdapter::new(Some(Change::Length(300)), Notes::default()).over(&over, &mut out);
        assert_eq!(out.len(), 300);
        assert_eq!(
            messages_of(Change::Length(300)),
            messages_of(Change::Length(0))
        );
    }

    #[test]
    fn a_message_is_found_in_a_line_and_other_text_is_dropped() {
        for (line, is_heard, notes) in cases::<(String, bool, usize)>("doctor-move-lines") {
            let notes_taken = Notes::default();
            let mut adapter = ChangedAdapter::new(None, notes_taken.clone());
            adapter.asked = 7;
            let heard = adapter.hear(line.as_bytes(), Due::Move);
            assert_eq!(matches!(heard, Heard::Move { .. }), is_heard, "{line}");
            assert_eq!(notes_taken.take(0).len(), notes, "{line}");
        }
    }
}
