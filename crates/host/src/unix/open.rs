//! Opens files in folders that others may change.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

/// The administrator could change what is anybody's.
pub fn is_own(user: u32) -> bool {
    [0, rustix::process::geteuid().as_raw()].contains(&user)
}

/// With `ARENA_ANY_OWNER=1` nothing is: see [`check_own`](crate::check_own).
pub fn is_anothers(data: &Metadata) -> bool {
    !is_own(data.uid()) && std::env::var_os("ARENA_ANY_OWNER").is_none()
}

/// Follows no link, and does not wait for the other end of a pipe.
pub fn open(folder: impl AsFd, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = openat(folder, name, flags, Mode::empty());
    Ok(opened
        .map_err(|error| match error {
            Errno::LOOP => io::Error::other("it has become a link"),
            error => error.into(),
        })?
        .into())
}

pub fn open_in_own(folder: &Path, name: &str) -> io::Result<File> {
    let opened = File::open(folder)?;
    if is_anothers(&opened.metadata()?) {
        return Err(io::Error::other("the folder belongs to another user"));
    }
    let file = open(&opened, name.as_ref())?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(file)
}
