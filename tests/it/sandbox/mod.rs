//! Sandboxed bots, and clean-up after kills of the arena: in every tier of this machine, as the tests' user and as a
//! user without rights. Most tests are in `tests/scripts/sandbox.txt`; single attacks are rows of
//! `tests/attacks/attacks.csv`.

mod kills;
mod tiers;
