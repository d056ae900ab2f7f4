//! Gomoku: the board, its threats and evaluation, and the searcher.
//!
//! Reading order: `cell` numbers the squares. `lines` computes the shape of a stone in one line ([`LineShape`]),
//! `shape` in all four; `shape_tables` looks them up. [`SearchBoard`] keeps the shapes of every empty cell up to date.
//! `moves` has the candidates and renju's forbidden moves. `threat_search` finds wins by fours ([`Vcf`]) and by fours
//! and threes ([`Vct`]), and the longest defence of a lost side. `proof_number` finds wins that need quiet moves
//! ([`Prover`]). `evaluation` and [`network`] score other positions. [`GomokuPosition`] implements the shared search's
//! trait, [`GomokuSearcher`] adds a clock, and [`analysis`] combines them all.

pub mod analysis;
pub mod bench;
mod board;
mod cell;
#[cfg(test)]
#[path = "../../../../crates/games/tests/rules/diagrams.rs"]
mod diagrams;
pub mod evaluation;
pub mod lesson;
mod lines;
mod moves;
pub mod network;
mod opening;
mod position;
mod proof_number;
pub mod puzzle;
mod searcher;
pub mod self_play;
pub mod shape;
mod shape_tables;
#[cfg(test)]
mod tests;
mod threat_search;
pub mod weights;

pub use analysis::{Worth, forced_win, matrix, winning_line};
pub use board::SearchBoard;
pub use cell::{Cell, CellSet};
pub use evaluation::{PROVEN, WIN};
pub use lines::{KEYS, LineBitboards, LineShape};
pub use position::GomokuPosition;
pub use proof_number::Prover;
pub use searcher::GomokuSearcher;
pub use shape_tables::line_shape;
pub use threat_search::{Spent, Vcf, VcfLimits, Vct, VctLimits};
