//! Illegal moves that are legal moves in another notation: rows counted from 0 or from the bottom,
//! rows and columns swapped, a pair of numbers, and so on.
//!
//! A [`Habit`] is such a notation. [`habit`] finds the one in which every illegal answer of a bot is
//! legal, if that is unlikely to be chance: a random square is sometimes legal, too.

use games::{Board, Move, Rules, Square};

use super::code::Code;

/// An illegal answer and its position.
#[derive(Clone, Debug)]
pub struct Slip {
    /// The position.
    pub board: Board,
    /// The legal moves.
    pub legal: Vec<Square>,
    /// The answer as it was written: text, or JSON if it was not a string.
    pub answer: String,
}

impl Slip {
    /// An answer in this position.
    pub fn new(board: Board, answer: String) -> Slip {
        Slip {
            legal: board.legal_squares(),
            board,
            answer,
        }
    }
}

/// A notation for squares that differs from the protocol's.
#[derive(Clone, Copy, Debug)]
pub struct Habit {
    /// The code of the finding.
    pub code: Code,
    /// How the answer is written, in a short sentence.
    pub described: &'static str,
    shape: Shape,
    /// From the two parts of an answer and the size of the board to column and row, both from 0.
    read: fn(i32, i32, i32) -> (i32, i32),
}

/// The parts of an answer. A letter counts from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `d3`: letter, number.
    Square,
    /// `(d, 3)` or `d-3`: letter, number.
    Decorated,
    /// `3d`: letter, number.
    NumberFirst,
    /// `dc`.
    Letters,
    /// `2,3`.
    Pair,
    /// `19`: number, nothing.
    Number,
}

macro_rules! habits {
    ($($shape:ident |$a:tt, $b:tt, $size:tt| $read:expr => $code:ident $described:literal)*) => {
        /// The most likely habits first.
        const HABITS: &[Habit] = &[$(Habit {
            code: Code::$code,
            described: $described,
            shape: Shape::$shape,
            read: |$a, $b, $size| $read,
        }),*];
    };
}

habits! {
    Square |a, n, _| (a, n) => CountedFrom0
        "the row is counted from 0; the first row is 1"
    Square |a, n, _| (n - 1, a) => SwappedCoordinates
        "row and column are swapped: the letter is the column"
    Square |a, n, size| (a, size - n) => CountedFromBottom
        "the row is counted from the bottom; row 1 is at the top"
    Square |a, n, _| (n, a) => SwappedCoordinates
        "row and column are swapped, and the number is counted from 0: the letter is the column, and the first row is 1"
    Square |a, n, size| (a, size - 1 - n) => CountedFromBottom
        "the row is counted from the bottom and from 0; row 1 is at the top"
    Square |a, n, _| (a, n - 2) => RowOff
        "the row number is one too high; the first row is 1"
    Square |a, n, _| (if a > 8 { a - 1 } else { -1 }, n - 1) => LetterOff
        "the letter i is left out, as in Go; here all letters are used"
    Square |a, n, _| (a - 1, n - 1) => LetterOff
        "the column's letter is one too far; the first column is a"
    Square |a, n, _| (a + 1, n - 1) => LetterOff
        "the column's letter is one too early; the first column is a"
    Square |a, n, size| (size - 1 - a, n - 1) => Mirrored
        "columns are counted from the right; column a is at the left"
    Decorated |a, n, _| (a, n - 1) => NotASquare
        "it has more than a letter and a number"
    NumberFirst |a, n, _| (a, n - 1) => NotASquare
        "the number is before the letter"
    Letters |a, b, _| (a, b) => NotASquare
        "the row is written as a letter; it is a number"
    Letters |a, b, _| (b, a) => NotASquare
        "the row is written as a letter, and first; it is a number"
    Pair |a, b, _| (b, a) => PairOfNumbers
        "it is row and column, counted from 0"
    Pair |a, b, _| (a, b) => PairOfNumbers
        "it is column and row, counted from 0"
    Pair |a, b, _| (b - 1, a - 1) => PairOfNumbers
        "it is row and column, counted from 1"
    Pair |a, b, _| (a - 1, b - 1) => PairOfNumbers
        "it is column and row, counted from 1"
    Number |i, _, size| (i % size, i / size) => SquareNumber
        "it is the number of the square, counted row by row from 0"
    Number |i, _, size| ((i - 1) % size, (i - 1) / size) => SquareNumber
        "it is the number of the square, counted row by row from 1"
}

/// The highest accepted probability that the answers are legal by chance.
const DOUBT: f64 = 0.02;

/// The habit in which every one of these answers is a legal move.
pub fn habit(slips: &[Slip]) -> Option<&'static Habit> {
    let explains = |habit: &&Habit| {
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
    HABITS.iter().find(explains)
}

/// Whether every one of these answers is a legal move of the other colour.
pub fn other_colours(slips: &[Slip]) -> bool {
    let is_other = |slip: &Slip| {
        let played = slip.answer.parse::<Square>().map(Move::Place);
        played.is_ok_and(|played| slip.board.is_legal_for_opponent(played))
    };
    chance(slips) <= DOUBT && slips.iter().all(is_other)
}

/// The probability that random squares are all legal. An answer that is not a square was certainly
/// meant in another way, so it does not count.
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
    /// The square that an answer means in this notation, if it can be read.
    pub fn meant(&self, slip: &Slip) -> Option<Square> {
        let size = i32::from(slip.board.game().size());
        let (shape, one, other) = parts(&slip.answer)?;
        let (column, row) = (self.read)(one, other, size);
        let is_on = (0..size).contains(&column) && (0..size).contains(&row);
        (shape == self.shape && is_on).then(|| Square::new(column as u8, row as u8))
    }
}

/// The shape of an answer, and its parts.
fn parts(answer: &str) -> Option<(Shape, i32, i32)> {
    let text = answer.trim().to_ascii_lowercase();
    let is_bare = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    Some(match *words(&text).as_slice() {
        [Word::Letter(a), Word::Number(n)] if is_bare => (Shape::Square, a, n),
        [Word::Letter(a), Word::Number(n)] => (Shape::Decorated, a, n),
        [Word::Number(n), Word::Letter(a)] => (Shape::NumberFirst, a, n),
        [Word::Letter(a), Word::Letter(b)] => (Shape::Letters, a, b),
        [Word::Number(a), Word::Number(b)] => (Shape::Pair, a, b),
        [Word::Number(i)] => (Shape::Number, i, 0),
        _ => return None,
    })
}

/// A piece of an answer: a letter as the number of its column, or a number.
enum Word {
    Letter(i32),
    Number(i32),
}

/// The letters and numbers. Quotes, brackets, commas and the like are ignored. So are words of several
/// letters, as in `{"row":2,"col":3}`, unless there are exactly two letters and nothing else.
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

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;
    use games::{Game, parse_transcript};

    /// The position after these moves; `meant` is a legal square in it.
    fn slip(game: Game, transcript: &str, answer: &str) -> Slip {
        let (_, board) = parse_transcript(game, transcript).expect("a game");
        Slip::new(board, answer.to_owned())
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
        for (answer, expected) in cases::<(String, String)>("doctor-slip") {
            let found = habit(&[slip(Game::OTHELLO, ONLY_F7, &answer)]);
            let described = found.map_or("", |habit| habit.described);
            assert_eq!(described.is_empty(), expected.is_empty(), "{answer:?}");
            assert!(described.contains(&expected), "{answer:?}: {described}");
        }
    }

    #[test]
    fn the_other_colours_moves_are_recognised() {
        // White's moves where black's only move is f7, by the rules of Othello.
        let of = |answer: &str| other_colours(&[slip(Game::OTHELLO, ONLY_F7, answer)]);
        assert!(!of("f7") && !of("a1") && !of("pass"));
        let moves: Vec<String> = (0..64)
            .map(|index| Square::from_index(index, 8).to_string())
            .filter(|square| of(square))
            .collect();
        assert!(moves.contains(&"f3".to_owned()), "{moves:?}");
        // In Gomoku both have the same moves.
        let gomoku = Game::new("gomoku", None, None).expect("a game");
        assert!(!other_colours(&[slip(gomoku, "h8c4", "h8")]));
    }

    #[test]
    fn go_letters_leave_out_the_i() {
        let nearly_full = "l5";
        let mut slip = slip(Game::new("gomoku", None, None).expect("a game"), "h8", "m5");
        slip.legal = vec![nearly_full.parse().expect("a square")];
        let found = habit(std::slice::from_ref(&slip)).map(|habit| habit.described);
        assert!(found.is_some_and(|described| described.contains("as in Go")));
        slip.answer = "e5".to_owned();
        assert!(habit(&[slip]).is_none());
    }

    #[test]
    fn what_may_be_chance_is_not_called_a_habit() {
        // Nearly every square is legal on an empty board, so that any reading fits.
        let gomoku = Game::new("gomoku", None, None).expect("a game");
        assert!(habit(&[slip(gomoku, "h8c4", "h8")]).is_none());
        // Two answers that no one habit explains.
        let answers = [
            slip(Game::OTHELLO, ONLY_F7, "g6"),
            slip(Game::OTHELLO, ONLY_F7, "f6"),
        ];
        assert!(habit(&answers).is_none());
    }
}
