//! What a scheduler gave this process of the machine it runs on.

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
        Room {
            cores: cores(allowed, said.and_then(|cores| cores.parse().ok())),
            pinned: !host::shares_cores(),
        }
    }
}

fn cores(allowed: usize, said: Option<usize>) -> usize {
    let said = said.filter(|&cores| cores > 0).unwrap_or(allowed);
    said.min(allowed).max(1)
}

/// The machine's name, as the scheduler calls it. What a container is called says nothing, so the job
/// for Kubernetes names the node in `ARENA_MACHINE`.
pub(super) fn name() -> String {
    let named = ["ARENA_MACHINE", "SLURMD_NODENAME"].map(|name| std::env::var(name).ok());
    let named = named.into_iter().flatten().find(|name| !name.is_empty());
    named.unwrap_or_else(host::machine_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_takes_what_it_was_given_and_no_more() {
        for (allowed, said, expected) in [
            (8, None, 8),
            (8, Some(2), 2),
            (2, Some(8), 2),
            (1, Some(0), 1),
        ] {
            assert_eq!(cores(allowed, said), expected, "{allowed} {said:?}");
        }
    }
}
