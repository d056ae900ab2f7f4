//! Alpha-beta against minimax, and values that are known.

use games::gomoku::Rule;
use games::{Board, Game, Rules, Side, Square};
use proptest::prelude::*;

use super::*;
use crate::bots::FiveCells;
use crate::gomoku::GomokuTree;
use crate::othello::OthelloTree;
use crate::positions::reachable;

fn search<T: Tree>(method: Method, tree: &mut T, depth: u32) -> Found {
    let moves = tree.moves(depth);
    Search::new(method, Deadline::NEVER).best(tree, &moves, depth)
}

/// Minimax with no state but a list of moves: everything is played anew from the root.
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

/// Both methods find the same line and value, and the value is that of the twin.
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
    // Black has everything but h8; white cannot move.
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
    // Black has an open four.
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
