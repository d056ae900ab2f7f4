//! How many positions a fixed set takes, and how long.

use std::sync::Arc;
use std::time::Duration;

use super::{Budget, Depth, Search, SearchPosition, TranspositionTable};

/// What a bench came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bench {
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Bench {
    /// Searches `positions` to `depth`, one after the other, each from nothing.
    pub fn of<P: SearchPosition>(positions: impl IntoIterator<Item = P>, depth: Depth) -> Bench {
        let mut bench = Bench::default();
        for position in positions {
            let mut search = Search::new(position, Arc::new(TranspositionTable::new(16)));
            let report = search.deepen(Budget::of_depth(depth), depth, &mut |_| ());
            bench.nodes += report.nodes;
            bench.time += report.time;
        }
        bench
    }
}
