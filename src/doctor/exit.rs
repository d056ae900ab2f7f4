//! Checks how a process exits: not before it may, and after `quit`.

use std::time::Duration;

use message::message;
use referee::bot::{ArenaError, Restart};
use referee::record::Exit;

use super::evidence::stderr_tail;
use super::examination::{Examination, ms};
use super::report::{Code, Finding};
use super::session::Session;
use super::traceback::Traceback;

impl<'a> Examination<'a> {
    /// After the first game of a process, waits a little and checks whether the process exits.
    pub(super) fn check_exit_at_over(
        &mut self,
        session: &mut Option<Session<'a>>,
        wait: Duration,
    ) -> Result<(), ArenaError> {
        let is_due = |session: &&mut Session| session.games == 1;
        if self.bench.subject.restart == Restart::Always {
            return Ok(());
        }
        let Some(playing) = session.as_mut().filter(is_due) else {
            return Ok(());
        };
        if let Some((how, evidence)) = playing.exits_within(wait)? {
            *session = None;
            let what = message!(
                "It exited when \"over\" came ({how}). The arena then starts a new process for each \
                 game, which takes time."
            );
            let fix = "After over comes the next hello, or quit: continue to read. Or write restart = \
                       \"always\" in bot.toml, if each process plays one game.";
            let error = Traceback::read(&evidence.stderr, &self.bench.subject.launch);
            let what = error
                .as_ref()
                .map_or(what.clone(), |error| error.before(what));
            let finding = Finding::new(Code::DiesOnOver, what, fix);
            let finding = finding.seen(error.and_then(|error| error.source()));
            self.find(finding.seen(evidence.shown()).example(self.main_loop()));
        }
        Ok(())
    }

    /// Ends a process. `last`: whether to record the check.
    pub(super) fn end_session(
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
        let (parting, stderr) = session.end(true)?;
        let detail = match parting.exit {
            None => {
                let what = message!(
                    "{} after quit and the end of its input it was still running. The arena killed \
                     it.",
                    ms(self.bench.waits.parting)
                );
                let fix = "Exit when quit comes, or when there are no more lines to read.";
                self.find(Finding::new(Code::IgnoresQuit, what, fix).example(self.main_loop()));
                "still running".into()
            }
            Some(exit) => {
                // An exit at `over` has its own finding. Without a command to quit, the exit status does not count.
                let mut quit = Vec::new();
                let protocol = self.bench.subject.launch.protocol;
                protocol.adapter(&[]).quit(&mut quit);
                let is_told = !quit.is_empty() && !self.has_found(&[Code::DiesOnOver]);
                if exit != Exit::Status(0) && is_told {
                    let what =
                        message!("After quit it ended with {exit}; exit status 0 is expected.");
                    let error = Traceback::read(&stderr, &self.bench.subject.launch);
                    let fix = "When quit comes, end the program with exit status 0.";
                    let what = error
                        .as_ref()
                        .map_or(what.clone(), |error| error.before(what));
                    self.find(
                        Finding::new(Code::ExitStatus, what, fix)
                            .seen(error.and_then(|error| error.source()))
                            .seen(stderr_tail(&stderr))
                            .example(self.main_loop()),
                    );
                }
                message!("{exit}")
            }
        };
        if parting.children > 0 {
            let what = message!(
                "After it exited, {} still ran. The arena killed all processes of the bot.",
                match parting.children {
                    1 => "one child process".into(),
                    many => message!("{many} child processes"),
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
}
