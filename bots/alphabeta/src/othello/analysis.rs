//! Analysis of positions and games: the score of every legal move, and the loss of each played move.

use std::sync::Arc;

use games::othello::{Position, squares};

use super::ExactSolver;
use super::evaluation::Weights;
use super::{DISC, OthelloPosition};
use crate::search::{Budget, Depth, Move, Report, Search, TranspositionTable};

#[derive(Clone, Debug, PartialEq)]
pub struct MoveScore {
    pub played: Move,
    /// The score in discs, for the side that plays the move.
    pub score: f64,
    /// Whether the score is the result of perfect play.
    pub exact: bool,
    pub line: Vec<Move>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    pub played: MoveScore,
    /// The best move; the played move if no better one is known.
    pub best: MoveScore,
}

impl Judgement {
    pub fn loss(&self) -> f64 {
        self.best.score - self.played.score
    }
}

pub struct Analyst {
    depth: Depth,
    solve_from: u32,
    table: Arc<TranspositionTable>,
    weights: Arc<Weights>,
    solver: ExactSolver,
}

impl Analyst {
    /// Creates an analyst that searches `depth` plies. It solves moves that leave at most `solve_from` empty squares.
    pub fn new(depth: Depth, solve_from: u32, hash_mib: usize) -> Analyst {
        Analyst {
            depth,
            solve_from,
            table: Arc::new(TranspositionTable::new(hash_mib)),
            weights: Weights::trained(),
            solver: ExactSolver::new(hash_mib),
        }
    }

    pub fn moves(&mut self, position: Position) -> Vec<MoveScore> {
        let mut scores: Vec<MoveScore> = squares(position.legal_moves())
            .map(|square| self.after(position, square))
            .collect();
        scores.sort_by(|a, b| b.score.total_cmp(&a.score));
        scores
    }

    /// Compares `played` with the best move. This is faster than [`moves`](Analyst::moves), which searches every move.
    pub fn judge(&mut self, position: Position, played: Move) -> Judgement {
        let own = self.after(position, played.index());
        let best = self.best(position);
        let best = match best {
            best if best.played == played || best.played == Move::NONE => own.clone(),
            best if best.exact => best,
            // Searches both moves to the same depth, so that the scores are comparable.
            best => self.after(position, best.played.index()),
        };
        Judgement {
            best: if best.score > own.score {
                best
            } else {
                own.clone()
            },
            played: own,
        }
    }

    fn best(&mut self, position: Position) -> MoveScore {
        let empties = position.empties().count_ones();
        let (score, line, exact) = if empties <= self.solve_from + 1 {
            let (solution, _) = self.solver.solve(position);
            (f64::from(solution.score), solution.line, true)
        } else {
            let report = self.search(position, self.depth);
            let score = f64::from(report.score) / f64::from(DISC);
            (score, report.line, false)
        };
        MoveScore {
            played: line.first().copied().unwrap_or(Move::NONE),
            score,
            exact,
            line,
        }
    }

    fn search(&self, position: Position, depth: Depth) -> Report {
        // Old table entries would make scores of the same depth incomparable.
        self.table.clear();
        let root = OthelloPosition::new(position, Arc::clone(&self.weights));
        let mut search = Search::new(root, Arc::clone(&self.table));
        let empties = position.empties().count_ones();
        search.deepen(Budget::of_depth(depth), empties as Depth, &mut |_| ())
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
        let report = self.search(next, (self.depth - 1).max(1));
        line.extend(report.line);
        MoveScore {
            played,
            score: -f64::from(report.score) / f64::from(DISC),
            exact: false,
            line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::ffo;

    #[test]
    fn solved_moves_are_in_order_and_the_best_loses_nothing() {
        // FFO position 40 after most of its best line, so that few empty squares are left.
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
        for one in &moves {
            let judged = Analyst::new(4, 20, 1).judge(position, one.played);
            assert_eq!(Some(judged.loss()), loss(&moves, one.played));
        }
    }

    fn loss(moves: &[MoveScore], played: Move) -> Option<f64> {
        let best = moves.first()?.score;
        let own = moves.iter().find(|one| one.played == played)?.score;
        Some(best - own)
    }
}
