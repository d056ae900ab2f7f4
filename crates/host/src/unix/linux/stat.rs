//! The kernel's data on processes. Use it rarely: most functions read the data of all processes.

use std::time::Duration;

use procfs::process::{self, Stat};
use rustix::process::{Pid, RawPid};

use super::CpuClock;

/// Whether a thread of the process runs or is ready to. The first thread alone says nothing of Java,
/// whose program runs in another.
pub fn is_ready(pid: Pid) -> bool {
    has_thread_in(pid.as_raw_pid(), &['R'])
}

/// Whether a thread of the process runs, or waits for a core or for a disk.
pub fn is_at_work(pid: RawPid) -> bool {
    has_thread_in(pid, &['R', 'D'])
}

/// Whether a member of the process group that `leader` leads is at work.
pub fn is_group_at_work(leader: Pid) -> bool {
    is_at_work(leader.as_raw_pid()) || members(leader).any(|stat| is_at_work(stat.pid))
}

fn has_thread_in(pid: RawPid, states: &[char]) -> bool {
    let threads = process::Process::new(pid).and_then(|process| process.tasks());
    let mut stats = threads.into_iter().flatten().flatten();
    stats.any(|thread| thread.stat().is_ok_and(|stat| states.contains(&stat.state)))
}

/// Whether members of the group of this leader may have missed a SIGCONT: not if the leader itself is stopped.
pub fn can_lose_signals(leader: Pid) -> bool {
    let stat = process::Process::new(leader.as_raw_pid()).and_then(|process| process.stat());
    stat.is_ok_and(|stat| stat.state != 'T')
}

/// A child that its first thread has started and not waited for.
pub fn child_of(pid: Pid) -> Option<Pid> {
    let process = process::Process::new(pid.as_raw_pid()).ok()?;
    let children = process.task_main_thread().ok()?.children().ok()?;
    children
        .into_iter()
        .find_map(|child| Pid::from_raw(child as i32))
}

/// CPU time that all members of the process group which `leader` leads have used in their lives, and
/// children that have ended and that it has waited for; the leader's own left out.
pub fn cpu_of_children(leader: Pid) -> Duration {
    let itself = process::Process::new(leader.as_raw_pid()).and_then(|process| process.stat());
    let ended = itself.map_or(Duration::ZERO, |stat| cpu_of_reaped(&stat));
    let living = members(leader).map(|stat| cpu_of(&stat) + cpu_of_reaped(&stat));
    ended + living.sum::<Duration>()
}

/// CPU time that the process has used itself. Its clock is exact; the list has ticks of 10 ms, in which
/// many that live for a moment get lost.
pub fn cpu_of(stat: &Stat) -> Duration {
    let clock = Pid::from_raw(stat.pid).and_then(|pid| CpuClock::of(pid).read());
    clock.unwrap_or_else(|| of_ticks(stat.utime + stat.stime))
}

/// CPU time of children that it has waited for, and theirs.
pub fn cpu_of_reaped(stat: &Stat) -> Duration {
    of_ticks((stat.cutime + stat.cstime).max(0) as u64)
}

fn of_ticks(ticks: u64) -> Duration {
    Duration::from_millis(ticks * 1000 / procfs::ticks_per_second())
}

/// Members of that group that live, the leader left out.
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

/// The most memory the process has had at a time, in KiB.
pub fn peak_memory_kib(pid: Pid) -> Option<u64> {
    let process = process::Process::new(pid.as_raw_pid()).ok()?;
    process.status().ok()?.vmhwm
}
