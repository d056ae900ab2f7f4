//! The lines of other programs' protocols, each parsed and written in one place for both sides of the wire.
//!
//! `referee::dialect` asks foreign engines: it writes commands and parses replies. [`engine`](crate::engine)
//! is asked by foreign managers: it parses commands and writes replies. Both keep only their state; no codec
//! remembers anything. For each type, `parse` reads what its [`Display`](std::fmt::Display) wrote, and more:
//! the spellings that programs are known to use.

use std::time::Duration;

pub mod botzone;
pub mod gomocup;
pub mod gtp;
pub mod nboard;

/// Parses a number; `None` if it is not finite, such as `nan` or `inf`.
pub fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Parses seconds, whole or not; `None` if they are negative or too many for a [`Duration`].
pub fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(finite(text)?).ok()
}
