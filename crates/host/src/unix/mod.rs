//! Unix. What POSIX has stands here, what each system has in its own way in
//! `linux` and `macos`, under the same names.
//!
//! [`running`] is a process with its pipes; it is started by [`starter`], our own program once more,
//! and what it leaves behind when we are killed is ended by [`reaper`].

mod format;
mod interrupt;
#[cfg(target_os = "linux")]
#[path = "linux/mod.rs"]
mod kernel;
#[cfg(target_os = "macos")]
#[path = "macos/mod.rs"]
mod kernel;
/// What can be tested of it here.
#[cfg(all(test, target_os = "linux"))]
mod macos;
mod ourselves;
mod pipe;
mod reaper;
mod roles;
mod running;
mod starter;
mod tag;
mod words;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub use interrupt::on_interrupt;
pub use kernel::sandbox::look;
pub use kernel::{
    LACKS, allowed_cores, load, machine_name, open_now, pin_to, processor_name, remote_file_system,
    shares_cores, system_name, thread_cpu_time,
};
pub use ourselves::most_open;
pub use roles::take_role_if_asked;
pub use running::{Group, Running};
pub use starter::refusal;
pub use words::{join_words, split_words};

/// Names are whole.
pub fn program_file(path: &Path) -> PathBuf {
    path.to_owned()
}

/// Whether anybody may run the file.
pub fn may_run(path: &Path) -> bool {
    let mode = path.metadata().map(|data| data.permissions().mode());
    mode.is_ok_and(|mode| mode & 0o111 != 0)
}

/// Variables tell it here.
pub fn language() -> Option<String> {
    None
}

/// Read and written by all, as far as the user's mask lets them.
#[expect(
    clippy::unnecessary_wraps,
    reason = "other systems have nothing to say"
)]
pub fn usual_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o666))
}
