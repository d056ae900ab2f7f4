//! A lesson on game trees: the nodes that each technique saves. Four searches use more and more techniques, and find
//! the same score. The fifth is the engine's [`Search`].

use std::sync::Arc;

use games::othello::squares;

use super::evaluation::Weights;
use super::position::{EvalPosition, key};
use super::{DISC, OthelloPosition, midgame};
use crate::search::{
    Budget, Depth, Hints, INFINITE, Move, Score, Search, TranspositionTable, Window,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OthelloMethod {
    Minimax,
    /// Alpha-beta with the moves in the order of the board.
    AlphaBeta,
    Ordered,
    /// Like [`OthelloMethod::Ordered`], with a transposition table.
    Table,
    /// The engine: deepening, zero windows, killers, history, prob-cut. Prob-cut may change a score slightly.
    Everything,
}

impl OthelloMethod {
    pub const ALL: [OthelloMethod; 5] = [
        OthelloMethod::Minimax,
        OthelloMethod::AlphaBeta,
        OthelloMethod::Ordered,
        OthelloMethod::Table,
        OthelloMethod::Everything,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            OthelloMethod::Minimax => "minimax",
            OthelloMethod::AlphaBeta => "alpha-beta",
            OthelloMethod::Ordered => "+ ordering",
            OthelloMethod::Table => "+ table",
            OthelloMethod::Everything => "everything",
        }
    }

    pub fn table() -> Arc<TranspositionTable> {
        Arc::new(TranspositionTable::new(8))
    }

    /// Returns the score of a search of `depth` plies, in 1/128 disc, and the nodes. Clear `table` before each call.
    pub fn search(
        self,
        position: games::othello::Position,
        weights: &Arc<Weights>,
        depth: Depth,
        table: &Arc<TranspositionTable>,
    ) -> (Score, u64) {
        let mut lesson = LessonSearch {
            weights,
            ordered: false,
            table: None,
            nodes: 0,
        };
        let state = EvalPosition::of(position);
        let score = match self {
            OthelloMethod::Minimax => lesson.minimax(&state, depth),
            OthelloMethod::AlphaBeta => lesson.alpha_beta(&state, depth, Window::FULL),
            OthelloMethod::Ordered | OthelloMethod::Table => {
                lesson.ordered = true;
                lesson.table = (self == OthelloMethod::Table).then_some(&**table);
                lesson.alpha_beta(&state, depth, Window::FULL)
            }
            OthelloMethod::Everything => {
                let root = OthelloPosition::new(position, Arc::clone(weights));
                let mut search = Search::new(root, Arc::clone(table));
                let budget = Budget::of_depth(depth);
                let report = search.deepen(budget, depth, &mut |_| ());
                return (report.score, report.nodes);
            }
        };
        (score, lesson.nodes)
    }
}

struct LessonSearch<'a> {
    weights: &'a Weights,
    ordered: bool,
    table: Option<&'a TranspositionTable>,
    nodes: u64,
}

impl LessonSearch<'_> {
    fn minimax(&mut self, state: &EvalPosition, depth: Depth) -> Score {
        self.nodes += 1;
        if depth == 0 {
            return state.leaf_score(self.weights);
        }
        let moves = state.position.legal_moves();
        if moves == 0 {
            if state.position.is_over() {
                return state.position.final_score() * DISC;
            }
            return -self.minimax(&state.pass(), depth);
        }
        let mut best = -INFINITE;
        for square in squares(moves) {
            best = best.max(-self.minimax(&state.play(square), depth - 1));
        }
        best
    }

    fn alpha_beta(&mut self, state: &EvalPosition, depth: Depth, window: Window) -> Score {
        self.nodes += 1;
        if depth == 0 {
            return state.leaf_score(self.weights);
        }
        let moves = state.position.legal_moves();
        if moves == 0 {
            if state.position.is_over() {
                return state.position.final_score() * DISC;
            }
            return -self.alpha_beta(&state.pass(), depth, window.flipped());
        }
        let key = key(state.position);
        let known = self.table.and_then(|table| table.probe(key));
        if let Some(score) = known.and_then(|entry| entry.cutoff(depth, window)) {
            return score;
        }
        let remembered = known.map_or(Move::NONE, |entry| entry.best);
        let mut best = (-INFINITE, Move::NONE);
        let mut open = window;
        for played in self.order(state, moves, depth, remembered) {
            let next = state.play(played.index());
            let score = -self.alpha_beta(&next, depth - 1, open.flipped());
            if score > best.0 {
                best = (score, played);
            }
            if window.fail_high(score) {
                break;
            }
            open = open.raised(score);
        }
        if let Some(table) = self.table {
            table.store(key, depth, window, best.0, best.1);
        }
        best.0
    }

    fn order(&self, state: &EvalPosition, moves: u64, depth: Depth, remembered: Move) -> Vec<Move> {
        let mut list = Vec::new();
        if !self.ordered {
            return squares(moves).map(|square| Move(square as u16)).collect();
        }
        let hints = Hints {
            depth,
            killers: [Move::NONE; 2],
            history: &[0; 64],
            promise: 0,
        };
        midgame::score_moves(state, self.weights, moves, &hints, &mut list);
        list.sort_by_key(|one| (one.played != remembered, -one.score));
        list.into_iter().map(|one| one.played).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::othello::reached::reachable;

    proptest! {
        #[test]
        fn minimax_and_alpha_beta_agree(position in reachable(), depth in 1..4) {
            let weights = Weights::trained();
            let (score, all) = OthelloMethod::Minimax.search(position, &weights, depth, &OthelloMethod::table());
            for method in [OthelloMethod::AlphaBeta, OthelloMethod::Ordered, OthelloMethod::Table] {
                let (value, nodes) = method.search(position, &weights, depth, &OthelloMethod::table());
                prop_assert_eq!(value, score, "{}", method.name());
                prop_assert!(nodes <= all, "{} visits {nodes}, minimax {all}", method.name());
            }
        }
    }
}
