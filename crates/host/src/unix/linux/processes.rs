//! The kernel's data on processes: clocks, states, relatives and ends. Most functions read the data of all processes,
//! so they are slow. A [`CpuClock`] and a [`RunDelay`] are cheap.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use procfs::process::{self, Stat};
use rustix::process::{
    Pid, PidfdFlags, RawPid, Signal, kill_process, pidfd_open, pidfd_send_signal,
    set_parent_process_death_signal,
};

use super::super::reaper::Tag;
use crate::CoreTime;

/// A descriptor that can be read once the process has ended.
#[derive(Debug)]
pub struct Life(OwnedFd);

impl Life {
    pub fn of(pid: Pid) -> io::Result<Life> {
        Ok(Life(pidfd_open(pid, PidfdFlags::empty())?))
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Asks the system to send this signal to this process when the thread that started this process ends. So a thread must
/// outlive the processes that it starts.
pub fn die_with_parent(signal: Signal) -> io::Result<()> {
    Ok(set_parent_process_death_signal(Some(signal))?)
}

#[derive(Debug)]
pub struct CpuClock(Option<ClockId>);

impl CpuClock {
    pub fn of(pid: Pid) -> CpuClock {
        let pid = nix::unistd::Pid::from_raw(pid.as_raw_pid());
        CpuClock(ClockId::pid_cpu_clock_id(pid).ok())
    }

    pub fn read(&self) -> Option<Duration> {
        Some(Duration::from(clock_gettime(self.0?).ok()?))
    }
}

pub fn thread_cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// The times for which a thread ran, and for which it was ready but did not run (the machine's share in a late answer).
///
/// The kernel counts both, in ns (`/proc/PID/schedstat`; `Documentation/scheduler/sched-stats.rst`). The file of a
/// process holds the counts of its first thread, which does the work in most programs. It stays open for the next read.
#[derive(Debug)]
pub struct RunDelay(Option<File>);

impl RunDelay {
    /// Opens the counts of the process. If the kernel does not count these times, they are 0.
    pub fn of(pid: Pid) -> RunDelay {
        RunDelay(File::open(format!("/proc/{}/schedstat", pid.as_raw_pid())).ok())
    }

    pub fn read(&self) -> CoreTime {
        let count = || {
            let mut buffer = [0; 64];
            let length = self.0.as_ref()?.read_at(&mut buffer, 0).ok()?;
            figures(std::str::from_utf8(&buffer[..length]).ok()?)
        };
        count().unwrap_or_default()
    }
}

pub fn thread_core_time() -> CoreTime {
    thread_local! {
        static OWN: RunDelay = RunDelay(File::open("/proc/thread-self/schedstat").ok());
    }
    OWN.with(RunDelay::read)
}

fn figures(text: &str) -> Option<CoreTime> {
    let mut figures = text.split_ascii_whitespace().map(str::parse);
    let mut next = || Some(Duration::from_nanos(figures.next()?.ok()?));
    Some(CoreTime {
        ran: next()?,
        waited: next()?,
    })
}

/// Returns how often the first thread of the process has given up its core voluntarily (to sleep, to read).
pub fn sleeps(pid: Pid) -> u64 {
    let status = process::Process::new(pid.as_raw_pid()).and_then(|process| process.status());
    let count = status
        .ok()
        .and_then(|status| status.voluntary_ctxt_switches);
    count.unwrap_or_default()
}

/// Returns whether any thread of the process runs or is ready: a program in Java does not run in its first thread.
pub fn is_ready(pid: Pid) -> bool {
    has_thread_in(pid.as_raw_pid(), &['R'])
}

pub fn is_at_work(pid: RawPid) -> bool {
    has_thread_in(pid, &['R', 'D'])
}

pub fn is_group_at_work(leader: Pid) -> bool {
    is_at_work(leader.as_raw_pid()) || members(leader).any(|stat| is_at_work(stat.pid))
}

fn has_thread_in(pid: RawPid, states: &[char]) -> bool {
    let threads = process::Process::new(pid).and_then(|process| process.tasks());
    let mut stats = threads.into_iter().flatten().flatten();
    stats.any(|thread| thread.stat().is_ok_and(|stat| states.contains(&stat.state)))
}

/// Returns whether members of the group of `leader` may have missed a SIGCONT; false if the leader has stopped itself.
pub fn can_lose_signals(leader: Pid) -> bool {
    let stat = process::Process::new(leader.as_raw_pid()).and_then(|process| process.stat());
    stat.is_ok_and(|stat| stat.state != 'T')
}

pub fn child_of(pid: Pid) -> Option<Pid> {
    let process = process::Process::new(pid.as_raw_pid()).ok()?;
    let children = process.task_main_thread().ok()?.children().ok()?;
    children
        .into_iter()
        .find_map(|child| Pid::from_raw(child as i32))
}

/// Returns the CPU time of the process group without its leader. Includes ended children that were waited for.
pub fn cpu_of_children(leader: Pid) -> Duration {
    let itself = process::Process::new(leader.as_raw_pid()).and_then(|process| process.stat());
    let ended = itself.map_or(Duration::ZERO, |stat| cpu_of_reaped(&stat));
    let living = members(leader).map(|stat| cpu_of(&stat) + cpu_of_reaped(&stat));
    ended + living.sum::<Duration>()
}

/// Returns the process's CPU time, by its exact clock if possible: ticks of 10 ms miss most of a short process's time.
pub fn cpu_of(stat: &Stat) -> Duration {
    let clock = Pid::from_raw(stat.pid).and_then(|pid| CpuClock::of(pid).read());
    clock.unwrap_or_else(|| of_ticks(stat.utime + stat.stime))
}

pub fn cpu_of_reaped(stat: &Stat) -> Duration {
    of_ticks((stat.cutime + stat.cstime).max(0) as u64)
}

pub fn of_ticks(ticks: u64) -> Duration {
    Duration::from_millis(ticks * 1000 / procfs::ticks_per_second())
}

pub fn children_of(leader: Pid) -> usize {
    let lives = |stat: &Stat| !matches!(stat.state, 'Z' | 'X');
    members(leader).filter(lives).count()
}

fn members(leader: Pid) -> impl Iterator<Item = Stat> {
    let leader = leader.as_raw_pid();
    let processes = process::all_processes().into_iter().flatten().flatten();
    processes
        .filter(move |process| process.pid != leader)
        .filter_map(|process| process.stat().ok())
        .filter(move |stat| stat.pgrp == leader)
}

pub fn peak_memory_kib(pid: Pid) -> Option<u64> {
    let process = process::Process::new(pid.as_raw_pid()).ok()?;
    process.status().ok()?.vmhwm
}

/// Returns the living descendants of a process. The time for this depends on them alone, and not on the other processes
/// of the machine, because a bot is charged for it.
pub fn descendants(ancestor: Pid) -> Vec<Stat> {
    let mut found: BTreeMap<RawPid, Stat> = BTreeMap::new();
    let mut parents = vec![ancestor.as_raw_pid()];
    while let Some(parent) = parents.pop() {
        let Ok(children) = forked_by(parent) else {
            return descendants_among_all(ancestor);
        };
        for child in children {
            let stat = process::Process::new(child).and_then(|process| process.stat());
            if let Ok(stat) = stat
                && found.insert(child, stat).is_none()
            {
                parents.push(child);
            }
        }
    }
    found.into_values().collect()
}

/// Returns the children of a process's threads; none if the process has ended. Fails if the kernel has no such lists.
pub fn forked_by(process: RawPid) -> io::Result<Vec<RawPid>> {
    let tasks = match fs::read_dir(format!("/proc/{process}/task")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        tasks => tasks?,
    };
    let mut children = Vec::new();
    for task in tasks.flatten() {
        match fs::read_to_string(task.path().join("children")) {
            // This thread has ended. For a thread that still exists, the error means that the kernel has no such lists.
            Err(_) if !task.path().exists() => {}
            list => {
                let list = list?;
                children.extend(list.split_ascii_whitespace().flat_map(str::parse::<RawPid>));
            }
        }
    }
    Ok(children)
}

fn descendants_among_all(ancestor: Pid) -> Vec<Stat> {
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

/// Sends the signal to all [`descendants`], including those that are started during the call.
pub fn signal_descendants(ancestor: Pid, signal: Signal) {
    let mut reached = BTreeSet::new();
    loop {
        let before = reached.len();
        let living = descendants(ancestor)
            .into_iter()
            .filter(|stat| stat.state != 'Z');
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

pub fn count_tagged(tag: &Tag) -> usize {
    tagged(tag).count()
}

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
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|&pid| has_tag(tag, pid))
}

/// Reads the environment as it was when the program began; a zombie has none.
fn has_tag(tag: &Tag, pid: RawPid) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    tag.is_in(&environment)
}

/// Returns false if the process has ended, or if another process has its number by now.
fn kill(tag: &Tag, pid: RawPid) -> bool {
    let process = Pid::from_raw(pid).map(|pid| pidfd_open(pid, PidfdFlags::empty()));
    let Some(Ok(process)) = process else {
        return false;
    };
    has_tag(tag, pid) && pidfd_send_signal(process, Signal::KILL).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_figure_is_the_wait() {
        let counted = CoreTime {
            ran: Duration::from_nanos(636_866),
            waited: Duration::from_nanos(45_353),
        };
        assert_eq!(figures("636866 45353 3\n"), Some(counted));
        assert_eq!(figures(""), None);
    }
}
