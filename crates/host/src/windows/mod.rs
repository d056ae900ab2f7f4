//! Windows.
//!
//! [`running`] is a process with its pipes in a [`job`], which ends with us however we end; it is
//! started by [`starter`]. What the system does not tell, as how long a process waited for its core,
//! is none.
//!
//! Only here the compiler cannot check what is done: the system's calls take pointers. Each such block
//! says why it is right.

#![expect(unsafe_code, reason = "the system is called by its C interface")]

mod affinity;
mod attributes;
mod command_line;
mod conhost;
mod console;
mod exit;
mod file_system;
mod interrupt;
mod job;
mod look_up;
mod machine;
mod memory;
mod pipe;
mod pipes;
mod process_clock;
mod reader;
mod running;
mod starter;
mod suspend;
mod threads;
mod transfer;
mod wait;
mod wide;
mod words;
mod writer;

pub use affinity::{allowed_cores, pin_to};
pub use console::take_role_if_asked;
pub use file_system::{
    copy_untrusted, free_bytes, is_closed_to_boxes, is_of_another_user, link, may_run, open_in_own,
    open_lock, others_may_change, own_folder, program_file, remote_file_system, remove_all, stamp,
    unlist, usual_permissions,
};
pub use interrupt::on_interrupt;
pub use job::Group;
pub use machine::{
    is_from_another_user, load, machine_name, most_open, open_now, processor_name, shares_cores,
    system_name,
};
pub use process_clock::{thread_core_time, thread_cpu_time};
pub use running::Running;
pub use starter::refusal;
pub use sys_locale::get_locale as language;
pub use words::{join_words, split_words};

pub use crate::no_box::{ask_runtimes, closed_for, look, open_in, probe};

/// `docs/windows.md` says what is missing; it is not told at every start.
pub const LACKS: &[&str] = &[];
