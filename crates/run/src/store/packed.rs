//! Moves as text that is as short as JSON allows: one character per move on boards of up to 9×9, two
//! characters on larger boards.
//!
//! A move has a number: that of its square, row by row from a1 = 0, and after the last square the
//! pass. The digits of the number, the higher first, are printable ASCII without the two characters
//! that JSON escapes.

use games::{Move, Square};

/// The digits, from 0.
const DIGITS: &[u8; 93] = b" !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// Characters per move.
const fn width(size: u8) -> usize {
    let moves = size as usize * size as usize + 1;
    if moves <= DIGITS.len() { 1 } else { 2 }
}

/// Moves of a board of `size`.
pub(super) fn write(moves: &[Move], size: u8) -> String {
    let mut text = String::with_capacity(moves.len() * width(size));
    for played in moves {
        let pass = usize::from(size) * usize::from(size);
        let number = played.square().map_or(pass, |square| square.index(size));
        if width(size) == 2 {
            text.push(char::from(DIGITS[number / DIGITS.len()]));
        }
        text.push(char::from(DIGITS[number % DIGITS.len()]));
    }
    text
}

/// Unpacks the moves; `Err` if [`write()`] did not write the text.
pub(super) fn read(text: &str, size: u8) -> Result<Vec<Move>, String> {
    let squares = usize::from(size) * usize::from(size);
    let bad = || format!("no moves are packed in {text:?}");
    let chunks = text.as_bytes().chunks(width(size));
    chunks
        .map(|chunk| {
            let mut number = 0;
            for byte in chunk {
                let digit = DIGITS.binary_search(byte).map_err(|_| bad())?;
                number = number * DIGITS.len() + digit;
            }
            match number {
                _ if chunk.len() < width(size) => Err(bad()),
                number if number < squares => Ok(Move::Place(Square::from_index(number, size))),
                number if number == squares => Ok(Move::Pass),
                _ => Err(bad()),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_of_every_board_comes_back() {
        for size in 5..=games::MAX_SIZE {
            let squares = usize::from(size) * usize::from(size);
            let mut moves: Vec<Move> = (0..squares)
                .map(|index| Move::Place(Square::from_index(index, size)))
                .collect();
            moves.push(Move::Pass);
            let text = write(&moves, size);
            assert_eq!(read(&text, size), Ok(moves), "{size}");
            let per_move = if size <= 9 { 1 } else { 2 };
            assert_eq!(text.len(), (squares + 1) * per_move, "{size}");
            let quoted = serde_json::to_string(&text).expect("JSON");
            assert_eq!(quoted.len(), text.len() + 2, "nothing is escaped");
        }
    }

    /// Old records must stay readable.
    #[test]
    fn a_move_is_packed_as_it_always_was() {
        let moves = ["a1", "d3", "h8", "pass"].map(|text| text.parse().expect("a move"));
        assert_eq!(write(&moves, 8), " 4ab");
        assert_eq!(write(&moves, 15), "   B!4#H");
    }

    #[test]
    fn what_was_not_packed_is_refused() {
        for (text, size) in [
            ("\"", 8),
            ("~", 8),
            ("é", 8),
            (" ", 15),
            ("~~", 15),
            ("#a", 15),
        ] {
            assert!(read(text, size).is_err(), "{text:?} on {size}");
        }
        assert_eq!(read("", 15), Ok(Vec::new()));
    }
}
