//! How it leaves: after `quit`, and when its input ends.

use super::super::code::Code;
use super::super::evidence::last_errors;
use super::super::finding::Finding;
use super::super::session::Session;
use super::super::traceback;
use super::{Doctor, ms};
use referee::bot::ArenaError;
use referee::record::Exit;

impl<'a> Doctor<'a> {
    /// Sends a process away. `last`: the check is written down.
    pub(super) fn leave(
        &mut self,
        session: Option<Session<'a>>,
        last: bool,
    ) -> Result<(), ArenaError> {
        let title = "leaves after quit";
        let Some(session) = session else {
            if last && self.started {
                self.check(title, None, "");
            }
            return Ok(());
        };
        let (parting, stderr) = session.part(true)?;
        let detail = match parting.exit {
            None => {
                let what = format!(
                    "{} after quit, and after its input had ended, it was still there and was \
                     killed.",
                    ms(self.waits.parting)
                );
                let fix = "End the program when quit comes, or when there are no more lines.";
                self.find(
                    Finding::new(Code::IgnoresQuit, what, fix)
                        .example(self.language.idioms().main_loop),
                );
                "it stayed".to_owned()
            }
            Some(Exit::Status(0)) => "exit status 0".to_owned(),
            Some(exit) => {
                let what = format!("After quit it ended with {exit}; a good end is status 0.");
                let fix = traceback::advice(&stderr).unwrap_or_else(|| {
                    "Answer quit by ending the program without an error.".to_owned()
                });
                self.find(
                    Finding::new(Code::ExitStatus, what, fix)
                        .seen(last_errors(&stderr))
                        .example(self.language.idioms().main_loop),
                );
                exit.to_string()
            }
        };
        if parting.children > 0 {
            let what = format!(
                "When it had ended, {} of its own were still running; the arena killed them.",
                match parting.children {
                    1 => "one process".to_owned(),
                    many => format!("{many} processes"),
                }
            );
            let fix = "End the processes that you start before you leave, and wait for them.";
            self.find(Finding::new(Code::LeavesChildren, what, fix));
        }
        if last {
            let wrong = [Code::IgnoresQuit, Code::ExitStatus, Code::LeavesChildren];
            self.check(title, Some(!self.has_found(&wrong)), detail);
        }
        Ok(())
    }

    pub(super) fn end_of_input(&mut self, session: Session<'a>) -> Result<(), ArenaError> {
        if self.has_found(&[Code::IgnoresQuit]) {
            return Ok(());
        }
        let (parting, _) = session.part(false)?;
        self.check(
            "leaves when its input ends",
            Some(parting.exit.is_some()),
            "",
        );
        if parting.exit.is_none() {
            let what = format!(
                "{} after its input had ended it was still there: were the arena killed, it would \
                 stay for ever.",
                ms(self.waits.parting)
            );
            let fix = "End the program when there are no more lines to read.";
            self.find(
                Finding::new(Code::IgnoresEndOfInput, what, fix)
                    .example(self.language.idioms().main_loop),
            );
        }
        Ok(())
    }
}
