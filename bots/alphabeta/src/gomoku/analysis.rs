//! What a position is worth, for going through a game: threats first, then the search.

use std::sync::Arc;

use games::Square;

use super::board::SearchBoard;
use super::cell::Cell;
use super::matrix::Worth;
use super::position::GomokuPosition;
use super::weights::UNIT;
use super::{DEEPEST, PROVEN, forced_win};
use crate::options::Evaluation;
use crate::search::{Budget, Search, TranspositionTable};

/// Analyses positions of one game, one after the other. The same game gives the same scores.
pub struct Analyst {
    nodes: u64,
    judge: Evaluation,
    table: Arc<TranspositionTable>,
}

impl Analyst {
    /// One whose searches and proofs visit about `nodes` positions each, judged by the patterns.
    pub fn new(nodes: u64, hash_mib: usize) -> Analyst {
        Analyst::judged_by(Evaluation::Patterns, nodes, hash_mib)
    }

    /// The same, judged by the patterns or by the network.
    pub fn judged_by(judge: Evaluation, nodes: u64, hash_mib: usize) -> Analyst {
        let table = Arc::new(TranspositionTable::new(hash_mib));
        Analyst {
            nodes,
            judge,
            table,
        }
    }

    /// The line by which the side to move wins by force, as [`forced_win`] finds it.
    pub fn win(&self, rules: &games::gomoku::GomokuBoard) -> Option<Vec<Square>> {
        forced_win(rules, self.nodes)
    }

    /// What the search thinks of a position that has not ended, for the side to move, and its line.
    pub fn search(&self, rules: &games::gomoku::GomokuBoard) -> (Worth, Vec<Square>) {
        let board = SearchBoard::from_rules(rules);
        let position = GomokuPosition::judged_by(self.judge, board);
        let mut search = Search::new(position, Arc::clone(&self.table));
        let budget = Budget {
            nodes: Some(self.nodes),
            decided: Some(PROVEN),
            ..Budget::default()
        };
        let report = search.deepen(budget, DEEPEST, &mut |_| ());
        let cells = report.line.iter();
        let line = cells.map(|played| Cell::from_index(played.index()).square());
        (Worth::of(report.score), line.collect())
    }

    /// The first move, `hoped` before the others in the order of their promise, after which the opponent
    /// has no known win. `None` if every move that is worth a look, but for `lost`, runs into one.
    pub fn defence(
        &self,
        rules: &games::gomoku::GomokuBoard,
        hoped: Option<Square>,
        lost: Option<Square>,
    ) -> Option<Square> {
        let mut board = SearchBoard::from_rules(rules);
        let mover = board.side_to_move().index();
        let mut cells = board.candidates();
        cells.unite(&board.fives[mover]);
        cells.unite(&board.fours[mover]);
        let allowed = cells.iter().filter(|&cell| board.is_allowed(cell));
        let mut cells: Vec<Cell> = allowed.collect();
        cells.sort_by_key(|&cell| -board.promise(cell, mover));
        let others = cells.into_iter().map(Cell::square);
        let mut squares = hoped.into_iter().chain(others);
        squares.find(|&square| {
            if Some(square) == lost {
                return false;
            }
            let mut after = rules.clone();
            let is_played = games::Rules::play(&mut after, games::Move::Place(square)).is_ok();
            is_played && self.win(&after).is_none()
        })
    }
}

impl Worth {
    /// The chance of winning, 0 to 1, of the side to which the position is worth this. A draw counts
    /// half.
    pub fn chance(self) -> f64 {
        match self {
            Worth::Wins(_) => 1.0,
            Worth::Loses(_) => 0.0,
            Worth::Score(score) => 1.0 / (1.0 + libm::exp(-f64::from(score) / f64::from(UNIT))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_odds_are_chances() {
        // One unit of log-odds is a chance of 73 %.
        assert!((Worth::Score(UNIT).chance() - 0.731).abs() < 1e-3);
        assert!((Worth::Score(0).chance() - 0.5).abs() < 1e-9);
    }
}
