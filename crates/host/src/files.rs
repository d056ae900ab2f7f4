//! Properties of files that differ between systems.

use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::system;

/// The longest instant that a file system counts: FAT has two seconds.
const COARSEST: Duration = Duration::from_secs(3);

/// Whether the file is executable.
pub fn is_program(path: &Path) -> bool {
    path.is_file() && system::may_run(path)
}

/// The file that the path of a program means: on some systems the ending of its name is left out.
pub fn program_file(path: &Path) -> PathBuf {
    system::program_file(path)
}

/// What the system says of a file; it is another after each change of its bytes, unless clocks are set back, or the
/// change comes within an instant of what the file system counts ([`Stamp::is_old`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    bytes: u64,
    modified: SystemTime,
    of_system: [i64; 3],
}

impl Stamp {
    /// That of a file.
    pub fn of(path: &Path) -> io::Result<Stamp> {
        let data = std::fs::metadata(path)?;
        Ok(Stamp {
            bytes: data.len(),
            modified: data.modified()?,
            of_system: system::stamp(&data),
        })
    }

    /// Whether a later change has another stamp, whatever file system it is.
    pub fn is_old(&self) -> bool {
        self.modified.elapsed().is_ok_and(|age| age > COARSEST)
    }
}

/// The name of the network file system that the folder is on; `None` if it is local or unknown.
pub fn remote_file_system(folder: &Path) -> Option<String> {
    system::remote_file_system(folder)
}

/// Refuses a folder in which others could have the arena write elsewhere: one that belongs neither to this user nor to
/// the administrator, or that has a link in it. A folder that does not exist is fine.
///
/// With `ARENA_ANY_OWNER=1` folders of all users are: some containers show files with another owner. A folder in the
/// cache is refused: strangers made its files.
pub fn check_own(folder: &Path) -> io::Result<()> {
    let is_link = |entry: &io::Result<std::fs::DirEntry>| {
        let kind = entry.as_ref().ok().and_then(|entry| entry.file_type().ok());
        kind.is_some_and(|kind| kind.is_symlink())
    };
    let Ok(mut entries) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    let refused = |why: String| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    if let Some(Ok(link)) = entries.find(is_link) {
        return refused(format!("{} is a link", link.path().display()));
    }
    let cache = cache_folder().canonicalize();
    let whole = folder.canonicalize();
    if whole.is_ok_and(|whole| cache.is_ok_and(|cache| whole.starts_with(cache))) {
        return refused(format!(
            "{} is in the cache, whose files others made",
            folder.display()
        ));
    }
    if system::is_of_another_user(folder) {
        return refused(format!(
            "the folder {} belongs to another user, who could have the arena write elsewhere: use a copy of \
             your own, or set ARENA_ANY_OWNER=1 where you trust them",
            folder.display()
        ));
    }
    Ok(())
}

/// Why [`copy_untrusted`] failed.
#[derive(Debug)]
pub enum CopyError {
    /// The source cannot be read, or was refused.
    Source(io::Error),
    /// The destination cannot be written.
    Destination(io::Error),
}

/// Whether another user than the administrator may change the file or folder at `path`, something in it, or where
/// it is.
pub fn others_may_change(path: &Path) -> bool {
    system::others_may_change(path)
}

/// Whether the user of a sandbox could not read a part of the file or folder at `path`. Always false where sandboxes have
/// no users of their own.
pub fn is_closed_to_boxes(path: &Path) -> bool {
    system::is_closed_to_boxes(path)
}

/// Copies the file or folder `from` to the new path `to`. Its owner may change it during the copy: no link of another
/// user is followed, and no pipe is waited for. Links in the folder are copied as links. `allow` gets each entry's path
/// in the folder and its size in bytes, and refuses by an error.
pub fn copy_untrusted(
    from: &Path,
    to: &Path,
    allow: impl FnMut(&Path, u64) -> io::Result<()>,
) -> Result<(), CopyError> {
    system::copy_untrusted(from, to, allow)
}

/// Opens the regular file `name` in a folder that is this user's own; see [`check_own`]. The owner of the open folder
/// counts, so that another folder cannot replace it after the check.
pub fn open_in_own(folder: &Path, name: &str) -> io::Result<File> {
    check_own(folder)?;
    system::open_in_own(folder, name)
}

/// Makes a link at `to` that leads where the link `from` leads, by the same text.
pub fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    system::link(&std::fs::read_link(from)?, to)
}

/// Where the arena keeps things for the user from run to run: `$XDG_CACHE_HOME/arena`. It need not exist.
pub fn cache_folder() -> PathBuf {
    let named = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    named("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(named("HOME")?).join(".cache")))
        .or_else(|| named("LOCALAPPDATA").map(PathBuf::from))
        .unwrap_or_else(std::env::temp_dir)
        .join("arena")
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
    // A clear message for links and pipes. The system refuses a link that replaces the file after this look.
    if !path.symlink_metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    system::open_lock(path, None)
}

/// Opens a file for writing and locking. A new file is for this user alone: another user who can open a file can lock
/// it. An existing file keeps its contents and its permissions.
pub fn own_file(path: &Path) -> io::Result<File> {
    system::open_lock(path, Some(0o600))
}

/// Closes a folder to other users. If root owns it they may enter it, but not list it: a bot that plays as another user
/// enters it.
pub fn unlist(folder: &Path) -> io::Result<()> {
    system::unlist(folder)
}

/// Removes the file or folder at `path` with all that is in it, whatever a program has made of it: folders
/// that it may not list itself, or thousands in each other. A link is removed, not its target.
pub fn remove_all(path: &Path) -> io::Result<()> {
    system::remove_all(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{chown, symlink};

    use super::*;

    #[test]
    fn others_can_neither_open_a_file_nor_list_a_folder() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let mode = |path: &Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
        let file = folder.path().join("lock");
        own_file(&file).expect("a file");
        assert_eq!(mode(&file), 0o600);
        fs::write(&file, "1 game").expect("its own");
        own_file(&file).expect("the same file");
        assert_eq!(fs::read_to_string(&file).expect("text"), "1 game");
        unlist(folder.path()).expect("its own");
        let is_root = rustix::process::geteuid().is_root();
        assert_eq!(mode(folder.path()), if is_root { 0o711 } else { 0o700 });
    }

    #[test]
    fn the_arena_writes_where_it_is_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        check_own(folder.path()).expect("its own");
        check_own(&folder.path().join("none")).expect("it may be made");
        // Only the administrator can give a folder away.
        if chown(folder.path(), Some(65534), None).is_ok() {
            let refused = check_own(folder.path()).expect_err("another's");
            assert!(refused.to_string().contains("another user"), "{refused}");
            chown(folder.path(), Some(0), None).expect("given back");
        }
        fs::create_dir(folder.path().join("logs")).expect("a folder");
        check_own(folder.path()).expect("its own");
        symlink("logs", folder.path().join("failures")).expect("a link");
        let refused = check_own(folder.path()).expect_err("a link");
        assert!(
            refused.to_string().ends_with("failures is a link"),
            "{refused}"
        );
    }
}
