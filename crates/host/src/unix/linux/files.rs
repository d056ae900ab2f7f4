//! File systems, permissions of folders, and links of other users on the way to a file.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use procfs::process::Process;
use rustix::fs::{FileType, Mode, OFlags, chmod, fstat, openat, readlinkat};
use rustix::path::Arg;

use super::super::files::{is_own, open};
use crate::LinkRule;

/// The most links on the way to a file, as in the kernel.
const MOST_LINKS: usize = 40;
/// Names of network file systems. Two machines that map a file there into memory do not share this memory.
const REMOTE: [&str; 12] = [
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "fuse.glusterfs",
    "fuse.sshfs",
    "gpfs",
    "lustre",
    "nfs",
    "nfs4",
    "smb3",
];

/// Gives the owner all rights to a folder; follows no link.
pub fn open_up(within: impl AsFd, name: impl Arg) -> rustix::io::Result<()> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(within, name, flags, Mode::empty())?;
    chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), Mode::RWXU)
}

pub fn remote_file_system(folder: &Path) -> Option<String> {
    let mounts = Process::myself().ok()?.mountinfo().ok()?;
    let mounts = mounts.into_iter();
    let mounts = mounts.map(|mount| (mount.mount_point, mount.fs_type));
    innermost(mounts, folder).filter(|kind| REMOTE.contains(&kind.as_str()))
}

/// If two mounts are on the same folder, the later one covers the earlier.
fn innermost(mounts: impl Iterator<Item = (PathBuf, String)>, folder: &Path) -> Option<String> {
    let around = mounts.filter(|(point, _)| folder.starts_with(point));
    let innermost = around.max_by_key(|(point, _)| point.components().count());
    innermost.map(|(_, kind)| kind)
}

/// Opens the path `from`, one folder after another. Follows only links of this user and the administrator.
pub fn open_through_own_links(from: &Path, rule: LinkRule) -> io::Result<File> {
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
        if rule == LinkRule::Refuse && left.is_empty() {
            return Err(io::Error::other("it is a link"));
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(io::Error::other(format!(
                "it has more than {MOST_LINKS} links"
            )));
        }
        if !is_own(data.st_uid) {
            return Err(io::Error::other(
                "it is a link of another user, or is reached through one",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_mount_decides() {
        let mounts = [
            ("/", "ext4"),
            ("/home", "nfs4"),
            ("/home/me/scratch", "xfs"),
        ];
        for (folder, kind) in [
            ("/var/run", "ext4"),
            ("/home/me/results", "nfs4"),
            ("/homeless", "ext4"),
            ("/home/me/scratch/run", "xfs"),
        ] {
            let mounts = mounts.map(|(point, kind)| (point.into(), kind.to_owned()));
            let found = innermost(mounts.into_iter(), Path::new(folder));
            assert_eq!(found.as_deref(), Some(kind), "{folder}");
        }
        assert_eq!(innermost(std::iter::empty(), Path::new("/")), None);
    }
}
