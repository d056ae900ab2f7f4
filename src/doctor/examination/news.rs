//! Fields and messages that a later version of the protocol may add and that the bot does not know.

use super::super::code::Code;
use super::super::finding::Finding;
use super::super::later::News;
use super::super::scene::Scene;
use super::super::session::{Measured, Session, Trouble};
use super::super::{line, symptom};
use super::Doctor;
use super::cause::recoded;
use referee::bot::ArenaError;

impl Doctor<'_> {
    /// Plays with new fields or messages, then ends the process: the one with new fields by closing
    /// its input.
    pub(super) fn later(&mut self, news: News, scene: Option<&Scene>) -> Result<(), ArenaError> {
        let (title, code, why, fix) = match news {
            News::Field => (
                "ignores unknown fields",
                Code::UnknownField,
                "It answers correctly until a message has a field that it does not know.",
                "Read the fields that you need by their names, and ignore all others: later \
                 versions may add some.",
            ),
            News::Message => (
                "ignores unknown messages",
                Code::UnknownMessage,
                "It answers correctly until a message comes whose type it does not know.",
                "Answer hello and turn, end at quit, and ignore every other type.",
            ),
        };
        let Some(scene) = scene.filter(|_| self.started) else {
            return Ok(());
        };
        // A bot that fails without them shows nothing here.
        if self.stopped || self.has_found(&[Code::Crashes, Code::StrayOutput, Code::SecondAnswer]) {
            self.check(title, None, "");
            return Ok(());
        }
        let mut unheeded = Measured::default();
        let mut played = Session::start(self.subject, self.waits, self.witness, Some(news), scene);
        if let Ok((session, ..)) = &mut played {
            match session.play(scene, &mut unheeded) {
                Err(Trouble::Illegal(_)) | Ok(()) => {}
                Err(trouble) => played = Err(trouble),
            }
        }
        match played {
            Err(Trouble::Arena(error)) => return Err(error),
            Err(Trouble::Illegal(_)) => {}
            Err(Trouble::Wrong(evidence)) if line::answer_in(&evidence.fault).is_some() => {
                self.check(title, Some(true), "");
            }
            Err(Trouble::Wrong(evidence)) => {
                // This problem is already known.
                let finding =
                    symptom::named(&evidence, self.language, self.subject.launch.protocol);
                if self.has_found(&[finding.code]) {
                    self.check(title, None, "");
                    return Ok(());
                }
                let mut finding = recoded(finding, code, why);
                fix.clone_into(&mut finding.fix);
                self.find(finding.example(self.language.idioms().main_loop));
                self.check(title, Some(false), "");
            }
            Ok((mut session, ..)) => {
                let died = match news {
                    News::Message => session.has_left(self.waits.settle)?,
                    News::Field => None,
                };
                let died = died.filter(|_| !self.has_found(&[Code::DiesOnOver]));
                self.check(title, Some(died.is_none()), "");
                if let Some(evidence) = died.as_ref() {
                    let finding = Finding::new(code, why, fix).seen(evidence.shown());
                    self.find(finding.example(self.language.idioms().main_loop));
                }
                if news == News::Field {
                    self.end_of_input(session)?;
                }
            }
        }
        Ok(())
    }
}
