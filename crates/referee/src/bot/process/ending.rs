//! The end of a process, and the wait for it.

use std::time::{Duration, Instant};

use super::BotProcess;
use crate::bot::{ArenaError, Event, Failure, Step};
use crate::record::Exit;

/// How long a bot may take to exit after `quit`.
pub const PARTING: Duration = Duration::from_millis(500);

impl From<host::Exit> for Exit {
    fn from(exit: host::Exit) -> Exit {
        match exit {
            host::Exit::Status(status) => Exit::Status(status),
            host::Exit::BySystem(reason) => Exit::Signal(reason),
        }
    }
}

impl BotProcess {
    /// Says `quit` and closes the bot's input.
    pub fn say_quit(&mut self) {
        self.process.thaw();
        if self.process.has_input() {
            let mut message = Vec::new();
            self.conversation.adapter().quit(&mut message);
            self.tell(&message);
            self.process.close_input();
        }
    }

    /// Says `quit` if that has not been said, lets the bot leave until `until`, ends it with
    /// all that it has started. How it left; `None`: it had to be killed.
    pub fn quit(mut self, until: Instant) -> Option<Exit> {
        self.say_quit();
        while self.exit().is_none() && Instant::now() < until {
            // Its output is read on: a bot that is stuck in a write could not leave.
            if self.part(until).is_err() {
                break;
            }
        }
        self.exit()
    }

    /// One wait for the bot to leave.
    pub(super) fn part(&mut self, until: Instant) -> Result<(), Failure> {
        let news = self.wait(Some(until), Instant::now(), false)?;
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
        // What it has started goes with it.
        let exit = Exit::from(self.process.end().map_err(ArenaError::Pipe)?);
        self.drain_errors()?;
        Ok(match self.read_rest()? {
            Some(step) => step,
            None => self.conversation.on(Event::Exited(exit), Instant::now()),
        })
    }
}
