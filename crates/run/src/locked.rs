//! Locks of values that are whole between any two lines: a thread that panicked left nothing half done.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for the value.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
