//! Files that other users may change: opened without following their links, copied, checked, locked and removed.
//!
//! The system resolves a path anew at each call. Between two calls, the owner of a folder on the path can replace an
//! entry by a link. So each entry is opened relative to its open folder, without following links.

use std::ffi::{CStr, OsStr};
use std::fs::{self, DirBuilder, File, Metadata, Permissions};
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, SeekFrom, fchmod, openat, readlinkat, renameat,
    seek, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::path::Arg;

use super::kernel;
use crate::CopyError::{self, Destination, Source};
use crate::LinkRule;

pub fn program_file(path: &Path) -> PathBuf {
    path.to_owned()
}

pub fn is_of_another_user(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|data| is_anothers(&data))
}

pub fn link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

pub fn free_bytes(path: &Path) -> Option<u64> {
    let data = rustix::fs::statvfs(path).ok()?;
    // A file system without a limit reports that it has no blocks.
    (data.f_blocks > 0).then(|| data.f_bavail.saturating_mul(data.f_frsize))
}

pub fn may_run(path: &Path) -> bool {
    let mode = path.metadata().map(|data| data.permissions().mode());
    mode.is_ok_and(|mode| mode & 0o111 != 0)
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "other systems have no such permissions"
)]
pub fn usual_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o666))
}

pub fn unlist(folder: &Path) -> io::Result<()> {
    let is_root = rustix::process::geteuid().is_root();
    let mode = if is_root { 0o711 } else { 0o700 };
    fs::set_permissions(folder, Permissions::from_mode(mode))
}

pub fn let_execute(file: &Path) -> io::Result<()> {
    let mode = file.metadata()?.permissions().mode();
    // All users who may read the file may also execute it.
    fs::set_permissions(file, Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

/// Returns the time of the inode's last change (s and ns), which no program can set, and the inode's number.
pub fn stamp(data: &fs::Metadata) -> [i64; 3] {
    [data.ctime(), data.ctime_nsec(), data.ino().cast_signed()]
}

/// Makes the user's own folder in `place`. Fails if it is another user's, or if another user may write to it.
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

/// Opens a file to lock it. With a `mode`, also creates it and opens it to write. Follows no link, waits for no pipe.
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

/// Returns true also for the administrator, who can change the files of every user anyway.
pub fn is_own(user: u32) -> bool {
    [0, rustix::process::geteuid().as_raw()].contains(&user)
}

pub fn is_anothers(data: &Metadata) -> bool {
    !is_own(data.uid()) && std::env::var_os("ARENA_ANY_OWNER").is_none()
}

/// Follows no link, and does not wait for the other end of a pipe.
pub fn open(folder: impl AsFd, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = openat(folder, name, flags, Mode::empty());
    Ok(opened
        .map_err(|error| match error {
            Errno::LOOP => io::Error::other("it is a link"),
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

pub fn copy_untrusted(
    from: &Path,
    rule: LinkRule,
    to: &Path,
    mut allow: impl FnMut(&Path, u64) -> io::Result<()>,
) -> Result<(), CopyError> {
    let top = kernel::open_through_own_links(from, rule).map_err(Source)?;
    let data = top.metadata().map_err(Source)?;
    if !data.is_dir() {
        let name = Path::new(from.file_name().unwrap_or_default());
        allow(name, data.len()).map_err(Source)?;
        return copy(top, &data, to);
    }
    new_folder(to)?;
    let mut waiting = vec![PathBuf::new()];
    while let Some(inner) = waiting.pop() {
        let folder = top.try_clone().map_err(Source)?;
        let folder = inner
            .iter()
            .try_fold(folder, |outer, name| open(&outer, name));
        let folder = folder.map_err(Source)?;
        for entry in Dir::read_from(&folder).map_err(source)? {
            let entry = entry.map_err(source)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let inner = inner.join(name);
            let (whole, data) = (
                to.join(&inner),
                statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW),
            );
            match FileType::from_raw_mode(data.map_err(source)?.st_mode) {
                FileType::Directory => {
                    allow(&inner, 0).map_err(Source)?;
                    new_folder(&whole)?;
                    waiting.push(inner);
                }
                FileType::Symlink => {
                    allow(&inner, 0).map_err(Source)?;
                    let target = readlinkat(&folder, name, Vec::new()).map_err(source)?;
                    link(Path::new(OsStr::from_bytes(target.to_bytes())), &whole)
                        .map_err(destination)?;
                }
                _ => {
                    let opened = open(&folder, name).and_then(|file| Ok((file.metadata()?, file)));
                    let (data, file) = opened.map_err(|error| Source(of(&inner, &error)))?;
                    allow(&inner, data.len()).map_err(Source)?;
                    copy(file, &data, &whole).map_err(|error| match error {
                        Source(error) => Source(of(&inner, &error)),
                        destination @ Destination(_) => destination,
                    })?;
                }
            }
        }
    }
    Ok(())
}

fn new_folder(at: &Path) -> Result<(), CopyError> {
    fs::create_dir(at).map_err(destination)?;
    fs::set_permissions(at, Permissions::from_mode(0o755)).map_err(Destination)
}

/// Copies at most as many bytes as the file had when it was opened.
fn copy(mut file: File, data: &Metadata, to: &Path) -> Result<(), CopyError> {
    if !data.is_file() {
        return Err(Source(io::Error::other(
            "it is a pipe or a device, not a file",
        )));
    }
    let mut copy = File::create_new(to).map_err(destination)?;
    let (mut buffer, mut left) = (vec![0; 1 << 16], data.len());
    while left > 0 {
        let most = buffer
            .len()
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        let length = file.read(&mut buffer[..most]).map_err(Source)?;
        if length == 0 {
            break;
        }
        left -= length as u64;
        // Seeks over zeros, so that a hole in a sparse file stays a hole. Written zeros would take disk space.
        if buffer[..length].iter().all(|&byte| byte == 0) {
            let at = data.len() - left;
            let next = match seek(&file, SeekFrom::Data(at)) {
                Ok(next) => next.min(data.len()),
                Err(Errno::NXIO) => data.len(),
                Err(_) => at,
            };
            left = data.len() - next;
            copy.seek(io::SeekFrom::Start(next)).map_err(Destination)?;
        } else {
            copy.write_all(&buffer[..length]).map_err(Destination)?;
        }
    }
    copy.set_len(data.len() - left).map_err(Destination)?;
    // A sandbox may have its own user, so others can read the copy.
    let mode = Permissions::from_mode(0o644 | data.mode() & 0o111);
    copy.set_permissions(mode).map_err(Destination)
}

fn of(inner: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", inner.display()))
}

/// Returns which side causes an error at the destination: the source if a name is too long, else the destination.
fn destination(error: io::Error) -> CopyError {
    match error.kind() {
        io::ErrorKind::InvalidFilename => Source(error),
        _ => Destination(error),
    }
}

fn source(error: Errno) -> CopyError {
    Source(error.into())
}

/// Does not recurse, uses only paths of one component, and has at most four files open. Follows no link. Moves all
/// inner folders up into the topmost folder. Gives the owner all permissions on the way.
pub fn remove_all(path: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return fs::remove_file(path);
    }
    let top = open_folder(CWD, path)?;
    let mut moved = 0;
    while clear(&top, |name| {
        let inner = open_folder(top.as_fd(), name)?;
        while clear(&inner, |name| move_up(&inner, name, &top, &mut moved))? {}
        unlinkat(&top, name, AtFlags::REMOVEDIR)
    })? {}
    fs::remove_dir(path)
}

/// Removes every entry of a folder, and calls `full` for a folder that is not empty. Returns whether there was an
/// entry. If so, the caller calls this function again, because `full` may have moved entries into the folder.
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
            // If the entry is not a folder, the error of the first attempt is the right one.
            Err(other) => return Err(if other == Errno::NOTDIR { error } else { other }),
        }
    }
    Ok(!is_empty)
}

fn open_folder(within: BorrowedFd<'_>, name: impl Arg + Copy) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = openat(within, name, flags, Mode::empty());
    let folder = opened.or_else(|error| match error {
        Errno::ACCESS => {
            kernel::open_up(within, name)?;
            openat(within, name, flags, Mode::empty())
        }
        error => Err(error),
    })?;
    // Fails for a folder of another user, but the folder's permissions may be enough already.
    let _ = fchmod(&folder, Mode::RWXU);
    Ok(folder)
}

fn move_up(from: &OwnedFd, name: &CStr, top: &OwnedFd, moved: &mut u64) -> Result<(), Errno> {
    let mut is_open = false;
    loop {
        match renameat(from, name, top, format!(".{moved}")) {
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => *moved += 1,
            // Moving a folder also changes the folder itself: its entry `..`.
            Err(Errno::ACCESS) if !is_open => {
                kernel::open_up(from.as_fd(), name)?;
                is_open = true;
            }
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Walk;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    #[test]
    fn nothing_behind_a_link_is_copied_and_no_pipe_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let (secret, ada) = (folder.path().join("secret"), folder.path().join("ada"));
        fs::create_dir(&secret).expect("a folder");
        fs::write(secret.join("file"), "the teacher's").expect("a file");
        for swapped_at in 0..6 {
            for kind in ["file", "folder", "pipe"] {
                let to = folder.path().join(format!("{swapped_at}-{kind}"));
                fs::create_dir_all(ada.join("sub")).expect("a folder");
                for name in ["a", "b", "c", "sub/file"] {
                    fs::write(ada.join(name), "hers").expect("a file");
                }
                let mut seen = 0;
                let copied = copy_untrusted(&ada, LinkRule::Refuse, &to, |_, _| {
                    if seen == swapped_at {
                        let swapped = ada.join(if kind == "folder" { "sub" } else { "b" });
                        crate::remove_all(&swapped)?;
                        match kind {
                            "file" => symlink(secret.join("file"), swapped)?,
                            "folder" => symlink(&secret, swapped)?,
                            _ => assert!(Command::new("mkfifo").arg(swapped).status()?.success()),
                        }
                    }
                    seen += 1;
                    Ok(())
                });
                let (why, files) = (format!("{swapped_at} {kind}: {copied:?}"), Walk::of(&to));
                for (inner, data) in files.map(|entry| entry.expect("an entry")) {
                    let text = data.is_file().then(|| fs::read_to_string(to.join(inner)));
                    assert!(
                        text.is_none_or(|text| text.expect("text") == "hers"),
                        "{why}"
                    );
                }
                assert!(seen > 0, "{why}");
                fs::remove_dir_all(&ada).expect("a folder");
            }
        }
    }

    #[test]
    fn a_hole_stays_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        let mut file = File::create(&from).expect("a file");
        file.seek_relative(1 << 25).expect("a hole");
        file.write_all(b"in between").expect("room");
        file.set_len(1 << 26).expect("a hole");
        copy_untrusted(&from, LinkRule::Refuse, &to, |_, _| Ok(())).expect("a copy");
        assert!(fs::read(&from).expect("bytes") == fs::read(&to).expect("bytes"));
        assert!(to.metadata().expect("a file").blocks() < 1000);
    }
}
