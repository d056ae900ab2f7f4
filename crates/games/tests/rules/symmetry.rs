//! The eight symmetries are a group. They act in the same way on squares, boards and games.

use games::othello::Position;
use games::{Board, Game, Move, Rules, Square, Symmetry, canonical_hash};
use proptest::prelude::*;

use super::othello_twin::any_position;
use super::played::{any_game, played_out};

fn any_symmetry() -> impl Strategy<Value = Symmetry> {
    proptest::sample::select(Symmetry::ALL.to_vec())
}

#[test]
fn the_symmetries_are_a_group_of_eight() {
    let squares = |size: u8| {
        let count = usize::from(size) * usize::from(size);
        (0..count).map(move |index| Square::from_index(index, size))
    };
    for size in [5, 8, 22] {
        for first in Symmetry::ALL {
            for square in squares(size) {
                let there = first.apply(square, size);
                assert_eq!(first.inverse().apply(there, size), square, "{first:?}");
                assert_eq!(Symmetry::ALL[0].apply(square, size), square);
                for second in Symmetry::ALL {
                    let both = first.then(second).apply(square, size);
                    assert_eq!(both, second.apply(there, size), "{first:?}, {second:?}");
                }
            }
            let same = |other: &&Symmetry| {
                squares(size).all(|square| other.apply(square, size) == first.apply(square, size))
            };
            assert_eq!(Symmetry::ALL.iter().filter(same).count(), 1, "{first:?}");
        }
    }
}

#[test]
fn a1_goes_to_the_four_corners_and_b1_to_eight_squares() {
    let goes_to = |square: &str| {
        let square = square.parse().unwrap();
        let mut all = Symmetry::ALL.map(|symmetry| symmetry.apply(square, 8).to_string());
        all.sort();
        all.join(" ")
    };
    assert_eq!(goes_to("a1"), "a1 a1 a8 a8 h1 h1 h8 h8");
    assert_eq!(goes_to("b1"), "a2 a7 b1 b8 g1 g8 h2 h7");
}

proptest! {
    #[test]
    fn a_set_of_bits_goes_where_its_squares_go(set in any::<u64>(), symmetry in any_symmetry()) {
        let there = |square: &usize| {
            symmetry.apply(Square::from_index(*square, 8), 8).index(8)
        };
        let one_by_one: u64 = (0..64)
            .filter(|square| set >> square & 1 != 0)
            .map(|square| 1 << there(&square))
            .sum();
        prop_assert_eq!(symmetry.apply_to_bits(set), one_by_one);
    }

    #[test]
    fn the_canonical_position_is_that_of_all_eight(position in any_position()) {
        let (canonical, symmetry) = position.canonical();
        prop_assert_eq!(position.turned(symmetry), canonical);
        for symmetry in Symmetry::ALL {
            prop_assert_eq!(position.turned(symmetry).canonical().0, canonical);
        }
    }

    #[test]
    fn a_turned_game_leads_to_the_turned_position(
        game in any_game(),
        choices in played_out(),
        symmetry in any_symmetry(),
    ) {
        let (moves, board) = super::played::play(game, &choices);
        let turned = board.turned(symmetry);
        let mut replayed = game.start().turned(symmetry);
        for played in moves {
            replayed.play(symmetry.apply_to_move(played, game.size())).unwrap();
        }
        prop_assert_eq!(&replayed, &turned);
        prop_assert_eq!(turned.turned(symmetry.inverse()), board.clone());
        prop_assert_eq!(canonical_hash(&turned), canonical_hash(&board));
        let mut there: Vec<Move> = board
            .legal_moves()
            .into_iter()
            .map(|played| symmetry.apply_to_move(played, game.size()))
            .collect();
        there.sort();
        let mut legal = turned.legal_moves();
        legal.sort();
        prop_assert_eq!(legal, there);
    }
}

#[test]
fn the_hash_tells_sides_games_and_rules_apart() {
    let start = Board::Othello(games::othello::OthelloBoard::START);
    let Board::Othello(board) = &start else {
        unreachable!("it is Othello's")
    };
    let Position { own, opponent } = board.position();
    let swapped = Position {
        own: opponent,
        opponent: own,
    };
    let white = games::othello::OthelloBoard::new(swapped, !board.side_to_move());
    let mut hashes: Vec<u64> = [start.clone(), Board::Othello(white)]
        .iter()
        .map(canonical_hash)
        .collect();
    for rules in ["freestyle", "standard", "renju", "caro"] {
        for size in 5..=22 {
            let game = Game::new("gomoku", Some(rules), Some(size)).unwrap();
            hashes.push(canonical_hash(&game.start()));
        }
    }
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
}
