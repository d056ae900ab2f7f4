//! Illegal moves that are legal ones written in another way: rows counted from 0 or from the bottom,
//! rows and columns swapped, a pair of numbers, and so on.
//!
//! A [`Habit`] is such a way; it reads an answer as a person with that habit would have meant it.
//! [`habit`] finds the one in which every illegal answer of a bot turns out to be legal, if that
//! cannot well be chance: a bot that plays at random hits a legal square now and then, too.

use games::{Board, Square};

use super::code::Code;

/// An answer that is not legal, with the position it answers.
#[derive(Clone, Debug)]
pub struct Slip {
    /// The position.
    pub board: Board,
    /// What may be played there.
    pub legal: Vec<Square>,
    /// The answer as it was written: text, or JSON where it was no string.
    pub answer: String,
}

/// A way to write squares that is not the protocol's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// `d2` for `d3`.
    RowFrom0,
    /// `c4` for `d3`.
    Swapped,
    /// `d6` for `d3`, on a board of 8.
    RowFromBottom,
    /// `c3` for `d3`: the row as a letter, then the column counted from 0.
    SwappedFrom0,
    /// `d5` for `d3`, on a board of 8.
    RowFromBottomFrom0,
    /// `d4` for `d3`.
    RowTooHigh,
    /// `j8` for `i8`, as Go has it, where no column is called i.
    NoI,
    /// `e3` for `d3`.
    LetterTooHigh,
    /// `c3` for `d3`.
    LetterTooLow,
    /// `e3` for `d3`, on a board of 8.
    ColumnFromRight,
    /// `(d, 3)` or `d-3`.
    Decorated,
    /// `3d`.
    NumberFirst,
    /// `dc`: column and row as letters.
    TwoLetters,
    /// `cd`: row and column as letters.
    TwoLettersRowFirst,
    /// Row and column, from 0: `2,3` for `d3`.
    RowColumnFrom0,
    /// Column and row, from 0.
    ColumnRowFrom0,
    /// Row and column, from 1.
    RowColumnFrom1,
    /// Column and row, from 1.
    ColumnRowFrom1,
    /// Squares numbered row by row, from 0.
    NumberFrom0,
    /// The same from 1.
    NumberFrom1,
}

/// The likelier habits first.
const HABITS: [Habit; 20] = [
    Habit::RowFrom0,
    Habit::Swapped,
    Habit::RowFromBottom,
    Habit::SwappedFrom0,
    Habit::RowFromBottomFrom0,
    Habit::RowTooHigh,
    Habit::NoI,
    Habit::LetterTooHigh,
    Habit::LetterTooLow,
    Habit::ColumnFromRight,
    Habit::Decorated,
    Habit::NumberFirst,
    Habit::TwoLetters,
    Habit::TwoLettersRowFirst,
    Habit::RowColumnFrom0,
    Habit::ColumnRowFrom0,
    Habit::RowColumnFrom1,
    Habit::ColumnRowFrom1,
    Habit::NumberFrom0,
    Habit::NumberFrom1,
];

/// How likely it may be at most that answers turn out legal by chance.
const DOUBT: f64 = 0.02;

/// The habit in which every one of these answers is a legal move.
pub fn habit(slips: &[Slip]) -> Option<Habit> {
    let explains = |habit: &Habit| {
        let legal = |slip: &Slip| {
            habit
                .meant(slip)
                .is_some_and(|square| slip.legal.contains(&square))
        };
        slips.iter().all(legal)
    };
    if slips.is_empty() || chance(slips) > DOUBT {
        return None;
    }
    HABITS.into_iter().find(explains)
}

/// How likely it is that squares chosen without a thought are all legal. What is no square at all
/// was meant in another way, so that there is nothing to doubt.
fn chance(slips: &[Slip]) -> f64 {
    let of = |slip: &Slip| {
        let cells = f64::from(slip.board.game().size()).powi(2);
        slip.legal.len() as f64 / cells
    };
    let squares = slips.iter().filter(|slip| is_square(&slip.answer));
    if squares.clone().next().is_none() {
        return 0.0;
    }
    squares.map(of).product()
}

/// Whether the protocol reads this as a square, on this board or another.
pub fn is_square(answer: &str) -> bool {
    answer.parse::<Square>().is_ok()
}

impl Habit {
    /// The square that was meant by an answer, if it can be read so.
    pub fn meant(self, slip: &Slip) -> Option<Square> {
        let size = i32::from(slip.board.game().size());
        let (column, row) = self.read(&slip.answer, size)?;
        let is_on = (0..size).contains(&column) && (0..size).contains(&row);
        is_on.then(|| Square::new(column as u8, row as u8))
    }

    /// Column and row, both counted from 0.
    fn read(self, text: &str, size: i32) -> Option<(i32, i32)> {
        let text = text.trim().to_ascii_lowercase();
        // "d3" as letter 3 and number 3.
        let square = |letter, number| match self {
            Habit::RowFrom0 => Some((letter, number)),
            Habit::Swapped => Some((number - 1, letter)),
            Habit::RowFromBottom => Some((letter, size - number)),
            Habit::SwappedFrom0 => Some((number, letter)),
            Habit::RowFromBottomFrom0 => Some((letter, size - 1 - number)),
            Habit::RowTooHigh => Some((letter, number - 2)),
            Habit::NoI => (letter > 8).then_some((letter - 1, number - 1)),
            Habit::LetterTooHigh => Some((letter - 1, number - 1)),
            Habit::LetterTooLow => Some((letter + 1, number - 1)),
            Habit::ColumnFromRight => Some((size - 1 - letter, number - 1)),
            _ => None,
        };
        let pair = |a, b| match self {
            Habit::RowColumnFrom0 => Some((b, a)),
            Habit::ColumnRowFrom0 => Some((a, b)),
            Habit::RowColumnFrom1 => Some((b - 1, a - 1)),
            Habit::ColumnRowFrom1 => Some((a - 1, b - 1)),
            _ => None,
        };
        let number = |index: i32| match self {
            Habit::NumberFrom0 => Some((index % size, index / size)),
            Habit::NumberFrom1 => Some(((index - 1) % size, (index - 1) / size)),
            _ => None,
        };
        match *words(&text).as_slice() {
            [Word::Letter(letter), Word::Number(number)] if is_bare(&text) => {
                square(letter, number)
            }
            [Word::Letter(letter), Word::Number(number)] => {
                (self == Habit::Decorated).then_some((letter, number - 1))
            }
            [Word::Number(number), Word::Letter(letter)] => {
                (self == Habit::NumberFirst).then_some((letter, number - 1))
            }
            [Word::Letter(first), Word::Letter(second)] => match self {
                Habit::TwoLetters => Some((first, second)),
                Habit::TwoLettersRowFirst => Some((second, first)),
                _ => None,
            },
            [Word::Number(a), Word::Number(b)] => pair(a, b),
            [Word::Number(index)] => number(index),
            _ => None,
        }
    }

    /// What to call it.
    pub const fn code(self) -> Code {
        match self {
            Habit::RowFrom0 => Code::CountedFrom0,
            Habit::Swapped | Habit::SwappedFrom0 => Code::SwappedCoordinates,
            Habit::RowFromBottom | Habit::RowFromBottomFrom0 => Code::CountedFromBottom,
            Habit::RowTooHigh => Code::RowOff,
            Habit::NoI | Habit::LetterTooHigh | Habit::LetterTooLow => Code::LetterOff,
            Habit::ColumnFromRight => Code::Mirrored,
            Habit::Decorated
            | Habit::NumberFirst
            | Habit::TwoLetters
            | Habit::TwoLettersRowFirst => Code::NotASquare,
            Habit::RowColumnFrom0
            | Habit::ColumnRowFrom0
            | Habit::RowColumnFrom1
            | Habit::ColumnRowFrom1 => Code::PairOfNumbers,
            Habit::NumberFrom0 | Habit::NumberFrom1 => Code::SquareNumber,
        }
    }

    /// What the author does, after "it seems that".
    pub const fn described(self) -> &'static str {
        match self {
            Habit::RowFrom0 => "the row is counted from 0; the first row is 1",
            Habit::Swapped => "row and column are swapped: the letter is the column",
            Habit::SwappedFrom0 => {
                "row and column are swapped, and the number is counted from 0: the letter is the \
                 column, and the first row is 1"
            }
            Habit::RowFromBottom => "the row is counted from the bottom; row 1 is at the top",
            Habit::RowFromBottomFrom0 => {
                "the row is counted from the bottom and from 0; row 1 is at the top"
            }
            Habit::RowTooHigh => "the row number is one too high; the first row is 1",
            Habit::NoI => "the letter i is left out, as in Go; here no letter is",
            Habit::LetterTooHigh => "the column's letter is one too far; the first column is a",
            Habit::LetterTooLow => "the column's letter is one too early; the first column is a",
            Habit::ColumnFromRight => "columns are counted from the right; column a is at the left",
            Habit::Decorated => "there is more in it than a letter and a number",
            Habit::NumberFirst => "the number stands before the letter",
            Habit::TwoLetters | Habit::TwoLettersRowFirst => {
                "the row is written as a letter; it is a number"
            }
            Habit::RowColumnFrom0 => "it is row and column, counted from 0",
            Habit::ColumnRowFrom0 => "it is column and row, counted from 0",
            Habit::RowColumnFrom1 => "it is row and column, counted from 1",
            Habit::ColumnRowFrom1 => "it is column and row, counted from 1",
            Habit::NumberFrom0 => "it is the number of the square, counted row by row from 0",
            Habit::NumberFrom1 => "it is the number of the square, counted row by row from 1",
        }
    }
}

/// A piece of an answer: a letter as the number of its column, or a number.
enum Word {
    Letter(i32),
    Number(i32),
}

/// Letters and numbers; quotes, brackets, commas and the like are passed over. Words of several
/// letters are too, as in `{"row":2,"col":3}`, unless there are just two letters and nothing else.
fn words(text: &str) -> Vec<Word> {
    let letter = |c: u8| Word::Letter(i32::from(c - b'a'));
    let bytes = text.as_bytes();
    if let &[first @ b'a'..=b'z', second @ b'a'..=b'z'] = bytes {
        return vec![letter(first), letter(second)];
    }
    let mut words = Vec::new();
    for word in bytes.chunk_by(|a, b| {
        a.is_ascii_alphabetic() && b.is_ascii_alphabetic()
            || a.is_ascii_digit() && b.is_ascii_digit()
    }) {
        match *word {
            [c @ b'a'..=b'z'] => words.push(letter(c)),
            [b'0'..=b'9', ..] => {
                let number = std::str::from_utf8(word)
                    .ok()
                    .and_then(|word| word.parse().ok());
                words.push(Word::Number(number.unwrap_or(i32::MAX / 2)));
            }
            _ => {}
        }
    }
    words
}

fn is_bare(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Rules;
    use games::{Game, parse_transcript};

    /// The position after these moves; `meant` is a legal square in it.
    fn slip(game: Game, transcript: &str, answer: &str) -> Slip {
        let (_, board) = parse_transcript(game, transcript).expect("a game");
        Slip {
            legal: board.legal_squares(),
            board,
            answer: answer.to_owned(),
        }
    }

    /// Black's only move is f7.
    const ONLY_F7: &str = "f5f6c4g5g6h6g7g8h7e6d7f4g3h8h5h4";

    #[test]
    fn the_only_move_written_in_another_way_is_recognised() {
        assert_eq!(
            slip(Game::OTHELLO, ONLY_F7, "").legal,
            [Square::new(5, 6)],
            "f7"
        );
        for (answer, expected) in [
            ("f6", Some(Habit::RowFrom0)),
            ("g6", Some(Habit::Swapped)),
            ("f2", Some(Habit::RowFromBottom)),
            ("g5", Some(Habit::SwappedFrom0)),
            ("f1", Some(Habit::RowFromBottomFrom0)),
            ("f8", Some(Habit::RowTooHigh)),
            ("g7", Some(Habit::LetterTooHigh)),
            ("e7", Some(Habit::LetterTooLow)),
            ("c7", Some(Habit::ColumnFromRight)),
            ("(f, 7)", Some(Habit::Decorated)),
            ("F-7", Some(Habit::Decorated)),
            ("7f", Some(Habit::NumberFirst)),
            ("fg", Some(Habit::TwoLetters)),
            ("gf", Some(Habit::TwoLettersRowFirst)),
            ("6,5", Some(Habit::RowColumnFrom0)),
            ("[6, 5]", Some(Habit::RowColumnFrom0)),
            ("{\"row\":6,\"col\":5}", Some(Habit::RowColumnFrom0)),
            ("(5, 6)", Some(Habit::ColumnRowFrom0)),
            ("7 6", Some(Habit::RowColumnFrom1)),
            ("6;7", Some(Habit::ColumnRowFrom1)),
            ("53", Some(Habit::NumberFrom0)),
            ("54", Some(Habit::NumberFrom1)),
            ("a1", None),
            ("h8", None),
            ("pass", None),
            ("", None),
            ("zz99", None),
            ("99999999999", None),
        ] {
            let found = habit(&[slip(Game::OTHELLO, ONLY_F7, answer)]);
            assert_eq!(found, expected, "{answer:?}");
        }
    }

    #[test]
    fn go_letters_leave_out_the_i() {
        let nearly_full = "l5";
        let mut slip = slip(Game::new("gomoku", None, None).expect("a game"), "h8", "m5");
        slip.legal = vec![nearly_full.parse().expect("a square")];
        assert_eq!(habit(std::slice::from_ref(&slip)), Some(Habit::NoI));
        slip.answer = "e5".to_owned();
        assert_eq!(habit(&[slip]), None);
    }

    #[test]
    fn what_may_be_chance_is_not_called_a_habit() {
        // Nearly every square is legal on an empty board, so that any reading fits.
        let gomoku = Game::new("gomoku", None, None).expect("a game");
        assert_eq!(habit(&[slip(gomoku, "h8c4", "h8")]), None);
        // Two answers that no one habit explains.
        let answers = [
            slip(Game::OTHELLO, ONLY_F7, "g6"),
            slip(Game::OTHELLO, ONLY_F7, "f6"),
        ];
        assert_eq!(habit(&answers), None);
    }
}
