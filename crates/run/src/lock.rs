//! Locks without poisoning.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks the value. Ignores poisoning, because a panic never leaves a value half changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
