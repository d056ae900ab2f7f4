//! Compares bitboards with the ray-walking twin.

#[cfg(target_arch = "x86_64")]
use games::othello::{Avx2, Avx512};
use games::othello::{Kernel, OthelloBoard, Portable, Position, squares};
use games::{Move, Rules, Side, Square};
use proptest::prelude::*;

use super::othello_twin::{Twin, any_position, reachable};

fn agrees<K: Kernel>(kernel: K, position: Position) -> Result<(), TestCaseError> {
    let Position { own, opponent } = position;
    let twin = Twin::new(position);
    let moves = || kernel.legal_moves(own, opponent);
    prop_assert_eq!(moves(), twin.move_set(), "{} {:?}", K::NAME, position);
    prop_assert_eq!(kernel.vectorize(moves), twin.move_set());
    for square in squares(position.empties()) {
        let flips = || kernel.flips(own, opponent, square);
        prop_assert_eq!(
            flips(),
            twin.flips(square),
            "{} {} {:?}",
            K::NAME,
            square,
            position
        );
        prop_assert_eq!(kernel.vectorize(flips), twin.flips(square));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_kernel_of_this_machine_agrees_with_the_twin(position in any_position()) {
        agrees(Portable, position)?;
        #[cfg(target_arch = "x86_64")]
        {
            Avx2::detect().map_or(Ok(()), |kernel| agrees(kernel, position))?;
            Avx512::detect().map_or(Ok(()), |kernel| agrees(kernel, position))?;
        }
    }

    #[test]
    fn a_position_has_the_moves_flips_and_end_of_the_twin(position in any_position()) {
        let twin = Twin::new(position);
        prop_assert_eq!(position.legal_moves(), twin.move_set(), "{:?}", position);
        for square in squares(position.empties()) {
            prop_assert_eq!(position.flips(square), twin.flips(square), "{}\n{:?}", square, position);
        }
        for square in twin.moves() {
            prop_assert_eq!(position.play(square), twin.play(square).position());
        }
        prop_assert_eq!(position.pass(), twin.pass().position());
        let over = twin.moves().is_empty() && twin.pass().moves().is_empty();
        prop_assert_eq!(position.is_over(), over);
    }

    #[test]
    fn the_board_allows_the_moves_of_the_twin_and_no_others(
        position in reachable(),
        side in prop_oneof![Just(Side::Black), Just(Side::White)],
    ) {
        let board = OthelloBoard::new(position, side);
        let twin = Twin::new(position);
        let moves = twin.moves();
        let other_can_move = !twin.pass().moves().is_empty();
        for square in 0..64 {
            let mut after = board;
            let played = after.play(Move::Place(Square::from_index(square, 8)));
            prop_assert_eq!(played.is_ok(), moves.contains(&square));
            let expected = if played.is_ok() {
                OthelloBoard::new(twin.play(square).position(), !side)
            } else {
                board
            };
            prop_assert!(after == expected);
        }
        let mut after = board;
        prop_assert_eq!(after.play(Move::Pass).is_ok(), moves.is_empty() && other_can_move);
        prop_assert_eq!(board.must_pass(), moves.is_empty() && other_can_move);
        prop_assert_eq!(board.ending().is_some(), moves.is_empty() && !other_can_move);
    }
}

#[test]
fn the_winner_gets_the_empty_squares_in_the_final_score() {
    for (own, opponent, score) in [
        (0b111, 0b1000, 62),
        (0b1, 0b1110, -62),
        (0b11, 0b1100, 0),
        (u64::MAX, 0, 64),
        (0, 1, -64),
    ] {
        assert_eq!(Position { own, opponent }.final_score(), score);
    }
}
