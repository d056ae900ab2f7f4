//! Claims cores of the machine for workers, so that two arenas (running copies of this program) do not share a core.
//!
//! A claim is a lock on a file in a folder that only this user can write to. The system releases the lock when the
//! arena ends in any way. A lock of another user counts only if this user can read the lock file; otherwise both users
//! may claim the same core. A core whose file cannot be locked for another reason counts as free.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::{self, TryLockError};
use std::path::{Path, PathBuf};

use crate::files::is_locked;
use crate::{Lock, cache_folder, system};

/// A core that this arena has claimed, until the value is dropped.
#[derive(Debug)]
pub struct Core {
    number: usize,
    /// `None` if the lock failed, or if another claim may have the core.
    _lock: Option<Lock>,
}

impl Core {
    pub fn number(&self) -> usize {
        self.number
    }
}

thread_local! {
    static GIVEN: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Restricts the calling thread and its new processes to `cores`, unless the list is empty or the system refuses.
pub fn pin_to(cores: &[Core]) {
    if !cores.is_empty() {
        let numbers: Vec<usize> = cores.iter().map(Core::number).collect();
        system::pin_to(numbers.iter().copied());
        GIVEN.set(numbers);
    }
}

/// Restricts the thread to `cores`, if any, while `start` runs. New processes of `start` are then restricted, too.
pub fn on_cores<T>(cores: &[usize], start: impl FnOnce() -> T) -> T {
    if cores.is_empty() {
        return start();
    }
    let given = GIVEN.with_borrow(Clone::clone);
    let before = if given.is_empty() {
        system::allowed_cores()
    } else {
        given
    };
    system::pin_to(cores.iter().copied());
    let started = start();
    system::pin_to(before.into_iter());
    started
}

/// Claims `wanted` cores from `listed` or, if that is empty, from all cores that this process may use. Returns no cores
/// if too few are free; then workers run on any core. If the calling thread is pinned to enough cores, returns these.
pub fn claim_cores(listed: &[usize], wanted: usize) -> Vec<Core> {
    let given = GIVEN.with_borrow(Clone::clone);
    if wanted <= given.len() {
        let given = given.into_iter().take(wanted);
        return given
            .map(|number| Core {
                number,
                _lock: None,
            })
            .collect();
    }
    let all = system::allowed_cores();
    let cores = if listed.is_empty() { &all } else { listed };
    claim_in(&[std::env::temp_dir(), cache_folder()], cores, wanted)
}

/// Returns `wanted` cores from `listed` or, if that is empty, from all cores that this process may use: free cores
/// first, then claimed cores, and then the same cores again. Returns no cores if there are none.
pub fn share_cores(listed: &[usize], wanted: usize) -> Vec<Core> {
    let all = system::allowed_cores();
    let cores = if listed.is_empty() { &all } else { listed };
    share_in(&[std::env::temp_dir(), cache_folder()], cores, wanted)
}

fn share_in(folders: &[PathBuf; 2], cores: &[usize], wanted: usize) -> Vec<Core> {
    let free = cores.iter().filter_map(|&number| take(folders, number));
    let mut shared: Vec<Core> = free.take(wanted).collect();
    let others: Vec<usize> = cores
        .iter()
        .copied()
        .filter(|number| shared.iter().all(|core| core.number != *number))
        .collect();
    let any = others.iter().chain(cores.iter().cycle());
    let missing = wanted - shared.len();
    shared.extend(any.take(missing).map(|&number| Core {
        number,
        _lock: None,
    }));
    shared
}

pub fn allowed_cores() -> Vec<usize> {
    system::allowed_cores()
}

fn claim_in(folders: &[PathBuf; 2], cores: &[usize], wanted: usize) -> Vec<Core> {
    if wanted > cores.len() {
        return Vec::new();
    }
    let free = cores.iter().filter_map(|&number| take(folders, number));
    let claimed: Vec<Core> = free.take(wanted).collect();
    if claimed.len() == wanted {
        claimed
    } else {
        Vec::new()
    }
}

pub fn are_cores_claimed() -> bool {
    is_claimed_in(&[std::env::temp_dir(), cache_folder()])
}

fn is_claimed_in([folder, hidden]: &[PathBuf; 2]) -> bool {
    let all = others(folder, None).chain(others(hidden, None));
    let mut files = all.flat_map(|own| fs::read_dir(own).into_iter().flatten().flatten());
    files.any(|file| system::open_lock(&file.path(), None).is_ok_and(|lock| is_locked(&lock)))
}

/// Claims the core, unless another arena uses it. Takes its own lock before it looks for other locks: if two arenas
/// claim a core at once, at least one sees the other's lock. If another user has made an entry with the name of our
/// lock folder in `folder`, makes the lock folder in `hidden`.
fn take([folder, hidden]: &[PathBuf; 2], number: usize) -> Option<Core> {
    let name = format!("core-{number}.lock");
    let own = system::own_folder(folder).or_else(|_| {
        fs::create_dir_all(hidden)?;
        system::own_folder(hidden)
    });
    let own = own.ok();
    let file = own
        .as_ref()
        .and_then(|own| system::open_lock(&own.join(&name), Some(0o644)).ok());
    let lock = match file.map(Lock::take) {
        Some(Err(TryLockError::WouldBlock)) => return None,
        lock => lock.and_then(Result::ok),
    };
    let others = others(folder, own.as_deref());
    let mut others = others.filter_map(|other| system::open_lock(&other.join(&name), None).ok());
    if others.any(|other| is_locked(&other)) {
        return None;
    }
    Some(Core {
        number,
        _lock: lock,
    })
}

/// Returns the lock folders of other users, each named `arena-` and the user's number.
fn others(folder: &Path, own: Option<&Path>) -> impl Iterator<Item = PathBuf> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_of_user = |name: &OsStr| {
        let user = name.to_str().and_then(|name| name.strip_prefix("arena-"));
        user.is_some_and(|user| user.parse::<u32>().is_ok())
    };
    let all = all.filter(move |entry| is_of_user(&entry.file_name()));
    all.map(|entry| entry.path())
        .filter(move |path| Some(path.as_path()) != own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(claimed: &[Core]) -> Vec<usize> {
        claimed.iter().map(|core| core.number).collect()
    }

    fn in_turn(folder: &Path) -> [PathBuf; 2] {
        [folder.to_owned(), folder.join("hidden")]
    }

    #[test]
    fn two_arenas_share_no_core() {
        let folder = tempfile::tempdir().expect("a folder");
        let claim = |workers| claim_in(&in_turn(folder.path()), &[2, 3, 7], workers);
        assert!(!is_claimed_in(&in_turn(folder.path())));
        let first = claim(1);
        assert_eq!(numbers(&first), [2]);
        assert!(is_claimed_in(&in_turn(folder.path())));
        assert!(claim(3).is_empty(), "one of three is taken");
        let second = claim(2);
        assert_eq!(numbers(&second), [3, 7]);
        assert!(claim(1).is_empty(), "all are taken");
        drop(first);
        assert_eq!(numbers(&claim(1)), [2], "a core is free again");
        drop(second);
        assert!(!is_claimed_in(&in_turn(folder.path())));
    }

    /// Opening a named pipe for reading blocks until another process opens it for writing.
    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_a_lock_or_of_the_folder_holds_up_no_arena() {
        let make = |path: &Path| {
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.expect("mkfifo").success());
        };
        let folder = tempfile::tempdir().expect("a folder");
        let own = system::own_folder(folder.path()).expect("a folder");
        make(&own.join("core-0.lock"));
        let other = folder.path().join("arena-4294967294");
        fs::create_dir(&other).expect("a folder");
        make(&other.join("core-0.lock"));
        make(&folder.path().join("arena-core-0.lock"));
        assert_eq!(numbers(&claim_in(&in_turn(folder.path()), &[0], 1)), [0]);
        let folder = tempfile::tempdir().expect("a folder");
        make(&folder.path().join(own.file_name().expect("a name")));
        let claim = || claim_in(&in_turn(folder.path()), &[0, 1], 1);
        let first = claim();
        assert_eq!(numbers(&first), [0]);
        assert_eq!(
            numbers(&claim()),
            [1],
            "our arenas see each other all the same"
        );
    }

    #[cfg(unix)]
    #[test]
    fn arenas_of_two_users_share_no_core() {
        let folder = tempfile::tempdir().expect("a folder");
        let other = folder.path().join("arena-4294967294");
        fs::create_dir(&other).expect("a folder");
        let file = fs::File::create(other.join("core-0.lock")).expect("a file");
        let lock = Lock::take(file).expect("it is free");
        assert_eq!(numbers(&claim_in(&in_turn(folder.path()), &[0, 1], 1)), [1]);
        drop(lock);
        assert_eq!(numbers(&claim_in(&in_turn(folder.path()), &[0, 1], 1)), [0]);
    }

    #[test]
    fn more_workers_than_cores_get_none() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(claim_in(&in_turn(folder.path()), &[0, 1], 3).is_empty());
    }

    #[test]
    fn cores_are_shared_only_where_too_few_are_free() {
        let folder = tempfile::tempdir().expect("a folder");
        let share = |wanted| share_in(&in_turn(folder.path()), &[2, 3], wanted);
        let other = claim_in(&in_turn(folder.path()), &[2], 1);
        assert_eq!(numbers(&share(1)), [3]);
        assert_eq!(numbers(&share(2)), [3, 2]);
        drop(other);
        assert_eq!(numbers(&share(5)), [2, 3, 2, 3, 2]);
        assert!(share_in(&in_turn(folder.path()), &[], 1).is_empty());
    }

    #[test]
    fn a_missing_folder_prevents_no_claim() {
        let claimed = claim_in(&in_turn(Path::new("/dev/null/none")), &[0, 1], 2);
        assert_eq!(numbers(&claimed), [0, 1]);
    }
}
