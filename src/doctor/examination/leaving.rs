//! How it exits: after `quit`, and when its input ends.

use super::super::code::Code;
use super::super::evidence::last_errors;
use super::super::finding::Finding;
use super::super::session::Session;
use super::super::traceback;
use super::{Doctor, ms};
use referee::bot::ArenaError;
use referee::record::Exit;

impl<'a> Doctor<'a> {
    /// Ends a process. `last`: the check is recorded.
    pub(super) fn leave(
        &mut self,
        session: Option<Session<'a>>,
        last: bool,
    ) -> Result<(), ArenaError> {
        let title = "exits after quit";
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
                    "{} after quit and the end of its input it was still running. The arena killed \
                     it.",
                    ms(self.waits.parting)
                );
                let fix = "Exit when quit comes, or when there are no more lines to read.";
                self.find(
                    Finding::new(Code::IgnoresQuit, what, fix)
                        .example(self.language.idioms().main_loop),
                );
                "still running".to_owned()
            }
            Some(Exit::Status(0)) => "exit status 0".to_owned(),
            // It ended at the over before, and that has been said.
            Some(exit) if self.has_found(&[Code::DiesOnOver]) => exit.to_string(),
            Some(exit) => {
                let what = format!("After quit it ended with {exit}; exit status 0 is expected.");
                let fix = traceback::advice(&stderr).unwrap_or_else(|| {
                    "When quit comes, end the program with exit status 0.".to_owned()
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
                "After it exited, it left {} running. The arena killed what was left.",
                match parting.children {
                    1 => "one child process".to_owned(),
                    many => format!("{many} child processes"),
                }
            );
            let fix = "Before you exit, end the processes that you started, and wait for them.";
            self.find(Finding::new(Code::LeavesChildren, what, fix));
        }
        if last {
            let wrong = [Code::IgnoresQuit, Code::ExitStatus, Code::LeavesChildren];
            self.check_warning(title, self.has_found(&wrong), detail);
        }
        Ok(())
    }

    pub(super) fn end_of_input(&mut self, session: Session<'a>) -> Result<(), ArenaError> {
        if self.has_found(&[Code::IgnoresQuit]) {
            return Ok(());
        }
        let (parting, _) = session.part(false)?;
        self.check_warning("exits when its input ends", parting.exit.is_none(), "");
        if parting.exit.is_none() {
            let what = format!(
                "{} after the end of its input it was still running. If the arena is killed, it runs \
                 for ever.",
                ms(self.waits.parting)
            );
            let fix = "Exit when there are no more lines to read.";
            self.find(
                Finding::new(Code::IgnoresEndOfInput, what, fix)
                    .example(self.language.idioms().main_loop),
            );
        }
        Ok(())
    }
}
