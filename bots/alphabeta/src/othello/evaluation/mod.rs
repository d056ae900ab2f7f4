//! What a position is worth, in 1/128 disc for the side to move.

mod plain;

pub use plain::evaluate;
