//! Lazy SMP: threads that search the same position and share the transposition table.
//!
//! They exchange nothing in any other way. What one has searched, the others find in the
//! table; since no two run at quite the same pace, they do not all search the same. The first
//! thread's result counts. With more than one thread no two searches are the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::{Budget, Depth, Report, Search, SearchPosition};

/// As [`Search::deepen`], on so many threads, each with the search that `new` makes. The nodes of
/// all are counted.
pub fn deepen_on<P: SearchPosition>(
    threads: usize,
    new: impl Fn() -> Search<P> + Sync,
    budget: Budget,
    deepest: Depth,
    tell: &mut dyn FnMut(&Report),
) -> Report {
    let mut first = new();
    if threads <= 1 {
        return first.deepen(budget, deepest, tell);
    }
    let stop = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        let (new, stop) = (&new, &stop);
        let help = |number: usize| {
            let mut search = new();
            search.stop = Arc::clone(stop);
            // Every other helper is a ply ahead.
            let start = 1 + number as Depth % 2;
            search.deepen_from(start, budget, deepest, &mut |_| ());
            search.nodes
        };
        let helpers: Vec<_> = (1..threads)
            .map(|number| scope.spawn(move || help(number)))
            .collect();
        let mut report = first.deepen(budget, deepest, tell);
        stop.store(true, Relaxed);
        for helper in helpers {
            report.nodes += helper.join().expect("a search does not panic");
        }
        report
    })
}

#[cfg(test)]
mod tests {
    use games::othello::Position;

    use super::*;
    use crate::othello::{OthelloPosition, evaluation::Weights, prob_cut};
    use crate::search::TranspositionTable;

    #[test]
    fn two_threads_find_the_score_that_one_finds() {
        let table = Arc::new(TranspositionTable::new(1));
        let new = || {
            let mut root = OthelloPosition::new(Position::START, Weights::trained());
            root.set_selectivity(prob_cut::EXACT);
            Search::new(root, Arc::clone(&table))
        };
        let budget = Budget::of_depth(6);
        let two = deepen_on(2, new, budget, 6, &mut |_| ());
        table.clear();
        let one = deepen_on(1, new, budget, 6, &mut |_| ());
        assert_eq!(two.depth, 6);
        assert_eq!(two.score, one.score);
    }
}
