//! The share of the free disk space that one hand-in may use.
//!
//! All hand-ins of a class are prepared before the first game, and their files stay in the cache. So each may use an
//! equal share of the space that is free when its preparation begins, and the arena keeps a reserve for its records. A
//! hand-in that needs more than its share is not at fault: the disk is too small.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Exceeded, Quota, cache};

/// The reserve, in bytes: more than a fast disk writes between two checks of a build. If little space is free, the
/// reserve is three quarters of it.
const RESERVE: u64 = 1 << 30;

/// The free bytes before the hand-in adds its first file, and the free bytes that it must leave: in its folder, and in
/// the folder for temporary files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct DiskShare {
    first: [u64; 2],
    least: [u64; 2],
}

impl DiskShare {
    /// Returns the share of the next hand-in, if so many hand-ins still have to be prepared, this one included. Temporary
    /// files are removed before the next hand-in, so their space is not divided.
    pub fn of(folder: &Path, hand_ins: usize) -> DiskShare {
        let first = free(folder);
        let share = |free: u64| free - RESERVE.min(free - free / 4);
        let [cache, temporary] = first.map(share);
        let shares = [cache / hand_ins.max(1) as u64, temporary];
        DiskShare {
            first,
            least: [0, 1].map(|place| first[place] - shares[place]),
        }
    }

    pub fn in_cache(hand_ins: usize) -> DiskShare {
        DiskShare::of(&cache(""), hand_ins)
    }

    /// Returns the number of files and bytes that the hand-in may still add to `folder`.
    pub fn quota(&self, folder: &Path) -> Quota {
        Quota::within(*self, free(folder))
    }

    /// Fails if less space is free than the hand-in must leave.
    pub(super) fn check(&self, now: [u64; 2]) -> Result<(), Exceeded> {
        let low = (0..2).find(|&place| now[place] < self.least[place]);
        low.map_or(Ok(()), |place| {
            let free = self.first[place];
            let (used, share) = (free.saturating_sub(now[place]), free - self.least[place]);
            Err(Exceeded::Share { used, free, share })
        })
    }
}

/// Returns the free bytes in a folder, which may be missing, and in the folder for temporary files.
pub(super) fn free(folder: &Path) -> [u64; 2] {
    [folder, &std::env::temp_dir()].map(|place| {
        let free = place.ancestors().find_map(host::free_bytes);
        free.unwrap_or(u64::MAX)
    })
}
