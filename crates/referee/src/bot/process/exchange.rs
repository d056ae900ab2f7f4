//! A message and its answer: one wait covers all events.

use std::cell::OnceCell;
use std::thread;
use std::time::Instant;

use host::{News, Written};

use super::BotProcess;
use crate::bot::{ArenaError, Event, Step};

impl BotProcess {
    /// Writes the message and lets the conversation take events until it comes to something.
    pub(super) fn pump(&mut self) -> Result<Step, ArenaError> {
        let message = std::mem::take(&mut self.message);
        let result = self.exchange(&message);
        self.message = message;
        result
    }

    fn exchange(&mut self, message: &[u8]) -> Result<Step, ArenaError> {
        self.process.thaw();
        self.log.sent(message);
        let mut unwritten = message;
        let mut step = self.write(&mut unwritten);
        if self.is_quick && unwritten.is_empty() && matches!(step, Step::Wait(_)) {
            // A bot on our core that needs no time has answered by the time it is our turn again;
            // one that is not, or does, costs us this one call.
            thread::yield_now();
            match self.read_output()? {
                // Nothing has come, so what was waited for still is.
                Step::Wait(None) => self.before = self.process.usage(),
                news => step = news,
            }
        }
        let again = OnceCell::new();
        loop {
            let until = match step {
                Step::Wait(until) => until,
                Step::Write(bytes) => {
                    // All that was to be written has been: it is answered.
                    unwritten = again.get_or_init(|| bytes);
                    self.log.sent(unwritten);
                    step = self.write(&mut unwritten);
                    continue;
                }
                step => return Ok(step),
            };
            let now = Instant::now();
            let news = self.wait(until, now, !unwritten.is_empty())?;
            step = Step::Wait(None);
            if news.writable {
                step = self.write(&mut unwritten);
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

    /// Writes as much as the pipe takes.
    fn write(&mut self, unwritten: &mut &[u8]) -> Step {
        // A bot on our core may run before the call that wrote its question returns. So its clock
        // runs from before the call that wrote the last byte.
        let mut written_at = None;
        while !unwritten.is_empty() {
            written_at = Some(Instant::now());
            match self.process.write(unwritten) {
                Written::Bytes(written) => *unwritten = &unwritten[written..],
                Written::Full => break,
                // The bot closed its input. It may still answer; if not, it is out of time.
                Written::Closed => *unwritten = &[],
            }
        }
        if unwritten.is_empty() {
            let written_at = written_at.unwrap_or_else(Instant::now);
            self.conversation.on(Event::Written, written_at)
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
