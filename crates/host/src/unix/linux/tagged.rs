//! Processes that have a [`Tag`]: the kernel shows every process's environment as it was when its
//! program began.

use std::collections::BTreeSet;

use rustix::process::{Pid, PidfdFlags, RawPid, Signal, pidfd_open, pidfd_send_signal};

use super::super::tag::Tag;

/// How many processes have it.
pub fn count_tagged(tag: &Tag) -> usize {
    tagged(tag).count()
}

/// Kills every process that has it, those that are started meanwhile, too.
pub fn kill_tagged(tag: &Tag) {
    let mut killed = BTreeSet::new();
    loop {
        let before = killed.len();
        killed.extend(tagged(tag).filter(|&pid| kill(tag, pid)));
        if killed.len() == before {
            return;
        }
    }
}

fn tagged(tag: &Tag) -> impl Iterator<Item = RawPid> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|&pid| has(tag, pid))
}

/// A process that has ended and is not waited for yet has no environment any more.
fn has(tag: &Tag, pid: RawPid) -> bool {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    tag.is_in(&environment)
}

/// False where it is gone, or another has its number.
fn kill(tag: &Tag, pid: RawPid) -> bool {
    let process = Pid::from_raw(pid).map(|pid| pidfd_open(pid, PidfdFlags::empty()));
    let Some(Ok(process)) = process else {
        return false;
    };
    has(tag, pid) && pidfd_send_signal(process, Signal::KILL).is_ok()
}
