//! The limits of each process of a box. They restrict what the control group of the box does not.

use std::fs;
use std::io;

use procfs::process::{Process, all_processes};
use rustix::process::{Resource, Rlimit, setrlimit};

use super::{MIB, Plan};
use crate::{Sandbox, Trust};

/// How much memory a process may reserve if no cgroup limits its memory.
const RESERVED_MIB: u64 = 128 << 10;
/// The `oom_score_adj` of a box's processes: the kernel kills them first if memory runs out (usual 0, highest 1000). It
/// kills hand-ins before test players, so that no hand-in wins because it fills the memory of the machine.
const FIRST_TO_GO: &str = "1000";
const NEXT_TO_GO: &str = "500";
/// The open files of a box. The limit of each process is this number divided by the number of processes, within bounds
/// (see [`open_files`]).
const OPEN_FILES: u64 = 1 << 16;
/// The most queued signals of a sandbox. Sandboxes without their own users share the user's limit, and a bot that used
/// it up would leave nothing for its opponent.
const WAITING_SIGNALS: u64 = 512;

/// Sets the limit of queued signals, which the kernel copies to a new user namespace. Call this before the box has one.
pub fn set_outside() -> io::Result<()> {
    set_limit(Resource::Sigpending, WAITING_SIGNALS)
}

pub fn set(plan: &Plan) -> io::Result<()> {
    let score = match plan.sandbox.trust {
        Trust::Stranger => FIRST_TO_GO,
        Trust::Own => NEXT_TO_GO,
    };
    // Fails if the arena's own value is higher and may not be lowered.
    let _ = fs::write("/proc/self/oom_score_adj", score);
    set_limit(Resource::Memlock, MIB)?;
    set_limit(Resource::Msgqueue, 0)?;
    set_limit(Resource::Nofile, open_files(&plan.sandbox, file_max()))?;
    if let Some(disk) = plan.sandbox.disk_mib {
        set_limit(Resource::Fsize, disk * MIB)?;
    }
    if plan.limits_each {
        // Limits the writable memory, not the reserved memory: Java and Node reserve far more than they use. But tables of
        // reserved memory take memory, too, one part in 512.
        if let Some(memory) = plan.sandbox.memory_mib {
            set_limit(Resource::Data, memory * MIB)?;
            set_limit(Resource::As, RESERVED_MIB * MIB)?;
        }
        if let Some(processes) = plan.sandbox.processes {
            set_limit(Resource::Nproc, processes + of_this_user())?;
        }
    }
    Ok(())
}

/// Returns the number of files that a process of the box may have open. Linkers need more than bots. All processes of
/// the box together leave most of the machine's open files (`file_max`) to other programs, which otherwise cannot start.
fn open_files(sandbox: &Sandbox, file_max: u64) -> u64 {
    let least = if sandbox.builds { 256 } else { 64 };
    let processes = sandbox.processes.unwrap_or(1024).max(1);
    let wanted = (OPEN_FILES / processes).clamp(least, 1024);
    wanted.min((file_max / 4 / processes).max(64))
}

fn file_max() -> u64 {
    let text = fs::read_to_string("/proc/sys/fs/file-max").unwrap_or_default();
    text.trim().parse().unwrap_or(u64::MAX)
}

/// Returns the number of this user's threads. The kernel also counts the threads of a box that has the same user.
fn of_this_user() -> u64 {
    let Ok(ours) = Process::myself().and_then(|process| process.uid()) else {
        return 0;
    };
    let processes = all_processes().into_iter().flatten().flatten();
    let threads = processes
        .filter(|process| process.uid().is_ok_and(|uid| uid == ours))
        .filter_map(|process| process.stat().ok())
        .map(|stat| stat.num_threads.max(0) as u64);
    threads.sum()
}

fn set_limit(what: Resource, most: u64) -> io::Result<()> {
    Ok(setrlimit(
        what,
        Rlimit {
            current: Some(most),
            maximum: Some(most),
        },
    )?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tier;

    #[test]
    fn a_build_on_a_small_machine_leaves_open_files_to_others() {
        let build = Sandbox {
            builds: true,
            processes: Some(1024),
            ..Sandbox::new(Tier::Strict)
        };
        assert_eq!(open_files(&build, 2_400_000), 256);
        assert_eq!(open_files(&build, 400_000), 97);
        assert_eq!(open_files(&build, 100_000), 64, "65,536 of 100,000");
    }
}
