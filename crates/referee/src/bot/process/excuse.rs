//! The machine's share in a fault: what a bot has had of its core, and what it was kept from.

use std::time::{Duration, Instant};

use nix::time::ClockId;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Pid;

use super::super::late::Late;
use super::super::run_delay;
use super::BotProcess;
use super::exchange::timespec;
use crate::bot::ArenaError;
use crate::record::Fault;

/// Schedulers let everybody run within this, however many there are.
const LONGEST_WAIT: Duration = Duration::from_millis(250);

/// What a process has had of its core and has waited for it, and what our thread has had of its.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    waited: Duration,
    cpu: Option<Duration>,
    arena: Duration,
}

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
        if self.run_delay.is_ready() {
            self.let_run();
        }
        let now = self.usage();
        let late = Late {
            allowed,
            overrun,
            cpu,
            waited: now.waited.saturating_sub(self.before.waited),
            for_arena: now.arena.saturating_sub(self.before.arena),
            for_children: run_delay::cpu_of_children(Pid::from_child(&self.child)),
        };
        late.excused_by().map(ArenaError::Starved)
    }

    pub(super) fn usage(&self) -> Usage {
        let arena = nix::time::clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID);
        Usage {
            waited: self.run_delay.read(),
            cpu: self.cpu_time(),
            arena: arena.map_or(Duration::ZERO, Duration::from),
        }
    }

    /// Waits until a process that is ready to run has run, since only then its wait is counted.
    fn let_run(&self) {
        let (start, until) = (self.cpu_time(), Instant::now() + LONGEST_WAIT);
        while self.cpu_time() == start && Instant::now() < until {
            // Nothing is awaited but time, and the process's end.
            let mut life = [PollFd::new(&self.life, PollFlags::IN)];
            if poll(&mut life, Some(&timespec(Duration::from_millis(1)))) != Ok(0) {
                break;
            }
        }
    }

    /// CPU time of the process so far, its children not counted; `None` once it has ended.
    pub fn cpu_time(&self) -> Option<Duration> {
        let time = nix::time::clock_gettime(self.cpu_clock?).ok()?;
        Some(Duration::from(time))
    }
}
