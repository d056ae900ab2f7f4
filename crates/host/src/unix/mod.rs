//! The implementation for Unix. What POSIX defines is here; the rest is in `linux` and `macos`, under the same names.
//! [`running`] is a process with its pipes; [`starter`] starts it. [`reaper`] kills leftovers if we are killed.

mod files;
#[cfg(target_os = "linux")]
#[path = "linux/mod.rs"]
mod kernel;
#[cfg(target_os = "macos")]
#[path = "macos/mod.rs"]
mod kernel;
#[cfg(all(test, target_os = "linux"))]
mod macos;
mod reaper;
mod roles;
mod running;
mod starter;

use std::{io, thread};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

pub use files::{
    copy_untrusted, free_bytes, is_of_another_user, let_execute, link, may_run, open_in_own,
    open_lock, own_folder, program_file, remove_all, stamp, unlist, usual_permissions,
};
pub use kernel::sandbox::{ask_runtimes, closed_for, free_memory_mib, look, open_in, probe};
pub use kernel::{
    LACKS, allowed_cores, is_from_another_user, load, machine_name, open_now, pin_to,
    processor_name, remote_file_system, shares_cores, system_name, thread_core_time,
    thread_cpu_time,
};
pub use roles::take_role_if_asked;
pub use running::{ProcessTree, SystemProcess};
pub use starter::{is_crash, limit_itself, most_open, refusal};

pub fn on_interrupt(mut heard: impl FnMut() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let hear = move || signals.forever().for_each(|_| heard());
    thread::Builder::new()
        .name("interrupts".to_owned())
        .spawn(hear)?;
    Ok(())
}

/// Returns `None`, because environment variables hold the language.
pub fn language() -> Option<String> {
    None
}

pub fn split_words(command: &str) -> Option<Vec<String>> {
    shlex::split(command)
}

pub fn join_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    // Fails only for a word with a zero byte, with which no system starts a program.
    shlex::try_join(words).unwrap_or_default()
}
