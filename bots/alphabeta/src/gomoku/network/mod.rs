//! The network: what a position is worth, and how promising its moves look, learned from games.
//!
//! Every empty cell has features: a sum, over its four lines, of what stands in a table for what each side
//! sees along that line ([`HalfCodes`](super::pattern::HalfCodes)), cut off below 0 and above 1. There are
//! two such sets, one from the *view* of each side: which stones are one's own. A move's promise is a
//! weighted sum of the features of its cell. The value of the position comes from the sums of the features
//! over all empty cells and from the threats that stand, through one hidden layer.
//!
//! A stone changes the lines of at most forty cells, so the features are kept up to date in whole numbers
//! ([`Accumulators`]), as in the networks of shogi and chess programs (Y. Nasu, "Efficiently updatable
//! neural-network-based evaluation functions for computer shogi", 2018); that features come from lines, and
//! the promise of a move from the features of its cell, is the idea of Rapfi's networks (H. Dai, 2022). The
//! rest is computed in one order of additions that no compiler changes, so that every machine has the same
//! scores.
//!
//! Reading order: `view`, the tables of one side; `weights`, those of both as they are computed with;
//! [`Accumulators`]; `head`.
//!
//! `docs/gomoku-training.md` says how the weights are made, [`file`] how they are written.

mod accumulators;
pub mod file;
mod head;
#[cfg(test)]
mod slow;
mod view;
mod weights;

pub use accumulators::Accumulators;
pub use view::{
    BOTH, CELLS, FEATURE_UNIT, FEATURES, HIDDEN, MOVE_UNIT, TABLE_UNIT, View, WEIGHT_UNIT, row_of,
};
pub use weights::Network;
