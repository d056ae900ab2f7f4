//! Squares in Gomocup's way: `x,y`, both counted from 0, x the column from the left, y the row from
//! the top. So `0,0` is a1 and `7,3` is h4.

use games::{MAX_SIZE, Square};

/// Text that names no square of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a square: write column and row from 0 to {}, such as 2,3", .size - 1)]
pub struct BadCoordinates {
    /// What was read.
    pub text: String,
    /// Side of the board that it was read for.
    pub size: u8,
}

/// Reads `7,3` as a square of a board of `size`; spaces round the numbers are tolerated.
pub fn read_on(text: &str, size: u8) -> Result<Square, BadCoordinates> {
    let square = read(text).ok().filter(|square| square.is_on(size));
    square.ok_or_else(|| BadCoordinates {
        text: text.to_owned(),
        size,
    })
}

/// The same for the largest board: whether the square is on *this* board is for the caller to say.
pub fn read(text: &str) -> Result<Square, BadCoordinates> {
    let coordinates = || {
        let (column, row) = text.split_once(',')?;
        Some((number(column)?, number(row)?))
    };
    match coordinates() {
        Some((column, row)) => Ok(Square::new(column, row)),
        None => Err(BadCoordinates {
            text: text.to_owned(),
            size: MAX_SIZE,
        }),
    }
}

fn number(text: &str) -> Option<u8> {
    let text = text.trim();
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&n| digits && n < MAX_SIZE)
}

/// Writes `7,3`.
pub fn write(square: Square) -> String {
    format!("{},{}", square.column(), square.row())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x_is_the_column_and_both_count_from_0() {
        for (text, square) in [("0,0", "a1"), ("7,3", "h4"), (" 14 , 9 ", "o10")] {
            let square: Square = square.parse().expect("a square");
            assert_eq!(read(text), Ok(square), "{text}");
            assert_eq!(read(&write(square)), Ok(square));
        }
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for text in [
            "", "7", "7,", ",3", "7 3", "22,0", "0,22", "-1,3", "+1,3", "7,3,1", "h4",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_square_of_this_board_is_told_its_numbers() {
        for (text, size, most) in [
            ("15,0", 15, 14),
            ("h8", 15, 14),
            ("2,5", 5, 4),
            ("22,0", 22, 21),
        ] {
            let said = read_on(text, size).expect_err(text).to_string();
            let expected = format!(
                "{text:?} is not a square: write column and row from 0 to {most}, such as 2,3"
            );
            assert_eq!(said, expected);
        }
        assert_eq!(read_on("14,14", 15), Ok(Square::new(14, 14)));
    }
}
