//! On what file system a folder is, and the permissions of folders.

use std::os::fd::{AsFd, AsRawFd};
use std::path::{Path, PathBuf};

use procfs::process::Process;
use rustix::fs::{Mode, OFlags, chmod, openat};
use rustix::path::Arg;

/// File systems of other machines, as Linux names them: memory that programs share through a file is
/// not shared with whoever reads the file over there.
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

/// Lets the owner list and change a folder; a link is not followed.
pub fn open_up(within: impl AsFd, name: impl Arg) -> rustix::io::Result<()> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(within, name, flags, Mode::empty())?;
    chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), Mode::RWXU)
}

/// The name of the file system that the folder is on, where that is another machine's.
pub fn remote_file_system(folder: &Path) -> Option<String> {
    let mounts = Process::myself().ok()?.mountinfo().ok()?;
    let mounts = mounts.into_iter();
    let mounts = mounts.map(|mount| (mount.mount_point, mount.fs_type));
    innermost(mounts, folder).filter(|kind| REMOTE.contains(&kind.as_str()))
}

/// A later mount on the same place covers an earlier one.
fn innermost(mounts: impl Iterator<Item = (PathBuf, String)>, folder: &Path) -> Option<String> {
    let around = mounts.filter(|(point, _)| folder.starts_with(point));
    let innermost = around.max_by_key(|(point, _)| point.components().count());
    innermost.map(|(_, kind)| kind)
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
