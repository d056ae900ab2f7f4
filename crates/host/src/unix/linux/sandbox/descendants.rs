//! The processes that a process has started, and those that they have, as far as the kernel's list says.

use std::collections::{BTreeMap, BTreeSet};

use procfs::process::{self, Stat};
use rustix::process::{Pid, RawPid, Signal, kill_process};

/// All of them that live. Reads the list of all processes of the machine.
pub fn of(ancestor: Pid) -> Vec<Stat> {
    let mut all: BTreeMap<RawPid, Vec<Stat>> = BTreeMap::new();
    let processes = process::all_processes().into_iter().flatten().flatten();
    for stat in processes.filter_map(|process| process.stat().ok()) {
        all.entry(stat.ppid).or_default().push(stat);
    }
    let mut found = all.remove(&ancestor.as_raw_pid()).unwrap_or_default();
    let mut next = 0;
    while next < found.len() {
        let further = all.remove(&found[next].pid).unwrap_or_default();
        found.extend(further);
        next += 1;
    }
    found
}

/// Sends the signal to all of them, those that are started meanwhile, too.
pub fn signal_all(ancestor: Pid, signal: Signal) {
    let mut reached = BTreeSet::new();
    loop {
        let before = reached.len();
        let living = of(ancestor).into_iter().filter(|stat| stat.state != 'Z');
        for pid in living.filter_map(|stat| Pid::from_raw(stat.pid)) {
            if reached.insert(pid.as_raw_pid()) {
                let _ = kill_process(pid, signal);
            }
        }
        if reached.len() == before {
            return;
        }
    }
}
