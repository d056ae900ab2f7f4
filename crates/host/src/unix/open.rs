//! Opens files in folders that others may change.

use std::ffi::OsStr;
use std::fs::File;
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

/// A pipe does not wait for its other end.
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
    let is_allowed = std::env::var_os("ARENA_ANY_OWNER").is_some();
    if !is_own(opened.metadata()?.uid()) && !is_allowed {
        return Err(io::Error::other("the folder belongs to another user"));
    }
    let file = open(&opened, name.as_ref())?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(file)
}
