//! The opponents, one file each; [`gomoku_only`] is what three of them share.

mod gomoku_only;
mod greedy;
mod hexatuple;
mod mcts;
mod minimax;
mod mobility;
mod pattern15;
mod random;
#[cfg(test)]
mod tests;
mod three_ply;
mod weights;

pub(crate) use greedy::greedy;
pub(crate) use hexatuple::Hexatuple;
pub(crate) use mcts::Mcts;
#[cfg(test)]
pub(crate) use minimax::FiveCells;
pub(crate) use minimax::Minimax;
pub(crate) use mobility::mobility;
pub(crate) use pattern15::Pattern15;
pub(crate) use random::random;
pub(crate) use three_ply::ThreePly;
pub(crate) use weights::weights;
