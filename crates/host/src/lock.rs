//! An exclusive lock of a file.

use std::fs::{File, TryLockError};
use std::ops::Deref;

/// A file that this process alone has locked, until the value is dropped.
///
/// A child that is just being started has all files of the process until it becomes another program. If the lock
/// ended only when the file is closed, such a child would keep it for a moment longer. So it is given back expressly.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Locks the file, and never waits for it.
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
        // A lock that cannot be given back ends with the process.
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
}
