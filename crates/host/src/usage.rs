//! What a process has used, and what kept it from its core.

use std::time::Duration;

/// How long a thread ran on its core and waited for it; zero where the system does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoreTime {
    /// How long it ran.
    pub ran: Duration,
    /// How long it was ready to run and another thread had the core.
    pub waited: Duration,
}

/// The CPU time of a process and of the calling thread so far, and the time for which they waited for a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// That of the first thread of the process.
    pub first: CoreTime,
    /// CPU time that it has used itself; `None`: it has ended, or the system does not tell.
    pub cpu: Option<Duration>,
    /// CPU time of all that is or was in its box; `None`: it has none, or nothing counts it.
    pub of_box: Option<Duration>,
    /// That of the calling thread.
    pub caller: CoreTime,
    /// How long the machine stood still.
    pub stalled: Duration,
}
