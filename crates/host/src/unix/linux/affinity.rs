//! The cores that a thread may run on.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Those of the calling thread.
pub fn allowed_cores() -> Vec<usize> {
    sched_getaffinity(None).map_or_else(
        |_| Vec::new(),
        |allowed| {
            (0..CpuSet::MAX_CPU)
                .filter(|&core| allowed.is_set(core))
                .collect()
        },
    )
}

/// Lets the calling thread, and the processes it starts, run on these alone, if the system agrees.
pub fn pin_to(cores: impl Iterator<Item = usize>) {
    let mut set = CpuSet::new();
    cores.for_each(|core| set.set(core));
    let _ = sched_setaffinity(None, &set);
}
