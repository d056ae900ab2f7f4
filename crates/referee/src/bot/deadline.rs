//! The deadline of an answer, which enforces the time limit of a move.
//!
//! A [`Deadline`] is pure: [`Conversation`](super::Conversation) checks at each event whether the flag has fallen.
//! Before the bot is charged, an [`AnswerTimer`] measures what kept the bot from running, and [`LateAnswer`] decides
//! whether this is an excuse (the policy is in [`void`](crate::void)). The limit itself is in [`Clock`](crate::Clock).

use std::time::{Duration, Instant};

use host::{CoreTime, Process, Usage};

use crate::record::Fault;
use crate::void::{ArenaError, LateAnswer};

/// A bot that stops faster than this counts as stopped at once.
pub(super) const MOMENT: Duration = Duration::from_millis(1);
/// The time between two checks of a late bot that may be excused.
const LOOK: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The limit that is sent to the bot; `None`: no limit.
    pub limit: Option<Duration>,
    /// The tolerance beyond the limit before the flag falls.
    pub margin: Duration,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    since: Instant,
    allowance: Allowance,
}

impl Deadline {
    pub fn new(allowance: Allowance, now: Instant) -> Deadline {
        let since = now;
        Deadline { since, allowance }
    }

    pub fn restart(self, now: Instant) -> Deadline {
        Deadline::new(self.allowance, now)
    }

    pub fn postpone(&mut self, by: Duration) {
        self.since += by;
    }

    pub fn flag(&self) -> Option<Instant> {
        let limit = self.allowance.limit?;
        Some(self.since + limit + self.allowance.margin)
    }

    pub fn used(&self, now: Instant) -> Duration {
        now - self.since
    }

    /// Returns the fault of a bot that has not answered before `now`, if the flag has fallen.
    pub fn missed(&self, now: Instant) -> Option<Fault> {
        let is_missed = self.flag().is_some_and(|flag| now >= flag);
        is_missed.then(|| Fault::OutOfTime {
            used: self.used(now),
            allowed: self.allowance.limit.unwrap_or_default(),
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Overdue {
    NoExcuse,
    /// The bot would be excused, but the arena has waited long enough.
    GivenUp,
    /// The bot would be excused, and may still answer: check again at this time.
    LookAgain(Instant),
}

/// Measures CPU times and waits since a question, to attribute a late answer to the bot or to others.
#[derive(Debug)]
pub(super) struct AnswerTimer {
    /// The bot's usage at the greeting, at the question, or when the opponent of a quick bot was stopped.
    pub before: Usage,
    /// The time just before `before` was read.
    counted_since: Instant,
    /// The time just before the last message's first byte.
    began: Instant,
    /// The same, minus overtime, plus the time that was given back.
    asked_at: Instant,
    /// The CPU time of the bot's other processes before the question, such as a wrapper that started the bot, or
    /// processes of earlier turns. Zero if the sandbox counts the CPU time of all processes.
    of_others: Duration,
    /// The figures of the last check while the answer was late.
    seen: Option<LateAnswer>,
    /// [`Process::sleeps`] at the first check while the answer was late.
    sleeps_before: Option<u64>,
}

impl AnswerTimer {
    pub fn new() -> AnswerTimer {
        AnswerTimer {
            before: Usage::default(),
            counted_since: Instant::now(),
            began: Instant::now(),
            asked_at: Instant::now(),
            of_others: Duration::ZERO,
            seen: None,
            sleeps_before: None,
        }
    }

    /// Begins to time the answer to a question. `overtime` counts as time used for this answer.
    pub fn begin(&mut self, overtime: Duration) {
        (self.seen, self.sleeps_before) = (None, None);
        let now = Instant::now();
        self.began = now;
        self.asked_at = now.checked_sub(overtime).unwrap_or(now);
    }

    pub fn asked_at(&self) -> Instant {
        self.asked_at
    }

    pub fn note_usage(&mut self, process: &Process) {
        self.counted_since = Instant::now();
        self.before = process.usage();
    }

    pub fn note_usage_of_others(&mut self, process: &Process) {
        self.of_others = self.cpu_of_others(process).unwrap_or_default();
    }

    /// Returns the time that a bot gets back if its opponent was stopped only after the question, and may have used the
    /// core until then. This includes the time for finding out who used the processor, which may take longer
    /// than a move on a busy machine. Gives no CPU time back that the bot itself used since the last noted usage: its own
    /// threads could have delayed the stop. That includes the CPU time of quick answers since then, which is little.
    pub fn forgive(&mut self, process: &Process) -> Duration {
        let since = self.began;
        if since.elapsed() < MOMENT {
            return Duration::ZERO;
        }
        // Reads the counts in this order, so that all of the bot's own time until now is counted.
        let others = self.cpu_of_others(process);
        let own = self.own_since_asked(process.usage(), others);
        let free = own.map_or(Duration::ZERO, |own| since.elapsed().saturating_sub(own));
        self.asked_at += free;
        free
    }

    /// Decides whether to wait longer for a bot that is out of time. Its own CPU time counts, so no wait is endless.
    pub fn overdue(&mut self, process: &Process, fault: &Fault) -> Overdue {
        let sleeps = process.sleeps();
        let before = *self.sleeps_before.get_or_insert(sleeps);
        let late = self.late(process, fault, true).map(|late| LateAnswer {
            sleeps: sleeps.saturating_sub(before),
            ..late
        });
        match late.filter(|late| late.excuse().is_some()) {
            None => return Overdue::NoExcuse,
            excused => self.seen = excused,
        }
        if late.is_some_and(|late| late.is_given_up(self.asked_at.elapsed())) {
            Overdue::GivenUp
        } else {
            Overdue::LookAgain(Instant::now() + LOOK)
        }
    }

    pub fn excuse(&self, process: &Process, fault: &Fault) -> Option<ArenaError> {
        self.late(process, fault, false)?.excuse()
    }

    fn late(&self, process: &Process, fault: &Fault, is_awaited: bool) -> Option<LateAnswer> {
        let (allowed, overrun) = match *fault {
            Fault::OutOfTime { used, allowed } => (allowed, used.saturating_sub(allowed)),
            Fault::HandshakeTimeout { allowed, .. } => {
                (allowed, self.asked_at.elapsed().saturating_sub(allowed))
            }
            _ => return None,
        };
        let (now, before) = (process.usage_once_it_ran(), self.before);
        let spent = |now: CoreTime, before: CoreTime| CoreTime {
            ran: now.ran.saturating_sub(before.ran),
            waited: now.waited.saturating_sub(before.waited),
        };
        let arena = spent(now.caller, before.caller);
        let late = LateAnswer {
            allowed,
            overrun,
            counted: self.counted_since.elapsed(),
            is_awaited,
            sleeps: 0,
            own: self.own_since_asked(now, self.cpu_of_others(process)),
            first: std::array::from_fn(|at| spent(now.first[at], before.first[at])),
            arena_waited: arena.waited,
            for_arena: arena.ran,
            stalled: now.stalled.saturating_sub(before.stalled),
        };
        Some(late.after(self.seen))
    }

    /// Returns the CPU time of the bot's other processes; `None` if it is unknown, or if the sandbox counts it.
    fn cpu_of_others(&self, process: &Process) -> Option<Duration> {
        let is_counted = self.before.of_box.is_some();
        (!is_counted).then(|| process.cpu_of_others()).flatten()
    }

    /// Returns the CPU time of all processes of the bot since the question; `None`: unknown.
    fn own_since_asked(&self, now: Usage, others: Option<Duration>) -> Option<Duration> {
        let before = self.before;
        let of_processes = || {
            let ((now, before), others) = now.cpu.zip(before.cpu).zip(others)?;
            Some(now.saturating_sub(before) + others.saturating_sub(self.of_others))
        };
        let of_box = now.of_box.zip(before.of_box);
        of_box
            .map(|(now, before)| now.saturating_sub(before))
            .or_else(of_processes)
    }
}
