//! How a process comes to its end, and is waited for.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::super::live;
use super::BotProcess;
use crate::bot::{ArenaError, Event, Failure, Step};
use crate::record::Exit;

/// How long a bot may take to leave after `quit`.
pub const PARTING: Duration = Duration::from_millis(500);

impl BotProcess {
    /// Says `quit` and closes the bot's input.
    pub fn say_quit(&mut self) {
        self.thaw();
        if self.input.is_some() {
            let mut message = Vec::new();
            self.conversation.dialect().quit(&mut message);
            self.tell(&message);
            self.input = None;
        }
    }

    /// Says `quit` if that has not been said, lets the bot leave until `until`, ends its whole
    /// process group. How it left; `None`: it had to be killed.
    pub fn quit(mut self, until: Instant) -> Option<Exit> {
        self.say_quit();
        while self.exit.is_none() && Instant::now() < until {
            // Its output is read on: a bot that is stuck in a write could not leave.
            if self.part(until).is_err() {
                break;
            }
        }
        self.exit
    }

    /// One wait for the bot to leave.
    pub(super) fn part(&mut self, until: Instant) -> Result<(), Failure> {
        let news = self.wait_for_news(Some(until), Instant::now(), false)?;
        if news.output {
            self.collect()?;
        }
        if news.errors {
            self.read_errors()?;
        }
        if news.ended {
            self.see_exit()?;
        }
        Ok(())
    }

    /// The process has ended: everything it wrote before counts, and then its end does.
    pub(super) fn see_exit(&mut self) -> Result<Step, ArenaError> {
        // Its children go first: once the leader is waited for, the group's number may be another's.
        let exit = as_exit(self.end_group().map_err(ArenaError::Pipe)?);
        self.exit = Some(exit);
        self.drain_errors()?;
        Ok(match self.read_rest()? {
            Some(step) => step,
            None => self.conversation.on(Event::Exited(exit), Instant::now()),
        })
    }

    /// Kills whatever lives of the group, waits for its leader, and kills what has left the group.
    fn end_group(&mut self) -> std::io::Result<ExitStatus> {
        let pid = Pid::from_child(&self.child);
        live::remove(pid);
        // Fails only where the whole group is gone already.
        let _ = kill_process_group(pid, Signal::KILL);
        let status = self.child.wait();
        self.mark.kill_all();
        status
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        if self.exit.is_none() {
            let _ = self.end_group();
        }
    }
}

fn as_exit(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Status(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Status(status.into_raw()),
    }
}
