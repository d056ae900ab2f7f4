//! Weaker play that is still play: every move is judged as a shallow search judges it, plus an error.
//!
//! A person who is learning overlooks threes and forks, but hardly a five. So the lower levels see
//! fives, and judge all else by a seeded random error as wide as the level says; the solvers of
//! threats are not asked. The same seed makes the same mistakes.

use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::board::Board;
use super::cell::Cell;
use super::position::GomokuPosition;
use crate::normal::normal;
use crate::search::{Budget, Depth, Move, Report, Score, Search, TranspositionTable};

/// Engine units in one unit of log-odds.
const LOG_ODDS: f64 = 256.0;

/// A proven win looks no better than this to a player who errs: a large error hides it.
const CERTAIN: Score = 12 * LOG_ODDS as Score;

/// How a level misjudges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misjudging {
    /// Plies searched.
    pub depth: Depth,
    /// The standard deviation of the error, in units of log-odds.
    pub log_odds: f64,
    /// Of all errors of a game.
    pub seed: u64,
}

/// The five of the side to move, or else that of the opponent: nobody overlooks these.
pub(super) fn five(board: &mut Board) -> Option<Cell> {
    let mover = board.side_to_move().index();
    let fives = [mover, mover ^ 1].map(|side| board.fives[side].first());
    let mut fives = fives.into_iter().flatten();
    fives.find(|&five| board.is_allowed(five))
}

impl Misjudging {
    /// The move that looks best, if there is one near a stone. Nobody must be able to make [`five`].
    pub fn choose(
        &self,
        board: &mut Board,
        table: &Arc<TranspositionTable>,
        budget: Budget,
    ) -> Option<Report> {
        // The number of stones tells the moves of a game apart.
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(board.empty().into());
        let mut best: Option<(Score, Report)> = None;
        let mut nodes = 0;
        for cell in board.near_stones().iter() {
            if !board.is_allowed(cell) {
                continue;
            }
            board.play(cell);
            let left = budget.nodes.map(|limit| limit.saturating_sub(nodes).max(1));
            let budget = Budget {
                nodes: left,
                ..budget
            };
            let report = self.judge(board, table, budget);
            board.undo();
            nodes += report.nodes;
            let error = self.log_odds * LOG_ODDS * normal(&mut random);
            let seems = (-report.score).clamp(-CERTAIN, CERTAIN) + error as Score;
            if best.as_ref().is_none_or(|&(most, _)| seems > most) {
                best = Some((seems, self.report(cell, report)));
            }
        }
        best.map(|(_, report)| Report { nodes, ..report })
    }

    /// What the opponent sees after a move.
    fn judge(&self, board: &Board, table: &Arc<TranspositionTable>, budget: Budget) -> Report {
        let at_a_glance = |score| Report {
            depth: 0,
            score,
            nodes: 1,
            time: Duration::ZERO,
            line: Vec::new(),
        };
        if let Some(score) = board.decided(1) {
            return at_a_glance(score);
        }
        let deeper = self.depth - 1;
        let budget = Budget {
            depth: Some(deeper),
            ..budget
        };
        if deeper < 1 || !budget.allows_iteration(0) {
            return at_a_glance(board.evaluate());
        }
        let position = GomokuPosition::new(board.clone()).without_solver();
        let mut search = Search::new(position, Arc::clone(table));
        let report = search.deepen(budget, deeper, &mut |_| ());
        if report.depth == 0 {
            // The clock ran out before the search had a score.
            return at_a_glance(board.evaluate());
        }
        report
    }

    /// The report of a move, from the opponent's after it.
    fn report(&self, cell: Cell, after: Report) -> Report {
        let mut line = after.line;
        line.insert(0, Move(cell.index() as u16));
        Report {
            depth: self.depth,
            score: -after.score,
            line,
            ..after
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::drawn::{FORK, position};

    fn chosen(depth: Depth, log_odds: f64, seed: u64) -> (Move, Score) {
        let mut board = Board::from_rules(&position("freestyle", &FORK));
        let misjudging = Misjudging {
            depth,
            log_odds,
            seed,
        };
        let table = Arc::new(TranspositionTable::new(1));
        let report = misjudging.choose(&mut board, &table, Budget::default());
        let report = report.expect("there are moves");
        (report.line[0], report.score)
    }

    #[test]
    fn no_error_plays_the_best_move() {
        let fork: Cell = "f2".parse::<games::Square>().expect("a square").into();
        for depth in 2..=3 {
            assert_eq!(chosen(depth, 0.0, 1).0, Move(fork.index() as u16));
        }
    }

    #[test]
    fn the_same_seed_makes_the_same_mistakes() {
        let (_, best) = chosen(2, 0.0, 1);
        let scores: Vec<_> = (0..20).map(|seed| chosen(2, 8.0, seed)).collect();
        assert!(scores.iter().any(|&(_, score)| score < best));
        let again: Vec<_> = (0..20).map(|seed| chosen(2, 8.0, seed)).collect();
        assert_eq!(scores, again);
    }
}
