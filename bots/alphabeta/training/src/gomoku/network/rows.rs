//! Sums over the features of a cell.
//!
//! Apart, each of these functions is a few instructions on whole rows; within a long function the compiler
//! takes number after number, and learning takes three times as long.

use alphabeta::gomoku::network::{FEATURE_UNIT, FEATURES};

/// The highest feature.
const TOP: f32 = 1.0 - 1.0 / FEATURE_UNIT as f32;

/// A number for each feature.
pub type Features = [f32; FEATURES];

/// The row of some numbers that begins at `begin`.
pub fn row(numbers: &[f32], begin: usize) -> &Features {
    numbers[begin..].first_chunk().expect("a row is full")
}

/// The same, to be changed.
pub fn row_mut(numbers: &mut [f32], begin: usize) -> &mut Features {
    numbers[begin..].first_chunk_mut().expect("a row is full")
}

/// `into + from`.
#[inline(never)]
pub fn add(into: &mut Features, from: &Features) {
    for (one, two) in into.iter_mut().zip(from) {
        *one += two;
    }
}

/// `into + factor · from`.
#[inline(never)]
pub fn add_times(into: &mut Features, factor: f32, from: &Features) {
    for (one, two) in into.iter_mut().zip(from) {
        *one += factor * two;
    }
}

/// The features that go with sums.
#[inline(never)]
pub fn features(sums: &Features) -> Features {
    sums.map(|sum| sum.clamp(0.0, TOP))
}

/// What of a slope gets past the cut at 0 and 1.
#[inline(never)]
pub fn let_through(slope: &mut Features, sums: &Features) {
    for (one, &sum) in slope.iter_mut().zip(sums) {
        *one = if sum > 0.0 && sum < TOP { *one } else { 0.0 };
    }
}
