//! Vertices of the Go Text Protocol: a column letter and a row number, or `pass`.
//!
//! Which row is 1 depends on the game, as the programs that speak GTP have it:
//!
//! - **Othello**: rows from the top, as everywhere in Othello. `gtp-rhino` and Quarry do so: black's
//!   first moves are D3, C4, F5 and E6.
//! - **Gomoku** and any other game: as on a Go board, since the managers are those of Go: rows from
//!   the bottom, and no column I.

use games::{Game, Move, Square};

/// Text that is not a vertex of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a vertex of a board of {size}: write a letter and a number, such as D3, or pass"
)]
pub struct BadVertex {
    /// What was read.
    pub text: String,
    /// Side of the board.
    pub size: u8,
}

/// The vertices of one board; by default of none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vertices {
    size: u8,
    of_go: bool,
}

impl Vertices {
    /// Those that GTP programs use in `game`.
    pub fn of(game: Game) -> Vertices {
        Vertices {
            size: game.size(),
            of_go: game != Game::OTHELLO,
        }
    }

    /// Reads `D3`, `d3` or `pass`.
    pub fn read(self, text: &str) -> Result<Move, BadVertex> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        self.square(text).map(Move::Place).ok_or_else(|| BadVertex {
            text: text.to_owned(),
            size: self.size,
        })
    }

    fn square(self, text: &str) -> Option<Square> {
        let (&letter, digits) = text.as_bytes().split_first()?;
        let letter = letter.to_ascii_uppercase();
        let column = (0..self.size).find(|&column| self.letter(column) == letter)?;
        if !digits.iter().all(u8::is_ascii_digit) || digits.first() == Some(&b'0') {
            return None;
        }
        let number: u8 = text[1..].parse().ok()?;
        let row = (0..self.size).find(|&row| self.number(row) == number)?;
        Some(Square::new(column, row))
    }

    /// Writes `D3` or `PASS`.
    pub fn write(self, played: Move) -> String {
        played.square().map_or_else(
            || "PASS".to_owned(),
            |square| {
                let letter = char::from(self.letter(square.column()));
                format!("{letter}{}", self.number(square.row()))
            },
        )
    }

    /// The letter of a column counted from 0 at the left, in capitals.
    pub fn letter(self, column: u8) -> u8 {
        b'A' + column + u8::from(self.of_go && column >= b'I' - b'A')
    }

    /// The number of a row counted from 0 at the top.
    pub fn number(self, row: u8) -> u8 {
        if self.of_go { self.size - row } else { row + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gomoku(size: i64) -> Vertices {
        Vertices::of(Game::new("gomoku", None, Some(size)).expect("a game"))
    }

    /// Black's first moves as `gtp-rhino` 0.16.1 takes them, and the corners of Go's boards: A1 is
    /// at the bottom left and T19 at the top right (GTP 2, draft 2, section 2.11).
    #[test]
    fn the_rows_of_othello_count_from_the_top_and_those_of_go_from_the_bottom() {
        let othello = Vertices::of(Game::OTHELLO);
        for (vertices, text, square) in [
            (othello, "D3", "d3"),
            (othello, "h8", "h8"),
            (gomoku(19), "A1", "a19"),
            (gomoku(19), "T19", "s1"),
            (gomoku(15), "H8", "h8"),
            (gomoku(15), "J15", "i1"),
            (gomoku(15), "p1", "o15"),
        ] {
            let played = Move::Place(square.parse().expect("a square"));
            assert_eq!(vertices.read(text), Ok(played), "{text}");
            assert_eq!(vertices.write(played), text.to_uppercase());
        }
        assert_eq!(othello.read("PASS"), Ok(Move::Pass));
    }

    #[test]
    fn what_is_no_vertex_is_refused() {
        for text in [
            "", "D", "3", "D0", "D03", "D9", "I1", "Z3", "D+3", "é3", "D300",
        ] {
            assert!(Vertices::of(Game::OTHELLO).read(text).is_err(), "{text:?}");
        }
        assert!(gomoku(19).read("I5").is_err(), "Go has no column I");
    }
}
