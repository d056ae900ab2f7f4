//! The implementation for Linux. The module `macos` defines the same names.

mod disks;
mod files;
mod machine;
mod processes;
pub mod sandbox;

pub use files::{open_through_own_links, open_up, remote_file_system};
pub use machine::{
    allowed_cores, has_other_formats, is_from_another_user, load, machine_name, open_now,
    own_program, pin_to, processor_name, shares_cores, system_name,
};
pub use processes::{
    CpuClock, Life, RunDelay, can_lose_signals, child_of, children_of, count_tagged,
    cpu_of_children, die_with_parent, is_group_at_work, is_ready, kill_tagged, peak_memory_kib,
    sleeps, thread_core_time, thread_cpu_time,
};

/// Whether a process can ask the system to end it with its parent.
pub const ENDS_WITH_PARENT: bool = true;

pub const LACKS: &[&str] = &[];
