//! Squares in Gomocup's way: `x,y`, both counted from 0, x the column from the left, y the row from
//! the top. So `0,0` is a1 and `7,3` is h4.

use games::{MAX_SIZE, Square};

/// Text that names no square of any board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a square: write column and row from 0 to 21, such as 7,3")]
pub struct BadCoordinates {
    /// What was read.
    pub text: String,
}

/// Reads `7,3`; spaces round the numbers are borne. Whether the square is on *this* board is for
/// the caller to say.
pub fn read(text: &str) -> Result<Square, BadCoordinates> {
    let coordinates = || {
        let (column, row) = text.split_once(',')?;
        Some((number(column)?, number(row)?))
    };
    match coordinates() {
        Some((column, row)) => Ok(Square::new(column, row)),
        None => Err(BadCoordinates {
            text: text.to_owned(),
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
}
