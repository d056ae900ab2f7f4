//! How long a thread ran, and how long it was ready to run but did not: the machine's share in a late
//! answer.
//!
//! The kernel counts both for every thread (`/proc/PID/schedstat`, in ns; see
//! `Documentation/scheduler/sched-stats.rst`). Of a process it is those of its first thread, which does
//! the work in most programs.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::process::Pid;

use crate::CoreTime;

/// The counters of one thread, kept open so that they can be read for every question.
#[derive(Debug)]
pub struct RunDelay(Option<File>);

impl RunDelay {
    /// Those of the first thread of the process `pid`. Where the kernel keeps no such counts they are 0.
    pub fn of(pid: Pid) -> RunDelay {
        RunDelay(File::open(format!("/proc/{}/schedstat", pid.as_raw_pid())).ok())
    }

    /// Returns both since the thread began.
    pub fn read(&self) -> CoreTime {
        let count = || {
            let mut buffer = [0; 64];
            let length = self.0.as_ref()?.read_at(&mut buffer, 0).ok()?;
            figures(std::str::from_utf8(&buffer[..length]).ok()?)
        };
        count().unwrap_or_default()
    }
}

/// Returns the counts of the calling thread.
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
