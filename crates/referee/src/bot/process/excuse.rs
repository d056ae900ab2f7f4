//! The machine's share in a fault: what the bot used, and what kept it from its core.

use std::time::Duration;

use host::{CoreTime, Reached, Usage};

use super::super::late::Late;
use super::BotProcess;
use crate::bot::conversation::Step;
use crate::bot::{Answer, ArenaError, Failure};
use crate::record::Fault;

/// The longest wait for an answer that other programs delay, in limits of the bot.
const MOST_LIMITS: u32 = 20;
/// An opponent that stops within this is not looked at further.
const MOMENT: Duration = Duration::from_millis(1);
/// The shortest time after which that wait may end.
const LEAST_WAIT: Duration = Duration::from_secs(1);

/// Whether a bot that would be excused has been waited for long enough.
pub(super) fn has_waited_long(used: Duration, fault: &Fault) -> bool {
    match *fault {
        Fault::OutOfTime { allowed, .. } | Fault::HandshakeTimeout { allowed, .. } => {
            used >= (MOST_LIMITS * allowed).max(LEAST_WAIT)
        }
        _ => false,
    }
}

impl BotProcess {
    /// The figures that say what the machine's share in a fault is; `None`: it can have none.
    pub(super) fn late(&self, fault: &Fault, is_awaited: bool) -> Option<Late> {
        let (allowed, overrun) = match *fault {
            Fault::OutOfTime { used, allowed } => (allowed, used.saturating_sub(allowed)),
            Fault::HandshakeTimeout { allowed, .. } => {
                (allowed, self.asked_at.elapsed().saturating_sub(allowed))
            }
            _ => return None,
        };
        let (now, before) = (self.process.usage_once_it_ran(), self.before);
        let spent = |now: CoreTime, before: CoreTime| CoreTime {
            ran: now.ran.saturating_sub(before.ran),
            waited: now.waited.saturating_sub(before.waited),
        };
        let (first, arena) = (
            spent(now.first, before.first),
            spent(now.caller, before.caller),
        );
        let own = self.own_since_asked(now);
        let late = Late {
            allowed,
            overrun,
            is_awaited,
            own,
            first: first.ran,
            waited: first.waited,
            arena_waited: arena.waited,
            for_arena: arena.ran,
            stalled: now.stalled.saturating_sub(before.stalled),
        };
        // What counts less than before is gone, and its counts with it.
        let seen = self.seen.filter(|seen| late.first < seen.first);
        Some(seen.map_or(late, |seen| Late {
            overrun,
            is_awaited,
            ..seen
        }))
    }

    /// CPU time of its whole sandbox since it was asked; `None`: not known.
    fn own_since_asked(&self, now: Usage) -> Option<Duration> {
        let before = self.before;
        let of_processes = || {
            let ((now, before), others) =
                now.cpu.zip(before.cpu).zip(self.process.cpu_of_others())?;
            Some(now.saturating_sub(before) + others.saturating_sub(self.of_others))
        };
        let of_box = now.of_box.zip(before.of_box);
        of_box
            .map(|(now, before)| now.saturating_sub(before))
            .or_else(of_processes)
    }

    /// Takes from its clock the time that the arena waited for its opponent to stop, less the CPU time that it has used
    /// itself: the opponent could take its time, but its own processes could keep the opponent from stopping.
    pub(super) fn forgive(&mut self, stopping: Duration) -> Step {
        let free = if stopping < MOMENT {
            Duration::ZERO
        } else {
            let own = self.own_since_asked(self.process.usage());
            own.map_or(Duration::ZERO, |own| stopping.saturating_sub(own))
        };
        self.asked_at += free;
        self.conversation.later(free)
    }

    /// The fault, or the limit of its box that caused it.
    pub(super) fn cause(&self, fault: Fault) -> Fault {
        let may_be_caused = matches!(
            fault,
            Fault::StartFailed { .. }
                | Fault::HandshakeTimeout { .. }
                | Fault::OutOfTime { .. }
                | Fault::Crashed { .. }
                | Fault::ClosedOutput
        );
        match self.process.reached().filter(|_| may_be_caused) {
            Some(Reached::Memory {
                limit_mib,
                peak_mib,
            }) => Fault::OutOfMemory {
                limit_mib,
                peak_mib,
            },
            Some(Reached::Processes { limit }) => Fault::TooManyProcesses { limit },
            None => fault,
        }
    }

    /// Accepts a late answer if others kept the bot or the arena from running for as long as it was late. So a bot gains
    /// nothing by being late: it has used no more than its time, and the game goes on.
    pub(super) fn excused(&self, answer: Answer, fault: Fault) -> Result<Answer, Failure> {
        match self.judge(fault) {
            Failure::Arena(ArenaError::Starved(kept) | ArenaError::Stalled(kept)) => Ok(Answer {
                used: answer.used.saturating_sub(kept),
                is_excused: true,
                ..answer
            }),
            failure => Err(failure),
        }
    }

    /// Attributes the fault to the bot or to the machine.
    pub(super) fn judge(&self, fault: Fault) -> Failure {
        let fault = self.cause(fault);
        let excuse = self.late(&fault, false).and_then(|late| late.excuse());
        excuse.map_or(fault.into(), Failure::Arena)
    }
}
