//! Seeing a process end, and ending with the one that started us.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, set_parent_process_death_signal};

/// A descriptor that can be read once the process has ended.
#[derive(Debug)]
pub struct Life(OwnedFd);

impl Life {
    /// That of the process `pid`.
    pub fn of(pid: Pid) -> io::Result<Life> {
        Ok(Life(pidfd_open(pid, PidfdFlags::empty())?))
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// From now on this process gets this signal when the thread that started it ends. So threads end their
/// processes before they end.
pub fn die_with_parent(signal: Signal) -> io::Result<()> {
    Ok(set_parent_process_death_signal(Some(signal))?)
}
