//! The diagnosis of a silent process, by its CPU clock and by experiments.

use std::time::{Duration, Instant};

use super::{LOOK, Session};
use crate::doctor::changed::MESSAGE;
use crate::doctor::evidence::{Moment, Silence, shortened};
use games::{Rules, Square};
use referee::bot::ArenaError;
use referee::dialect::{Due, Heard, Protocol};
use referee::record::excerpt;

/// The number of observations before a process that is never idle counts as computing.
const LOOKS: usize = 8;
/// The minimum wait for the answer of an idle process after its input is closed.
const SLEEP: Duration = Duration::from_secs(1);
/// A process that is idle for this long after a line or the end of its input is not computing an answer.
const AT_ONCE: Duration = Duration::from_millis(250);
const INSTANT: Duration = Duration::from_millis(1);

impl Session<'_> {
    /// Returns whether a process will never answer: it has read its input and is idle, or has begun a line without
    /// ending it. A process that answers or exits just after its limit only needed more time.
    pub(super) fn will_not_answer(&mut self) -> Result<bool, ArenaError> {
        let has_begun = !self.process.unread().trim_ascii().is_empty();
        let is_quiet = has_begun
            || self.process.has_read_everything()
                && self.process.is_idle(self.bench.waits.settle)?;
        let is_late = self.process.exit().is_some() || self.process.unread().contains(&b'\n');
        Ok(is_quiet && !is_late)
    }

    /// Waits again for an answer to the greeting. Returns the time from the start to the answer; `None` if none comes.
    pub(super) fn loading_time(&mut self, given: Duration) -> Result<Option<Duration>, ArenaError> {
        if given < self.bench.waits.start || self.process.has_read_everything() {
            return Ok(None);
        }
        let began = Instant::now();
        let end = began + given;
        while self.process.unread().is_empty() && self.process.exit().is_none() {
            let now = Instant::now();
            if now >= end {
                return Ok(None);
            }
            self.process.listen(end.min(now + LOOK))?;
        }
        let has_answered = !self.process.unread().trim_ascii().is_empty();
        Ok(has_answered.then(|| given + began.elapsed()))
    }

    /// Returns whether the process is idle in at least one of [`LOOKS`] observations. One is enough: a program that
    /// computes is never idle, but an idle runtime such as Java's may have threads that work now and then.
    pub(super) fn is_idle_soon(&mut self) -> Result<bool, ArenaError> {
        for _ in 0..LOOKS {
            if self.process.is_idle(self.bench.waits.settle)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Diagnoses silence by the CPU clock, and by sending one more line, then closing the input.
    pub(super) fn diagnose_silence(&mut self, moment: Moment) -> Result<Silence, ArenaError> {
        let unread = self.process.unread();
        let begun = unread.trim_ascii();
        if !begun.is_empty() {
            let text = shortened(&excerpt(begun));
            let is_whole = unread.contains(&b'\n');
            return Ok(if is_whole {
                Silence::Late(text)
            } else {
                Silence::Unended(text)
            });
        }
        let before = self.process.log.bytes().len();
        let is_idle = self.is_idle_soon()?;
        if let Some(text) = self.message_after(before, moment) {
            return Ok(Silence::Late(text));
        }
        let has_read = self.process.has_read_everything();
        if is_idle && self.bench.nudges {
            self.process.write_line(MESSAGE);
            if let Some(text) = self.prompt_message(before, moment)? {
                return Ok(Silence::Ahead(text));
            }
        }
        self.process.close_input();
        if is_idle && let Some(text) = self.prompt_message(before, moment)? {
            return Ok(Silence::Held(text));
        }
        // An idle process may be sleeping and answer later.
        let wait = if is_idle {
            self.bench.waits.silence.max(SLEEP)
        } else {
            self.bench.waits.parting
        };
        Ok(match self.message_within(wait, before, moment)? {
            Some(text) => Silence::Late(text),
            None if !is_idle => Silence::Busy,
            None if !has_read => Silence::NotReading,
            None => Silence::Idle,
        })
    }

    /// Waits for the expected message until the process exits or is idle for [`AT_ONCE`]. A process that was waiting
    /// for this input is not idle before it answers, even on a busy machine. A sleeping process is idle.
    pub(super) fn prompt_message(
        &mut self,
        before: usize,
        moment: Moment,
    ) -> Result<Option<String>, ArenaError> {
        let end = Instant::now() + self.bench.waits.parting;
        loop {
            let began = Instant::now();
            let rests = self.process.is_idle(AT_ONCE)? && began.elapsed() >= AT_ONCE;
            // Checks whether the process has exited.
            self.process.leave(Instant::now() + INSTANT)?;
            let came = self.message_after(before, moment);
            let has_ended = self.process.exit().is_some() || Instant::now() >= end;
            if came.is_some() || rests || has_ended {
                return Ok(came);
            }
        }
    }

    /// Waits for the expected message for at most `wait`, or until the process exits.
    fn message_within(
        &mut self,
        wait: Duration,
        before: usize,
        moment: Moment,
    ) -> Result<Option<String>, ArenaError> {
        let end = Instant::now() + wait;
        loop {
            let came = self.message_after(before, moment);
            if came.is_some() || self.process.exit().is_some() || Instant::now() >= end {
                return Ok(came);
            }
            self.process.leave(end.min(Instant::now() + LOOK))?;
        }
    }

    /// Returns the expected message, if it is in the output after the first `before` bytes of the log.
    pub(super) fn message_after(&self, before: usize, moment: Moment) -> Option<String> {
        let log = self.process.log.bytes();
        let text = String::from_utf8_lossy(&log[before.min(log.len())..]);
        let protocol = self.bench.subject.launch.protocol;
        let due = match moment {
            Moment::Start | Moment::Again => Due::Ready,
            _ => Due::Move,
        };
        let is_due = |line: &&str| match protocol.adapter(&[]).hear(line.as_bytes(), due) {
            Heard::Ready { .. } => true,
            Heard::Move { played, .. } => {
                let played = played.parse::<Square>();
                let legal = self
                    .position
                    .iter()
                    .flat_map(|(board, _)| board.legal_squares());
                played.is_ok_and(|played| legal.into_iter().any(|square| square == played))
            }
            Heard::Wrong(_) => false,
            _ => protocol != Protocol::Arena,
        };
        let lines = text
            .lines()
            .map(|line| line.trim_start_matches("< ").trim());
        let line = lines.filter(|line| !line.is_empty()).find(is_due)?;
        Some(excerpt(line.as_bytes()))
    }
}
