//! How the lower levels play Gomoku: they see fives, and judge all else with evaluation noise.
//!
//! A person who is learning overlooks threes and forks, but hardly a five. The solvers of threats are
//! not asked.

use std::sync::Arc;
use std::time::Duration;

use super::board::SearchBoard;
use super::cell::Cell;
use super::position::GomokuPosition;
use super::weights::UNIT;
use crate::noise::Noise;
use crate::search::{Budget, Move, Report, Score, Search, TranspositionTable};

/// A proven win looks no better than this.
pub(super) const CERTAIN: Score = 12 * UNIT;

/// The five of the side to move, or else that of the opponent: nobody overlooks these.
pub(super) fn five(board: &mut SearchBoard) -> Option<Cell> {
    let mover = board.side_to_move().index();
    let fives = [mover, mover ^ 1].map(|side| board.fives[side].first());
    let mut fives = fives.into_iter().flatten();
    fives.find(|&five| board.is_allowed(five))
}

/// The move that looks best, if there is one near a stone. Nobody must be able to make [`five`].
pub(super) fn choose(
    noise: &Noise,
    board: &mut SearchBoard,
    table: &Arc<TranspositionTable>,
    budget: Budget,
) -> Option<Report> {
    let moves: Vec<Move> = board
        .near_stones()
        .iter()
        .filter(|&cell| board.is_allowed(cell))
        .map(|cell| Move(cell.index() as u16))
        .collect();
    noise.choose(board.empty().into(), moves, budget, |played, budget| {
        board.play(Cell::from_index(played.index()));
        let report = after(board, table, budget);
        board.undo();
        report
    })
}

/// What the opponent sees after a move.
fn after(board: &mut SearchBoard, table: &Arc<TranspositionTable>, budget: Budget) -> Report {
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
    let depth = budget.depth.unwrap_or(0);
    if depth < 1 || !budget.allows_iteration(0) {
        return at_a_glance(board.evaluate());
    }
    let position = GomokuPosition::new(board.clone()).without_solver();
    let mut search = Search::new(position, Arc::clone(table));
    let report = search.deepen(budget, depth, &mut |_| ());
    if report.depth == 0 {
        // The clock ran out before the search had a score.
        return at_a_glance(board.evaluate());
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::tests::drawn;
    use crate::search::Depth;

    fn chosen(depth: Depth, log_odds: f64, seed: u64) -> (Move, Score) {
        let mut board = SearchBoard::from_rules(&drawn("fork"));
        let noise = Noise {
            depth,
            deviation: log_odds * f64::from(UNIT),
            most: CERTAIN,
            seed,
        };
        let table = Arc::new(TranspositionTable::new(1));
        let report = choose(&noise, &mut board, &table, Budget::default());
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
    fn a_seed_makes_mistakes() {
        let (_, best) = chosen(2, 0.0, 1);
        let scores: Vec<_> = (0..20).map(|seed| chosen(2, 8.0, seed)).collect();
        assert!(scores.iter().any(|&(_, score)| score < best));
    }
}
