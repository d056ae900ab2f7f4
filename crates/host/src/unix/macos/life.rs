//! Seeing a process end, by a thread that waits for it and then closes a pipe.
//!
//! A queue of kernel events (`kqueue`) would spare the thread, but could not be tried anywhere here; this is
//! plain POSIX.

use std::io::{self, PipeReader};
use std::os::fd::{AsFd, BorrowedFd};
use std::thread;

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// It does nothing but wait.
const STACK: usize = 64 * 1024;

/// A descriptor that can be read once the process has ended.
#[derive(Debug)]
pub struct Life(PipeReader);

impl Life {
    /// That of our child `pid`, which is not waited for by this: it stays until somebody does.
    pub fn of(pid: Pid) -> io::Result<Life> {
        let (reader, writer) = io::pipe()?;
        let watch = move || {
            let how = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), how), Err(Errno::INTR)) {}
            drop(writer);
        };
        let thread = thread::Builder::new().name(format!("life of {pid}"));
        thread.stack_size(STACK).spawn(watch)?;
        Ok(Life(reader))
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::*;

    fn has_ended(life: &Life, limit_s: i64) -> bool {
        let limit = Timespec {
            tv_sec: limit_s,
            tv_nsec: 0,
        };
        let mut polled = [PollFd::from_borrowed_fd(life.fd(), PollFlags::IN)];
        poll(&mut polled, Some(&limit)).expect("a poll") == 1
    }

    #[test]
    fn a_life_is_seen_to_end_and_the_status_is_still_there() {
        let mut child = Command::new("cat")
            .stdin(Stdio::piped())
            .spawn()
            .expect("cat");
        let life = Life::of(Pid::from_child(&child)).expect("a thread");
        assert!(!has_ended(&life, 0), "it waits for its input");
        drop(child.stdin.take());
        assert!(has_ended(&life, 60));
        assert!(child.wait().expect("its status").success());
    }
}
