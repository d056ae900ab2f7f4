//! A search in progress: its position, what it has learned, and when it has to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::history::History;
use super::killer::Killers;
use super::position::SearchPosition;
use super::table::TranspositionTable;
use super::time::Budget;
use super::types::{Move, Score, ScoredMove};

/// What is remembered of one position of the line that is searched at the moment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The static evaluation for the side to move, where the game has one there.
    pub static_score: Option<Score>,
    /// Whether a cutoff was expected when the position was reached.
    pub cut: bool,
}

/// A search in progress, and what it has learned.
pub struct Search<P: SearchPosition> {
    /// The position searched at the moment.
    pub position: P,
    /// Positions visited since the last [`Search::deepen`].
    pub nodes: u64,
    /// What is known of positions seen before; shared between threads.
    pub table: Arc<TranspositionTable>,
    pub(super) killers: Killers,
    pub(super) history: History,
    /// The moves of all positions from the root to here, each position's in one piece at the end.
    pub(super) moves: Vec<ScoredMove>,
    /// What is known of the positions from the root to here, by ply.
    pub(super) frames: Vec<Frame>,
    /// The principal variation found so far below each ply.
    pub(super) lines: Vec<Vec<Move>>,
    pub(super) budget: Budget,
    /// Raised by whoever wants the search to stop.
    pub(super) stop: Arc<AtomicBool>,
    pub(super) stopped: bool,
    next_poll: u64,
}

impl<P: SearchPosition> Search<P> {
    /// A search from `position` that keeps what it learns in `table`.
    pub fn new(position: P, table: Arc<TranspositionTable>) -> Search<P> {
        Search {
            position,
            nodes: 0,
            table,
            killers: Killers::default(),
            history: History::new(P::MOVES),
            moves: Vec::new(),
            frames: vec![Frame::default(); 4],
            lines: Vec::new(),
            budget: Budget::default(),
            stop: Arc::default(),
            stopped: false,
            next_poll: 0,
        }
    }

    /// Makes ready for a search from the position that is set, within `budget`.
    pub(super) fn begin(&mut self, budget: Budget) {
        self.budget = budget;
        self.nodes = 0;
        self.next_poll = Budget::POLL;
        self.stopped = false;
        self.killers.clear();
        self.moves.clear();
    }

    /// Whether the budget is spent; looks at the clock once in [`Budget::POLL`] nodes.
    pub fn must_stop(&mut self) -> bool {
        let limit = self.budget.nodes.unwrap_or(u64::MAX);
        if self.nodes >= self.next_poll.min(limit) && !self.stopped {
            self.next_poll = self.nodes + Budget::POLL;
            self.stopped = self.stop.load(Relaxed) || self.budget.is_spent(self.nodes);
        }
        self.stopped
    }
}
