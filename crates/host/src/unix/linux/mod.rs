//! What only Linux has, or has in its own way: a file for each. `macos` has the same names.

mod affinity;
mod cpu_clock;
mod file_system;
mod formats;
mod life;
mod machine;
mod peer;
mod run_delay;
pub mod sandbox;
mod stat;
mod tagged;
mod way;

pub use affinity::{allowed_cores, pin_to};
pub use cpu_clock::{CpuClock, thread_cpu_time};
pub use file_system::{open_up, remote_file_system};
pub use formats::has_other_formats;
pub use life::{Life, die_with_parent};
pub use machine::{
    load, machine_name, open_now, ourselves, processor_name, shares_cores, system_name,
};
pub use peer::is_from_another_user;
pub use run_delay::{RunDelay, thread_core_time};
pub use stat::{
    can_lose_signals, child_of, children_of, cpu_of_children, is_group_at_work, is_ready,
    peak_memory_kib,
};
pub use tagged::{count_tagged, kill_tagged};
pub use way::open_through_own_links;

/// Whether a process can ask the system to end it with the one that started it.
pub const ENDS_WITH_PARENT: bool = true;

/// What a user is told when a run starts: nothing is missing.
pub const LACKS: &[&str] = &[];
