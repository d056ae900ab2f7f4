//! The implementation for Windows.
//!
//! [`running`] is a process with its pipes in a [`job`], and ends when this process ends in any way; [`starter`] starts
//! it. Values that the system does not report, such as waits for a core, are zero or `None`.
//!
//! System calls take pointers, which the compiler cannot check, so each unsafe block has a comment on why it is sound.

#![expect(unsafe_code, reason = "the system is called by its C interface")]

mod command_line;
mod files;
mod job;
mod machine;
mod pipes;
mod running;
mod starter;

use std::ffi::OsStr;
use std::io;
use std::os::windows::ffi::OsStrExt;

pub use command_line::{join_words, split_words};
pub use files::{
    copy_untrusted, free_bytes, is_of_another_user, let_execute, link, may_run, open_in_own,
    open_lock, own_folder, program_file, remote_file_system, remove_all, stamp, unlist,
    usual_permissions,
};
pub use job::{ProcessTree, thread_core_time, thread_cpu_time};
pub use machine::{
    is_from_another_user, load, machine_name, most_open, on_interrupt, open_now, processor_name,
    shares_cores, system_name, take_role_if_asked,
};
pub use running::SystemProcess;
pub use starter::{allowed_cores, pin_to, refusal};
pub use sys_locale::get_locale as language;

pub use crate::sandbox::none::{ask_runtimes, closed_for, free_memory_mib, look, open_in, probe};

/// Does nothing: on Windows, a limit belongs to a job, and no process can limit itself.
pub const fn limit_itself(_memory_mib: u64, _time: std::time::Duration) {}

/// Returns true, because a process that another one ends has an exit status of its own.
pub const fn is_crash(_reason: i32) -> bool {
    true
}

pub const LACKS: &[&str] =
    &["Windows does not report how long a bot waited for its core: play on a quiet machine"];

/// Returns UTF-16 with a zero at the end. Fails for a text with a zero inside, because the system would cut it there.
fn wide(text: &OsStr) -> io::Result<Vec<u16>> {
    let mut units: Vec<u16> = text.encode_wide().collect();
    if units.contains(&0) {
        let why = format!("{} contains a zero byte", text.to_string_lossy());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    units.push(0);
    Ok(units)
}

fn narrow(units: &[u16]) -> String {
    let length = units.iter().position(|&unit| unit == 0);
    String::from_utf16_lossy(&units[..length.unwrap_or(units.len())])
}
