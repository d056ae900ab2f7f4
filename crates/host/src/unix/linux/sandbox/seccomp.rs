//! The system calls of a program: seccomp filters for the table [`allowed_calls`](super::allowed_calls), and a filter
//! that reports new processes and watches.
//!
//! There are three filters. The first allows the calls of the table; for any other it returns `ENOSYS`, so that
//! libraries fall back to older calls, as on an older kernel. The second allows the forms of the table and returns
//! `EPERM` for any other. The third makes some calls succeed without effect. All descendants inherit the filters.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

use libc::{BPF_ABS, BPF_JEQ, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};
use seccompiler::{
    BpfProgram, SeccompAction,
    SeccompCmpArgLen::{self, Dword, Qword},
    SeccompCmpOp::{self, Eq, MaskedEq},
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use super::Plan;
use super::allowed_calls::{GROUPS, LOCKS, Only, When};
use crate::Tier;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Makes the filters. `keeps_signals`: whether the kernel keeps the program's signals in its box.
pub fn filters(plan: &Plan, keeps_signals: bool) -> io::Result<[BpfProgram; 3]> {
    let is_strict = plan.sandbox.tier == Tier::Strict;
    let holds = |when| match when {
        When::Always => true,
        When::Builds => plan.sandbox.builds,
        When::Network => plan.sandbox.network,
        When::SignalsKept => keeps_signals || is_strict,
        When::SignalsNotKept => !keeps_signals && !is_strict,
    };
    let mut rules = Rules::new();
    let mut free = Vec::new();
    for group in GROUPS.iter().filter(|group| holds(group.when)) {
        for &call in group.calls {
            let forms = rules.entry(call).or_default();
            for form in group.forms {
                if form.is_empty() {
                    free.push(call);
                }
                forms.extend(conjunctions(form)?);
            }
        }
    }
    let known: Rules = rules.keys().map(|&call| (call, Vec::new())).collect();
    // To the library an empty list means any arguments, so a call without forms is removed.
    rules.retain(|_, forms| !forms.is_empty());
    // The other filters are entered after this one, by a call that is in no group.
    free.push(libc::SYS_seccomp);
    rules.extend(free.into_iter().map(|call| (call, Vec::new())));
    let locks = LOCKS
        .iter()
        .map(|(call, form)| Ok((*call, conjunctions(form)?)));
    let (done, undone) = (SeccompAction::Allow, SeccompAction::Errno(0));
    Ok([
        filter(
            rules,
            SeccompAction::Errno(libc::EPERM as u32),
            done.clone(),
        )?,
        filter(locks.collect::<io::Result<_>>()?, done.clone(), undone)?,
        filter(known, SeccompAction::Errno(libc::ENOSYS as u32), done)?,
    ])
}

/// Enters the filters. Must be the last step before the process becomes the program.
pub fn enter(filters: &[BpfProgram; 3]) -> io::Result<()> {
    filters
        .iter()
        .try_for_each(|filter| seccompiler::apply_filter(filter).map_err(io::Error::other))
}

/// Returns the rules of one form, one for each choice of values. A call is allowed if any rule matches.
fn conjunctions(form: &[Only]) -> io::Result<Vec<SeccompRule>> {
    let mut rules: Vec<Vec<SeccompCondition>> = vec![Vec::new()];
    for only in form {
        let choices: Vec<SeccompCondition> = match *only {
            Only::OneOf(argument, values) => values
                .iter()
                .map(|&value| condition(argument, Dword, Eq, value))
                .collect::<io::Result<_>>()?,
            Only::Bits(argument, bits) => {
                let others = MaskedEq(u64::from(!(bits as u32)));
                vec![condition(argument, Dword, others, 0)?]
            }
            Only::Null(argument) => vec![condition(argument, Qword, Eq, 0)?],
            Only::Own(argument) => [u64::from(std::process::id()), 0]
                .into_iter()
                .map(|value| condition(argument, Dword, Eq, value))
                .collect::<io::Result<_>>()?,
        };
        let with = |rule: &Vec<SeccompCondition>, choice: &SeccompCondition| {
            rule.iter().chain([choice]).cloned().collect()
        };
        rules = rules
            .iter()
            .flat_map(|rule| choices.iter().map(move |choice| with(rule, choice)))
            .collect();
    }
    let rules = rules.into_iter().filter(|rule| !rule.is_empty());
    rules
        .map(|rule| SeccompRule::new(rule).map_err(io::Error::other))
        .collect()
}

fn condition(
    argument: u8,
    length: SeccompCmpArgLen,
    how: SeccompCmpOp,
    value: u64,
) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, length, how, value).map_err(io::Error::other)
}

/// Makes a filter that does `then` for calls that match a rule, and `otherwise` for all others.
fn filter(rules: Rules, otherwise: SeccompAction, then: SeccompAction) -> io::Result<BpfProgram> {
    let machine = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, otherwise, then, machine);
    BpfProgram::try_from(filter.map_err(io::Error::other)?).map_err(io::Error::other)
}

pub fn is_supported() -> bool {
    let known = TargetArch::try_from(std::env::consts::ARCH).is_ok();
    known && Path::new("/proc/sys/kernel/seccomp/actions_avail").exists()
}

const NUMBER: u32 = 0;
/// The places of the lower halves of the first two arguments.
const FLAGS: u32 = if cfg!(target_endian = "little") {
    16
} else {
    20
};
const OPERATION: u32 = FLAGS + 8;

/// The system calls that always make a process. `clone3` does not exist in a box.
#[cfg(target_arch = "x86_64")]
const FORKS: [libc::c_long; 2] = [libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORKS: [libc::c_long; 0] = [];

/// States of the other thread. Any other number is the descriptor of the listener.
const NOT_READY: RawFd = -3;
const READY: RawFd = -2;
const FAILED: RawFd = -1;

/// A call that the keeper sees first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Fork,
    /// A new watch of `epoll(7)`.
    Watch,
}

/// A filter that suspends each [`Call`] until the keeper has seen it.
///
/// It is needed if nothing counts the CPU time of the box as a whole: a child for which no parent waits leaves no trace
/// in the kernel. It is also needed if the box shares the [watches](super::watches) of its user with others. The kernel
/// suspends the call until the keeper continues it (`Documentation/userspace-api/seccomp_filter.rst`, "Userspace
/// Notification"). New threads are not suspended, since the clock of a process counts them.
#[derive(Debug)]
pub struct CallWatch(OwnedFd);

impl CallWatch {
    /// Suspends such calls of this thread's children from now on. The next process that this thread starts is the
    /// program itself, whose start is allowed.
    pub fn watch() -> io::Result<CallWatch> {
        rustix::thread::set_no_new_privs(true)?;
        // The filter also suspends this thread's own fork, which this thread cannot continue itself. So a thread that
        // began before the filter does that. During a fork, this thread holds the locks of the allocator, so the other
        // must not allocate from here on.
        let state = Arc::new(AtomicI32::new(NOT_READY));
        let shared = Arc::clone(&state);
        thread::Builder::new().spawn(move || {
            shared.store(READY, Ordering::Release);
            while shared.load(Ordering::Acquire) == READY {
                thread::yield_now();
            }
            let listener = shared.load(Ordering::Acquire);
            let _ = next_call(listener).and_then(|(id, _)| answer_call(listener, id, 0));
        })?;
        while state.load(Ordering::Acquire) == NOT_READY {
            thread::yield_now();
        }
        let installed = install_call_filter();
        let listener = installed.as_ref().map_or(FAILED, AsRawFd::as_raw_fd);
        state.store(listener, Ordering::Release);
        installed.map(CallWatch)
    }

    /// Returns the number and the kind of a suspended call.
    pub fn next(&self) -> io::Result<(u64, Call)> {
        next_call(self.0.as_raw_fd())
    }

    /// Continues the call, or makes it fail as if there were no watches left.
    pub fn answer(&self, id: u64, is_allowed: bool) -> io::Result<()> {
        let error = if is_allowed { 0 } else { -libc::ENOSPC };
        answer_call(self.0.as_raw_fd(), id, error)
    }
}

impl AsFd for CallWatch {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Allows all calls except each [`Call`], which it reports.
fn call_filter() -> Vec<sock_filter> {
    let step = |code: u32, k: u32, jt: usize, jf: usize| sock_filter {
        code: code as u16,
        jt: jt as u8,
        jf: jf as u8,
        k,
    };
    let mut steps = vec![step(BPF_LD | BPF_W | BPF_ABS, NUMBER, 0, 0)];
    for (number, call) in FORKS.into_iter().enumerate() {
        // Skips the checks of the other calls and the seven steps after them.
        let to_the_end = FORKS.len() - 1 - number + 7;
        steps.push(step(BPF_JMP | BPF_JEQ | BPF_K, call as u32, to_the_end, 0));
    }
    steps.extend([
        step(BPF_JMP | BPF_JEQ | BPF_K, libc::SYS_clone as u32, 0, 2),
        step(BPF_LD | BPF_W | BPF_ABS, FLAGS, 0, 0),
        step(BPF_JMP | BPF_JSET | BPF_K, libc::CLONE_THREAD as u32, 3, 4),
        step(BPF_JMP | BPF_JEQ | BPF_K, libc::SYS_epoll_ctl as u32, 0, 2),
        step(BPF_LD | BPF_W | BPF_ABS, OPERATION, 0, 0),
        step(BPF_JMP | BPF_JEQ | BPF_K, libc::EPOLL_CTL_ADD as u32, 1, 0),
        step(BPF_RET | BPF_K, libc::SECCOMP_RET_ALLOW, 0, 0),
        step(BPF_RET | BPF_K, libc::SECCOMP_RET_USER_NOTIF, 0, 0),
    ]);
    steps
}

fn install_call_filter() -> io::Result<OwnedFd> {
    let mut steps = call_filter();
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

/// Waits for a suspended call.
fn next_call(listener: RawFd) -> io::Result<(u64, Call)> {
    #[expect(unsafe_code, reason = "no library has this request")]
    // SAFETY: the structure is plain numbers, for which zeros are valid, and lives until the call returns.
    let call = unsafe {
        let mut call: libc::seccomp_notif = std::mem::zeroed();
        if libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut call) < 0 {
            return Err(io::Error::last_os_error());
        }
        call
    };
    let is_watch = libc::c_long::from(call.data.nr) == libc::SYS_epoll_ctl;
    Ok((call.id, if is_watch { Call::Watch } else { Call::Fork }))
}

/// Continues a suspended call if `error` is 0.
fn answer_call(listener: RawFd, id: u64, error: i32) -> io::Result<()> {
    #[expect(unsafe_code, reason = "no library has this request")]
    // SAFETY: as above.
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
