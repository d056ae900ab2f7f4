//! Bots that play in a sandbox, the processes and files that are left when the arena is killed, and cheating over
//! many games: in every tier that this machine can hold, as root where the tests run as root, and as a user without
//! rights.
//!
//! Most of it is in `tests/scripts/sandbox.txt`; single attacks are rows of `tests/attacks/attacks.csv`.

mod kills;
mod tiers;
