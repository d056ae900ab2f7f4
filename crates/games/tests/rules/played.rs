//! Games of random moves, for tests of properties that all games have.

use games::gomoku::Rule;
use games::{Board, Game, Move, Rules};
use proptest::prelude::*;
use proptest::sample::Index;

pub fn any_game() -> impl Strategy<Value = Game> {
    let gomoku = (5..=22u8, proptest::sample::select(Rule::ALL.to_vec()));
    prop_oneof![
        Just(Game::OTHELLO),
        gomoku.prop_map(|(size, rule)| Game::gomoku(size, rule)),
    ]
}

pub fn played_out() -> impl Strategy<Value = Vec<Index>> {
    proptest::collection::vec(any::<Index>(), 0..80)
}

pub fn play(game: Game, choices: &[Index]) -> (Vec<Move>, Board) {
    let mut board = game.start();
    let moves = play_on(&mut board, choices);
    (moves, board)
}

pub fn play_on(board: &mut Board, choices: &[Index]) -> Vec<Move> {
    let mut moves = Vec::new();
    for choice in choices {
        let legal = board.legal_moves();
        assert_eq!(legal.is_empty(), board.ending().is_some(), "{board}");
        if legal.is_empty() {
            break;
        }
        let played = legal[choice.index(legal.len())];
        board.play(played).unwrap();
        moves.push(played);
    }
    moves
}
