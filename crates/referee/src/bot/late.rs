//! The rule for a late answer: CPU time that the sandbox of a bot used is the bot's, and it is excused only
//! by what others took from it or from the arena.
//!
//! Nothing here reads a clock; the caller passes the measured times.

use std::time::Duration;

use super::ArenaError;

/// A thread that goes on after the answer keeps the arena from reading it for as long as the scheduler lets
/// one thread run, and at the question again. Delays below this show nothing.
const SLICES: Duration = Duration::from_millis(10);

/// A bot that was out of time, and what the kernel counted from its question on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Late {
    /// Its limit.
    pub allowed: Duration,
    /// How much longer it took until the arena read its answer or stopped waiting.
    pub overrun: Duration,
    /// Whether the answer may still come.
    pub is_awaited: bool,
    /// CPU time of its whole sandbox; `None`: not known.
    pub own: Option<Duration>,
    /// CPU time of its first thread.
    pub first: Duration,
    /// How long its first thread was ready to run while another had the core.
    pub waited: Duration,
    /// The same of the arena's thread, which reads the answer.
    pub arena_waited: Duration,
    /// CPU time of the arena's thread, which reads what the bot writes.
    pub for_arena: Duration,
    /// How long the machine stood still, which may have begun before the question.
    pub stalled: Duration,
}

impl Late {
    /// Returns what excuses it: others kept it or the arena for at least as long as it was late.
    pub(super) fn excuse(&self) -> Option<ArenaError> {
        let kept = self.kept_by_others();
        if kept < self.overrun.max(SLICES) {
            None
        } else if self.stalled >= kept {
            Some(ArenaError::Stalled(kept))
        } else {
            Some(ArenaError::Starved(kept))
        }
    }

    /// Returns how long others kept the bot and the arena from running, together with how long the machine stood still.
    ///
    /// That is the time for which the first thread of the bot and the arena's thread waited for a core, less the time
    /// for which the arena, and other threads and processes of the sandbox, may have been the reason. Where those of
    /// the sandbox ran for as long as the answer is late, they alone explain it; how late it is shows when it is there.
    /// At most the time in which neither the sandbox nor the arena ran: a bot that writes without end and the arena
    /// wait for each other.
    fn kept_by_others(&self) -> Duration {
        let wall = self.allowed + self.overrun;
        let Some(own) = self.own else {
            return self.stalled.min(wall);
        };
        let beside = own.saturating_sub(self.first);
        let waited = if self.is_awaited || beside < self.overrun {
            (self.waited + self.arena_waited).saturating_sub(beside + self.for_arena)
        } else {
            Duration::ZERO
        };
        (waited + self.stalled).min(wall.saturating_sub(own + self.for_arena))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::dialogues::rows;

    /// Figures in ms of a bot that is allowed 100 and whose answer was read at 120; `-`: none.
    #[test]
    fn only_what_others_did_excuses() {
        let ms = |text: &str| text.parse().ok().map(Duration::from_millis);
        for row in rows(include_str!("late/cases.txt")) {
            let [what, own, first, waited, arena_waited, beside, excuse] = row;
            let time = |text| ms(text).expect(what);
            let mut late = Late {
                allowed: time("100"),
                overrun: time("20"),
                own: ms(own),
                first: time(first),
                waited: time(waited),
                arena_waited: time(arena_waited),
                ..Late::default()
            };
            match beside.split_once('=').unwrap_or((beside, "")) {
                ("", _) => {}
                ("awaited", _) => late.is_awaited = true,
                ("for-arena", text) => late.for_arena = time(text),
                ("overrun", text) => late.overrun = time(text),
                ("stalled", text) => late.stalled = time(text),
                other => panic!("{what}: {other:?}"),
            }
            let kept = late.excuse().map(|error| match error {
                ArenaError::Stalled(kept) | ArenaError::Starved(kept) => kept,
                other => panic!("{what}: {other}"),
            });
            assert_eq!(kept, ms(excuse), "{what}");
        }
    }
}
