//! The watches of `epoll(7)`. Each user has a limited number, which all sandboxes of the user share. Without free
//! watches, a program in Node does not start.
//!
//! No limit of the kernel bounds the watches of one sandbox. An `epoll` can watch a file once for each descriptor
//! number, so a process with n descriptors can have about n³/4. Therefore a filter suspends each call for a new watch
//! until the supervisor has counted it (`Documentation/userspace-api/seccomp_filter.rst`, "Userspace Notification").
//! The supervisor does not see when a watch ends; once its count reaches the sandbox's share, it counts all watches.
//!
//! A signal interrupts a suspended call, which then returns `EINTR` if the signal has a handler without `SA_RESTART`.
//! So the supervisor does not watch starts of processes in this way: no program expects `EINTR` from `fork`.

use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;

use libc::{BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

use super::super::processes::descendants;

/// The number of sandboxes that can have their share at a time.
const SHARES: u64 = 256;
const NUMBER: u32 = 0;
/// The offset of the lower half of the second argument in `seccomp_data`.
const OPERATION: u32 = if cfg!(target_endian = "little") {
    24
} else {
    28
};

pub struct Watches {
    listener: OwnedFd,
    share: u64,
    made: u64,
    /// Whether further watches are refused: at the last count, the sandbox had more than half of its share. A count at
    /// each attempt would keep the supervisor busy.
    is_closed: bool,
}

impl Watches {
    /// From now on, suspends each call by which this thread or its children make a new watch.
    pub fn listen() -> io::Result<Watches> {
        rustix::thread::set_no_new_privs(true)?;
        let most = fs::read_to_string("/proc/sys/fs/epoll/max_user_watches").unwrap_or_default();
        Ok(Watches {
            listener: install_filter()?,
            share: most.trim().parse().unwrap_or(1 << 20) / SHARES,
            made: 0,
            is_closed: false,
        })
    }

    /// Answers a suspended call: continues it, or makes it fail as if the user had no watches left.
    pub fn answer(&mut self) {
        // Both requests fail if the caller has been killed.
        if let Ok(id) = next_call(self.listener.as_raw_fd()) {
            let error = if self.may_add() { 0 } else { -libc::ENOSPC };
            let _ = answer_call(self.listener.as_raw_fd(), id, error);
        }
    }

    fn may_add(&mut self) -> bool {
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

impl AsFd for Watches {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }
}

/// Installs a filter that reports each call for a new watch. Returns its listener.
fn install_filter() -> io::Result<OwnedFd> {
    let step = |code: u32, k: u32, jt: u8, jf: u8| sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    };
    let mut steps = [
        step(BPF_LD | BPF_W | BPF_ABS, NUMBER, 0, 0),
        step(BPF_JMP | BPF_JEQ | BPF_K, libc::SYS_epoll_ctl as u32, 0, 2),
        step(BPF_LD | BPF_W | BPF_ABS, OPERATION, 0, 0),
        step(BPF_JMP | BPF_JEQ | BPF_K, libc::EPOLL_CTL_ADD as u32, 1, 0),
        step(BPF_RET | BPF_K, libc::SECCOMP_RET_ALLOW, 0, 0),
        step(BPF_RET | BPF_K, libc::SECCOMP_RET_USER_NOTIF, 0, 0),
    ];
    let program = libc::sock_fprog {
        len: steps.len() as u16,
        filter: steps.as_mut_ptr(),
    };
    #[expect(unsafe_code, reason = "no library has filters with a listener")]
    // SAFETY: the program and its steps live until the call returns, and the new descriptor is ours.
    unsafe {
        let listener = libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            ptr::from_ref(&program),
        );
        if listener < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(OwnedFd::from_raw_fd(listener as RawFd))
    }
}

fn next_call(listener: RawFd) -> io::Result<u64> {
    #[expect(unsafe_code, reason = "no library has this request")]
    // SAFETY: the structure is plain numbers, for which zeros are valid, and lives until the call returns.
    unsafe {
        let mut call: libc::seccomp_notif = std::mem::zeroed();
        if libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut call) < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(call.id)
    }
}

/// Continues a suspended call if `error` is 0; otherwise makes it return this error, a negative number.
fn answer_call(listener: RawFd, id: u64, error: i32) -> io::Result<()> {
    #[expect(unsafe_code, reason = "no library has this request")]
    // SAFETY: as in `next_call`.
    unsafe {
        let mut response: libc::seccomp_notif_resp = std::mem::zeroed();
        response.id = id;
        response.error = error;
        if error == 0 {
            response.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
        }
        if libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut response) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Counts the watches that the sandbox has, until there are more than `most`. Fails if they cannot be read.
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
