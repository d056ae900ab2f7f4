//! Tests in which time decides, one after the other: other tests would take cores that a bot is charged with.

#[cfg(target_os = "linux")]
mod attacks;
#[expect(dead_code, reason = "the other tests use it")]
#[path = "../it/common/mod.rs"]
mod common;
mod crowd;
#[cfg(target_os = "linux")]
mod fairness;
#[cfg(target_os = "linux")]
mod limits;
mod starved;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until no other test runs.
fn alone() -> MutexGuard<'static, ()> {
    static MACHINE: Mutex<()> = Mutex::new(());
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}
