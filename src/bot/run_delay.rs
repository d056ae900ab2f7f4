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

fn second_figure(text: &str) -> Option<u64> {
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The state comes after the name, which is in brackets and may hold any byte.
fn is_ready(stat: &[u8]) -> bool {
    let after = stat
        .iter()
        .rposition(|&byte| byte == b')')
        .map_or(0, |at| at + 1);
    stat[after..].trim_ascii_start().first() == Some(&b'R')
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
    fn the_state_follows_the_name() {
        assert!(is_ready(b"17 (my) R (bot) R 1 17 17 0"));
        assert!(!is_ready(b"17 (R) S 1 17 17 0"));
        assert!(!is_ready(b""));
    }
}
