//! Compares the leaves of game trees with published counts and with the twins.

use games::othello::{OthelloBoard, Position};
use games::{Board, Game, Side, perft, perft_divide};
use proptest::prelude::*;

use super::othello_twin::{Twin, any_position};

/// The leaves from depth 0 on. Source: Aart Bik's perft for Reversi, confirmed by Edax, Egaroucid and `OpenSpiel`.
const OTHELLO: [u64; 11] = [
    1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284,
];

#[test]
fn othello_matches_the_published_counts() {
    for (depth, leaves) in (0..).zip(OTHELLO) {
        let found = perft(&Game::OTHELLO.start(), depth);
        assert_eq!(found, leaves, "depth {depth}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn othello_perft_is_that_of_the_twin(position in any_position(), depth in 0..4u32) {
        let board = Board::Othello(OthelloBoard::new(position, Side::Black));
        prop_assert_eq!(perft(&board, depth), Twin::new(position).perft(depth), "{:?}", position);
    }
}

#[test]
fn the_parts_of_a_divided_count_make_the_whole() {
    for game in [Game::OTHELLO, Game::new("gomoku", None, Some(5)).unwrap()] {
        let start = game.start();
        for depth in 1..4 {
            let parts = perft_divide(&start, depth);
            assert_eq!(parts.len(), start.legal_moves().len());
            let sum: u64 = parts.into_iter().map(|(_, leaves)| leaves).sum();
            assert_eq!(sum, perft(&start, depth), "{game} at depth {depth}");
        }
    }
}

/// The edge cases of perft's convention: neither side can move, one side cannot move, the board is empty.
#[test]
fn ended_and_passed_games_count_as_the_convention_says() {
    let count = |own, opponent, depth| {
        let position = Position { own, opponent };
        perft(
            &Board::Othello(OthelloBoard::new(position, Side::Black)),
            depth,
        )
    };
    for depth in 0..5 {
        assert_eq!(count(0, 0, depth), 1, "an empty board is an ended game");
        assert_eq!(count(u64::MAX, 0, depth), 1, "so is a full one");
        // a1 white, b1 black, c1 empty: black passes, white takes b1, and black has no disc left.
        assert_eq!(
            count(0b10, 0b01, depth),
            1,
            "one line of play at depth {depth}"
        );
    }
}
