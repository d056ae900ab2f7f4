//! How much a stranger may put on the disk: a hand-in, the contents of an archive, and the files that a
//! build adds.

use super::size;

/// The bytes, files and folders that may still be added.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    entries: u64,
    bytes: u64,
}

/// A quota is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exceeded {
    /// By the number of files and folders.
    #[error("more than {} files and folders", Quota::ENTRIES)]
    Entries,
    /// By their bytes.
    #[error("files of more than {}", size(Quota::BYTES))]
    Bytes,
}

impl Quota {
    /// Files and folders, those included that only lead to others.
    pub const ENTRIES: u64 = 20_000;
    /// All files together.
    pub const BYTES: u64 = 1 << 30;

    /// The whole quota.
    pub const WHOLE: Quota = Quota {
        entries: Quota::ENTRIES,
        bytes: Quota::BYTES,
    };

    /// Takes so many files and folders, and so many bytes.
    pub fn take(&mut self, entries: u64, bytes: u64) -> Result<(), Exceeded> {
        self.entries = self.entries.checked_sub(entries).ok_or(Exceeded::Entries)?;
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Exceeded::Bytes)?;
        Ok(())
    }

    /// The bytes that are left.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
