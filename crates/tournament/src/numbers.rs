//! Values of a tournament file, checked against their ranges.

use std::ops::RangeInclusive;
use std::time::Duration;

use message::{ToValue, message};
use referee::problem;
use referee::problem::{Placed, Problem};
use toml::Spanned;

/// The longest valid time limit in ms: a week. A longer limit is a mistake.
const LONGEST_MS: i64 = 7 * 24 * 3600 * 1000;

/// Wraps a value that did not come from a file.
pub fn given<T>(value: Option<T>) -> Placed<T> {
    value.map(|value| Spanned::new(0..0, value))
}

/// Returns the range of a value in the text of the file; an empty range if the key is missing.
pub(super) fn span<T>(value: Option<&Spanned<T>>) -> std::ops::Range<usize> {
    value.map(Spanned::span).unwrap_or_default()
}

pub(super) fn choice<T>(
    value: &Spanned<String>,
    key: &str,
    [one, other]: [(&str, T); 2],
) -> Result<T, Problem> {
    match value.get_ref() {
        word if word == one.0 => Ok(one.1),
        word if word == other.0 => Ok(other.1),
        word => Err(problem!("unknown {key} {word:?}")
            .help(message!("choose {:?} or {:?}", one.0, other.0))
            .at(value.span())),
    }
}

pub(super) fn ms(
    value: Option<&Spanned<i64>>,
    default: i64,
    key: &str,
) -> Result<Duration, Problem> {
    within(value, default, 0..=LONGEST_MS, key).map(|ms| Duration::from_millis(ms as u64))
}

/// Returns a number of the file or, if it is missing, the default. Fails if the number is out of range.
pub(super) fn within<T: Copy + PartialOrd + ToValue>(
    value: Option<&Spanned<T>>,
    default: T,
    range: RangeInclusive<T>,
    key: &str,
) -> Result<T, Problem> {
    let number = value.map_or(default, |value| *value.get_ref());
    if range.contains(&number) {
        return Ok(number);
    }
    Err(problem!("{key} = {number} is out of range")
        .help(message!("choose {} to {}", range.start(), range.end()))
        .at(span(value)))
}

pub(super) fn in_pairs(games: i64, value: Option<&Spanned<i64>>) -> Result<u64, Problem> {
    if games % 2 == 1 {
        return Err(problem!("{games} games cannot be played in pairs")
            .help(message!(
                "every opening is played with both colours: write {} or {}",
                games - 1,
                games + 1
            ))
            .at(span(value)));
    }
    Ok(games as u64 / 2)
}
