//! What a scheduler gave this process of the machine it runs on.

use std::fs;
use std::num::NonZero;

/// The share of the machine that a shard may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// Cores.
    pub cores: usize,
    /// Whether they are certain cores, which games can be pinned to; a share of the time of all cores is
    /// not.
    pub pinned: bool,
}

impl Room {
    /// That of this process: what the scheduler says, but no more than the system lets it have.
    pub fn here() -> Room {
        let allowed = std::thread::available_parallelism().map_or(1, NonZero::get);
        let said = std::env::var("SLURM_CPUS_PER_TASK").ok();
        let said = said.and_then(|cores| cores.parse().ok());
        let quota = fs::read_to_string("/sys/fs/cgroup/cpu.max").unwrap_or_default();
        Room::of(allowed, said, &quota)
    }

    /// `quota` is the text of a control group's `cpu.max` (Documentation/admin-guide/cgroup-v2.rst).
    fn of(allowed: usize, said: Option<usize>, quota: &str) -> Room {
        let said = said.filter(|&cores| cores > 0).unwrap_or(allowed);
        Room {
            cores: said.min(allowed).max(1),
            pinned: quota.is_empty() || quota.starts_with("max"),
        }
    }
}

/// The machine's name, as the scheduler calls it. What a container is called says nothing, so the job
/// for Kubernetes names the node in `ARENA_MACHINE`.
pub(super) fn name() -> String {
    let named = ["ARENA_MACHINE", "SLURMD_NODENAME"].map(|name| std::env::var(name).ok());
    let named = named.into_iter().flatten().find(|name| !name.is_empty());
    let name = named.or_else(|| fs::read_to_string("/proc/sys/kernel/hostname").ok());
    let name = name.or_else(|| std::env::var("HOSTNAME").ok());
    name.map_or_else(|| "unknown".to_owned(), |name| name.trim().to_owned())
}

/// Tasks that want to run, averaged over a minute; 0 where the system does not say.
pub(super) fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split(' ').next();
    first.and_then(|load| load.parse().ok()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_takes_what_it_was_given_and_no_more() {
        for (allowed, said, quota, cores, pinned) in [
            (8, None, "", 8, true),
            (8, Some(2), "max 100000\n", 2, true),
            (2, Some(8), "", 2, true),
            (3, None, "300000 100000\n", 3, false),
            (1, Some(0), "", 1, true),
        ] {
            let room = Room::of(allowed, said, quota);
            assert_eq!(room, Room { cores, pinned }, "{allowed} {said:?} {quota}");
        }
    }
}
