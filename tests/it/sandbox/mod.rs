//! Sandboxed bots, and clean-up after kills of the arena: in every tier of this machine, as the tests' user and as a
//! user without rights. Other tests are in `tests/scripts/sandbox.txt` and `tests/attacks/attacks.csv`.

mod kills;
mod tiers;
