//! The search that both games share.
//!
//! Reading order: [`Window`]; the trait [`SearchPosition`], which a game implements; the [`Search`] with its
//! node function in `pvs`, which prunes and reduces by `selectivity` and takes moves in the order of
//! `move_ordering`; [`Search::deepen`], which calls it for one depth after the other; the
//! [`TranspositionTable`]; and [`TimeAllowance`] and [`Budget`], which end it.
//!
//! Scores are from the side to move's view (negamax). Nothing here knows a rule of any game, and
//! only `time` decides anything by a clock.

mod deepening;
mod memory;
mod move_ordering;
mod position;
mod pvs;
mod selectivity;
mod time;
mod transposition_table;
mod window;

pub use deepening::{Bench, Report, deepen_on};
pub use move_ordering::{History, Killers};
pub use position::{
    Depth, Hints, INFINITE, Iteration, Margins, Move, ProbCut, Score, ScoredMove, SearchPosition,
    Threat,
};
pub use pvs::Search;
pub use time::{Budget, Deadlines, TimeAllowance};
pub use transposition_table::{Entry, TranspositionTable};
pub use window::Window;
