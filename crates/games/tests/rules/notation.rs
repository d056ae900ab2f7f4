//! Written rows, positions and transcripts are read back as the same values.

use games::othello::Position;
use games::{Move, Rules, Side, format_transcript, parse_transcript};
use proptest::prelude::*;

use super::othello_twin::any_position;
use super::played::{any_game, play, played_out};

proptest! {
    #[test]
    fn rows_are_read_back(game in any_game(), choices in played_out()) {
        let (_, board) = play(game, &choices);
        let read = game.position(&board.rows(), board.side_to_move()).unwrap();
        prop_assert_eq!(read.rows(), board.rows());
        prop_assert_eq!(read.side_to_move(), board.side_to_move());
        prop_assert_eq!(read.counts(), board.counts());
        if board.ending().is_none() {
            prop_assert_eq!(read, board);
        }
    }

    #[test]
    fn the_bits_of_a_row_are_its_stones(game in any_game(), choices in played_out()) {
        let (_, board) = play(game, &choices);
        for (row, text) in (0..).zip(board.rows()) {
            for side in Side::BOTH {
                let stones = (0..).zip(text.chars()).filter(|&(_, cell)| cell == side.symbol());
                let bits: u32 = stones.map(|(column, _)| 1 << column).sum();
                prop_assert_eq!(board.row(row, side), bits, "{}", board);
            }
        }
    }

    #[test]
    fn othello_positions_are_read_back(position in any_position(), black in any::<bool>()) {
        let side = if black { Side::Black } else { Side::White };
        let text = position.format(side);
        prop_assert_eq!(Position::parse(&text), Ok(position), "{}", text);
    }

    #[test]
    fn transcripts_are_read_back(game in any_game(), choices in played_out()) {
        let (mut moves, mut board) = play(game, &choices);
        let text = format_transcript(&moves);
        if moves.last() == Some(&Move::Pass) {
            // The transcript does not include a pass at the end.
            moves.pop();
            board = moves.iter().fold(game.start(), |mut board, &played| {
                board.play(played).unwrap();
                board
            });
        }
        prop_assert_eq!(parse_transcript(game, &text), Ok((moves.clone(), board.clone())));
        let words: Vec<String> = moves.iter().map(Move::to_string).collect();
        let shouted = words.join(", ").to_uppercase();
        prop_assert_eq!(parse_transcript(game, &shouted), Ok((moves, board)), "{}", shouted);
    }
}
