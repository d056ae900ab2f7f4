//! Removes a folder of any depth: no recursion, no path longer than a name, four open files at most.
//!
//! A folder within a folder moves up into the topmost one until no folder has another in it. The owner's
//! permissions are given back on the way, and no link is followed.

use std::ffi::CStr;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, fchmod, openat, renameat, unlinkat};
use rustix::io::Errno;
use rustix::path::Arg;

use super::kernel::open_up;

/// Removes the file or folder at `path` with all that is in it.
pub fn remove_all(path: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return fs::remove_file(path);
    }
    let top = open(CWD, path)?;
    let mut moved = 0;
    while clear(&top, |name| {
        let inner = open(top.as_fd(), name)?;
        while clear(&inner, |name| move_up(&inner, name, &top, &mut moved))? {}
        unlinkat(&top, name, AtFlags::REMOVEDIR)
    })? {}
    fs::remove_dir(path)
}

/// Removes every entry of a folder, and calls `full` for a folder that is not empty. Returns whether there
/// was an entry: there may be new ones.
fn clear(
    folder: &OwnedFd,
    mut full: impl FnMut(&CStr) -> Result<(), Errno>,
) -> Result<bool, Errno> {
    let mut is_empty = true;
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        is_empty = false;
        let Err(error) = unlinkat(folder, name, AtFlags::empty()) else {
            continue;
        };
        match unlinkat(folder, name, AtFlags::REMOVEDIR) {
            Ok(()) => {}
            Err(Errno::NOTEMPTY | Errno::EXIST) => full(name)?,
            // It is no folder: the first error counts.
            Err(other) => return Err(if other == Errno::NOTDIR { error } else { other }),
        }
    }
    Ok(!is_empty)
}

/// Opens a folder and lets its owner list and change it.
fn open(within: BorrowedFd<'_>, name: impl Arg + Copy) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = openat(within, name, flags, Mode::empty());
    let folder = opened.or_else(|error| match error {
        Errno::ACCESS => {
            open_up(within, name)?;
            openat(within, name, flags, Mode::empty())
        }
        error => Err(error),
    })?;
    // Fails for a folder of another user, which may be open already.
    let _ = fchmod(&folder, Mode::RWXU);
    Ok(folder)
}

/// Moves a folder to `top`, under a name that is free there.
fn move_up(from: &OwnedFd, name: &CStr, top: &OwnedFd, moved: &mut u64) -> Result<(), Errno> {
    let mut is_open = false;
    loop {
        match renameat(from, name, top, format!(".{moved}")) {
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => *moved += 1,
            // A folder that moves is changed, too.
            Err(Errno::ACCESS) if !is_open => {
                open_up(from.as_fd(), name)?;
                is_open = true;
            }
            done => return done,
        }
    }
}
