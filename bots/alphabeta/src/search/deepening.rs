//! Iterative deepening with aspiration windows.

use std::time::{Duration, Instant};

use super::{Budget, Depth, Iteration, Move, Score, Search, SearchPosition, Window};

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Plies of the last complete iteration; 0: none.
    pub depth: Depth,
    /// For the side to move, in the game's units.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// The principal variation, best move first. Empty only if there is no move.
    pub line: Vec<Move>,
}

impl<P: SearchPosition> Search<P> {
    /// Searches the position one ply deep, then two, and so on, until `budget` is spent or the game
    /// tree ends at `deepest`. `tell` hears of every complete iteration.
    pub fn deepen(
        &mut self,
        budget: Budget,
        deepest: Depth,
        tell: &mut dyn FnMut(&Report),
    ) -> Report {
        self.table.grow_older();
        self.deepen_from(1, budget, deepest, tell)
    }

    /// As [`Search::deepen`], the first iteration being `first` plies deep.
    pub(super) fn deepen_from(
        &mut self,
        first: Depth,
        budget: Budget,
        deepest: Depth,
        tell: &mut dyn FnMut(&Report),
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
            // A line found before the search was stopped is at least as good as the last one's:
            // the last one's first move is searched first.
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
            tell(&report);
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

    /// One iteration: a narrow window round the last score, widened on the side where it fails.
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
