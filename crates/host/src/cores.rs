//! Cores of the machine for workers: one each, or as many as they ask for, but none that another arena
//! uses.
//!
//! Two arenas on the same core would disturb each other. So a core is claimed by a lock on a file that
//! all arenas of the machine use; the system releases it when the arena ends in any way. If the lock
//! fails for another reason than another arena, the core counts as free: the lock is only advisory.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::system;

/// A core that belongs to this arena as long as the claim lives.
#[derive(Debug)]
pub struct Core {
    number: usize,
    /// Holds the lock.
    file: Option<File>,
}

impl Drop for Core {
    /// A child that is just being started has the files of the whole process, and with them the lock, until
    /// it is another program: closing this one would not give the core back.
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            // A lock that cannot be given back goes with the process.
            let _ = file.unlock();
        }
    }
}

/// Lets the calling thread, and the processes it starts, run on these cores alone; anywhere, where
/// there are none. Where that is refused, work is done all the same, on whatever core there is.
pub fn pin_to(cores: &[Core]) {
    if !cores.is_empty() {
        system::pin_to(cores.iter().map(|core| core.number));
    }
}

/// As many cores as are `wanted` for all workers, or none if not enough are free: a worker without its
/// own cores runs on any core.
pub fn claim_cores(wanted: usize) -> Vec<Core> {
    claim_in(&std::env::temp_dir(), &system::allowed_cores(), wanted)
}

/// The same from these cores alone.
pub fn claim_cores_of(cores: &[usize], wanted: usize) -> Vec<Core> {
    claim_in(&std::env::temp_dir(), cores, wanted)
}

/// The numbers of the cores that this process may use.
pub fn allowed_cores() -> Vec<usize> {
    system::allowed_cores()
}

fn claim_in(folder: &Path, cores: &[usize], wanted: usize) -> Vec<Core> {
    if wanted > cores.len() {
        return Vec::new();
    }
    let free = cores.iter().filter_map(|&number| take(folder, number));
    let claimed: Vec<Core> = free.take(wanted).collect();
    if claimed.len() == wanted {
        claimed
    } else {
        Vec::new()
    }
}

/// The core, unless another arena uses it.
fn take(folder: &Path, number: usize) -> Option<Core> {
    let file = open(&folder.join(format!("arena-core-{number}.lock"))).ok();
    match file.as_ref().map(File::try_lock) {
        Some(Err(TryLockError::WouldBlock)) => None,
        _ => Some(Core { number, file }),
    }
}

/// Another user's file can be locked, but not written, and in a shared folder not opened with the
/// "create" flag. So an existing file is tried first.
fn open(path: &PathBuf) -> io::Result<File> {
    match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path),
        opened => opened,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(claimed: &[Core]) -> Vec<usize> {
        claimed.iter().map(|core| core.number).collect()
    }

    #[test]
    fn two_arenas_share_no_core() {
        let folder = tempfile::tempdir().expect("a folder");
        let claim = |workers| claim_in(folder.path(), &[2, 3, 7], workers);
        let first = claim(1);
        assert_eq!(numbers(&first), [2]);
        assert!(claim(3).is_empty(), "one of three is taken");
        let second = claim(2);
        assert_eq!(numbers(&second), [3, 7]);
        assert!(claim(1).is_empty(), "all are taken");
        drop(first);
        assert_eq!(numbers(&claim(1)), [2], "a core is free again");
    }

    #[test]
    fn more_workers_than_cores_get_none() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(claim_in(folder.path(), &[0, 1], 3).is_empty());
    }

    #[test]
    fn a_folder_that_is_not_there_stops_nobody() {
        let claimed = claim_in(Path::new("/no/such/folder"), &[0, 1], 2);
        assert_eq!(numbers(&claimed), [0, 1]);
    }
}
