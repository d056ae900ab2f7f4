//! Which system calls the program may make: those in [`USUAL`] and no others, and of some of them only
//! harmless forms.
//!
//! Two filters do it. The first knows what is allowed; anything else does not exist (`ENOSYS`), so that
//! libraries fall back to what there is, as they do on an older kernel: this is why `clone3`, whose flags
//! no filter can see, is left out. The second refuses (`EPERM`) what a program should know that it may
//! not. Filters are inherited by all that the program starts.

use std::collections::BTreeMap;
use std::io;

use libc::{SYS_clone, SYS_ioctl, SYS_prlimit64, SYS_socket, SYS_socketpair, c_long};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen::Dword, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};

use super::plan::Plan;
use crate::Tier;

mod lists;

use lists::{OF_FILES, PRIORITIES, SIGNALS, USUAL};

/// Flags of `clone` that make namespaces.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];
/// Requests that write into a terminal as if somebody had typed it: `TIOCSTI`, `TIOCLINUX`.
const TYPING: [u64; 2] = [0x5412, 0x541c];

/// The request of `fcntl` that chooses a signal (asm-generic/fcntl.h); `libc` does not name it.
const F_SETSIG: u64 = 10;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Both filters. `keeps_signals`: the kernel keeps the program's signals in its box.
pub fn filters(plan: &Plan, keeps_signals: bool) -> io::Result<[BpfProgram; 2]> {
    let own_files = plan.sandbox.builds || plan.sandbox.tier == Tier::Strict;
    let files: &[c_long] = if own_files { OF_FILES } else { &[] };
    let refused = refused(plan, keeps_signals)?;
    let listed = USUAL.iter().chain(files).chain(PRIORITIES).chain(SIGNALS);
    let allowed: Rules = listed
        .map(|&call| (call, Vec::new()))
        .chain(refused.keys().map(|&call| (call, Vec::new())))
        .collect();
    Ok([
        program(refused, SeccompAction::Allow, libc::EPERM)?,
        allow(allowed)?,
    ])
}

/// Enters them. To be called last, before the process becomes the program.
pub fn enter(filters: &[BpfProgram; 2]) -> io::Result<()> {
    filters
        .iter()
        .try_for_each(|filter| seccompiler::apply_filter(filter).map_err(io::Error::other))
}

fn refused(plan: &Plan, keeps_signals: bool) -> io::Result<Rules> {
    let mut rules: Rules = PRIORITIES.iter().map(|&call| (call, Vec::new())).collect();
    let flags = NAMESPACES.into_iter().map(|flag| {
        let flag = u64::from(flag as u32);
        rule([(0, SeccompCmpOp::MaskedEq(flag), flag)])
    });
    rules.insert(SYS_clone, flags.collect::<io::Result<_>>()?);
    let typing = TYPING.map(|request| rule([(1, SeccompCmpOp::Eq, request)]));
    rules.insert(SYS_ioctl, typing.into_iter().collect::<io::Result<_>>()?);
    // A signal that lets it go on, sent to itself by the kernel while it is stopped; for the same reason it
    // has no timers that send signals but those of `setitimer`.
    let signals = rule([(1, SeccompCmpOp::Eq, F_SETSIG)])?;
    rules.insert(libc::SYS_fcntl, vec![signals]);
    // Limits of oneself only.
    rules.insert(SYS_prlimit64, vec![rule([(0, SeccompCmpOp::Ne, 0)])?]);
    let unix = libc::AF_UNIX as u64;
    rules.insert(SYS_socketpair, vec![rule([(0, SeccompCmpOp::Ne, unix)])?]);
    let sockets = if plan.sandbox.network {
        let families = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
        let other = families.map(|family| (0, SeccompCmpOp::Ne, family as u64));
        let routes = libc::NETLINK_ROUTE as u64;
        let netlink = libc::AF_NETLINK as u64;
        vec![
            rule(other)?,
            rule([
                (0, SeccompCmpOp::Eq, netlink),
                (2, SeccompCmpOp::Ne, routes),
            ])?,
        ]
    } else {
        Vec::new()
    };
    rules.insert(SYS_socket, sockets);
    if plan.sandbox.tier == Tier::Standard && !keeps_signals {
        // Every process of the user could be reached; so the program may send signals to itself alone.
        let own = u64::from(std::process::id());
        for &call in SIGNALS {
            let rules = rules.entry(call).or_default();
            if call == libc::SYS_kill || call == libc::SYS_tgkill {
                rules.push(rule([
                    (0, SeccompCmpOp::Ne, own),
                    (0, SeccompCmpOp::Ne, 0),
                ])?);
            }
        }
    }
    Ok(rules)
}

fn rule<const N: usize>(conditions: [(u8, SeccompCmpOp, u64); N]) -> io::Result<SeccompRule> {
    let conditions = conditions.map(|(argument, how, value)| {
        SeccompCondition::new(argument, Dword, how, value).map_err(io::Error::other)
    });
    let conditions = conditions.into_iter().collect::<io::Result<_>>()?;
    SeccompRule::new(conditions).map_err(io::Error::other)
}

/// Calls that these rules match end in this error.
fn program(rules: Rules, otherwise: SeccompAction, error: i32) -> io::Result<BpfProgram> {
    compiled(rules, otherwise, SeccompAction::Errno(error as u32))
}

fn allow(rules: Rules) -> io::Result<BpfProgram> {
    let otherwise = SeccompAction::Errno(libc::ENOSYS as u32);
    compiled(rules, otherwise, SeccompAction::Allow)
}

fn compiled(
    rules: Rules,
    mismatch: SeccompAction,
    matched: SeccompAction,
) -> io::Result<BpfProgram> {
    let machine = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, mismatch, matched, machine).map_err(io::Error::other)?;
    BpfProgram::try_from(filter).map_err(io::Error::other)
}

/// Whether this machine's processor and kernel have such filters.
pub fn are_there() -> bool {
    let known = TargetArch::try_from(std::env::consts::ARCH).is_ok();
    known && std::path::Path::new("/proc/sys/kernel/seccomp/actions_avail").exists()
}
