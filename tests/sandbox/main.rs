//! Bots that play in a sandbox, the processes and files that are left when the arena is killed, and cheating over
//! many games: in every tier that this machine can hold, as root where the tests run as root, and as a user without
//! rights.
//!
//! Single attacks are rows of `tests/attacks/attacks.csv`.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses its own part")]
mod common;
mod fairness;
mod installed;
mod kills;
mod limits;
#[expect(dead_code, reason = "the attacks use it too")]
mod place;
mod tiers;
