//! The lines of other programs' protocols, parsed and written for both sides of the wire.
//!
//! `referee::dialect` writes commands to foreign engines and parses their replies;
//! [`engine_server`](crate::engine_server) does the reverse for foreign managers. A codec has no state. For each type,
//! `parse` reads the output of [`Display`](std::fmt::Display) or `write`, and also other spellings that programs use.

use std::time::Duration;

pub mod botzone;
pub mod gomocup;
pub mod gtp;
pub mod nboard;

/// Parses a number; `None` if it is not finite, such as `nan` or `inf`.
pub fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Parses seconds, which may have a fraction; `None` if they are negative or too many for a [`Duration`].
pub fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(finite(text)?).ok()
}
