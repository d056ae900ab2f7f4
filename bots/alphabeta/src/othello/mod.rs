//! Othello: what the shared search needs to play it, and what is special to it.
//!
//! Reading order: [`OthelloPosition`], which the search plays moves on; [`evaluation`]; the
//! [`OthelloSearcher`], which ties them to a clock.

pub mod analysis;
pub mod bench;
pub mod endgame;
pub mod evaluation;
pub mod ffo;
pub mod lesson;
mod ordering;
mod position;
pub mod prob_cut;
#[cfg(test)]
mod reached;
mod searcher;
mod shallow;
mod state;
mod weaker;

pub use position::OthelloPosition;
pub use searcher::{OthelloSearcher, notation};

use crate::search::{Move, Score};

/// Units of a score in one disc.
pub const DISC: Score = 128;

/// The forced pass, numbered after the squares.
pub const PASS: Move = Move(64);
