//! What a bot in a box can do to the machine, to the arena and to its opponent, and what its limits come
//! to: in every tier that this machine can hold, as root where the tests run as root, and as a user who
//! is nobody.
//!
//! What a tier leaves open stands in the expectations, and in `docs/grading.md`.
#![cfg(target_os = "linux")]

mod attacks;
mod class;
#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses its own part")]
mod common;
mod fairness;
mod kills;
mod limits;
mod place;
mod reach;
mod strangers;
mod tiers;
