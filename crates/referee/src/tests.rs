//! Files of cases, for the tests of all modules.

#[path = "../../protocol/tests/dialogues/mod.rs"]
pub(crate) mod dialogues;
