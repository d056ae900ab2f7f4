//! Tests sandboxed bots, and the clean-up after the arena is killed, in every sandbox tier that this machine supports,
//! as the current user and as one without rights. See also `tests/scripts/sandbox.txt` and `tests/attacks`.

mod kills;
mod tiers;
