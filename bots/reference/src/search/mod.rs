//! Looking ahead a fixed number of plies, in any game.
//!
//! A [`Tree`] is a position that can be played on and taken back; [`negamax`] searches it by either
//! [`Method`]; [`Search::best`] is the root. All values are seen from the side to
//! move, so that a child's value is the negated value of its parent ("negamax").

mod negamax;
#[cfg(test)]
mod tests;

use games::Move;
use protocol::{Info, Question};

use crate::clock::Deadline;
use crate::thinker::allowed;

/// More than any value of any tree.
const INFINITY: i32 = i32::MAX;

/// The clock is read once in this many positions.
const NODES_A_CLOCK_READING: u64 = 256;

/// The values that would still matter: above what the side to move is sure of, below what its
/// opponent is sure of.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: i32,
    beta: i32,
}

/// A position that can be played on and taken back.
pub(crate) trait Tree {
    /// The moves to be looked at with `depth` plies left, in this order; empty exactly when the game
    /// has [ended](Self::ended).
    fn moves(&mut self, depth: u32) -> Vec<Move>;
    /// Plays one of them.
    fn play(&mut self, played: Move);
    /// Takes the last move back.
    fn undo(&mut self);
    /// What the game is worth to the side to move if it has ended.
    fn ended(&self) -> Option<i32>;
    /// What the position seems worth to the side to move.
    fn evaluate(&self) -> i32;
    /// A value in the unit that the protocol shows: discs in Othello, as it is in Gomoku.
    fn shown(value: i32) -> f64;
}

/// How positions below the root are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// Every line to the full depth.
    Minimax,
    /// Lines that cannot matter are left out.
    AlphaBeta,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Value of the best line; `None` where time ran out before the first move was searched.
    pub(crate) value: Option<i32>,
    /// The best line; never empty.
    pub(crate) line: Vec<Move>,
    /// Positions looked at.
    pub(crate) nodes: u64,
}

/// A search in progress.
#[derive(Debug)]
pub(crate) struct Search {
    method: Method,
    deadline: Deadline,
    nodes: u64,
    stopped: bool,
}

impl Search {
    pub(crate) fn new(method: Method, deadline: Deadline) -> Search {
        Search {
            method,
            deadline,
            nodes: 0,
            stopped: false,
        }
    }

    /// The best of `moves` when looking `depth` plies ahead (at least 1); of equals, the first.
    ///
    /// When time runs out it is the best of the moves searched by then, or the first of all.
    ///
    /// # Panics
    /// When there are no moves.
    pub(crate) fn best<T: Tree>(mut self, tree: &mut T, moves: &[Move], depth: u32) -> Found {
        let mut found = Found {
            value: None,
            line: vec![moves[0]],
            nodes: 0,
        };
        let mut best = -INFINITY;
        for &played in moves {
            let mut line = Vec::new();
            tree.play(played);
            let window = Window {
                alpha: -INFINITY,
                beta: -best,
            };
            let value = -self.negamax(tree, depth - 1, window, &mut line);
            tree.undo();
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                line.insert(0, played);
                found.line = line;
                found.value = Some(value);
            }
        }
        found.nodes = self.nodes;
        found
    }

    /// Counts a position; whether the search is to stop here.
    fn enter(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_CLOCK_READING) && self.deadline.has_passed() {
            self.stopped = true;
        }
        self.stopped
    }
}

/// Answers `question` with the best move of `tree`, which is the question's position, and says
/// what was found.
pub(crate) fn choose<T: Tree>(
    search: Search,
    tree: &mut T,
    question: &Question,
    depth: u32,
    say: &mut dyn FnMut(&Info),
) -> Move {
    let moves = allowed(tree.moves(depth), &question.board);
    let found = search.best(tree, &moves, depth);
    say(&Info {
        depth: found.value.map(|_| depth),
        score: found.value.map(T::shown),
        nodes: Some(found.nodes),
        time_ms: Some(question.asked_at.elapsed().as_millis() as u64),
        pv: found.line.iter().map(Move::to_string).collect(),
        text: None,
    });
    found.line[0]
}
