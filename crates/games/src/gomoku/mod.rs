//! The rules of Gomoku: five in a row on boards of 5×5 to 22×22, under four rules.
//!
//! A [`GomokuBoard`] has the stones and detects the end of the game at each move. [`renju`] defines the points
//! forbidden to black. [`Opening`] is the beginning of a game with an [`OpeningRule`]. Nothing here searches or
//! evaluates. Start with [`GomokuBoard::new`] and [`Rules::play`](crate::Rules::play).

mod board;
mod family;
mod lines;
mod opening;
pub mod renju;
mod rule;
mod scenes;

pub use board::GomokuBoard;
pub(crate) use family::Gomoku;
pub use lines::DIRECTIONS;
pub use opening::{Choice, Opening, OpeningRule, Step};
pub use rule::{Five, MAX_SIZE, MIN_SIZE, Rule};
