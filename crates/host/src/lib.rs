//! The interface to the operating system: processes are started, written to, read from, timed, frozen
//! and killed; also cores, threads and files.
//!
//! [`Process::start`] starts a [`Program`] with pipes; a [`Process`] is written to, read from, waited
//! for and measured, and ends with all that it has started. A [`ProcessGroup`] holds the processes of one
//! piece of work, so that any thread can kill them together. [`take_role_if_asked`] must be
//! called first in `main`. [`Heartbeat`] notices that the machine stood still; [`claim_cores`] gives
//! cores that no other arena has.
//!
//! Something that a system cannot do yet is [`StartError::NotSupported`] or has no effect; it never panics. This
//! crate does not know games, protocols or faults. Only the folders `unix` and `windows` differ from
//! system to system.

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

pub use cores::{Core, allowed_cores, claim_cores, on_cores, pin_to, share_cores};
pub use files::{
    CopyError, Lock, Stamp, TemporaryFolder, Walk, cache_folder, check_own, copy_link,
    copy_untrusted, free_bytes, is_closed_to_boxes, is_program, open_in_own, open_regular,
    others_may_change, own_file, program_file, remote_file_system, remove_all, unlist,
    usual_permissions,
};
pub use heartbeat::Heartbeat;
pub use process::{
    CoreTime, Exit, PollResult, Process, ProcessGroup, ReadResult, Usage, WriteResult,
    room_for_processes,
};
pub use program::{Program, Refusal, StartError, Streams, join_words, split_words};
pub use sandbox::{
    Lack, Look, Open, Outcome, Probed, Reached, Sandbox, Tier, closed_for, look, open_in, probe,
};
pub use threads::side_by_side;

/// Takes the role for which this process was started, and never returns; returns if it has none. Must be called first in
/// `main`.
///
/// The program starts itself again to become another program or to clean up after itself. Every [`Process`] that is
/// started after this call is started so.
pub fn take_role_if_asked() {
    turns::take_role_if_asked();
    system::take_role_if_asked();
}

/// Calls `heard` at each Ctrl-C, and at each other request to end this program, instead of ending it. Must be called once.
///
/// # Errors
/// If the system gives no thread.
pub fn on_interrupt(heard: impl FnMut() + Send + 'static) -> io::Result<()> {
    system::on_interrupt(heard)
}

/// Returns the user's language, such as `zh-CN`, on systems where no variable holds it: on Windows.
pub fn language() -> Option<String> {
    system::language()
}

/// Returns whether the socket `client` that is connected to our socket `server` belongs to another user of this machine;
/// `false` where the system does not report it, and for the administrator, who can read the memory of this process anyway.
pub fn is_from_another_user(client: SocketAddr, server: SocketAddr) -> bool {
    system::is_from_another_user(client, server)
}

/// Returns the CPU time of the calling thread so far; zero if the system does not report it.
pub fn thread_cpu_time() -> Duration {
    system::thread_cpu_time()
}

/// Returns the processor's model; `unknown` if the system does not report it.
pub fn processor_name() -> String {
    system::processor_name().unwrap_or_else(|| "unknown".to_owned())
}

/// Returns the machine's name in its network; `unknown` if the system does not report it.
pub fn machine_name() -> String {
    system::machine_name().unwrap_or_else(|| "unknown".to_owned())
}

/// Returns the number of tasks that want to run, averaged over a minute; 0 if the system does not report it.
pub fn load() -> f64 {
    system::load().map_or(0.0, f64::from)
}

/// Returns the abilities that this system lacks and that change what a run measures, in sentences.
pub fn lacks() -> &'static [&'static str] {
    system::LACKS
}

/// Returns whether this process has a share of the time of all its cores, rather than certain cores to itself.
pub fn shares_cores() -> bool {
    system::shares_cores()
}

/// Returns the operating system and its version; empty if the system does not report it.
pub fn system_name() -> String {
    system::system_name()
}
