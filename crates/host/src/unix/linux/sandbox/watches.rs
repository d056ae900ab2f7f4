//! The watches of `epoll(7)`: a user has a limited number, which all its sandboxes share unless each has its own user.
//! Without free watches, a program in Node does not start.
//!
//! No limit of the kernel bounds the watches of a sandbox. A watch belongs to a file and a number of a descriptor, so a
//! process with n descriptors can have about n³/4. So the keeper counts each new watch ([`super::seccomp::CallWatch`]).
//! It does not see their ends; once the count reaches the share of a sandbox, it counts those that exist.

use std::fs;
use std::io;

use super::super::processes::descendants;

/// The number of sandboxes that can have their share at a time.
const SHARES: u64 = 256;

pub struct Watches {
    share: u64,
    made: u64,
    /// The sandbox had more than half of its share when its watches were counted. It gets no more: if they were
    /// counted each time, a program could keep the keeper busy.
    is_closed: bool,
}

impl Watches {
    pub fn new() -> Watches {
        let most = fs::read_to_string("/proc/sys/fs/epoll/max_user_watches").unwrap_or_default();
        Watches {
            share: most.trim().parse().unwrap_or(1 << 20) / SHARES,
            made: 0,
            is_closed: false,
        }
    }

    /// Counts a new watch, and returns whether the sandbox may have it.
    pub fn may_add(&mut self) -> bool {
        if self.made == self.share && !self.is_closed {
            let half = self.share / 2;
            match existing(half) {
                Ok(made) if made <= half => self.made = made,
                _ => self.is_closed = true,
            }
        }
        if !self.is_closed {
            self.made += 1;
        }
        !self.is_closed
    }
}

/// Counts the watches that the sandbox has, until there are more than `most`; an error: they cannot be counted.
fn existing(most: u64) -> io::Result<u64> {
    let mut count = 0;
    for stat in descendants(rustix::process::getpid()) {
        // A thread may have its own descriptors.
        let tasks = fs::read_dir(format!("/proc/{}/task", stat.pid));
        for task in tasks.into_iter().flatten().flatten() {
            let files = match fs::read_dir(task.path().join("fdinfo")) {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(error),
                files => files,
            };
            for file in files.into_iter().flatten().flatten() {
                let text = match fs::read_to_string(file.path()) {
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                        return Err(error);
                    }
                    text => text.unwrap_or_default(),
                };
                let watches = text.lines().filter(|line| line.starts_with("tfd:"));
                count += watches.count() as u64;
                if count > most {
                    return Ok(count);
                }
            }
        }
    }
    Ok(count)
}
