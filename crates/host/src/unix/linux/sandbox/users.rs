//! A separate user for each sandbox, if the arena is root. Then the files of root and the processes of other sandboxes
//! belong to another user, even if all other protections fail.
//!
//! The user has no name and owns only what the arena gives it. So a sandbox gets its own user only if this user can
//! read all files that the program needs: the mounted files and, in a standard sandbox, all folders above them.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, Metadata, Permissions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use super::runtimes::{Runtimes, path_of};
use crate::process::answer;
use crate::{Open, Program, Sandbox, Tier, Walk};

/// The first number of a sandbox's user, after the numbers that systemd gives to containers (its UIDS-GIDS.md).
const FIRST: u32 = 0x7000_0000;
const COUNT: u32 = 0x8000_0000;
/// Permissions by which every user may write, and by which programs run as their owners.
const OPENED: u32 = 0o7002;
const MOST_ENTRIES: usize = 20_000;

/// Returns whether sandboxes of this tier can have their own users: this process is root, has the capabilities of root
/// (which a container may remove), and every user number exists here.
pub fn can_change(tier: Tier) -> bool {
    use rustix::thread::CapabilitySet as Rights;
    let needed = Rights::SETUID | Rights::SETGID | Rights::CHOWN | Rights::KILL;
    let needed = match tier {
        // Without a user namespace, mounts need the rights of root.
        Tier::Strict => needed | Rights::SYS_ADMIN | Rights::NET_ADMIN,
        Tier::Standard => needed,
    };
    let has = rustix::thread::capabilities(None).is_ok_and(|set| set.effective.contains(needed));
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    has && map.split_whitespace().eq(["0", "0", "4294967295"])
}

/// Returns the user for the program, or the path that prevents a separate user; `/` if users cannot be changed here.
pub fn own_user(sandbox: &Sandbox, program: &Path, runtimes: &Runtimes) -> Result<u32, PathBuf> {
    if !can_change(sandbox.tier) {
        return Err("/".into());
    }
    let given = sandbox.writable.first();
    // A folder that will be given to the user need not be open to this user now.
    let is_given = |path: &&PathBuf| given.is_some_and(|given| path.starts_with(given));
    let own = || sandbox.readable.iter().filter(|path| !is_given(path));
    // Of the runtimes, the program needs only those in its own folder.
    let folder = program.parent().unwrap_or(program);
    let runtime = runtimes.readable.iter();
    let runtime = runtime.filter(|place| place.starts_with(folder));
    let mut needed = runtime.chain(own()).map(PathBuf::as_path).chain([program]);
    let prevents = needed
        .find_map(|path| closed(path, sandbox.tier))
        .or_else(|| own().find_map(|path| closed_in(path)))
        .or_else(|| given.and_then(|folder| of_a_person(folder)));
    match (prevents, given) {
        (Some(path), _) => Err(path),
        (None, Some(folder)) => Ok(of_folder(folder)),
        (None, None) => Ok(new()),
    }
}

pub fn open_in(sandbox: &Sandbox) -> Open {
    let readable = Runtimes::ask(sandbox, answer).readable.clone();
    let can_change = can_change(sandbox.tier);
    let mut seen = readable.iter().filter(|_| can_change);
    Open {
        closed: seen
            .find(|path| closed(path, sandbox.tier).is_some())
            .cloned(),
        readable,
    }
}

pub fn closed_for(program: &Program) -> Option<PathBuf> {
    let sandbox = program.sandbox.as_ref()?;
    if !can_change(sandbox.tier) {
        return None;
    }
    let runtimes = Runtimes::ask(sandbox, answer);
    let path = path_of(program, &runtimes).ok()?;
    own_user(sandbox, &path, &runtimes).err()
}

/// Returns a user that no other sandbox has now. Each arena has its own range of numbers and uses them in a random
/// order, so that a program cannot see how many sandboxes were made before.
fn new() -> u32 {
    static OURS: LazyLock<Mutex<(Vec<u32>, usize)>> = LazyLock::new(|| {
        let most = fs::read_to_string("/proc/sys/kernel/pid_max").ok();
        let most = most.and_then(|text| text.trim().parse::<u32>().ok());
        let of_each = (COUNT / most.unwrap_or(1 << 22).max(1 << 15)).max(1);
        let first = std::process::id().wrapping_mul(of_each);
        let numbers = (0..of_each).map(|number| FIRST + first.wrapping_add(number) % COUNT);
        Mutex::new((numbers.collect(), 0))
    });
    let mut ours = OURS.lock().unwrap_or_else(PoisonError::into_inner);
    let (numbers, used) = &mut *ours;
    let place = *used % numbers.len();
    if *used < numbers.len() {
        let unused = &mut numbers[*used..];
        let chance = RandomState::new().hash_one(place) % unused.len() as u64;
        unused.swap(0, chance as usize);
    }
    *used += 1;
    numbers[place]
}

/// Returns the user of this folder: each sandbox that writes to it gets the same user.
fn of_folder(folder: &Path) -> u32 {
    let number = fs::metadata(folder).map_or(0, |data| data.ino());
    FIRST + (number % u64::from(COUNT)) as u32
}

/// Returns the file or folder that keeps other users from `path`: the path itself, or a folder above it or above the
/// file that it links to if the sandbox shows the machine's own folders.
fn closed(path: &Path, tier: Tier) -> Option<PathBuf> {
    let seen = match tier {
        Tier::Strict => 1,
        Tier::Standard => usize::MAX,
    };
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folders = [path, &target].map(|path| path.ancestors().take(seen).enumerate());
    // Users can pass through a folder that they cannot list, such as the cache's.
    let is_closed = |(above, path): &(usize, &Path)| {
        fs::metadata(path).is_ok_and(|data| match above {
            0 => !is_open(&data),
            _ => data.mode() & 0o001 == 0,
        })
    };
    let found = folders.into_iter().flatten().find(is_closed);
    found.map(|(_, path)| path.to_owned())
}

/// Returns the first file or folder in `path` that other users cannot use as its owner can. If the first
/// [`MOST_ENTRIES`] entries are usable, returns the next entry. Caches the answer for later starts in the run.
fn closed_in(path: &Path) -> Option<PathBuf> {
    static KNOWN: Mutex<BTreeMap<PathBuf, Option<PathBuf>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let found = known.entry(path.to_owned()).or_insert_with(|| {
        let mut entries = all(path).enumerate();
        let closed = entries.find(|(number, (_, data))| {
            *number == MOST_ENTRIES || !data.is_symlink() && !is_open(data)
        });
        closed.map(|(_, (path, _))| path)
    });
    found.clone()
}

/// Returns whether other users can read and execute the file if its owner can.
fn is_open(data: &Metadata) -> bool {
    let of_owner = data.mode() >> 6 & 0o5;
    data.mode() & of_owner == of_owner
}

/// Gives the folder and its contents to this user; gives a link itself, not its target. A file with several names (hard
/// links) may also have a name outside, so a copy replaces it under all its names in the folder.
pub fn give(folder: &Path, user: u32) {
    let mut copies: HashMap<_, PathBuf> = HashMap::new();
    for (path, data) in all(folder).filter(|(_, data)| data.uid() != user) {
        if data.is_file() && data.nlink() > 1 {
            let copy = copies.entry((data.dev(), data.ino()));
            let replaced = match copy {
                Entry::Occupied(copy) => link(copy.get(), &path),
                Entry::Vacant(copy) => separate(&path).map(|()| {
                    copy.insert(path.clone());
                }),
            };
            if replaced.is_err() {
                continue;
            }
        }
        // If this fails, the program has fewer rights to the file.
        let _ = lchown(path, Some(user), Some(user));
    }
}

/// Gives the folder and its contents back to root. Makes no copies: a build can give a huge file thousands of names.
pub fn take_back(folder: &Path) {
    for (path, _) in all(folder).filter(|(_, data)| data.uid() != 0) {
        let _ = lchown(path, Some(0), Some(0));
    }
}

fn separate(path: &Path) -> io::Result<()> {
    let copy = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(path))?;
    fs::copy(path, copy.path())?;
    copy.persist(path)?;
    Ok(())
}

fn link(copy: &Path, path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    let made = tempfile::Builder::new().make_in(folder, |name| fs::hard_link(copy, name))?;
    made.into_temp_path().persist(path)?;
    Ok(())
}

pub fn close(folder: &Path) {
    let files = all(folder).filter(|(_, data)| !data.is_symlink() && data.mode() & OPENED != 0);
    for (path, data) in files {
        let mode = data.mode() & 0o7777 & !OPENED;
        let _ = fs::set_permissions(path, Permissions::from_mode(mode));
    }
}

/// Returns the first file that belongs to a person, not to root or a sandbox. The arena never changes its owner.
fn of_a_person(folder: &Path) -> Option<PathBuf> {
    let mut entries = all(folder);
    let entry = entries.find(|(_, data)| data.uid() != 0 && data.uid() < FIRST);
    entry.map(|(path, _)| path)
}

fn all(path: &Path) -> impl Iterator<Item = (PathBuf, Metadata)> {
    let own = fs::symlink_metadata(path).map(|data| (path.to_owned(), data));
    let inner = Walk::of(path).flatten();
    own.into_iter()
        .chain(inner.map(|(inner, data)| (path.join(inner), data)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only root can give files away, but copies and hard links work the same for every user.
    #[test]
    fn a_file_that_is_given_has_no_name_outside_and_one_copy() {
        let place = tempfile::tempdir().expect("a folder");
        let outside = place.path().join("outside");
        fs::write(&outside, "mine").expect("a file");
        let folder = place.path().join("folder");
        fs::create_dir(&folder).expect("a folder");
        let names = ["one", "two", "three"].map(|name| folder.join(name));
        for name in &names {
            fs::hard_link(&outside, name).expect("a link");
        }
        let file = |path: &Path| fs::metadata(path).expect("a file").ino();
        give(&folder, FIRST);
        let copy = file(&names[0]);
        assert_eq!(names.clone().map(|name| file(&name)), [copy; 3]);
        take_back(&folder);
        assert_eq!(names.clone().map(|name| file(&name)), [copy; 3]);
        fs::write(&names[1], "another's").expect("a file");
        assert_eq!(fs::read_to_string(&outside).expect("a file"), "mine");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 3);
    }

    #[test]
    fn a_file_is_open_if_others_can_do_what_its_owner_can() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).expect("a folder");
        let file = inner.join("bot");
        fs::write(&file, "").expect("a file");
        let set = |path: &Path, mode| {
            fs::set_permissions(path, Permissions::from_mode(mode)).expect("its own");
        };
        set(folder.path(), 0o700);
        for (of_folder, of_file, is_closed) in [
            (0o755, 0o644, false),
            (0o755, 0o755, false),
            (0o755, 0o640, true),
            (0o755, 0o744, true),
            (0o750, 0o755, true),
            (0o751, 0o755, true),
        ] {
            set(&file, of_file);
            set(&inner, of_folder);
            // Uses a new path each time, since answers are cached.
            let path = inner.join(format!("{of_folder:o}{of_file:o}/.."));
            fs::create_dir(path.parent().expect("a folder")).expect("a folder");
            let name = format!("{of_folder:o} {of_file:o}");
            assert_eq!(closed_in(&path).is_some(), is_closed, "{name}");
        }
        assert_eq!(closed(&inner, Tier::Strict), Some(inner.clone()));
        set(&inner, 0o755);
        assert_eq!(closed(&inner, Tier::Strict), None);
        assert_eq!(
            closed(&inner, Tier::Standard).as_deref(),
            Some(folder.path())
        );
        set(folder.path(), 0o711);
        assert_eq!(closed(&inner, Tier::Standard), None);
    }
}
