//! Why a process is silent, as far as it can be seen from outside.

use std::time::{Duration, Instant};

use super::super::evidence::{Silence, shortened};
use super::Session;
use referee::bot::ArenaError;
use referee::record::excerpt;

/// Between two looks at a process that is loading.
const LOOK: Duration = Duration::from_millis(100);
/// How often it is looked at before it is said to compute.
const LOOKS: usize = 8;

impl Session<'_> {
    /// Whether a process that has not answered has read its input and is idle, or has begun a line and not
    /// ended it. One that answers or ends just after its time needed more time.
    pub(super) fn is_silent_for_good(&mut self) -> Result<bool, ArenaError> {
        let has_begun = !self.process.unread().trim_ascii().is_empty();
        let is_quiet = has_begun
            || self.process.has_read_everything() && self.process.is_idle(self.waits.settle)?;
        let is_late = self.process.exit().is_some() || self.process.unread().contains(&b'\n');
        Ok(is_quiet && !is_late)
    }

    /// When a process that had not read the greeting in its time answers it after all: how long it took
    /// from its start. It gets its time once more.
    pub(super) fn loads_on(&mut self, given: Duration) -> Result<Option<Duration>, ArenaError> {
        if given < self.waits.start || self.process.has_read_everything() {
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

    /// Whether it is idle in one of a few looks: the threads of a runtime, such as Java's, work now and then,
    /// and a program that computes never rests.
    fn rests(&mut self) -> Result<bool, ArenaError> {
        for _ in 0..LOOKS {
            if self.process.is_idle(self.waits.settle)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Why it is silent, from its input, its CPU clock and its last output. Closes its input.
    pub(super) fn look_into_silence(&mut self) -> Result<Silence, ArenaError> {
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
        let is_idle = self.rests()?;
        let has_read = self.process.has_read_everything();
        let before = self.process.log.bytes().len();
        self.process.close_input();
        self.process.leave(Instant::now() + self.waits.parting)?;
        let log = self.process.log.bytes();
        let last_words = log[before.min(log.len())..].trim_ascii();
        let last_words = last_words.strip_prefix(b"< ").unwrap_or(last_words);
        let line = last_words
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let text = || excerpt(line.trim_ascii());
        Ok(match (line.is_empty(), is_idle) {
            (false, true) => Silence::Held(text()),
            (false, false) => Silence::Late(text()),
            (true, false) => Silence::Busy,
            (true, true) if !has_read => Silence::NotReading,
            (true, true) => Silence::Idle,
        })
    }
}
