//! Limits of each process, for what nothing else limits.

use std::fs;
use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::plan::Plan;

const MIB: u64 = 1 << 20;
/// Who is to be ended first where the machine has no memory left; 0 is usual, 1000 the most.
const FIRST_TO_GO: &str = "500";

/// Signals with data that may wait for the processes of a sandbox. Sandboxes without users of their own share a count, and
/// one that took all of it would leave no such signal to its opponent.
const WAITING_SIGNALS: u64 = 512;

/// Limits what the kernel counts for a user and its namespace together: before the namespace is made.
pub fn set_outside() -> io::Result<()> {
    limit(Resource::Sigpending, WAITING_SIGNALS)
}

/// Sets them for this process and all that it starts.
pub fn set(plan: &Plan) -> io::Result<()> {
    // Where it is refused, the arena is not better off than before.
    let _ = fs::write("/proc/self/oom_score_adj", FIRST_TO_GO);
    limit(Resource::Core, 0)?;
    limit(Resource::Memlock, MIB)?;
    limit(Resource::Msgqueue, 0)?;
    if !plan.sandbox.builds {
        limit(Resource::Nofile, open_files(plan.sandbox.processes))?;
    }
    if let Some(disk) = plan.sandbox.disk_mib {
        limit(Resource::Fsize, disk * MIB)?;
    }
    if plan.limits_each {
        // What may be written to, not what is reserved: Java and Node reserve far more than they use.
        if let Some(memory) = plan.sandbox.memory_mib {
            limit(Resource::Data, memory * MIB)?;
        }
        if let Some(processes) = plan.sandbox.processes {
            limit(Resource::Nproc, processes + of_this_user())?;
        }
    }
    Ok(())
}

/// How many files a process may have open, so that all processes together, each watching half of its files by the
/// other half, take a quarter at most of the watches that the kernel gives to a user (`epoll(7)`): another program of
/// the user, such as an opponent in Node, would not start.
fn open_files(processes: Option<u64>) -> u64 {
    let most = fs::read_to_string("/proc/sys/fs/epoll/max_user_watches").unwrap_or_default();
    let most: u64 = most.trim().parse().unwrap_or(1 << 20);
    let each = most / 4 / processes.unwrap_or(1024).max(1);
    (2 * each.isqrt()).clamp(64, 1024)
}

/// The kernel counts all processes of a user, those outside the box too, if the box has no users of its
/// own.
fn of_this_user() -> u64 {
    let Ok(ours) = procfs::process::Process::myself().and_then(|process| process.uid()) else {
        return 0;
    };
    let processes = procfs::process::all_processes()
        .into_iter()
        .flatten()
        .flatten();
    let threads = processes
        .filter(|process| process.uid().is_ok_and(|uid| uid == ours))
        .filter_map(|process| process.stat().ok())
        .map(|stat| stat.num_threads.max(0) as u64);
    threads.sum()
}

fn limit(what: Resource, most: u64) -> io::Result<()> {
    Ok(setrlimit(
        what,
        Rlimit {
            current: Some(most),
            maximum: Some(most),
        },
    )?)
}
