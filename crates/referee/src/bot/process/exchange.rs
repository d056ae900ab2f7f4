//! A message and what comes back: everything that waits is in one `poll`.

use std::cell::OnceCell;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::BotProcess;
use crate::bot::{ArenaError, Event, Step};

/// What `poll` found.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one for each descriptor that was polled"
)]
pub(super) struct News {
    pub output: bool,
    pub errors: bool,
    pub ended: bool,
    pub writable: bool,
}

impl BotProcess {
    /// Writes the message and lets the conversation take events until it comes to something.
    pub(super) fn pump(&mut self) -> Result<Step, ArenaError> {
        let message = std::mem::take(&mut self.message);
        let result = self.exchange(&message);
        self.message = message;
        result
    }

    fn exchange(&mut self, message: &[u8]) -> Result<Step, ArenaError> {
        self.thaw();
        self.log.sent(message);
        let mut unwritten = message;
        let mut step = self.write(&mut unwritten);
        if self.is_quick && unwritten.is_empty() && matches!(step, Step::Wait(_)) {
            // A bot on our core that needs no time has answered by the time it is our turn again;
            // one that is not, or does, costs us this one call.
            rustix::thread::sched_yield();
            match self.read_output()? {
                // Nothing has come, so what was waited for still is.
                Step::Wait(None) => self.before = self.usage(),
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
            let news = self.wait_for_news(until, now, !unwritten.is_empty())?;
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
        while let Some(pipe) = self.input.as_ref().filter(|_| !unwritten.is_empty()) {
            written_at = Some(Instant::now());
            match rustix::io::write(pipe, unwritten) {
                Ok(written) => *unwritten = &unwritten[written..],
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => {}
                // The bot closed its input. It may still answer; if not, it is out of time.
                Err(_) => self.input = None,
            }
        }
        if self.input.is_none() {
            *unwritten = &[];
        }
        if unwritten.is_empty() {
            let written_at = written_at.unwrap_or_else(Instant::now);
            self.conversation.on(Event::Written, written_at)
        } else {
            self.conversation.on(Event::Tick, Instant::now())
        }
    }

    /// Waits until something can be read or written, the process ends, or it is time.
    pub(super) fn wait_for_news(
        &self,
        until: Option<Instant>,
        now: Instant,
        writing: bool,
    ) -> Result<News, ArenaError> {
        let timeout = until.map(|until| timespec(until.saturating_duration_since(now)));
        let life = self.exit.is_none().then(|| self.life.as_fd());
        let input = self.input.as_ref().filter(|_| writing).map(AsFd::as_fd);
        let fds = [
            (self.output.as_ref().map(AsFd::as_fd), PollFlags::IN),
            (self.errors.as_ref().map(AsFd::as_fd), PollFlags::IN),
            (life, PollFlags::IN),
            (input, PollFlags::OUT),
        ];
        // A descriptor that is gone is left out by asking for nothing of one that stays quiet.
        let mut polled = fds.map(|(fd, flags)| {
            PollFd::from_borrowed_fd(
                fd.unwrap_or(self.life.as_fd()),
                if fd.is_some() {
                    flags
                } else {
                    PollFlags::empty()
                },
            )
        });
        let count = if writing { 4 } else { 3 };
        match poll(&mut polled[..count], timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(ArenaError::Pipe(errno.into())),
        }
        let seen = |index: usize| fds[index].0.is_some() && !polled[index].revents().is_empty();
        Ok(News {
            output: seen(0),
            errors: seen(1),
            ended: seen(2),
            writable: seen(3),
        })
    }
}

pub(super) fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs() as i64,
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}
