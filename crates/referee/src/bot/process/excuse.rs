//! The machine's share in a fault: how long the bot had its core, and how long it waited for it.

use super::super::late::Late;
use super::BotProcess;
use crate::bot::ArenaError;
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
        let cpu = self.cpu_time()?.saturating_sub(self.before.cpu?);
        let now = self.process.usage_once_it_ran();
        let late = Late {
            allowed,
            overrun,
            cpu,
            waited: now.waited.saturating_sub(self.before.waited),
            for_arena: now.caller.saturating_sub(self.before.caller),
            for_children: self.process.cpu_of_children(),
        };
        late.excused_by().map(ArenaError::Starved)
    }
}
