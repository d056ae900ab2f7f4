//! Iterative deepening with aspiration windows, on one thread or several.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use super::{
    Budget, Depth, Iteration, Move, Score, Search, SearchPosition, TranspositionTable, Window,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Plies of the last complete iteration; 0 if no iteration is complete.
    pub depth: Depth,
    pub score: Score,
    pub nodes: u64,
    pub time: Duration,
    /// The principal variation; its first move is the best move. Empty only if there is no move.
    pub line: Vec<Move>,
}

impl<P: SearchPosition> Search<P> {
    /// Searches with increasing depth, up to `deepest`, within `budget`. Calls `progress` after a complete iteration.
    pub fn deepen(
        &mut self,
        budget: Budget,
        deepest: Depth,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.table.grow_older();
        self.deepen_from(1, budget, deepest, progress)
    }

    fn deepen_from(
        &mut self,
        first: Depth,
        budget: Budget,
        deepest: Depth,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let began = Instant::now();
        self.begin(budget);
        let mut report = Report {
            depth: 0,
            score: 0,
            nodes: 0,
            time: Duration::ZERO,
            line: self.first_in_order().into_iter().collect(),
        };
        let at_first = self.position.selectivity();
        let deepest = self.budget.depth.unwrap_or(deepest).min(deepest);
        let mut next = (first <= deepest).then_some(Iteration {
            depth: first,
            selectivity: at_first,
        });
        while let Some(now) = next
            && self.budget.allows_iteration(self.nodes)
        {
            self.position.set_selectivity(now.selectivity);
            let score = match self.position.question(now) {
                None => self.aspire(now.depth, report.score),
                Some(window) => {
                    let score = self.node(now.depth, window, 0);
                    window.narrowed(report.score, score)
                }
            };
            // The line of an interrupted iteration is at least as good as that of the iteration before, because every
            // iteration begins with the previous best move.
            if let Some(line) = self.lines.first().filter(|line| !line.is_empty()) {
                report.line.clone_from(line);
            }
            report.nodes = self.nodes;
            report.time = began.elapsed();
            if self.stopped {
                break;
            }
            report.depth = now.depth;
            report.score = score;
            progress(&report);
            if self
                .budget
                .decided
                .is_some_and(|decided| score.abs() >= decided)
            {
                break;
            }
            next = self.position.next_iteration(now, deepest);
        }
        self.position.set_selectivity(at_first);
        report
    }

    /// Runs one iteration with an aspiration window around the last score. After a fail, widens it on the failed side.
    fn aspire(&mut self, depth: Depth, last: Score) -> Score {
        let mut margin = P::ASPIRATION;
        let mut window = if depth < 3 {
            Window::FULL
        } else {
            Window::around(last, margin)
        };
        loop {
            let score = self.node(depth, window, 0);
            if self.stopped {
                return score;
            }
            margin = margin.saturating_mul(4);
            if window.fail_low(score) && window.alpha > Window::FULL.alpha {
                window.alpha = (score.min(last) - margin).max(Window::FULL.alpha);
            } else if window.fail_high(score) && window.beta < Window::FULL.beta {
                window.beta = (score.max(last) + margin).min(Window::FULL.beta);
            } else {
                return score;
            }
        }
    }
}

// --- Lazy SMP ---
//
// The threads search the same position and share only the transposition table. They run at different speeds, so they
// search different parts of the tree. The result of the first thread counts; it is not deterministic.

/// Searches as [`Search::deepen`] does, but on several threads, each with a search from `new`. Counts all their nodes.
pub fn deepen_on<P: SearchPosition>(
    threads: usize,
    new: impl Fn() -> Search<P> + Sync,
    budget: Budget,
    deepest: Depth,
    progress: &mut dyn FnMut(&Report),
) -> Report {
    let mut first = new();
    if threads <= 1 {
        return first.deepen(budget, deepest, progress);
    }
    let stop = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        let (new, stop) = (&new, &stop);
        let help = |number: usize| {
            let mut search = new();
            search.stop = Arc::clone(stop);
            let start = 1 + number as Depth % 2;
            search.deepen_from(start, budget, deepest, &mut |_| ());
            search.nodes
        };
        let helpers: Vec<_> = (1..threads)
            .map(|number| scope.spawn(move || help(number)))
            .collect();
        let mut report = first.deepen(budget, deepest, progress);
        stop.store(true, Relaxed);
        for helper in helpers {
            report.nodes += helper.join().expect("a search does not panic");
        }
        report
    })
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Bench {
    pub nodes: u64,
    pub time: Duration,
}

impl Bench {
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

#[cfg(test)]
mod tests {
    use games::othello::Position;

    use crate::othello::evaluation::Weights;
    use crate::othello::{OthelloPosition, prob_cut};

    use super::*;

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
