//! The interface to the operating system: runs, measures, freezes and kills processes; handles cores, threads, files.
//!
//! [`Process::start`] starts a [`Program`] with pipes. A [`ProcessGroup`] lets any thread kill several processes
//! together. [`take_role_if_asked`] must be called first in `main`. [`Heartbeat`] detects that the machine stood still;
//! [`claim_cores`] claims cores that no other arena uses.
//!
//! If a system lacks an ability, the call returns [`StartError::NotSupported`] or has no effect; it never panics. This
//! crate knows nothing about games, protocols or faults. Only the folders `unix` and `windows` differ between systems.

mod cores;
mod files;
mod heartbeat;
mod process;
mod program;
mod sandbox;
mod threads;
pub mod turns;

#[cfg(unix)]
#[path = "unix/mod.rs"]
mod system;
#[cfg(windows)]
#[path = "windows/mod.rs"]
mod system;

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

pub use cores::{
    Core, allowed_cores, are_cores_claimed, claim_cores, on_cores, pin_to, share_cores,
};
pub use files::{
    CopyError, LinkRule, Lock, Stamp, TemporaryFolder, Walk, cache_folder, check_own, copy_link,
    copy_untrusted, free_bytes, is_locked, is_program, let_execute, open_in_own, open_regular,
    own_file, program_file, remote_file_system, remove_all, unlist, usual_permissions,
};
pub use heartbeat::{Heartbeat, stalled};
pub use process::{
    CoreTime, Exit, PollResult, Process, ProcessGroup, ReadResult, Usage, WriteResult,
    room_for_processes,
};
pub use program::{Program, Refusal, StartError, Streams, join_words, split_words};
pub use sandbox::{
    Lack, Look, Open, Outcome, Probed, Reached, Sandbox, Tier, Trust, closed_for, free_memory_mib,
    look, open_in, probe,
};
pub use threads::side_by_side;

/// Call this first in `main`. If our own program started this process for an internal task (a *role*), does the task
/// and exits. On Unix, each later [`Process`] first runs our own program, and a role cleans up after a crash.
pub fn take_role_if_asked() {
    turns::take_role_if_asked();
    system::take_role_if_asked();
}

/// Calls `heard` at Ctrl-C and at other requests to end, which then no longer end the program. Call it only once.
pub fn on_interrupt(heard: impl FnMut() + Send + 'static) -> io::Result<()> {
    system::on_interrupt(heard)
}

/// Returns the user's language, such as `zh-CN`; `None` on systems where environment variables hold it.
pub fn language() -> Option<String> {
    system::language()
}

/// Returns whether the socket `client`, connected to our socket `server`, belongs to another user of this machine.
/// False if the system does not report it, and for the administrator, who can read this process's memory anyway.
pub fn is_from_another_user(client: SocketAddr, server: SocketAddr) -> bool {
    system::is_from_another_user(client, server)
}

pub fn thread_cpu_time() -> Duration {
    system::thread_cpu_time()
}

pub fn processor_name() -> String {
    system::processor_name().unwrap_or_else(|| "unknown".to_owned())
}

pub fn machine_name() -> String {
    system::machine_name().unwrap_or_else(|| "unknown".to_owned())
}

/// Returns the number of tasks that want to run, averaged over a minute; 0 if the system does not report it.
pub fn load() -> f64 {
    system::load().map_or(0.0, f64::from)
}

/// Returns sentences about the abilities that this system lacks, and about the effect on the measurements of a run.
pub fn lacks() -> &'static [&'static str] {
    system::LACKS
}

/// Limits the memory (in MiB) and the processor time of this process, where the system can. The system kills the
/// process when its time is used up, and refuses allocations beyond the memory limit.
pub fn limit_itself(memory_mib: u64, time: std::time::Duration) {
    system::limit_itself(memory_mib, time);
}

/// Returns whether this process has a quota of CPU time instead of cores of its own, as in many containers.
pub fn shares_cores() -> bool {
    system::shares_cores()
}

pub fn system_name() -> String {
    system::system_name()
}
