//! The arena's protocol as a later version may be: with a field or a message that no present bot
//! knows. A bot must ignore both.

use protocol::{Over, Start};
use referee::dialect::{Due, EngineAdapter, Heard, Protocol, Question};

/// What is new in the later version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// A field in every message.
    Field,
    /// A message before every question and after every game.
    Message,
}

/// Has the same form as in `docs/protocol/golden`.
const FIELD: &[u8] = br#","later":{"than":[1,null,"version"]}}"#;
const MESSAGE: &[u8] = b"{\"type\":\"later\"}\n";

/// A dialogue in the later version.
#[derive(Debug)]
pub struct Later {
    today: Box<dyn EngineAdapter>,
    news: News,
}

impl Later {
    /// A dialogue that has not begun.
    pub fn new(news: News) -> Later {
        Later {
            today: Protocol::Arena.adapter(&[]),
            news,
        }
    }

    fn send(
        &mut self,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut dyn EngineAdapter, &mut Vec<u8>),
    ) {
        write(&mut *self.today, out);
        if self.news == News::Field && out.ends_with(b"}\n") {
            out.truncate(out.len() - 2);
            out.extend_from_slice(FIELD);
            out.push(b'\n');
        }
    }
}

impl EngineAdapter for Later {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        self.send(out, |today, out| today.hello(start, out));
    }

    fn turn(&mut self, id: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        if self.news == News::Message {
            out.extend_from_slice(MESSAGE);
        }
        self.send(out, |today, out| today.turn(id, question, out));
    }

    fn over(&mut self, over: &Over, out: &mut Vec<u8>) {
        self.send(out, |today, out| today.over(over, out));
        if self.news == News::Message {
            out.extend_from_slice(MESSAGE);
        }
    }

    fn quit(&self, out: &mut Vec<u8>) {
        self.today.quit(out);
    }

    fn hear(&mut self, line: &[u8], due: Due) -> Heard {
        self.today.hear(line, due)
    }

    fn is_talkative(&self) -> bool {
        self.today.is_talkative()
    }

    fn unanswered(&self) -> String {
        self.today.unanswered()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::GameResult;

    #[test]
    fn the_new_part_is_sent_and_every_line_is_json() {
        let over = Over {
            result: GameResult::Win,
            reason: "discs".to_owned(),
            black: 40,
            white: 24,
        };
        let said = |news| {
            let mut out = Vec::new();
            Later::new(news).over(&over, &mut out);
            let text = String::from_utf8(out).expect("text");
            let lines = text
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"));
            lines.collect::<Vec<serde_json::Value>>()
        };
        let with_field = said(News::Field);
        assert_eq!(with_field.len(), 1);
        assert_eq!(with_field[0]["black"], 40);
        assert_eq!(with_field[0]["later"]["than"][2], "version");
        assert_eq!(said(News::Message)[1]["type"], "later");
    }
}
