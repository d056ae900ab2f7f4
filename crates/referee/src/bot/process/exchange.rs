//! A message and its answer: one wait covers all events.

use std::thread;
use std::time::{Duration, Instant};

use host::{News, Written};

use super::BotProcess;
use super::excuse::has_waited_long;
use crate::bot::{ArenaError, Event, Hold, Step};

/// How often a bot that is late, and would be excused, is looked at.
const LOOK: Duration = Duration::from_millis(20);

impl BotProcess {
    /// Writes the message and lets the conversation take events until it comes to something. Bytes that the
    /// conversation wants written in between are added to the message. The opponent is stopped before the first wait.
    pub(super) fn pump(&mut self, hold: Hold<'_>) -> Result<Step, ArenaError> {
        // Before it is let go on: what its processes compute then may keep the arena from its core.
        (self.seen, self.asked_at) = (None, Instant::now());
        self.process.thaw();
        self.log.sent(&self.message);
        let mut written = 0;
        let mut step = self.write(&mut written);
        if self.is_quick && matches!(step, Step::Wait(_)) {
            if written == self.message.len() {
                // A bot on our core that needs no time has answered by the time it is our turn again;
                // one that is not, or does, costs us this one call.
                thread::yield_now();
                match self.read_output()? {
                    // Nothing has come, so what was waited for still is.
                    Step::Wait(None) => {}
                    news => step = news,
                }
            }
            if matches!(step, Step::Wait(_)) {
                self.before = self.process.usage();
            }
        }
        if matches!(step, Step::Wait(_)) {
            let now = Instant::now();
            hold.0();
            step = self.forgive(now.elapsed());
        }
        loop {
            let until = match step {
                Step::Wait(until) => until,
                // A bot that computes without end has used its own time sooner or later, however busy the machine is.
                Step::Overdue(fault) => {
                    let late = self.late(&fault, true);
                    if late.is_none_or(|late| late.excuse().is_none()) {
                        return Ok(Step::Overdue(fault));
                    }
                    self.seen = late;
                    if has_waited_long(self.asked_at.elapsed(), &fault) {
                        return Ok(Step::Fault(fault));
                    }
                    Some(Instant::now() + LOOK)
                }
                Step::Write(bytes) => {
                    self.log.sent(&bytes);
                    self.message.extend(bytes);
                    step = self.write(&mut written);
                    continue;
                }
                step => return Ok(step),
            };
            let now = Instant::now();
            let news = self.wait(until, now, written < self.message.len())?;
            step = Step::Wait(None);
            if news.writable {
                step = self.write(&mut written);
            }
            if matches!(step, Step::Wait(_)) && news.output {
                step = self.read_output()?;
            }
            if news.errors {
                self.read_errors()?;
            }
            if matches!(step, Step::Wait(_)) && news.ended {
                step = self.see_exit()?;
            }
            if matches!(step, Step::Wait(_)) {
                step = self.conversation.on(Event::Tick, Instant::now());
            }
        }
    }

    /// Writes as much of the message after the first `written` bytes as the pipe takes.
    fn write(&mut self, written: &mut usize) -> Step {
        while *written < self.message.len() {
            match self.process.write(&self.message[*written..]) {
                Written::Bytes(bytes) => *written += bytes,
                Written::Full => break,
                // The bot closed its input. It may still answer; if not, it is out of time.
                Written::Closed => *written = self.message.len(),
            }
        }
        if *written == self.message.len() {
            // A bot on our core may run before the call that wrote its question returns; and it may fill the pipe itself,
            // or make it smaller, so that the arena waits for it to read.
            self.conversation.on(Event::Written, self.asked_at)
        } else {
            self.conversation.on(Event::Tick, Instant::now())
        }
    }

    /// Waits from `now` until something can be read or written, the process ends, or it is time.
    pub(super) fn wait(
        &self,
        until: Option<Instant>,
        now: Instant,
        writing: bool,
    ) -> Result<News, ArenaError> {
        let news = self.process.wait(until, now, writing);
        news.map_err(ArenaError::Pipe)
    }
}
