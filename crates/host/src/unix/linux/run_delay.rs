//! How long a process was ready to run but did not run: the machine's share in a late answer.
//!
//! The kernel counts it for every thread (`/proc/PID/schedstat`, second figure, in ns; see
//! `Documentation/scheduler/sched-stats.rst`). Here it is that of a process's first thread, which
//! does the work in most programs.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::process::Pid;

/// The counter of one process, kept open so that it can be read for every question.
#[derive(Debug)]
pub struct RunDelay(Option<File>);

impl RunDelay {
    /// That of the process `pid`. Where the kernel keeps no such count it is 0.
    pub fn of(pid: Pid) -> RunDelay {
        RunDelay(File::open(format!("/proc/{}/schedstat", pid.as_raw_pid())).ok())
    }

    /// Since the process began.
    pub fn read(&self) -> Duration {
        let count = || {
            let mut buffer = [0; 64];
            let length = self.0.as_ref()?.read_at(&mut buffer, 0).ok()?;
            second_figure(std::str::from_utf8(&buffer[..length]).ok()?)
        };
        Duration::from_nanos(count().unwrap_or(0))
    }
}

fn second_figure(text: &str) -> Option<u64> {
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_figure_is_the_wait() {
        assert_eq!(second_figure("636866 45353 3\n"), Some(45353));
        assert_eq!(second_figure(""), None);
    }
}
