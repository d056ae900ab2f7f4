//! Notices each process that a program starts, where nothing counts the CPU time of its box as a whole: a
//! child that ended and whose parent does not wait for it leaves no trace in the kernel.
//!
//! A filter of system calls stops each call that makes a process until the keeper has seen it and lets it
//! continue (`Documentation/userspace-api/seccomp_filter.rst`, "Userspace Notification"). Threads pass: the
//! clock of a process counts them.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

use libc::{BPF_ABS, BPF_JEQ, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

/// Where `struct seccomp_data` has the number of the call, and the flags of `clone`.
const NUMBER: u32 = 0;
const FLAGS: u32 = if cfg!(target_endian = "little") {
    16
} else {
    20
};

/// The calls that make a process whatever their arguments are. The kernel does not know `clone3` in a box.
#[cfg(target_arch = "x86_64")]
const FORKS: [libc::c_long; 2] = [libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORKS: [libc::c_long; 0] = [];

/// The states of the other thread: it is to begin, it has begun, it has nothing to do. Any
/// other number is the descriptor of the listener.
const NOT_READY: RawFd = -3;
const READY: RawFd = -2;
const FAILED: RawFd = -1;

/// Calls that wait to be seen.
#[derive(Debug)]
pub struct Forks(OwnedFd);

impl Forks {
    /// Stops calls of the children of this thread from now on. The next process that this thread starts is
    /// the program itself, which is not seen.
    pub fn watch() -> io::Result<Forks> {
        rustix::thread::set_no_new_privs(true)?;
        // This thread would wait for itself; another one, begun before, has no filter. A thread that forks
        // holds the locks of the allocator, so the other one must not need them from here on.
        let state = Arc::new(AtomicI32::new(NOT_READY));
        let shared = Arc::clone(&state);
        thread::Builder::new().spawn(move || {
            shared.store(READY, Ordering::Release);
            while shared.load(Ordering::Acquire) == READY {
                thread::yield_now();
            }
            let _ = answer(shared.load(Ordering::Acquire));
        })?;
        while state.load(Ordering::Acquire) == NOT_READY {
            thread::yield_now();
        }
        let installed = install();
        let listener = installed.as_ref().map_or(FAILED, AsRawFd::as_raw_fd);
        state.store(listener, Ordering::Release);
        installed.map(Forks)
    }

    /// Lets the call that waits continue.
    pub fn pass(&self) -> io::Result<()> {
        answer(self.0.as_raw_fd())
    }
}

impl AsFd for Forks {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn filter() -> Vec<sock_filter> {
    let step = |code: u32, k: u32, jt: usize, jf: usize| sock_filter {
        code: code as u16,
        jt: jt as u8,
        jf: jf as u8,
        k,
    };
    let mut steps = vec![step(BPF_LD | BPF_W | BPF_ABS, NUMBER, 0, 0)];
    for (number, call) in FORKS.into_iter().enumerate() {
        // Over the other calls and the four steps after them.
        let to_the_end = FORKS.len() - 1 - number + 4;
        steps.push(step(BPF_JMP | BPF_JEQ | BPF_K, call as u32, to_the_end, 0));
    }
    steps.extend([
        step(BPF_JMP | BPF_JEQ | BPF_K, libc::SYS_clone as u32, 0, 2),
        step(BPF_LD | BPF_W | BPF_ABS, FLAGS, 0, 0),
        step(BPF_JMP | BPF_JSET | BPF_K, libc::CLONE_THREAD as u32, 0, 1),
        step(BPF_RET | BPF_K, libc::SECCOMP_RET_ALLOW, 0, 0),
        step(BPF_RET | BPF_K, libc::SECCOMP_RET_USER_NOTIF, 0, 0),
    ]);
    steps
}

fn install() -> io::Result<OwnedFd> {
    let mut steps = filter();
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

fn answer(listener: RawFd) -> io::Result<()> {
    #[expect(unsafe_code, reason = "no library has these requests")]
    // SAFETY: both structures are plain numbers, for which zeros are valid, and live until the calls return.
    unsafe {
        let mut call: libc::seccomp_notif = std::mem::zeroed();
        if libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut call) < 0 {
            return Err(io::Error::last_os_error());
        }
        let mut response: libc::seccomp_notif_resp = std::mem::zeroed();
        response.id = call.id;
        response.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
        if libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut response) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
