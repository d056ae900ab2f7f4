//! Unix. What POSIX has stands here, what each system has in its own way in
//! `linux` and `macos`, under the same names.
//!
//! [`running`] is a process with its pipes; it is started by [`starter`], our own program once more,
//! and what it leaves behind when we are killed is ended by [`reaper`].

mod copy_untrusted;
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
mod open;
mod ourselves;
mod pipe;
mod reaper;
mod remove;
mod roles;
mod running;
mod starter;
mod tag;
mod words;

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

pub use copy_untrusted::{copy_untrusted, is_closed_to_boxes, others_may_change};
pub use interrupt::on_interrupt;
pub use kernel::sandbox::{ask_runtimes, closed_for, look, open_in, probe};
pub use kernel::{
    LACKS, allowed_cores, is_from_another_user, load, machine_name, open_now, pin_to,
    processor_name, remote_file_system, shares_cores, system_name, thread_core_time,
    thread_cpu_time,
};
pub use open::open_in_own;
pub use ourselves::most_open;
pub use remove::remove_all;
pub use roles::take_role_if_asked;
pub use running::{Group, Running};
pub use starter::refusal;
pub use words::{join_words, split_words};

/// Names are whole.
pub fn program_file(path: &Path) -> PathBuf {
    path.to_owned()
}

pub fn is_of_another_user(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|data| open::is_anothers(&data))
}

/// One kind for files and folders.
pub fn link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

/// Blocks that are kept for the administrator count, too.
pub fn free_bytes(path: &Path) -> Option<u64> {
    let data = rustix::fs::statvfs(path).ok()?;
    Some(data.f_bfree * data.f_frsize)
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

pub fn unlist(folder: &Path) -> io::Result<()> {
    // Programs play as another user only where root runs the arena.
    let is_root = rustix::process::geteuid().is_root();
    let mode = if is_root { 0o711 } else { 0o700 };
    fs::set_permissions(folder, Permissions::from_mode(mode))
}

/// When its node changed, which no program sets, and which node it is.
pub fn stamp(data: &fs::Metadata) -> [i64; 3] {
    [data.ctime(), data.ctime_nsec(), data.ino().cast_signed()]
}

/// The user's own folder in `place`, which other users may write to too.
///
/// # Errors
/// If another user made something of this name, or may write to it.
pub fn own_folder(place: &Path) -> io::Result<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let folder = place.join(format!("arena-{user}"));
    match DirBuilder::new().mode(0o755).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let data = fs::symlink_metadata(&folder)?;
    if data.is_dir() && data.uid() == user && data.mode() & 0o022 == 0 {
        return Ok(folder);
    }
    let what = format!("{} is not a folder of this user alone", folder.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, what))
}

/// Opens a file to lock it. With a `mode` it is opened to be written, too, and created with these permissions if it does
/// not exist. Neither follows a link nor waits for a pipe.
pub fn open_lock(path: &Path, mode: Option<u32>) -> io::Result<File> {
    let create = mode.is_some();
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let mut options = File::options();
    options
        .read(true)
        .write(create)
        .create(create)
        .mode(mode.unwrap_or_default());
    let file = options
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    let what = format!("{} is not a file", path.display());
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}
