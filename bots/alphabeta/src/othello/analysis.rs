//! What every legal move of a position is worth, and what the moves of a game have lost.

use std::sync::Arc;

use games::othello::{Position, squares};

use super::endgame::ExactSolver;
use super::evaluation::Weights;
use super::{DISC, OthelloPosition};
use crate::search::{Budget, Depth, Move, Search, TranspositionTable};

/// A legal move and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveScore {
    /// The move.
    pub played: Move,
    /// In discs for the side that plays it.
    pub score: f64,
    /// Whether the score is that of perfect play.
    pub exact: bool,
    /// The expected line, this move first.
    pub line: Vec<Move>,
}

/// Analyses positions, one after the other.
pub struct Analyst {
    depth: Depth,
    solve_from: u32,
    table: Arc<TranspositionTable>,
    weights: Arc<Weights>,
    solver: ExactSolver,
}

impl Analyst {
    /// One that searches `depth` plies, and solves where no more than `solve_from` squares are
    /// empty after a move.
    pub fn new(depth: Depth, solve_from: u32, hash_mib: usize) -> Analyst {
        Analyst {
            depth,
            solve_from,
            table: Arc::new(TranspositionTable::new(hash_mib)),
            weights: Weights::trained(),
            solver: ExactSolver::new(hash_mib),
        }
    }

    /// All legal moves of `position`, the best first. Empty if there is none.
    pub fn moves(&mut self, position: Position) -> Vec<MoveScore> {
        let mut scores: Vec<MoveScore> = squares(position.legal_moves())
            .map(|square| self.after(position, square))
            .collect();
        scores.sort_by(|a, b| b.score.total_cmp(&a.score));
        scores
    }

    fn after(&mut self, position: Position, square: usize) -> MoveScore {
        let played = Move(square as u16);
        let next = position.play(square);
        let empties = next.empties().count_ones();
        let mut line = vec![played];
        if empties <= self.solve_from {
            let (solution, _) = self.solver.solve(next);
            line.extend(solution.line);
            return MoveScore {
                played,
                score: f64::from(-solution.score),
                exact: true,
                line,
            };
        }
        let root = OthelloPosition::new(next, Arc::clone(&self.weights));
        let mut search = Search::new(root, Arc::clone(&self.table));
        let depth = (self.depth - 1).max(1);
        let budget = Budget::of_depth(depth);
        let report = search.deepen(budget, empties as Depth, &mut |_| ());
        line.extend(report.line);
        MoveScore {
            played,
            score: -f64::from(report.score) / f64::from(DISC),
            exact: false,
            line,
        }
    }
}

/// How many discs `played` is worth less than the best of `moves`; `None` if it is not among them.
pub fn loss(moves: &[MoveScore], played: Move) -> Option<f64> {
    let best = moves.first()?.score;
    let own = moves.iter().find(|one| one.played == played)?.score;
    Some(best - own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::ffo;

    #[test]
    fn solved_moves_are_in_order_and_the_best_loses_nothing() {
        // FFO 40 after most of its best line: few squares are left.
        let mut position = ffo::positions(40, 40)[0].board.position();
        for square in [
            "a2", "b1", "c1", "", "b6", "c7", "a7", "b7", "b8", "d7", "f8",
        ] {
            position = match square.parse::<games::Square>() {
                Ok(square) => position.play(square.index(8)),
                Err(_) => position.pass(),
            };
        }
        let moves = Analyst::new(4, 20, 1).moves(position);
        assert!(moves.iter().all(|one| one.exact));
        assert!(moves.is_sorted_by(|a, b| a.score >= b.score));
        // White loses by 38 with best play.
        assert!((moves[0].score + 38.0).abs() < 1e-9);
        assert_eq!(loss(&moves, moves[0].played), Some(0.0));
        assert_eq!(loss(&moves, Move::NONE), None);
    }
}
