//! Fixed-depth search for any game.
//!
//! A [`Tree`] is a position with play and undo. [`TreeSearch::best`] searches the root, [`TreeSearch::negamax`] all
//! other nodes, by either [`Method`]. All values are for the side to move ("negamax").

use games::Move;
use protocol::{Info, Question};

use crate::clock::Deadline;
use crate::thinker::allowed;

const INFINITY: i32 = i32::MAX;

/// Nodes between two readings of the clock.
const NODES_A_CLOCK_READING: u64 = 256;

/// The values that can still change the result: above `alpha`, which the side to move already has, and below `beta`.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: i32,
    beta: i32,
}

pub(crate) trait Tree {
    /// Returns the moves to search with `depth` plies left, in order; never empty before the end of the game.
    fn moves(&mut self, depth: u32) -> Vec<Move>;
    fn play(&mut self, played: Move);
    fn undo(&mut self);
    fn ended(&self) -> Option<i32>;
    fn evaluate(&self) -> i32;
    /// Converts a value to the unit of the protocol: discs in Othello, unchanged in Gomoku.
    fn shown(value: i32) -> f64;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Minimax,
    AlphaBeta,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SearchResult {
    /// The value of the best line; `None` if time ran out before the first move was searched.
    pub(crate) value: Option<i32>,
    /// The best line; never empty.
    pub(crate) line: Vec<Move>,
    pub(crate) nodes: u64,
}

#[derive(Debug)]
pub(crate) struct TreeSearch {
    method: Method,
    deadline: Deadline,
    nodes: u64,
    stopped: bool,
}

impl TreeSearch {
    pub(crate) fn new(method: Method, deadline: Deadline) -> TreeSearch {
        TreeSearch {
            method,
            deadline,
            nodes: 0,
            stopped: false,
        }
    }

    /// Returns the best of `moves` by a search of `depth` plies (at least 1); among equal moves, the first. If time runs
    /// out, returns the best of the moves searched so far, or the first move. Panics if there are no moves.
    pub(crate) fn best<T: Tree>(
        mut self,
        tree: &mut T,
        moves: &[Move],
        depth: u32,
    ) -> SearchResult {
        let mut found = SearchResult {
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

    fn enter(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_CLOCK_READING) && self.deadline.has_passed() {
            self.stopped = true;
        }
        self.stopped
    }
}

pub(crate) fn choose<T: Tree>(
    search: TreeSearch,
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
        ..Info::default()
    });
    found.line[0]
}

// Alpha-beta prunes lines that cannot change minimax's result: once one reply refutes a move, other replies do not
// matter. With the best moves first, a search of d plies with b moves each visits about b^(d/2) positions, not b^d.
//
// Sources: J. von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928; C. Shannon, "Programming a computer for playing
// chess", 1950; D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975.

impl TreeSearch {
    /// Returns the value for the side to move by a search of `depth` plies, and puts the best line into `line`. With
    /// alpha-beta, a value outside `window` is only a bound. If the search was stopped, the value is meaningless.
    fn negamax<T: Tree>(
        &mut self,
        tree: &mut T,
        depth: u32,
        window: Window,
        line: &mut Vec<Move>,
    ) -> i32 {
        if self.enter() {
            return 0;
        }
        if let Some(value) = tree.ended() {
            return value;
        }
        if depth == 0 {
            return tree.evaluate();
        }
        let mut best = -INFINITY;
        let mut reply = Vec::new();
        for played in tree.moves(depth) {
            let child = Window {
                alpha: -window.beta,
                beta: -window.alpha.max(best),
            };
            tree.play(played);
            reply.clear();
            let value = -self.negamax(tree, depth - 1, child, &mut reply);
            tree.undo();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                line.clear();
                line.push(played);
                line.append(&mut reply);
            }
            if self.method == Method::AlphaBeta && best >= window.beta {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use games::gomoku::Rule;
    use games::{Board, Game, Rules, Side, Square};
    use proptest::prelude::*;

    use super::*;
    use crate::bots::FiveCells;
    use crate::gomoku::GomokuTree;
    use crate::othello::OthelloTree;
    use crate::positions::reachable;

    fn search<T: Tree>(method: Method, tree: &mut T, depth: u32) -> SearchResult {
        let moves = tree.moves(depth);
        TreeSearch::new(method, Deadline::NEVER).best(tree, &moves, depth)
    }

    fn slow_minimax<T: Tree>(root: &dyn Fn() -> T, line: &mut Vec<Move>, depth: u32) -> i32 {
        let mut tree = root();
        for &played in &*line {
            tree.play(played);
        }
        if let Some(value) = tree.ended() {
            return value;
        }
        if depth == 0 {
            return tree.evaluate();
        }
        let values = tree.moves(depth).into_iter().map(|played| {
            line.push(played);
            let value = -slow_minimax(root, line, depth - 1);
            line.pop();
            value
        });
        values.max().expect("the game goes on")
    }

    /// Checks that both methods find the same line, and that both find the value of the reference minimax.
    fn compare<T: Tree>(root: &dyn Fn() -> T, depth: u32) -> Result<(), TestCaseError> {
        let full = search(Method::Minimax, &mut root(), depth);
        let pruned = search(Method::AlphaBeta, &mut root(), depth);
        prop_assert_eq!(full.value, pruned.value);
        prop_assert_eq!(full.line, pruned.line);
        prop_assert!(pruned.nodes <= full.nodes);
        prop_assert_eq!(full.value, Some(slow_minimax(root, &mut Vec::new(), depth)));
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn pruning_changes_neither_move_nor_value_in_othello(
            board in reachable(Game::OTHELLO, 60),
            depth in 1..=4u32,
        ) {
            let Board::Othello(board) = board else { unreachable!() };
            compare(&|| OthelloTree::new(&board), depth)?;
        }

        #[test]
        fn pruning_changes_neither_move_nor_value_in_gomoku(
            board in reachable(Game::gomoku(7, Rule::Standard), 40),
            depth in 1..=2u32,
        ) {
            let Board::Gomoku(board) = board else { unreachable!() };
            compare(&|| GomokuTree::<FiveCells>::new(&board), depth)?;
        }
    }

    #[test]
    fn an_ended_game_counts_in_discs() {
        // White has only g8, and h8 is empty. White cannot move.
        let mut rows = vec!["XXXXXXXX".to_owned(); 7];
        rows.push("XXXXXXO.".to_owned());
        let board = Game::OTHELLO.position(&rows, Side::Black).unwrap();
        let Board::Othello(board) = board else {
            unreachable!()
        };
        for method in [Method::Minimax, Method::AlphaBeta] {
            let found = search(method, &mut OthelloTree::new(&board), 4);
            assert_eq!(found.value.map(OthelloTree::shown), Some(64.0));
            assert_eq!(found.line, ["h8".parse().unwrap()]);
        }
    }

    #[test]
    fn a_sooner_five_is_better() {
        let mut board = Game::gomoku(9, Rule::Freestyle).start();
        for played in ["c5", "a1", "d5", "a2", "e5", "a3", "f5", "a4"] {
            board.play(played.parse().unwrap()).unwrap();
        }
        let Board::Gomoku(board) = board else {
            unreachable!()
        };
        let found = search(
            Method::AlphaBeta,
            &mut GomokuTree::<FiveCells>::new(&board),
            3,
        );
        let square: Square = found.line[0].square().unwrap();
        assert!(board.wins(square, Side::Black));
        assert_eq!(found.line.len(), 1);
    }
}
