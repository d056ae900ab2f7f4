//! The user's cache between runs: hand-ins, folders for single sources, notes of builds. Its size is bounded.
//!
//! An arena holds a shared lock on the cache from its first use to its end. Entries are removed only by an arena that
//! gets the lock exclusively, before its first use, so no entry in use is removed. A league runs for weeks, so it also
//! removes entries between its rounds ([`tidy`]). Errors of the file system are faults of the machine, never of a bot.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use host::{TemporaryFolder, Walk, remove_all};

const MOST_MIB: u64 = 2048;
const SIZE: &str = "ARENA_CACHE_MIB";
/// The estimated size of a file or folder in an entry, besides its contents, in bytes.
const BLOCK: u64 = 4096;
/// The prefix of a folder that is being filled or removed.
const UNFINISHED: &str = ".new-";
/// The extension of the empty file whose modification time is the last use of an entry.
const USED: &str = "used";

/// The folders that share one maximum size.
const KINDS: [&str; 3] = ["hand-ins", "sources", "builds"];

pub fn cache(name: &str) -> PathBuf {
    host::cache_folder().join(name)
}

/// Returns the path of an entry, which may be missing. An existing entry is kept until this program ends.
pub fn cached(kind: &str, key: &str) -> io::Result<PathBuf> {
    let folder = cache(kind);
    fs::create_dir_all(&folder)?;
    // Any user who knows the name of an entry could read the entry.
    host::unlist(&folder)?;
    hold()?;
    let entry = folder.join(key);
    fs::write(entry.with_extension(USED), "")?;
    Ok(entry)
}

/// Returns whether a path exists. If it is in an entry, marks the entry as used, as [`cached`] does.
pub fn is_kept(path: &Path) -> bool {
    let inner = path.strip_prefix(cache("")).unwrap_or(Path::new(""));
    let mut parts = inner.iter().map_while(|part| part.to_str());
    if let (Some(kind), Some(key)) = (parts.next(), parts.next())
        && KINDS.contains(&kind)
        && cached(kind, key).is_err()
    {
        return false;
    }
    path.exists()
}

pub fn new_entry(entry: &Path) -> io::Result<TemporaryFolder> {
    TemporaryFolder::new(UNFINISHED, entry.parent())
}

pub fn keep(new: TemporaryFolder, entry: &Path) -> io::Result<()> {
    match new.keep_as(entry) {
        Err(_) if entry.is_dir() => Ok(()),
        kept => kept,
    }
}

static HELD: Mutex<Option<File>> = Mutex::new(None);

fn hold() -> io::Result<()> {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    if held.is_none() {
        let lock = host::own_file(&cache("lock"))?;
        share(&lock, Duration::ZERO)?;
        *held = Some(lock);
    }
    Ok(())
}

/// Removes the least recently used entries, if no other arena uses the cache. Keeps entries used less than `young` ago.
pub fn tidy(young: Duration) -> io::Result<()> {
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    held.as_ref().map_or(Ok(()), |lock| {
        unlock(lock);
        share(lock, young)
    })
}

/// Takes the shared lock; before that, removes old entries if no other arena has the lock.
fn share(lock: &File, young: Duration) -> io::Result<()> {
    if lock.try_lock().is_ok() {
        let mib = std::env::var(SIZE).ok().and_then(|mib| mib.parse().ok());
        drop_oldest(&KINDS.map(cache), mib.unwrap_or(MOST_MIB) << 20, young);
        unlock(lock);
    }
    lock.lock_shared()
}

/// Unlocks a locked file, which cannot fail. But in Wine it reports an error: Rust unlocks twice, because Windows allows
/// a shared lock beside an exclusive one, and Wine has no name for the second failure that Rust knows.
fn unlock(lock: &File) {
    let _ = lock.unlock();
}

/// Removes unfinished entries, then the least recently used, down to `most` bytes. Keeps entries younger than `young`.
fn drop_oldest(folders: &[PathBuf], most: u64, young: Duration) {
    let since = SystemTime::now() - young;
    let entries = folders.iter().flat_map(fs::read_dir).flatten();
    let mut kept: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(UNFINISHED) {
            if modified(&path).is_ok_and(|time| time <= since) {
                let _ = remove_all(&path);
            }
            continue;
        }
        let is_own = |ending: &str| path.extension().is_some_and(|own| own == ending);
        if is_own(USED) && !path.with_extension("").exists() {
            let _ = fs::remove_file(&path);
        }
        if is_own(USED) || is_own("lock") {
            continue;
        }
        let used = modified(&path.with_extension(USED)).or_else(|_| modified(&path));
        let used = used.unwrap_or(SystemTime::UNIX_EPOCH);
        match bytes_of(&path) {
            Ok(bytes) => kept.push((used, bytes, path)),
            // Perhaps a build has removed the permissions of a part of the entry.
            Err(_) => _ = remove_all(&path),
        }
    }
    kept.sort();
    let mut all: u64 = kept.iter().map(|(_, bytes, _)| bytes).sum();
    for (used, bytes, path) in kept {
        if all <= most || used > since {
            return;
        }
        // Renames the entry first, so that a partly removed entry is never used.
        let gone = path.with_file_name(format!("{UNFINISHED}{}", std::process::id()));
        if fs::rename(&path, &gone).is_ok() && remove_all(&gone).is_ok() {
            let _ = fs::remove_file(path.with_extension(USED));
            all -= bytes;
        }
    }
}

fn modified(path: &Path) -> io::Result<SystemTime> {
    path.metadata()?.modified()
}

fn bytes_of(path: &Path) -> io::Result<u64> {
    let mut bytes = path.symlink_metadata()?.len();
    if path.is_dir() {
        for entry in Walk::of(path) {
            bytes += entry?.1.len() + BLOCK;
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entry_is_removed_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let kinds = ["hand-ins", "sources"].map(|kind| folder.path().join(kind));
        for (kind, name, age) in [
            (0, "old", 3),
            (1, "older", 4),
            (0, "new", 1),
            (1, "newer", 0),
        ] {
            let entry = kinds[kind].join(name);
            fs::create_dir_all(entry.join("deep/er")).expect("a folder");
            fs::write(entry.join("deep/er/file"), vec![0; 1 << 20]).expect("a file");
            let used = File::create(entry.with_extension(USED)).expect("a file");
            let time = SystemTime::now() - Duration::from_secs(age * 1000);
            used.set_modified(time).expect("its own file");
        }
        fs::create_dir(kinds[0].join(".new-1")).expect("a folder");
        fs::write(kinds[0].join("refused.used"), "").expect("a file");
        drop_oldest(&kinds, 5 << 19, Duration::from_secs(10_000));
        assert_eq!(fs::read_dir(&kinds[0]).expect("a folder").count(), 5);
        drop_oldest(&kinds, 5 << 19, Duration::ZERO);
        let left = |kind: usize| {
            let entries = fs::read_dir(&kinds[kind]).expect("a folder").flatten();
            let names = entries.map(|entry| entry.file_name().into_string().expect("text"));
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        };
        assert_eq!(left(0), ["new", "new.used"]);
        assert_eq!(left(1), ["newer", "newer.used"]);
    }

    #[test]
    fn two_arenas_that_make_the_same_entry_both_get_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let entry = folder.path().join("entry");
        let [one, two] = [0; 2].map(|_| new_entry(&entry).expect("a folder"));
        for new in [&one, &two] {
            fs::write(new.path().join("bot.py"), "").expect("a file");
        }
        keep(one, &entry).expect("it is the first");
        keep(two, &entry).expect("it is the same");
        assert!(entry.join("bot.py").is_file());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
