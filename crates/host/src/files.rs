//! Files and folders that other users or untrusted programs may have made: opened, locked, copied, walked and removed
//! safely; and their properties, which differ between systems.

use std::fs::{self, File, Metadata, Permissions, ReadDir, TryLockError};
use std::io;
use std::mem::take;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::system;

/// The coarsest resolution of file times, with a margin: FAT has two seconds.
const COARSEST: Duration = Duration::from_secs(3);

/// Returns whether the file is executable.
pub fn is_program(path: &Path) -> bool {
    path.is_file() && system::may_run(path)
}

/// Returns the file of a program: on some systems its path may leave out the ending of its name.
pub fn program_file(path: &Path) -> PathBuf {
    system::program_file(path)
}

/// The identity of a file's contents, from its metadata. It changes with each change of the bytes, unless clocks are set
/// back, or the change comes within the resolution of the file system's times ([`Stamp::is_old`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    bytes: u64,
    modified: SystemTime,
    of_system: [i64; 3],
}

impl Stamp {
    pub fn of(path: &Path) -> io::Result<Stamp> {
        let data = fs::metadata(path)?;
        Ok(Stamp {
            bytes: data.len(),
            modified: data.modified()?,
            of_system: system::stamp(&data),
        })
    }

    /// Returns whether every later change gives another stamp, on any file system.
    pub fn is_old(&self) -> bool {
        self.modified.elapsed().is_ok_and(|age| age > COARSEST)
    }
}

/// Returns the name of the network file system that holds the folder; `None` if it is local or unknown.
pub fn remote_file_system(folder: &Path) -> Option<String> {
    system::remote_file_system(folder)
}

/// Refuses a folder in which other users could make the arena write elsewhere: one that belongs neither to this user nor
/// to the administrator, or that contains a link. A folder that does not exist is accepted.
///
/// With `ARENA_ANY_OWNER=1` folders of all users are accepted: some containers show files with another owner. A folder in
/// the cache is refused: strangers made its files.
pub fn check_own(folder: &Path) -> io::Result<()> {
    let is_link = |entry: &io::Result<fs::DirEntry>| {
        let kind = entry.as_ref().ok().and_then(|entry| entry.file_type().ok());
        kind.is_some_and(|kind| kind.is_symlink())
    };
    let Ok(mut entries) = fs::read_dir(folder) else {
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

/// The error of [`copy_untrusted`].
#[derive(Debug)]
pub enum CopyError {
    /// The source cannot be read, or was refused.
    Source(io::Error),
    /// The destination cannot be written.
    Destination(io::Error),
}

/// Returns whether a user other than this one and the administrator may change the file or folder at `path`, something
/// in it, or a folder above it.
pub fn others_may_change(path: &Path) -> bool {
    system::others_may_change(path)
}

/// Returns whether the user of a sandbox could not read a part of the file or folder at `path`. Always false where
/// sandboxes have no users of their own.
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

/// Makes a link at `to` with the same target text as the link `from`.
pub fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    system::link(&fs::read_link(from)?, to)
}

/// Returns the folder in which the arena keeps data for the user between runs: `$XDG_CACHE_HOME/arena`. It may not exist.
pub fn cache_folder() -> PathBuf {
    let named = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    named("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(named("HOME")?).join(".cache")))
        .or_else(|| named("LOCALAPPDATA").map(PathBuf::from))
        .unwrap_or_else(std::env::temp_dir)
        .join("arena")
}

/// Returns the free bytes of the file system that holds `path`; `None` where the system does not report them.
pub fn free_bytes(path: &Path) -> Option<u64> {
    system::free_bytes(path)
}

/// Returns the permissions of an ordinary new file, before the user's mask; `None` where every file has them anyway.
pub fn usual_permissions() -> Option<Permissions> {
    system::usual_permissions()
}

/// Opens a file for reading that a stranger may have made.
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

/// Closes a folder to other users. For root they may enter it, but not list it: a bot that plays as another user has to
/// enter it.
pub fn unlist(folder: &Path) -> io::Result<()> {
    system::unlist(folder)
}

/// Removes the file or folder at `path` with all its contents, whatever a program has made of it: folders without
/// permissions, or thousands of nested folders. A link is removed, not its target.
pub fn remove_all(path: &Path) -> io::Result<()> {
    system::remove_all(path)
}

/// An iterator over everything in a folder, at any depth that a path can name: each entry's path from the folder, and
/// its metadata. It follows no link, does not recurse, and has one folder open at a time.
#[derive(Debug)]
pub struct Walk {
    folder: PathBuf,
    /// Folders whose entries are still to come, by their paths from `folder`.
    waiting: Vec<PathBuf>,
    open: Option<(PathBuf, ReadDir)>,
    /// Whether the last entry was a folder.
    is_folder: bool,
}

impl Walk {
    /// `folder` itself is not an entry.
    pub fn of(folder: &Path) -> Walk {
        Walk {
            folder: folder.to_owned(),
            waiting: vec![PathBuf::new()],
            open: None,
            is_folder: false,
        }
    }

    /// Skips the contents of the folder that was returned last.
    pub fn leave_out(&mut self) {
        if take(&mut self.is_folder) {
            self.waiting.pop();
        }
    }

    fn step(&mut self) -> io::Result<Option<(PathBuf, Metadata)>> {
        loop {
            if let Some((inner, entries)) = &mut self.open {
                if let Some(entry) = entries.next() {
                    let entry = entry?;
                    let path = inner.join(entry.file_name());
                    let data = fs::symlink_metadata(entry.path())?;
                    self.is_folder = data.is_dir();
                    if self.is_folder {
                        self.waiting.push(path.clone());
                    }
                    return Ok(Some((path, data)));
                }
                self.open = None;
            }
            let Some(inner) = self.waiting.pop() else {
                return Ok(None);
            };
            let entries = fs::read_dir(self.folder.join(&inner)).map_err(|error| {
                let kind = error.kind();
                io::Error::new(kind, format!("{}: {error}", inner.display()))
            })?;
            self.open = Some((inner, entries));
        }
    }
}

impl Iterator for Walk {
    type Item = io::Result<(PathBuf, Metadata)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

/// A temporary folder that is removed when this value is dropped, as by [`remove_all`].
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Makes a folder whose name begins with `prefix`, in `place` or in the system's folder for temporary files.
    pub fn new(prefix: &str, place: Option<&Path>) -> io::Result<TemporaryFolder> {
        let mut folder = tempfile::Builder::new();
        folder.prefix(prefix);
        let folder = match place {
            Some(place) => folder.tempdir_in(place),
            None => folder.tempdir(),
        }?;
        Ok(TemporaryFolder(folder.keep()))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Moves it to `path` and keeps it.
    pub fn keep_as(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.0, path)?;
        take(&mut self.0);
        Ok(())
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            // A destructor can report no error.
            let _ = remove_all(&self.0);
        }
    }
}

/// A file that this process alone has locked, until the value is dropped.
///
/// A child that is being started holds all open files of the process until it becomes another program. If the lock ended
/// only when the file is closed, such a child would keep it for a moment longer. So the destructor unlocks it explicitly.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Locks the file without waiting.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`] if it is locked already, by this process or another.
    pub fn take(file: File) -> Result<Lock, TryLockError> {
        file.try_lock()?;
        Ok(Lock(file))
    }
}

impl Deref for Lock {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A lock that cannot be released ends with the process.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second handle of the same open file stands for the child that is just being started.
    #[test]
    fn a_copy_of_the_file_does_not_keep_the_lock() {
        let path = std::env::temp_dir().join(format!("arena-lock-test-{}", std::process::id()));
        let lock = Lock::take(File::create(&path).unwrap()).unwrap();
        let again = || Lock::take(File::open(&path).unwrap());
        assert!(matches!(again(), Err(TryLockError::WouldBlock)));
        let _copy = lock.try_clone().unwrap();
        drop(lock);
        assert!(again().is_ok());
        std::fs::remove_file(&path).unwrap();
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{PermissionsExt, chown, symlink};

        use super::*;
        use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

        #[test]
        fn others_can_neither_open_a_file_nor_list_a_folder() {
            let folder = tempfile::tempdir().expect("a folder");
            let mode =
                |path: &Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
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

        #[test]
        fn folders_deeper_than_a_stack_and_than_any_path_are_gone() {
            let folder = TemporaryFolder::new("arena-test-", None).expect("a folder");
            let path = folder.path().to_owned();
            let open = OFlags::DIRECTORY | OFlags::CLOEXEC;
            let mut inner = openat(CWD, &path, open, Mode::empty()).expect("a folder");
            for _ in 0..19_000 {
                mkdirat(&inner, "a", Mode::RWXU).expect("a folder");
                mkdirat(&inner, "b", Mode::RWXU).expect("a folder");
                inner = openat(&inner, "a", open, Mode::empty()).expect("a folder");
            }
            drop(inner);
            drop(folder);
            assert!(!path.exists());
        }

        #[test]
        fn a_link_is_gone_and_its_target_stays() {
            let kept = tempfile::tempdir().expect("a folder");
            fs::write(kept.path().join("file"), "x").expect("a file");
            let folder = TemporaryFolder::new("arena-test-", None).expect("a folder");
            fs::create_dir(folder.path().join("inner")).expect("a folder");
            for link in ["link", "inner/link"] {
                symlink(kept.path(), folder.path().join(link)).expect("a link");
            }
            let path = folder.path().to_owned();
            drop(folder);
            assert!(!path.exists());
            assert!(kept.path().join("file").exists());
        }

        #[test]
        fn it_is_gone_whatever_is_in_it() {
            let folder = TemporaryFolder::new("arena-test-", None).expect("a folder");
            let path = folder.path().to_owned();
            let inner = path.join("closed/inner");
            fs::create_dir_all(&inner).expect("a folder");
            fs::write(inner.join("file"), "x").expect("a file");
            // Entered and written to, but not listed: root may all the same.
            for mode in [(&inner, 0o300), (&path.join("closed"), 0o300)] {
                fs::set_permissions(mode.0, Permissions::from_mode(mode.1)).expect("our own");
            }
            drop(folder);
            assert!(!path.exists());
        }
    }
}
