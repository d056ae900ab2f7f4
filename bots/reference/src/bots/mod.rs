//! The opponents, one file each.

mod greedy;
mod random;

pub(crate) use greedy::Greedy;
pub(crate) use random::Random;
