//! Files on Windows. Other users are not distinguished.

use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::windows::fs::MetadataExt;
use std::path::{Path, PathBuf};

use windows_sys::Win32::Storage::FileSystem::{GetDriveTypeW, GetVolumePathNameW};
use windows_sys::Win32::System::WindowsProgramming::DRIVE_REMOTE;

use super::{command_line, wide};
use crate::CopyError::{self, Destination, Source};
use crate::{LinkRule, Walk};

pub fn stamp(data: &fs::Metadata) -> [i64; 3] {
    [data.creation_time().cast_signed(), 0, 0]
}

pub fn open_in_own(folder: &Path, name: &str) -> io::Result<File> {
    open_lock(&folder.join(name), None)
}

/// Follows the links on the way to `from`, for the reason at [`is_of_another_user`].
pub fn copy_untrusted(
    from: &Path,
    rule: LinkRule,
    to: &Path,
    mut allow: impl FnMut(&Path, u64) -> io::Result<()>,
) -> Result<(), CopyError> {
    let data = match rule {
        LinkRule::Follow => from.metadata(),
        LinkRule::Refuse => from.symlink_metadata(),
    };
    let data = data.map_err(Source)?;
    if data.is_symlink() {
        return Err(Source(io::Error::other("it is a link")));
    }
    if !data.is_dir() {
        let name = Path::new(from.file_name().unwrap_or_default());
        allow(name, data.len()).map_err(Source)?;
        return copy(from, data.len(), to);
    }
    fs::create_dir(to).map_err(Destination)?;
    for entry in Walk::of(from) {
        let (inner, data) = entry.map_err(Source)?;
        let (own, copied) = (from.join(&inner), to.join(&inner));
        let bytes = if data.is_file() { data.len() } else { 0 };
        allow(&inner, bytes).map_err(Source)?;
        if data.is_dir() {
            fs::create_dir(copied).map_err(Destination)?;
        } else if data.is_symlink() {
            crate::copy_link(&own, &copied).map_err(Destination)?;
        } else {
            copy(&own, bytes, &copied)?;
        }
    }
    Ok(())
}

fn copy(from: &Path, bytes: u64, to: &Path) -> Result<(), CopyError> {
    let from = open_lock(from, None).map_err(Source)?;
    let mut copy = File::create_new(to).map_err(Destination)?;
    io::copy(&mut from.take(bytes), &mut copy).map_err(Destination)?;
    Ok(())
}

/// Decides by the name, as the system does.
pub fn may_run(path: &Path) -> bool {
    command_line::is_program_name(path)
}

pub fn program_file(path: &Path) -> PathBuf {
    command_line::first_file(path).unwrap_or_else(|| path.to_owned())
}

/// On Windows, the standard library removes a folder without recursion.
pub fn remove_all(path: &Path) -> io::Result<()> {
    if path.symlink_metadata()?.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

/// Returns false without asking. Only links would be dangerous, and ordinary users may not make them.
pub fn is_of_another_user(_: &Path) -> bool {
    false
}

/// Makes a link to a file, which differs from a link to a folder on this system.
pub fn link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, at)
}

pub fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// The user's folders are closed to others anyway.
#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse it")]
pub fn unlist(_: &Path) -> io::Result<()> {
    Ok(())
}

/// All files may be executed.
#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse it")]
pub fn let_execute(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A new file has the permissions of its folder.
pub fn usual_permissions() -> Option<Permissions> {
    None
}

pub fn remote_file_system(folder: &Path) -> Option<String> {
    let folder = wide(folder.as_os_str()).ok()?;
    let mut root = vec![0_u16; folder.len().max(260)];
    // SAFETY: the folder ends with a zero, and the root is as long as we say.
    let found =
        unsafe { GetVolumePathNameW(folder.as_ptr(), root.as_mut_ptr(), root.len() as u32) };
    // SAFETY: the root, which was found, ends with a zero.
    let is_remote = found != 0 && unsafe { GetDriveTypeW(root.as_ptr()) } == DRIVE_REMOTE;
    is_remote.then(|| "a network drive".to_owned())
}

/// Makes the folder in `place`. Since `place` already belongs to the user, the number in the name is always 0.
pub fn own_folder(place: &Path) -> io::Result<PathBuf> {
    let folder = place.join("arena-0");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Opens a file to lock it; creates it if there is any `mode`. The file has the permissions of the folder.
pub fn open_lock(path: &Path, mode: Option<u32>) -> io::Result<File> {
    let create = mode.is_some();
    let mut options = File::options();
    options.read(true).write(create).create(create).open(path)
}
