//! The search that both games share.
//!
//! Reading order: [`Window`]; the trait [`SearchPosition`], which a game implements; the
//! [`Search`] with its node function in `pvs`, what it leaves out in `pruning` and `late_moves`, its
//! order of moves in `move_picker` and the principal variation in `line`; [`Search::deepen`], which
//! calls it for one depth after the other; then the memories that make it fast:
//! [`TranspositionTable`], [`Killers`], [`History`]; and [`TimeAllowance`] and [`Budget`], which end
//! it.
//!
//! Scores are from the side to move's view (negamax). Nothing here knows a rule of any game, and
//! only `time` decides anything by a clock.

mod bench;
mod deepening;
mod history;
mod huge_pages;
mod killer;
mod late_moves;
mod line;
mod margins;
mod move_picker;
mod node;
mod parallel;
mod position;
mod prefetch;
mod pruning;
mod pvs;
mod state;
mod table;
mod time;
mod types;
mod window;

pub use bench::Bench;
pub use deepening::Report;
pub use history::History;
pub use killer::Killers;
pub use margins::Margins;
pub use parallel::deepen_on;
pub use position::SearchPosition;
pub use state::Search;
pub use table::{Entry, TranspositionTable};
pub use time::{Budget, Plan, TimeAllowance};
pub use types::{Depth, Hints, INFINITE, Iteration, Move, ProbCut, Score, ScoredMove, Threat};
pub use window::Window;
