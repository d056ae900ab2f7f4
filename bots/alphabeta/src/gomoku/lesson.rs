//! A lesson on game trees in Gomoku: how many positions pruning saves. The three methods consider the same moves, use
//! the same evaluation, and return the same score.

use super::board::SearchBoard;
use super::cell::Cell;
use super::evaluation::win_in;
use super::shape::ThreatKind;
use crate::search::{Depth, INFINITE, Score, Window};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GomokuMethod {
    Minimax,
    /// Alpha-beta with the moves in the order of the board.
    AlphaBeta,
    Ordered,
}

impl GomokuMethod {
    pub const ALL: [GomokuMethod; 3] = [
        GomokuMethod::Minimax,
        GomokuMethod::AlphaBeta,
        GomokuMethod::Ordered,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            GomokuMethod::Minimax => "plain minimax",
            GomokuMethod::AlphaBeta => "alpha-beta",
            GomokuMethod::Ordered => "alpha-beta, promising moves first",
        }
    }

    /// Searches `depth` plies. Returns the score for the side to move, in engine units, and the number of nodes.
    pub fn search(self, board: &mut SearchBoard, depth: Depth) -> (Score, u64) {
        let mut lesson = LessonSearch {
            method: self,
            nodes: 0,
        };
        let score = lesson.node(board, depth, Window::FULL, 0);
        (score, lesson.nodes)
    }
}

struct LessonSearch {
    method: GomokuMethod,
    nodes: u64,
}

impl LessonSearch {
    fn node(&mut self, board: &mut SearchBoard, depth: Depth, window: Window, ply: usize) -> Score {
        self.nodes += 1;
        // The root is always searched, even if it is decided.
        let decided = if ply > 0 { board.decided(ply) } else { None };
        if let Some(score) = decided {
            return score;
        }
        let moves = self.moves(board);
        if moves.is_empty() {
            // At the root, `candidates` is empty if no stone stops the opponent's fives.
            return board.decided(ply).unwrap_or_else(|| board.evaluate());
        }
        if depth == 0 {
            return board.evaluate();
        }
        let (mut best, mut open) = (-INFINITE, window);
        for cell in moves {
            let score = self.after(board, cell, depth - 1, open, ply);
            best = best.max(score);
            if self.method == GomokuMethod::Minimax {
                continue;
            }
            if window.fail_high(score) {
                break;
            }
            open = open.raised(score);
        }
        best
    }

    fn after(
        &mut self,
        board: &mut SearchBoard,
        cell: Cell,
        depth: Depth,
        window: Window,
        ply: usize,
    ) -> Score {
        // True only at the root: below it, a position in which the side to move can make a five is already decided.
        if board.kind(cell, board.side_to_move().index()) == ThreatKind::Five {
            self.nodes += 1;
            return win_in(ply + 1);
        }
        board.play(cell);
        let score = -self.node(board, depth, window.flipped(), ply + 1);
        board.undo();
        score
    }

    fn moves(&self, board: &mut SearchBoard) -> Vec<Cell> {
        let mut candidates = board.candidates();
        candidates.unite(&board.fives[board.side_to_move().index()]);
        let mut moves: Vec<Cell> = candidates
            .iter()
            .filter(|&cell| board.is_allowed(cell))
            .collect();
        if self.method == GomokuMethod::Ordered {
            let mover = board.side_to_move().index();
            moves.sort_by_key(|&cell| -board.promise(cell, mover));
        }
        moves
    }
}

/// Returns the largest depth, from 1 to `most`, at which minimax visits at most about `nodes` positions.
pub fn affordable(board: &mut SearchBoard, most: Depth, nodes: u64) -> Depth {
    let moves = board.candidates().iter().count().max(2) as u64;
    let fits = |&depth: &Depth| moves.saturating_pow(depth as u32) <= nodes;
    (1..=most).rev().find(fits).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::gomoku::puzzle::scattered;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn minimax_and_alpha_beta_agree(number in 0u64..1000, depth in 1..3) {
            let mut board = SearchBoard::from_rules(&scattered(5, number));
            let (score, all) = GomokuMethod::Minimax.search(&mut board, depth);
            for method in [GomokuMethod::AlphaBeta, GomokuMethod::Ordered] {
                let (value, nodes) = method.search(&mut board, depth);
                prop_assert_eq!(value, score, "{}", method.name());
                prop_assert!(nodes <= all, "{} visits {nodes}, minimax {all}", method.name());
            }
        }
    }
}
