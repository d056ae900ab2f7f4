//! The machine's share in a fault: how long the bot had its core, and how long it waited for it.

use host::Reached;

use super::super::late::Late;
use super::BotProcess;
use crate::bot::{ArenaError, Failure};
use crate::record::Fault;

impl BotProcess {
    /// The machine's share in a fault.
    pub(super) fn excuse(&self, fault: &Fault) -> Option<ArenaError> {
        let (allowed, overrun) = match *fault {
            Fault::OutOfTime { used, allowed } => (allowed, used.saturating_sub(allowed)),
            // How late `ready` would have been is not known: who was kept from its core for half of
            // the time could have been done.
            Fault::HandshakeTimeout { allowed, .. } => (allowed, allowed / 2),
            _ => return None,
        };
        let now = self.process.usage_once_it_ran();
        let cpu = now.cpu?.saturating_sub(self.before.cpu?);
        let of_box = now.of_box.zip(self.before.of_box);
        let late = Late {
            allowed,
            overrun,
            cpu,
            waited: now.waited.saturating_sub(self.before.waited),
            for_arena: now.caller.saturating_sub(self.before.caller),
            for_children: match of_box {
                Some((now, before)) => now.saturating_sub(before).saturating_sub(cpu),
                None => self.process.cpu_of_children(),
            },
        };
        late.excused_by().map(ArenaError::Starved)
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

    /// Whose doing it is that the bot is at fault.
    pub(super) fn judge(&self, fault: Fault) -> Failure {
        let fault = self.cause(fault);
        self.excuse(&fault).map_or(fault.into(), Failure::Arena)
    }
}
