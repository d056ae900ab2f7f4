//! How long a process was ready to run and was not let: the machine's share in a late answer.
//!
//! The kernel counts it for every thread (`/proc/PID/schedstat`, second figure, in ns; see
//! `Documentation/scheduler/sched-stats.rst`). Here it is that of a bot's first thread, which does
//! the thinking in all but a few bots.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::process::Pid;

/// The counter of one process, kept open so that it can be read for every question.
#[derive(Debug)]
pub(super) struct RunDelay {
    count: Option<File>,
    state: Option<File>,
}

impl RunDelay {
    /// That of the process `pid`. Where the kernel keeps no such count it is 0.
    pub fn of(pid: Pid) -> RunDelay {
        let open = |name| File::open(format!("/proc/{}/{name}", pid.as_raw_pid())).ok();
        RunDelay {
            count: open("schedstat"),
            state: open("stat"),
        }
    }

    /// Whether the process runs or is ready to. A wait that still goes on is not yet counted.
    pub fn is_ready(&self) -> bool {
        let mut buffer = [0; 256];
        let read = self
            .state
            .as_ref()
            .and_then(|file| file.read_at(&mut buffer, 0).ok());
        is_ready(&buffer[..read.unwrap_or(0)])
    }

    /// Since the process began.
    pub fn read(&self) -> Duration {
        let count = || {
            let mut buffer = [0; 64];
            let length = self.count.as_ref()?.read_at(&mut buffer, 0).ok()?;
            second_figure(std::str::from_utf8(&buffer[..length]).ok()?)
        };
        Duration::from_nanos(count().unwrap_or(0))
    }
}

/// CPU time that all members of the process group `leader` leads have used in their lives, the
/// leader's own left out. Looks through all processes of the machine, so it is for rare use.
pub(super) fn cpu_of_children(leader: Pid) -> Duration {
    let leader = leader.as_raw_pid().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ticks = processes
        .filter(|entry| entry.file_name() != *leader)
        .filter_map(|entry| std::fs::read(entry.path().join("stat")).ok())
        .filter_map(|stat| ticks_in_group(&stat, &leader))
        .sum::<u64>();
    Duration::from_millis(ticks * MS_A_TICK)
}

/// Members of the process group `leader` leads that live, the leader left out. For rare use, too.
pub(super) fn children_of(leader: Pid) -> usize {
    let leader = leader.as_raw_pid().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter(|entry| entry.file_name() != *leader)
        .filter_map(|entry| std::fs::read(entry.path().join("stat")).ok())
        .filter(|stat| lives_in_group(stat, &leader))
        .count()
}

fn lives_in_group(stat: &[u8], group: &str) -> bool {
    let is_dead = matches!(state(stat), Some(b'Z' | b'X'));
    !is_dead && ticks_in_group(stat, group).is_some()
}

/// The kernel tells CPU time of other processes in ticks of 1/100 s on every common machine.
const MS_A_TICK: u64 = 10;

/// User and system time of the process that `stat` describes, if it is in the group.
fn ticks_in_group(stat: &[u8], group: &str) -> Option<u64> {
    let after = stat.iter().rposition(|&byte| byte == b')')? + 1;
    let text = std::str::from_utf8(&stat[after..]).ok()?;
    // From the state on: state, parent, group, …; user and system time are the 12th and 13th.
    let mut fields = text.split_ascii_whitespace().skip(2);
    if fields.next()? != group {
        return None;
    }
    let mut times = fields.skip(8);
    let (user, system): (u64, u64) = (times.next()?.parse().ok()?, times.next()?.parse().ok()?);
    Some(user + system)
}

fn second_figure(text: &str) -> Option<u64> {
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

fn is_ready(stat: &[u8]) -> bool {
    state(stat) == Some(b'R')
}

/// The state comes after the name, which is in brackets and may hold any byte.
fn state(stat: &[u8]) -> Option<u8> {
    let after = stat
        .iter()
        .rposition(|&byte| byte == b')')
        .map_or(0, |at| at + 1);
    stat[after..].trim_ascii_start().first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_figure_is_the_wait() {
        assert_eq!(second_figure("636866 45353 3\n"), Some(45353));
        assert_eq!(second_figure(""), None);
    }

    #[test]
    fn the_times_of_a_group_are_found() {
        let stat = b"4242 (a) b) R 17 99 99 0 -1 4194304 85 0 0 0 120 30 0 0 20 0 1 0";
        assert_eq!(ticks_in_group(stat, "99"), Some(150));
        assert_eq!(ticks_in_group(stat, "17"), None);
        assert!(lives_in_group(stat, "99") && !lives_in_group(stat, "17"));
        let dead = String::from_utf8_lossy(stat).replace(") R ", ") Z ");
        assert!(!lives_in_group(dead.as_bytes(), "99"));
    }

    #[test]
    fn the_state_follows_the_name() {
        assert!(is_ready(b"17 (my) R (bot) R 1 17 17 0"));
        assert!(!is_ready(b"17 (R) S 1 17 17 0"));
        assert!(!is_ready(b""));
    }
}
