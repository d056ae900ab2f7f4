//! The midgame search: [`SearchPosition`] for Othello, with move ordering, the last plies, and the endgame solver where
//! the search reaches the end of the game. Also serves the endgame solver, as its [`MidgameSearch`].

#![expect(
    clippy::inline_always,
    reason = "code inlined into `Kernel::vectorize` uses its CPU instructions"
)]

use std::sync::Arc;

use games::othello::{Kernel, Position, Task, squares, with_fastest};

use super::endgame::{MidgameSearch, score_within};
use super::evaluation::Weights;
use super::position::{EvalPosition, key, mobility, square_value};
use super::{DISC, PASS, prob_cut};
use crate::search::{
    Depth, Hints, Iteration, Move, ProbCut, Score, ScoredMove, Search, SearchPosition,
    TranspositionTable, Window,
};

/// The least depth at which move ordering also evaluates the position after each move.
const EVALUATE: Depth = 3;

/// Adds `moves` to `list`, scored by square, history, killers, the opponent's mobility and (if deep enough) evaluation.
pub fn score_moves(
    state: &EvalPosition,
    weights: &Weights,
    moves: u64,
    hints: &Hints<'_>,
    list: &mut Vec<ScoredMove>,
) {
    for square in squares(moves) {
        let played = Move(square as u16);
        let mut score = square_value(square) * 8 + hints.history[square] / 64;
        if hints.killers.contains(&played) {
            score += 192;
        }
        let next = if hints.depth >= EVALUATE {
            let next = state.play(square);
            score -= next.leaf_score(weights);
            next.position
        } else {
            state.position.play(square)
        };
        score -= mobility(next.legal_moves()) * 128;
        list.push(ScoredMove { played, score });
    }
}

// The last plies are searched by alpha-beta without a table, because a table access takes longer than an evaluation.

/// The order of the squares: first corners, then edges, then the centre, and last the neighbours of corners.
const CLASSES: [u64; 4] = [
    0x8100_0000_0000_0081,
    0x3c00_8181_8181_003c,
    0x003c_7e7e_7e7e_3c00,
    0x42c3_0000_0000_c342,
];

/// A search of the last plies, which replaces [`Search::node`](crate::search::Search::node). The caller counts the
/// root as a node. The code is compiled for each kernel, which mainly speeds up the features.
pub struct Shallow<'a> {
    pub weights: &'a Weights,
    pub nodes: &'a mut u64,
    pub state: &'a EvalPosition,
    pub depth: Depth,
    pub window: Window,
}

impl Task for Shallow<'_> {
    type Output = Score;

    fn run<K: Kernel>(self, kernel: K) -> Score {
        let (weights, nodes) = (self.weights, self.nodes);
        let mut plies = Plies {
            kernel,
            weights,
            nodes,
        };
        kernel.vectorize(
            #[inline(always)]
            || plies.score(self.state, self.depth, self.window),
        )
    }
}

struct Plies<'a, K> {
    kernel: K,
    weights: &'a Weights,
    nodes: &'a mut u64,
}

impl<K: Kernel> Plies<'_, K> {
    #[inline(always)]
    fn score(&mut self, state: &EvalPosition, depth: Depth, window: Window) -> Score {
        if depth <= 0 {
            return state.leaf_score(self.weights);
        }
        self.best(state, depth, window)
    }

    fn best(&mut self, state: &EvalPosition, depth: Depth, window: Window) -> Score {
        let kernel = self.kernel;
        kernel.vectorize(
            #[inline(always)]
            || {
                let position = state.position;
                let moves = kernel.legal_moves(position.own, position.opponent);
                if moves == 0 {
                    if kernel.legal_moves(position.opponent, position.own) == 0 {
                        return position.final_score() * DISC;
                    }
                    *self.nodes += 1;
                    return -self.best(&state.pass(), depth, window.flipped());
                }
                let mut best = -crate::search::INFINITE;
                let mut open = window;
                for class in CLASSES {
                    let mut squares = moves & class;
                    while squares != 0 {
                        let square = squares.trailing_zeros() as usize;
                        squares &= squares - 1;
                        *self.nodes += 1;
                        let flips = kernel.flips(position.own, position.opponent, square);
                        let next = state.play_flips(square, flips);
                        let score = -self.score(&next, depth - 1, open.flipped());
                        best = best.max(score);
                        if window.fail_high(best) {
                            return best;
                        }
                        open = open.raised(best);
                    }
                }
                best
            },
        )
    }
}

#[derive(Clone, Debug)]
pub struct OthelloPosition {
    now: EvalPosition,
    before: Vec<EvalPosition>,
    weights: Arc<Weights>,
    selectivity: u8,
}

impl OthelloPosition {
    pub fn new(position: Position, weights: Arc<Weights>) -> OthelloPosition {
        OthelloPosition {
            now: EvalPosition::of(position),
            before: Vec::with_capacity(128),
            weights,
            selectivity: 0,
        }
    }

    pub fn set(&mut self, position: Position) {
        self.go_to(EvalPosition::of(position));
    }

    pub fn go_to(&mut self, state: EvalPosition) {
        self.now = state;
        self.before.clear();
    }

    pub fn position(&self) -> Position {
        self.now.position
    }
}

/// The most empty squares at which the solver replaces a search that reaches the end of the game.
const SOLVED: u32 = 10;

/// If an iteration ends at most this many plies before the end of the game, the next iteration goes to the end, because
/// iterations in between cost more than they help. A value of 14 cost 12 ± 11 Elo (`docs/othello-training.md`).
const FINISH_WITHIN: Depth = 10;

/// The selectivity of the last iteration, which finds the score without prob-cut. The one before it decides win, draw
/// or loss.
const SCORE: u8 = prob_cut::EXACT + 1;

impl SearchPosition for OthelloPosition {
    const MOVES: usize = 65;
    const ASPIRATION: Score = 2 * DISC;
    const LEAF_DEPTH: Depth = 2;

    /// The sides alternate with every ply, because passes are moves.
    fn side(&self) -> usize {
        self.before.len() & 1
    }

    fn key(&self) -> u64 {
        key(self.now.position)
    }

    fn generate(&mut self, hints: &Hints<'_>, list: &mut Vec<ScoredMove>) {
        let position = self.now.position;
        let moves = position.legal_moves();
        if moves != 0 {
            score_moves(&self.now, &self.weights, moves, hints, list);
        } else if position.pass().legal_moves() != 0 {
            list.push(ScoredMove {
                played: PASS,
                score: 0,
            });
        }
    }

    #[inline]
    fn play(&mut self, played: Move) {
        self.before.push(self.now);
        self.now = if played == PASS {
            self.now.pass()
        } else {
            self.now.play(played.index())
        };
    }

    #[inline]
    fn undo(&mut self, _played: Move) {
        self.now = self.before.pop().expect("a move that was played");
    }

    fn evaluate(&mut self) -> Score {
        self.now.leaf_score(&self.weights)
    }

    fn final_score(&self, _ply: usize) -> Score {
        self.now.position.final_score() * DISC
    }

    fn near_leaf(&mut self, depth: Depth, window: Window, _: usize, nodes: &mut u64) -> Score {
        with_fastest(Shallow {
            weights: &self.weights,
            nodes,
            state: &self.now,
            depth,
            window,
        })
    }

    fn solve(
        &mut self,
        depth: Depth,
        window: Window,
        table: &Arc<TranspositionTable>,
        nodes: &mut u64,
    ) -> Option<Score> {
        let position = self.now.position;
        let empties = position.empties().count_ones();
        if empties > SOLVED || depth < empties as Depth {
            return None;
        }
        // Rounds the window outwards to whole discs, so that a bound in discs is also a bound in the search's units.
        let alpha = window.alpha.div_euclid(DISC).clamp(-65, 64);
        let beta = (window.beta + DISC - 1).div_euclid(DISC).min(65);
        let window = Window::new(alpha, beta.max(alpha + 1));
        let (score, visited) = score_within(position, window, table);
        *nodes += visited;
        Some(score * DISC)
    }

    fn prob_cut(&self, depth: Depth) -> Option<ProbCut> {
        prob_cut::shallow_search(self.now.position, depth, self.selectivity)
    }

    /// Returns the next iteration: one ply deeper, then to the end with less and less selectivity, finally exact.
    fn next_iteration(&self, done: Iteration, deepest: Depth) -> Option<Iteration> {
        let end = self.now.position.empties().count_ones() as Depth;
        let (depth, selectivity) = if done.depth >= end {
            (done.depth, done.selectivity + 1)
        } else if deepest >= end && done.depth + FINISH_WITHIN >= end {
            (end, done.selectivity)
        } else {
            (done.depth + 1, done.selectivity)
        };
        (depth <= deepest && selectivity <= SCORE).then_some(Iteration { depth, selectivity })
    }

    /// After the first search to the end, the searches only decide win, draw or loss; the last one finds the score.
    fn question(&self, iteration: Iteration) -> Option<Window> {
        let sees_end = iteration.depth >= self.now.position.empties().count_ones() as Depth;
        let who_wins = sees_end && (1..SCORE).contains(&iteration.selectivity);
        who_wins.then(|| Window::new(-DISC, DISC))
    }

    fn selectivity(&self) -> u8 {
        self.selectivity
    }

    fn set_selectivity(&mut self, selectivity: u8) {
        self.selectivity = selectivity;
    }

    fn draft(&self, depth: Depth) -> Depth {
        depth.max(0) * 4 + Depth::from(self.selectivity.min(prob_cut::EXACT))
    }

    /// A pass costs no depth. So a search is exact if its depth is the number of empty squares.
    fn extension(&self, played: Move) -> Depth {
        Depth::from(played == PASS)
    }

    fn key_after(&self, played: Move) -> Option<u64> {
        (played != PASS).then(|| key(self.now.position.play(played.index())))
    }
}

/// Searches positions for the endgame solver, which cannot order moves well with many empty squares.
impl MidgameSearch for Search<OthelloPosition> {
    fn score_of(&mut self, state: EvalPosition, plies: Depth) -> Score {
        self.position.go_to(state);
        match plies {
            0 => self.position.evaluate(),
            plies => self.node(plies, Window::FULL, 0),
        }
    }

    fn is_at_least(&mut self, state: EvalPosition, plies: Depth, bound: Score) -> bool {
        self.position.go_to(state);
        self.node(plies, Window::zero(bound - 1), 0) >= bound
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn is_stopped(&self) -> bool {
        Search::is_stopped(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::othello::ExactSolver;
    use crate::othello::reached::{late, reachable};
    use crate::search::{Budget, INFINITE};

    use super::*;

    fn minimax(position: Position, depth: Depth) -> Score {
        let moves = position.legal_moves();
        if depth == 0 {
            return EvalPosition::of(position).leaf_score(&Weights::trained());
        }
        if moves == 0 {
            if position.is_over() {
                return position.final_score() * DISC;
            }
            return -minimax(position.pass(), depth);
        }
        squares(moves)
            .map(|square| -minimax(position.play(square), depth - 1))
            .fold(-INFINITE, Score::max)
    }

    proptest! {
        #[test]
        fn the_search_returns_the_minimax_value(position in reachable(), depth in 1..5) {
            let table = Arc::new(TranspositionTable::new(1));
            let mut root = OthelloPosition::new(position, Weights::trained());
            root.set_selectivity(prob_cut::EXACT);
            let mut search = Search::new(root, table);
            let report = search.deepen(Budget::of_depth(depth), depth, &mut |_| ());
            prop_assert_eq!(report.score, minimax(position, depth));
        }

        #[test]
        fn a_selective_search_to_the_end_becomes_exact(position in late(11..=13)) {
            let empties = position.empties().count_ones();
            prop_assume!(empties <= 13);
            let root = OthelloPosition::new(position, Weights::trained());
            let mut search = Search::new(root, Arc::new(TranspositionTable::new(1)));
            let deepest = empties as Depth;
            let report = search.deepen(Budget::default(), deepest, &mut |_| ());
            let (solution, _) = ExactSolver::new(1).solve(position);
            prop_assert_eq!(report.score, solution.score * DISC, "{:?}", position);
        }

        #[test]
        fn undo_restores_the_position(position in reachable()) {
            let mut played = OthelloPosition::new(position, Weights::trained());
            for square in squares(position.legal_moves()) {
                let after = key(position.play(square));
                prop_assert_eq!(played.key_after(Move(square as u16)), Some(after));
                played.play(Move(square as u16));
                prop_assert_eq!(played.key(), after);
                played.undo(Move(square as u16));
                prop_assert_eq!(played.position(), position);
            }
        }
    }
}
