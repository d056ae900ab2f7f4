//! The way to a file that others may change.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use rustix::fs::{FileType, Mode, OFlags, fstat, openat, readlinkat};

use crate::system::open::{is_own, open};

/// The most links on the way to a file, as in the kernel.
const MOST_LINKS: usize = 40;

/// Opens it from folder to folder. Of the links on the way only those of this user and the administrator are followed.
pub fn open_through_own_links(from: &Path) -> io::Result<File> {
    let whole = std::path::absolute(from)?;
    let names = |path: &Path| -> Vec<OsString> {
        let parts = path
            .components()
            .filter(|part| !matches!(part, Component::RootDir | Component::CurDir));
        parts
            .rev()
            .map(|part| part.as_os_str().to_owned())
            .collect()
    };
    let (mut at, mut left, mut links) = (File::open("/")?, names(&whole), 0);
    while let Some(name) = left.pop() {
        let here = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let next = openat(&at, &name, here, Mode::empty())?;
        let data = fstat(&next)?;
        if FileType::from_raw_mode(data.st_mode) != FileType::Symlink {
            at = if left.is_empty() {
                open(&at, &name)?
            } else {
                next.into()
            };
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(io::Error::other("it is a link that leads nowhere"));
        }
        if !is_own(data.st_uid) {
            return Err(io::Error::other(
                "it is a link of another user, or behind one",
            ));
        }
        let target = readlinkat(&next, "", Vec::new())?;
        let target = Path::new(OsStr::from_bytes(target.to_bytes()));
        if target.is_absolute() {
            at = File::open("/")?;
        }
        left.extend(names(target));
    }
    Ok(at)
}
