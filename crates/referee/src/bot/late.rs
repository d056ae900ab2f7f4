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
    /// How long the machine stood still.
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

    /// Figures in ms of a bot that is allowed 100 and whose answer was read at 120.
    fn late(own: u64, first: u64, waited: u64, arena_waited: u64) -> Late {
        let ms = Duration::from_millis;
        Late {
            allowed: ms(100),
            overrun: ms(20),
            own: Some(ms(own)),
            first: ms(first),
            waited: ms(waited),
            arena_waited: ms(arena_waited),
            ..Late::default()
        }
    }

    #[test]
    fn only_what_others_did_excuses() {
        let ms = Duration::from_millis;
        let flooded = Late {
            for_arena: ms(50),
            ..late(60, 60, 60, 0)
        };
        let stalled = |stalled, late| Late {
            stalled: ms(stalled),
            ..late
        };
        let not_known = Late {
            own: None,
            ..late(0, 10, 90, 90)
        };
        let no_margin = Late {
            overrun: ms(1),
            ..late(20, 20, 4, 4)
        };
        for (what, late, excuse) in [
            ("worked all the while", late(120, 120, 0, 0), None),
            (
                "wrote without end, so that it and the arena took turns",
                Late {
                    for_arena: ms(60),
                    ..late(60, 60, 60, 60)
                },
                None,
            ),
            ("slept", late(0, 0, 0, 0), None),
            ("others had its core", late(60, 60, 60, 0), Some(60)),
            (
                "for just as long as it was late",
                late(99, 99, 20, 0),
                Some(20),
            ),
            ("for less than it was late", late(99, 99, 19, 0), None),
            ("had used its time before", late(101, 101, 20, 0), None),
            (
                "its threads had, beside one that slept",
                late(100, 10, 90, 0),
                None,
            ),
            ("flooded the arena", flooded, None),
            ("its children had its core", late(90, 30, 60, 0), None),
            ("its children and others had it", late(90, 30, 90, 0), None),
            (
                "which is not known before it answers",
                Late {
                    is_awaited: true,
                    ..late(90, 30, 90, 0)
                },
                Some(30),
            ),
            (
                "its children did for a moment",
                late(40, 30, 60, 0),
                Some(50),
            ),
            ("others had the arena's core", late(90, 90, 0, 30), Some(30)),
            ("others had both", late(60, 60, 10, 10), Some(20)),
            (
                "its children kept the arena from it",
                late(30, 5, 0, 25),
                None,
            ),
            ("its children kept both from it", late(60, 5, 30, 25), None),
            (
                "the machine stood still",
                stalled(25, late(60, 60, 0, 0)),
                Some(25),
            ),
            ("not for long enough", stalled(15, late(60, 60, 0, 0)), None),
            (
                "it went on meanwhile",
                stalled(9000, late(8000, 8000, 0, 0)),
                None,
            ),
            (
                "stood still and had others",
                stalled(15, late(60, 60, 9, 0)),
                Some(24),
            ),
            ("its processes are not counted", not_known, None),
            ("but stood still", stalled(25, not_known), Some(25)),
            ("the slices of one thread", no_margin, None),
        ] {
            let kept = late.excuse().map(|error| match error {
                ArenaError::Stalled(kept) | ArenaError::Starved(kept) => kept,
                other => panic!("{what}: {other}"),
            });
            assert_eq!(kept, excuse.map(ms), "{what}");
        }
    }
}
