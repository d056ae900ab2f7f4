//! A later version of the protocol, with an unknown field or message. A bot must ignore both, which two checks try.

use message::message;
use protocol::{Over, Start};

use super::examination::{Examination, ms};
use super::fault;
use super::line;
use super::report::{Code, Finding};
use super::session::{Measured, Scene, SceneError, Session};
use referee::bot::ArenaError;
use referee::dialect::{Due, EngineAdapter, Heard, Protocol, Question};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    Field,
    /// A message before every question and after every game.
    Message,
}

/// In the form of `docs/protocol/golden`.
const FIELD: &[u8] = br#","later":{"than":[1,null,"version"]}}"#;
const MESSAGE: &[u8] = b"{\"type\":\"later\"}\n";

#[derive(Debug)]
pub struct LaterDialect {
    today: Box<dyn EngineAdapter>,
    novelty: Novelty,
}

impl LaterDialect {
    pub fn new(novelty: Novelty) -> LaterDialect {
        LaterDialect {
            today: Protocol::Arena.adapter(&[]),
            novelty,
        }
    }

    fn send(
        &mut self,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut dyn EngineAdapter, &mut Vec<u8>),
    ) {
        write(&mut *self.today, out);
        if self.novelty == Novelty::Field && out.ends_with(b"}\n") {
            out.truncate(out.len() - 2);
            out.extend_from_slice(FIELD);
            out.push(b'\n');
        }
    }
}

impl EngineAdapter for LaterDialect {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        self.send(out, |today, out| today.hello(start, out));
    }

    fn turn(&mut self, id: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        if self.novelty == Novelty::Message {
            out.extend_from_slice(MESSAGE);
        }
        self.send(out, |today, out| today.turn(id, question, out));
    }

    fn over(&mut self, over: &Over, out: &mut Vec<u8>) {
        self.send(out, |today, out| today.over(over, out));
        if self.novelty == Novelty::Message {
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

impl Examination<'_> {
    /// Plays with new fields or messages, and ends the process; the one with fields by closing its input.
    pub(super) fn check_novelty(
        &mut self,
        novelty: Novelty,
        scene: Option<&Scene>,
    ) -> Result<(), ArenaError> {
        let (title, code, why, fix) = match novelty {
            Novelty::Field => (
                "ignores unknown fields",
                Code::UnknownField,
                "It answers correctly until a message has a field that it does not know.",
                "Read the fields that you need by their names, and ignore all others: later \
                 versions may add some.",
            ),
            Novelty::Message => (
                "ignores unknown messages",
                Code::UnknownMessage,
                "It answers correctly until a message comes whose type it does not know.",
                "Answer hello and turn, end at quit, and ignore every other type.",
            ),
        };
        let Some(scene) = scene.filter(|_| self.started) else {
            return Ok(());
        };
        // A bot that fails without novelties shows nothing here.
        if self.stopped || self.has_found(&[Code::Crashes, Code::StrayOutput, Code::SecondAnswer]) {
            self.check(title, None, "");
            return Ok(());
        }
        let mut unheeded = Measured::default();
        let mut played = Session::start(
            self.subject,
            self.waits,
            self.observer,
            Some(novelty),
            scene,
        );
        if let Ok((session, ..)) = &mut played {
            match session.play(scene, &mut unheeded) {
                Err(SceneError::IllegalMove(_)) | Ok(()) => {}
                Err(trouble) => played = Err(trouble),
            }
        }
        match played {
            Err(SceneError::Arena(error)) => return Err(error),
            Err(SceneError::IllegalMove(_)) => {}
            Err(SceneError::Fault(evidence)) if line::answer_in(&evidence.fault).is_some() => {
                self.check(title, Some(true), "");
            }
            Err(SceneError::Fault(evidence)) => {
                let finding =
                    fault::diagnose(&evidence, self.language, self.subject.launch.protocol);
                if self.has_found(&[finding.code]) {
                    self.check(title, None, "");
                    return Ok(());
                }
                let mut finding = fault::recoded(finding, code, why);
                finding.fix = fix.into();
                self.find(finding.example(self.main_loop()));
                self.check(title, Some(false), "");
            }
            Ok((mut session, ..)) => {
                let died = match novelty {
                    Novelty::Message => session.exits_within(self.waits.settle)?,
                    Novelty::Field => None,
                };
                let died = died.filter(|_| !self.has_found(&[Code::DiesOnOver]));
                self.check(title, Some(died.is_none()), "");
                if let Some((_, evidence)) = died {
                    let finding = Finding::new(code, why, fix).seen(evidence.shown());
                    self.find(finding.example(self.main_loop()));
                }
                if novelty == Novelty::Field {
                    self.check_end_of_input(session)?;
                }
            }
        }
        Ok(())
    }

    fn check_end_of_input(&mut self, session: Session<'_>) -> Result<(), ArenaError> {
        if self.has_found(&[Code::IgnoresQuit]) {
            return Ok(());
        }
        let (parting, _) = session.end(false)?;
        self.check_warning("exits when its input ends", parting.exit.is_none(), "");
        if parting.exit.is_none() {
            let what = message!(
                "{} after the end of its input it was still running. If the arena is killed, it runs \
                 for ever.",
                ms(self.waits.parting)
            );
            let fix = "Exit when there are no more lines to read.";
            self.find(Finding::new(Code::IgnoresEndOfInput, what, fix).example(self.main_loop()));
        }
        Ok(())
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
        let said = |novelty| {
            let mut out = Vec::new();
            LaterDialect::new(novelty).over(&over, &mut out);
            let text = String::from_utf8(out).expect("text");
            let lines = text
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"));
            lines.collect::<Vec<serde_json::Value>>()
        };
        let with_field = said(Novelty::Field);
        assert_eq!(with_field.len(), 1);
        assert_eq!(with_field[0]["black"], 40);
        assert_eq!(with_field[0]["later"]["than"][2], "version");
        assert_eq!(said(Novelty::Message)[1]["type"], "later");
    }
}
