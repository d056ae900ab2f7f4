//! The search that both games share.
//!
//! Reading order: [`Window`]; [`SearchPosition`], the trait for a game; [`Search`] with its node function in `pvs`,
//! its pruning and reductions in `selectivity`, and its `move_ordering`; [`Search::deepen`], which searches with
//! increasing depth; [`TranspositionTable`]; and the limits [`TimeAllowance`] and [`Budget`]. Scores are for the side
//! to move (negamax). This module has no rules of any game, and only `time` reads a clock for decisions.

mod deepening;
mod memory;
mod move_ordering;
mod numbers;
mod position;
mod pvs;
mod selectivity;
mod time;
mod transposition_table;
mod window;

pub use deepening::{Bench, Report, deepen_on};
pub use memory::ask_for_huge_pages;
pub use move_ordering::{History, Killers};
pub use numbers::{Depth, INFINITE, Move, Score};
pub use position::{Hints, Iteration, Margins, ProbCut, ScoredMove, SearchPosition, Threat};
pub use pvs::Search;
pub use time::{Budget, Deadlines, TimeAllowance};
pub use transposition_table::{TableEntry, TranspositionTable};
pub use window::Window;
