//! The opponents, one file each; [`gomoku_only`] is what three of them share.

mod gomoku_only;
mod greedy;
mod hexatuple;
mod mcts;
mod minimax;
mod mobility;
mod pattern15;
mod random;
mod three_ply;
mod weights;

pub(crate) use greedy::Greedy;
pub(crate) use hexatuple::Hexatuple;
pub(crate) use mcts::Mcts;
#[cfg(test)]
pub(crate) use minimax::FiveCells;
pub(crate) use minimax::Minimax;
pub(crate) use mobility::Mobility;
pub(crate) use pattern15::Pattern15;
pub(crate) use random::Random;
pub(crate) use three_ply::ThreePly;
pub(crate) use weights::Weights;

use games::Game;

pub(crate) const BOTH: &[&str] = &["othello", "gomoku"];
pub(crate) const OTHELLO: &[&str] = &["othello"];
pub(crate) const GOMOKU: &[&str] = &["gomoku"];

/// An error unless `game` is one of those that the bot called `name` plays.
fn refuse_unless(name: &str, only: &[&str], game: Game) -> Result<(), String> {
    if only.contains(&game.name()) {
        return Ok(());
    }
    let only = only.join(" and ");
    Err(format!("{name} plays {only} only, not {}", game.name()))
}
