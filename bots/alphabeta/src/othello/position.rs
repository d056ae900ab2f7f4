//! An Othello position as the shared search sees it.

use std::sync::Arc;

use games::othello::{Position, with_fastest};

use super::endgame::score_within;
use super::evaluation::Weights;
use super::shallow::Shallow;
use super::state::{State, key};
use super::{DISC, PASS, ordering, prob_cut};
use crate::search::{
    Depth, Hints, Iteration, Move, ProbCut, Score, ScoredMove, SearchPosition, TranspositionTable,
    Window,
};

/// The position and those it came from, so that moves can be taken back.
#[derive(Clone, Debug)]
pub struct OthelloPosition {
    now: State,
    before: Vec<State>,
    weights: Arc<Weights>,
    selectivity: u8,
}

impl OthelloPosition {
    /// A search that begins at `position` and evaluates with `weights`.
    pub fn new(position: Position, weights: Arc<Weights>) -> OthelloPosition {
        OthelloPosition {
            now: State::of(position),
            before: Vec::with_capacity(128),
            weights,
            selectivity: 0,
        }
    }

    /// Goes elsewhere: the moves played so far are forgotten.
    pub fn set(&mut self, position: Position) {
        self.go_to(State::of(position));
    }

    /// As [`OthelloPosition::set`], with the patterns already filled in.
    pub fn go_to(&mut self, state: State) {
        self.now = state;
        self.before.clear();
    }

    /// The discs.
    pub fn position(&self) -> Position {
        self.now.position
    }
}

/// Most empty squares at which a search that would see the end leaves it to the solver.
const SOLVED: u32 = 10;

/// Plies by which a search may be short of the end and the next iteration goes there at once: the
/// iterations between would cost more than they tell. Fourteen lost 12 ± 11 Elo of 1,160 games
/// (`docs/othello-training.md`).
const IN_REACH: Depth = 10;

/// The selectivity of the last iteration, once it is known for sure who wins: nothing is cut off, and the
/// question is by how much.
const SCORE: u8 = prob_cut::EXACT + 1;

impl SearchPosition for OthelloPosition {
    const MOVES: usize = 65;
    const ASPIRATION: Score = 2 * DISC;
    const LEAF_DEPTH: Depth = 2;

    /// Passes included, sides alternate with every ply.
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
            ordering::score(&self.now, &self.weights, moves, hints, list);
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
        // Whole discs outside the window, so that a bound in discs is one in the search's units.
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

    /// Depth by depth until the end is in reach; then to the end at once, and less and less
    /// selectively until nothing is cut off on a guess; last by how much.
    fn next_iteration(&self, done: Iteration, deepest: Depth) -> Option<Iteration> {
        let end = self.now.position.empties().count_ones() as Depth;
        let (depth, selectivity) = if done.depth >= end {
            (done.depth, done.selectivity + 1)
        } else if deepest >= end && done.depth + IN_REACH >= end {
            (end, done.selectivity)
        } else {
            (done.depth + 1, done.selectivity)
        };
        (depth <= deepest && selectivity <= SCORE).then_some(Iteration { depth, selectivity })
    }

    /// Once a first search to the end has told a score, the less selective ones ask who wins: that is less
    /// work, and what a game is decided by.
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

    /// A pass is no decision: depth counts discs, so that a depth of all empty squares is exact.
    fn extension(&self, played: Move) -> Depth {
        Depth::from(played == PASS)
    }

    fn key_after(&self, played: Move) -> Option<u64> {
        (played != PASS).then(|| key(self.now.position.play(played.index())))
    }
}

#[cfg(test)]
mod tests {
    use games::othello::squares;
    use proptest::prelude::*;

    use super::*;
    use crate::othello::endgame::ExactSolver;
    use crate::othello::reached::{late, reachable};
    use crate::search::{Budget, INFINITE, Search};

    /// The slow, obvious twin: no window, no table, no order.
    fn minimax(position: Position, depth: Depth) -> Score {
        let moves = position.legal_moves();
        if depth == 0 {
            return State::of(position).leaf_score(&Weights::trained());
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
        fn what_is_played_can_be_taken_back(position in reachable()) {
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
