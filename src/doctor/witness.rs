//! Who follows an examination while it goes on.

use std::fmt::Debug;

use super::finding::Check;

/// Hears of every check, and of what the doctor waits for between two of them.
pub trait Witness: Debug {
    /// From now on the doctor waits for this, said without an end: `waiting for ready`.
    fn waits(&self, what: &str);

    /// A check was made.
    fn made(&self, check: &Check);
}
