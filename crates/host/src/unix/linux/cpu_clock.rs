//! CPU time, as clocks of the kernel show it.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use rustix::process::Pid;

/// The clock of one process, its children not counted.
#[derive(Debug)]
pub struct CpuClock(Option<ClockId>);

impl CpuClock {
    /// That of the process `pid`.
    pub fn of(pid: Pid) -> CpuClock {
        let pid = nix::unistd::Pid::from_raw(pid.as_raw_pid());
        CpuClock(ClockId::pid_cpu_clock_id(pid).ok())
    }

    /// `None` once it has ended.
    pub fn read(&self) -> Option<Duration> {
        Some(Duration::from(clock_gettime(self.0?).ok()?))
    }
}

/// That of the calling thread.
pub fn thread_cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}
