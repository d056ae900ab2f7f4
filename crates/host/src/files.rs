//! Properties of files that differ between systems.

use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use crate::system;

/// Whether the file is executable.
pub fn is_program(path: &Path) -> bool {
    path.is_file() && system::may_run(path)
}

/// The file that the path of a program means: on some systems the ending of its name is left out.
pub fn program_file(path: &Path) -> PathBuf {
    system::program_file(path)
}

/// The name of the network file system that the folder is on; `None` if it is local or unknown.
pub fn remote_file_system(folder: &Path) -> Option<String> {
    system::remote_file_system(folder)
}

/// Makes a link at `to` that leads where the link `from` leads, by the same text.
pub fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    system::link(&std::fs::read_link(from)?, to)
}

/// The free bytes of the file system that holds `path`; `None` where the system does not report them.
pub fn free_bytes(path: &Path) -> Option<u64> {
    system::free_bytes(path)
}

/// What a new file may be used for where nothing special is said: read by all whom the user's
/// settings allow. `None`: such are the permissions of every file anyway.
pub fn usual_permissions() -> Option<Permissions> {
    system::usual_permissions()
}

/// Opens a file that a stranger may have made, to read it.
///
/// # Errors
/// If it is a link, a pipe, a device or a folder: a link may lead to what the stranger may not read, and a pipe waits.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // What is no file has its own words; what became a link since then is refused by the system.
    if !path.symlink_metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    system::open_lock(path, false)
}

/// Removes the file or folder at `path` with all that is in it, whatever a program has made of it: folders
/// that it may not list itself, or thousands in each other. A link is removed, not its target.
pub fn remove_all(path: &Path) -> io::Result<()> {
    system::remove_all(path)
}
