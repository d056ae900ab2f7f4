//! Safe handling of files that other users or untrusted programs may have made, and differences between systems.

use std::fs::{self, File, Metadata, Permissions, ReadDir, TryLockError};
use std::io;
use std::mem::take;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::system;

/// The coarsest resolution of file times (two seconds, on FAT), with a margin.
const COARSEST: Duration = Duration::from_secs(3);

pub fn is_program(path: &Path) -> bool {
    path.is_file() && system::may_run(path)
}

/// Returns the file of a program. On Windows, `path` may omit the extension.
pub fn program_file(path: &Path) -> PathBuf {
    system::program_file(path)
}

/// Identifies the contents of a file by its metadata. Changed contents have a different stamp, unless a clock was set
/// back, or two changes came within the resolution of the file system's times ([`Stamp::is_old`]).
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

    /// Returns whether the file is so old that every later change gives a different stamp, on any file system.
    pub fn is_old(&self) -> bool {
        self.modified.elapsed().is_ok_and(|age| age > COARSEST)
    }
}

/// Returns the name of the network file system that holds the folder; `None` if it is local or unknown.
pub fn remote_file_system(folder: &Path) -> Option<String> {
    system::remote_file_system(folder)
}

/// Refuses a folder of another user and a folder that contains a link: others could make the arena write elsewhere.
/// Also refuses a folder in the arena's cache, which has files of untrusted programs. Accepts a missing folder. With
/// `ARENA_ANY_OWNER=1` the owner does not matter: some containers show files with another owner.
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
            "{} is in the arena's cache, whose files untrusted programs made: choose another folder",
            folder.display()
        ));
    }
    if system::is_of_another_user(folder) {
        return refused(format!(
            "the folder {} belongs to another user, who could make the arena write elsewhere: use your own copy, \
             or set ARENA_ANY_OWNER=1 if you trust that user",
            folder.display()
        ));
    }
    Ok(())
}

#[derive(Debug)]
pub enum CopyError {
    Source(io::Error),
    Destination(io::Error),
}

/// What happens with a path that is a link itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkRule {
    Follow,
    Refuse,
}

/// Copies the file or folder `from` to the new path `to`. The owner of `from` may change it during the copy: the
/// function follows no link of another user and does not wait for a pipe. Copies links in the folder as links. Calls
/// `allow` with each entry's path in the folder and its size in bytes; an error of `allow` ends the copy.
pub fn copy_untrusted(
    from: &Path,
    rule: LinkRule,
    to: &Path,
    allow: impl FnMut(&Path, u64) -> io::Result<()>,
) -> Result<(), CopyError> {
    system::copy_untrusted(from, rule, to, allow)
}

/// Opens the regular file `name` in a folder of this user (see [`check_own`]); checks the opened folder again.
pub fn open_in_own(folder: &Path, name: &str) -> io::Result<File> {
    check_own(folder)?;
    system::open_in_own(folder, name)
}

pub fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    system::link(&fs::read_link(from)?, to)
}

/// Returns the folder of the data that a user's runs share, `$XDG_CACHE_HOME/arena`. It may be missing.
pub fn cache_folder() -> PathBuf {
    let named = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    named("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(named("HOME")?).join(".cache")))
        .or_else(|| named("LOCALAPPDATA").map(PathBuf::from))
        .unwrap_or_else(std::env::temp_dir)
        .join("arena")
}

/// Returns the bytes that an ordinary user may still add to the file system of `path`; `None` if that is unknown.
pub fn free_bytes(path: &Path) -> Option<u64> {
    system::free_bytes(path)
}

/// Returns the permissions of an ordinary new file, before the umask; `None` if the system has none.
pub fn usual_permissions() -> Option<Permissions> {
    system::usual_permissions()
}

/// Opens a stranger's file for reading, if it is regular: a link may lead to a secret, and a pipe would block.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // This check gives a clear message. If a link replaces the file later, the system refuses to open the link.
    let data = path.symlink_metadata()?;
    if data.is_symlink() {
        return Err(io::Error::other("it is a link"));
    }
    if !data.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    system::open_lock(path, None)
}

/// Opens a file for writing and locking, and creates it if it does not exist. Only this user can open the created file,
/// because any user who can open a file can lock it. An existing file keeps its contents and permissions.
pub fn own_file(path: &Path) -> io::Result<File> {
    system::open_lock(path, Some(0o600))
}

/// Prevents other users from listing a folder. They also cannot enter it, unless root runs the arena: bots then run as
/// other users and must reach their files.
pub fn unlist(folder: &Path) -> io::Result<()> {
    system::unlist(folder)
}

/// Gives a program the permission to be executed.
pub fn let_execute(file: &Path) -> io::Result<()> {
    system::let_execute(file)
}

/// Removes `path` with all contents, even folders without permissions, at any depth. Removes a link, not its target.
pub fn remove_all(path: &Path) -> io::Result<()> {
    system::remove_all(path)
}

/// An iterator over all entries of a folder, at any depth that a path can name: each entry's path from the folder, and
/// its metadata. Follows no link, does not recurse, and has one folder open at a time.
#[derive(Debug)]
pub struct Walk {
    folder: PathBuf,
    waiting: Vec<PathBuf>,
    open: Option<(PathBuf, ReadDir)>,
    is_folder: bool,
}

impl Walk {
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

/// A temporary folder; dropping the value removes it by [`remove_all`].
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Makes a folder whose name begins with `prefix`, in `place` or else in the system's folder for temporary files.
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

    pub fn keep_as(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.0, path)?;
        take(&mut self.0);
        Ok(())
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            let _ = remove_all(&self.0);
        }
    }
}

/// A file that this process alone has locked, until the value is dropped. The destructor unlocks the file, because a
/// child that is being started still holds it open for a moment.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Locks the file. Fails with [`TryLockError::WouldBlock`] if this process or another has locked it. Tries three
    /// times, 2 ms apart, because [`is_locked`] locks a file for a moment.
    pub fn take(file: File) -> Result<Lock, TryLockError> {
        let again = || {
            thread::sleep(Duration::from_millis(2));
            file.try_lock()
        };
        file.try_lock().or_else(|_| again()).or_else(|_| again())?;
        Ok(Lock(file))
    }
}

/// Returns whether the file is locked. Takes a shared lock for a moment to find out.
pub fn is_locked(file: &File) -> bool {
    let is_locked = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    let _ = file.unlock();
    is_locked
}

impl Deref for Lock {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second handle stands for a child that is being started.
    #[test]
    fn a_copy_of_the_file_does_not_keep_the_lock() {
        let path = std::env::temp_dir().join(format!("arena-lock-test-{}", std::process::id()));
        let lock = Lock::take(File::create(&path).unwrap()).unwrap();
        let again = || Lock::take(File::open(&path).unwrap());
        assert!(matches!(again(), Err(TryLockError::WouldBlock)));
        let _copy = lock.try_clone().unwrap();
        let is_locked = || is_locked(&File::open(&path).unwrap());
        assert!(is_locked());
        drop(lock);
        assert!(!is_locked() && again().is_ok());
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
            // These folders can be entered and written to, but not listed, except by root.
            for mode in [(&inner, 0o300), (&path.join("closed"), 0o300)] {
                fs::set_permissions(mode.0, Permissions::from_mode(mode.1)).expect("our own");
            }
            drop(folder);
            assert!(!path.exists());
        }
    }
}
