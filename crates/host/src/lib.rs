//! The interface to the operating system: processes are started, written to, read from, timed, frozen
//! and ended; also cores, threads and files.
//!
//! [`Process::start`] starts a [`Program`] with pipes; a [`Process`] is written to, read from, waited
//! for and measured, and ends with all that it has started. A [`Crew`] holds the processes of one
//! piece of work, so that they can be ended together from any thread. [`take_role_if_asked`] is to be
//! called first in `main`. [`Heartbeat`] notices that the machine stood still; [`claim_cores`] gives
//! cores that no other arena has.
//!
//! What a system cannot do yet is [`StartError::NotSupported`] or does nothing; it never panics. This
//! crate does not know games, protocols or faults. Only the folders `unix` and `windows` differ from
//! system to system.

mod cores;
mod crew;
mod exit;
mod files;
mod heartbeat;
mod lock;
mod look;
mod news;
#[cfg(not(target_os = "linux"))]
mod no_box;
mod process;
mod program;
mod room;
mod sandbox;
mod temporary;
mod threads;
pub mod turns;
mod usage;
mod walk;
mod words;

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
pub use crew::Crew;
pub use exit::Exit;
pub use files::{
    CopyError, Stamp, cache_folder, check_own, copy_link, copy_untrusted, free_bytes,
    is_closed_to_boxes, is_program, open_in_own, open_regular, others_may_change, own_file,
    program_file, remote_file_system, remove_all, unlist, usual_permissions,
};
pub use heartbeat::Heartbeat;
pub use lock::Lock;
pub use look::{Lack, Look, Open, Outcome, Probed, closed_for, look, open_in, probe};
pub use news::{News, Piece, Written};
pub use process::Process;
pub use program::{Program, Refusal, StartError, Streams};
pub use room::room_for_processes;
pub use sandbox::{Reached, Sandbox, Tier};
pub use temporary::TemporaryFolder;
pub use threads::side_by_side;
pub use usage::{CoreTime, Usage};
pub use walk::Walk;
pub use words::{join_words, split_words};

/// To be called first in `main`. The program starts itself again, to become another program or to
/// clean up behind itself; where this process was started for that, this never returns. From now on
/// every [`Process`] is started so.
pub fn take_role_if_asked() {
    turns::take_role_if_asked();
    system::take_role_if_asked();
}

/// Has Ctrl-C, and other requests to end this program, call `heard` instead, each time. To be called once.
///
/// # Errors
/// If the system gives no thread for it.
pub fn on_interrupt(heard: impl FnMut() + Send + 'static) -> io::Result<()> {
    system::on_interrupt(heard)
}

/// The user's language as the system knows it, such as `zh-CN`, where it is not told by variables: on Windows.
pub fn language() -> Option<String> {
    system::language()
}

/// Whether the socket `client` that is connected to our socket `server` belongs to another user of this machine; `false`
/// where the system does not tell, and for the administrator, who can read the memory of this process anyway.
pub fn is_from_another_user(client: SocketAddr, server: SocketAddr) -> bool {
    system::is_from_another_user(client, server)
}

/// CPU time of the calling thread so far; zero if the system does not report it.
pub fn thread_cpu_time() -> Duration {
    system::thread_cpu_time()
}

/// The processor's model as the system names it; `unknown` if the system does not report it.
pub fn processor_name() -> String {
    system::processor_name().unwrap_or_else(|| "unknown".to_owned())
}

/// The machine's name in its network; `unknown` if the system does not report it.
pub fn machine_name() -> String {
    system::machine_name().unwrap_or_else(|| "unknown".to_owned())
}

/// Tasks that want to run, averaged over a minute; 0 if the system does not report it.
pub fn load() -> f64 {
    system::load().map_or(0.0, f64::from)
}

/// What this system does not do that others do and that changes what a run measures, in sentences.
pub fn lacks() -> &'static [&'static str] {
    system::LACKS
}

/// Whether this process has a share of the time of all its cores, rather than certain cores to itself.
pub fn shares_cores() -> bool {
    system::shares_cores()
}

/// The operating system and its version; empty if the system does not report it.
pub fn system_name() -> String {
    system::system_name()
}
