//! What a build adds to its folder: bounded while it runs and when it has ended, whatever it is called.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use host::Walk;

use crate::bot::{Exceeded, Quota};

/// A folder before a build: the length of each file, and the folders.
#[derive(Debug)]
pub(super) struct Growth {
    folder: PathBuf,
    before: BTreeMap<PathBuf, u64>,
}

/// Why a build is refused for what it added.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    /// It is too much.
    #[error("it added {0} to its folder")]
    Exceeded(#[from] Exceeded),
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
        })
    }

    /// Refuses more than a hand-in may have, and what cannot be looked at: a closed folder, a path that is too
    /// long. Entries that go while it looks do not count.
    pub(super) fn check(&self) -> Result<(), Refused> {
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
        unreadable.map_or(Ok(()), |error| Err(Refused::Unreadable(error)))
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
