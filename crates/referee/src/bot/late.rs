//! Decides who caused a late answer: the bot or the machine.
//!
//! Nothing here reads a clock; the caller passes the measured times.

use std::time::Duration;

/// A bot that was out of time, and how it spent its time according to the kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    /// Its limit.
    pub allowed: Duration,
    /// How much longer it took.
    pub overrun: Duration,
    /// The CPU time that it used meanwhile.
    pub cpu: Duration,
    /// How long it was ready to run while another process had the core.
    pub waited: Duration,
    /// CPU time that the arena's own thread took on that core meanwhile, reading what the bot wrote.
    pub for_arena: Duration,
    /// CPU time that the bot's own children took.
    pub for_children: Duration,
}

impl Late {
    /// How long others kept the bot from its core, where that excuses it: for at least as long as it
    /// was late, and it had not used up its time as CPU time before.
    ///
    /// Waiting for the arena, which reads what the bot itself wrote, and for its own children is
    /// waiting for nobody but itself.
    pub(super) fn excused_by(&self) -> Option<Duration> {
        let kept = self
            .waited
            .saturating_sub(self.for_arena)
            .saturating_sub(self.for_children);
        (kept >= self.overrun && self.cpu < self.allowed).then_some(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures in ms of a bot that is allowed 100 and whose flag fell at 120.
    fn excused(cpu: u64, waited: u64, for_arena: u64, for_children: u64) -> Option<Duration> {
        let late = Late {
            allowed: Duration::from_millis(100),
            overrun: Duration::from_millis(20),
            cpu: Duration::from_millis(cpu),
            waited: Duration::from_millis(waited),
            for_arena: Duration::from_millis(for_arena),
            for_children: Duration::from_millis(for_children),
        };
        late.excused_by()
    }

    #[test]
    fn only_what_others_did_excuses() {
        for (what, figures, excuse) in [
            ("worked all the while", (120, 0, 0, 0), None),
            ("slept", (0, 0, 0, 0), None),
            ("kept from its core by others", (60, 60, 0, 0), Some(60)),
            (
                "kept for just as long as it was late",
                (99, 20, 0, 0),
                Some(20),
            ),
            ("kept for less than it was late", (99, 19, 0, 0), None),
            ("had used its time before", (100, 20, 0, 0), None),
            ("flooded the arena", (60, 60, 50, 0), None),
            ("starved by its own children", (60, 60, 0, 60), None),
            ("by its children and by others", (30, 90, 0, 60), Some(30)),
            ("more taken than waited", (10, 30, 40, 40), None),
        ] {
            let (cpu, waited, for_arena, for_children) = figures;
            assert_eq!(
                excused(cpu, waited, for_arena, for_children),
                excuse.map(Duration::from_millis),
                "{what}"
            );
        }
    }
}
