//! Bounds what a build adds to its folder and takes of the disk, while it runs and when it has ended.
//!
//! A look at the folder does not show a file that the build has removed and still holds open, or temporary files. So
//! the free space of the file systems counts, too. Other programs use them as well: whether a build took what is
//! missing is known when it has ended, since the system then frees what no folder shows.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use host::Walk;

use crate::bot::{Exceeded, Quota, size};

/// A folder before a build: the length of each file, and the folders; and the free bytes of the file systems that the
/// build can write to.
#[derive(Debug)]
pub(super) struct Growth {
    folder: PathBuf,
    before: BTreeMap<PathBuf, u64>,
    free: Vec<(PathBuf, u64)>,
}

/// Why a build is refused for what it added.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    /// It is too much.
    #[error("it added {0} to its folder")]
    Exceeded(#[from] Exceeded),
    /// It is too much, in files that its folder does not show.
    #[error(
        "it took more than {} of the disk beside its folder",
        size(Quota::BYTES)
    )]
    Hidden,
    /// The amount is not known.
    #[error("it left what cannot be read: {0}")]
    Unreadable(io::Error),
}

impl Growth {
    /// Remembers the contents of the folder.
    pub(super) fn of(folder: &Path) -> io::Result<Growth> {
        let entries = Walk::of(folder).map(|entry| entry.map(|(path, data)| (path, data.len())));
        Ok(Growth {
            folder: folder.to_owned(),
            before: entries.collect::<io::Result<_>>()?,
            free: Vec::new(),
        }
        .restarted())
    }

    /// Counts the space of the disk from now on.
    pub(super) fn restarted(mut self) -> Growth {
        let places = [self.folder.clone(), std::env::temp_dir()].into_iter();
        let free = places.filter_map(|place| host::free_bytes(&place).map(|free| (place, free)));
        self.free = free.collect();
        self
    }

    /// The bytes that the disk has lost, to whatever program.
    pub(super) fn lost(&self) -> u64 {
        let lost = |(place, before): &(PathBuf, u64)| {
            before.saturating_sub(host::free_bytes(place).unwrap_or(*before))
        };
        self.free.iter().map(lost).max().unwrap_or_default()
    }

    /// Refuses more than a hand-in may have, and what cannot be looked at: a closed folder, a path that is too
    /// long. Entries that go while it looks do not count. Returns the bytes that the disk
    /// has lost and the folder does not show.
    pub(super) fn check(&self) -> Result<u64, Refused> {
        let (mut quota, mut unreadable) = (Quota::WHOLE, None);
        for entry in Walk::of(&self.folder) {
            match entry {
                Ok((path, data)) => match self.before.get(&path) {
                    None => quota.take(1, data.len())?,
                    Some(before) => quota.take(0, data.len().saturating_sub(*before))?,
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => unreadable = Some(error),
            }
        }
        let added = Quota::BYTES - quota.bytes();
        let hidden = self.lost().saturating_sub(added);
        unreadable.map_or(Ok(hidden), |error| Err(Refused::Unreadable(error)))
    }

    /// Removes what is new, and files that have become longer.
    pub(super) fn remove(&self) {
        let mut walk = Walk::of(&self.folder);
        while let Some(entry) = walk.next() {
            let Ok((path, data)) = entry else {
                continue;
            };
            let before = self.before.get(&path);
            if before.is_none_or(|before| !data.is_dir() && data.len() > *before) {
                walk.leave_out();
                // The next check of the hand-in finds a file that cannot be removed.
                let _ = host::remove_all(&self.folder.join(path));
            }
        }
    }
}
