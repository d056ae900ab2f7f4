//! Opponents of known, fixed strength: what a new bot is measured against.
//!
//! Each is a few lines of one idea that every course on game playing teaches, and a step up from
//! the one before. [`CATALOGUE`] lists them, [`bot`] makes one. Given the seed of its game and a
//! limit in depth or playouts an opponent always plays the same; none learns from one game to the
//! next.
//!
//! Nothing here reads a pipe or knows JSON; `main.rs` hands a bot to [`protocol::engine::speak`].

mod bots;
mod catalogue;
mod clock;
mod draw;
mod gomoku;
mod options;
mod othello;
#[cfg(test)]
mod positions;
mod search;
mod thinker;
mod uct;

pub use catalogue::{BadBot, CATALOGUE, Entry, bot};
pub use options::Options;
