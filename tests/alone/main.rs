//! Tests that depend on time and must run alone: another test would take time from a bot's core.

#[cfg(target_os = "linux")]
mod attacks;
#[expect(dead_code, reason = "the other tests use it")]
#[path = "../it/common/mod.rs"]
mod common;
#[cfg(target_os = "linux")]
mod crowd;
#[cfg(target_os = "linux")]
mod fairness;
#[cfg(target_os = "linux")]
mod holds;
#[cfg(target_os = "linux")]
mod limits;
mod starved;

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

static MACHINE: RwLock<()> = RwLock::new(());

fn alone() -> RwLockWriteGuard<'static, ()> {
    MACHINE.write().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until every test that must run alone has ended.
fn in_company() -> RwLockReadGuard<'static, ()> {
    MACHINE.read().unwrap_or_else(PoisonError::into_inner)
}
