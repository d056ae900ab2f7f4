//! Gomoku: board, threats, evaluation, and what the shared search needs of them.
//!
//! Reading order: `cell` numbers the squares; `pattern` says what a stone makes in one line
//! ([`LineShape`]), `shape` what it makes in all four; [`SearchBoard`] keeps both up to date for
//! every empty cell. `candidates` lists the moves worth a look, `forbidden` renju's fouls; [`Vcf`] finds
//! wins by fours, [`Vct`] by fours and threes, and how long a lost side holds out, [`Prover`] wins that
//! need quiet moves, and [`winning_line`] and [`forced_win`] ask them; `evaluation` and [`network`] judge the
//! rest, and `evaluation_cache` remembers it; [`GomokuPosition`] ties them to the shared search, and
//! [`GomokuSearcher`] that to a clock; `weaker` is how the lower levels play.
//!
//! Stones and rules are those of [`games::gomoku`]; the tests hold this faster board to it.

pub mod analysis;
pub mod bench;
mod board;
mod candidates;
mod cell;
#[cfg(test)]
#[path = "../../../../crates/games/tests/rules/diagrams.rs"]
mod diagrams;
mod evaluation;
mod evaluation_cache;
mod forbidden;
mod key;
pub mod lesson;
mod lines;
mod matrix;
pub mod network;
mod pattern;
mod position;
mod prover;
pub mod puzzle;
mod searcher;
pub mod self_play;
pub mod shape;
mod solve;
mod tables;
#[cfg(test)]
mod tests;
mod vcf;
mod vct;
mod weaker;
pub mod weights;

pub use board::SearchBoard;
pub use cell::{Cell, CellSet};
pub use evaluation::{PROVEN, WIN};
pub use lines::Lines;
pub use matrix::{Worth, matrix};
pub use pattern::{HalfCodes, LineShape};
pub use position::GomokuPosition;
pub use prover::Prover;
pub use searcher::GomokuSearcher;
use searcher::{DEEPEST, forced};
pub use solve::{forced_win, winning_line};
pub use tables::line_shape;
pub use vcf::{Vcf, VcfLimits};
pub use vct::{Spent, Vct, VctLimits};
