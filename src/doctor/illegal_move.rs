//! Illegal moves, and their common cause, if there is one.
//!
//! Many are legal moves in another notation: rows counted from 0 or from the bottom, rows and columns swapped, a pair
//! of numbers. [`notation`] finds the [`Notation`] in which all of a bot's answers are legal. Since a random square is
//! sometimes legal, it accepts a notation only if chance is an unlikely explanation.

use games::{Board, Move, Rules, Side, Square, Theme};
use message::{Message, message};

use super::fault::theme_code;
use super::language::BotLanguage;
use super::report::{Code, Finding};
use super::wrong_line::{NOTHING_CHOSEN, is_square};

#[derive(Clone, Debug)]
pub struct IllegalMove {
    pub board: Board,
    pub legal: Vec<Square>,
    /// The answer as text, or its JSON if it was not a string.
    pub answer: String,
    pub theme: Theme,
}

impl IllegalMove {
    pub fn new(board: Board, answer: String, theme: Theme) -> IllegalMove {
        IllegalMove {
            legal: board.legal_squares(),
            board,
            answer,
            theme,
        }
    }

    pub fn is_off_board(&self) -> bool {
        let square = self.answer.parse::<Square>();
        square.is_ok_and(|square| !square.is_on(self.board.game().size()))
    }
}

/// A notation for squares that differs from the protocol's.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    pub code: Code,
    pub described: &'static str,
    shape: AnswerShape,
    /// Maps the answer's two parts and the board's size to column and row, both counted from 0.
    read: fn(i32, i32, i32) -> (i32, i32),
}

/// The shape of an answer, and the order of its two parts. As a part, the letter `a` is the number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerShape {
    /// `d3`: letter, number.
    Square,
    /// `(d, 3)` or `d-3`: letter, number.
    Decorated,
    /// `3d`: the letter is the first part, the number the second.
    NumberFirst,
    /// `dc`.
    Letters,
    /// `2,3`.
    Pair,
    /// `19`: only a number.
    Number,
}

macro_rules! notations {
    ($($shape:ident |$a:tt, $b:tt, $size:tt| $read:expr => $code:ident $described:literal)*) => {
        const NOTATIONS: &[Notation] = &[$(Notation {
            code: Code::$code,
            described: $described,
            shape: AnswerShape::$shape,
            read: |$a, $b, $size| $read,
        }),*];
    };
}

notations! {
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
    Square |a, n, _| (a, 10 * n) => OneDigit
        "the row has two digits, and only the first is there"
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
        "the row is written as a letter; it must be a number"
    Letters |a, b, _| (b, a) => NotASquare
        "the row is written as a letter, before the column; it must be a number, after the column"
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

/// The highest accepted probability that answers are legal by chance.
const DOUBT: f64 = 0.02;

pub fn notation(illegal_moves: &[IllegalMove]) -> Option<&'static Notation> {
    let explains = |notation: &&Notation| {
        let legal = |illegal: &IllegalMove| {
            notation
                .meant(illegal)
                .is_some_and(|square| illegal.legal.contains(&square))
        };
        illegal_moves.iter().all(legal)
    };
    if illegal_moves.is_empty() || chance(illegal_moves) > DOUBT {
        return None;
    }
    NOTATIONS.iter().find(explains)
}

pub fn other_colours(illegal_moves: &[IllegalMove]) -> bool {
    let is_other = |illegal: &IllegalMove| {
        let played = illegal.answer.parse::<Square>().map(Move::Place);
        played.is_ok_and(|played| illegal.board.is_legal_for_opponent(played))
    };
    chance(illegal_moves) <= DOUBT && illegal_moves.iter().all(is_other)
}

/// Returns the chance that random squares, one for each answer that is a square, are all legal; 0 without squares.
fn chance(illegal_moves: &[IllegalMove]) -> f64 {
    let of = |illegal: &IllegalMove| {
        let cells = f64::from(illegal.board.game().size()).powi(2);
        illegal.legal.len() as f64 / cells
    };
    let squares = illegal_moves
        .iter()
        .filter(|illegal| is_square(&illegal.answer));
    if squares.clone().next().is_none() {
        return 0.0;
    }
    squares.map(of).product()
}

impl Notation {
    /// Returns the square that the answer means in this notation; `None` if the answer has another shape.
    pub fn meant(&self, illegal: &IllegalMove) -> Option<Square> {
        let size = i32::from(illegal.board.game().size());
        let (shape, one, other) = parts(&illegal.answer)?;
        let (column, row) = (self.read)(one, other, size);
        let is_on = (0..size).contains(&column) && (0..size).contains(&row);
        (shape == self.shape && is_on).then(|| Square::new(column as u8, row as u8))
    }
}

fn parts(answer: &str) -> Option<(AnswerShape, i32, i32)> {
    let text = answer.trim().to_ascii_lowercase();
    let is_bare = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    Some(match *words(&text).as_slice() {
        [Word::Letter(a), Word::Number(n)] if is_bare => (AnswerShape::Square, a, n),
        [Word::Letter(a), Word::Number(n)] => (AnswerShape::Decorated, a, n),
        [Word::Number(n), Word::Letter(a)] => (AnswerShape::NumberFirst, a, n),
        [Word::Letter(a), Word::Letter(b)] => (AnswerShape::Letters, a, b),
        [Word::Number(a), Word::Number(b)] => (AnswerShape::Pair, a, b),
        [Word::Number(i)] => (AnswerShape::Number, i, 0),
        _ => return None,
    })
}

/// A letter as its column number, or a number.
enum Word {
    Letter(i32),
    Number(i32),
}

/// Returns letters and numbers, without quotes, brackets and longer words, as in `{"row":2,"col":3}`.
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

/// How languages print a missing value.
const NOTHING: [&str; 4] = ["", "null", "None", "undefined"];

pub fn diagnose(illegal_moves: &[IllegalMove], language: BotLanguage) -> Option<Finding> {
    // Shows the clearest example: an answer that names a square, in a position with few legal moves.
    let shown = illegal_moves
        .iter()
        .min_by_key(|illegal| (!is_square(&illegal.answer), illegal.legal.len()))?;
    let mut themes = illegal_moves
        .iter()
        .map(|illegal| theme_code(illegal.theme));
    let first = themes.next().flatten();
    let only = first.filter(|_| themes.all(|theme| theme == first));
    let answers = answers(illegal_moves);
    let notation = notation(illegal_moves);
    let others = other_colours(illegal_moves) && (notation.is_none() || illegal_moves.len() > 1);
    let finding = if others {
        let side = shown.board.side_to_move();
        Finding::new(
            Code::OtherColour,
            message!(
                "It answered {answers}. Each of them is a legal move of the other colour: it plays \
                 for its opponent."
            ),
            message!(
                "Take your colour from \"you\" of every question, not from who moves first: here \
                 it is {side}, {}.",
                Message::from(match side {
                    Side::Black => "X on the board",
                    Side::White => "O on the board",
                })
            ),
        )
    } else if let Some(notation) = notation {
        let meant = notation
            .meant(shown)
            .map(|square| square.to_string())
            .unwrap_or_default();
        Finding::new(
            notation.code,
            message!(
                "It answered {answers}. Each of them is a legal move if it is read in this way: \
                 {}.",
                Message::from(notation.described)
            ),
            message!(
                "Write a square as a column letter from a and a row number from 1 at the top: \
                 here {meant:?}, not {:?}.",
                shown.answer
            ),
        )
        .example(language.idioms().square)
    } else {
        diagnose_without_notation(illegal_moves, &answers, only, language)
    };
    Some(finding.seen(drawn(shown)))
}

/// Returns the finding if no notation is known. `only`: the code if all illegal answers were in one kind of position.
fn diagnose_without_notation(
    illegal_moves: &[IllegalMove],
    answers: &Message,
    only: Option<Code>,
    language: BotLanguage,
) -> Finding {
    if illegal_moves
        .iter()
        .all(|illegal| illegal.answer.eq_ignore_ascii_case("pass"))
    {
        Finding::new(
            Code::Passes,
            message!("It answered {answers}, and had a legal move every time."),
            "Play one of the moves in \"legal\". The arena passes for you: it asks only if you \
             have a legal move.",
        )
    } else if illegal_moves
        .iter()
        .all(|illegal| NOTHING.contains(&illegal.answer.trim()))
    {
        let what = message!("It answered {answers}: it has chosen no move.");
        Finding::new(Code::NotASquare, what, NOTHING_CHOSEN)
    } else if !illegal_moves
        .iter()
        .any(|illegal| is_square(&illegal.answer))
    {
        Finding::new(
            Code::NotASquare,
            message!("It answered {answers}."),
            with_hint(
                "Write a move as a column letter from a and a row number from 1 at the top, such as d3.",
                language,
            ),
        )
        .example(language.idioms().square)
    } else if let Some(code) = only {
        let fix = match code {
            Code::AfterAPass => {
                "A side that cannot move passes: \"moves\" then holds \"pass\", and the other \
                 side moves twice in a row. Take the position from \"board\", or handle the pass."
            }
            Code::OpeningRule => {
                "In an opening by a rule, \"legal\" has words or squares: answer one of them. A bot that lists no \
                 \"openings\" in ready is not asked."
            }
            _ => {
                "Take the size from \"size\" or from the board, and the move from \"legal\": in \
                 renju, black has forbidden moves."
            }
        };
        Finding::new(
            code,
            message!("It answered {answers}. Its other answers were legal."),
            fix,
        )
    } else {
        Finding::new(
            Code::IllegalMove,
            message!("It answered {answers}."),
            with_hint(
                "Play one of the moves in \"legal\". If you keep your own board, compare it with \
                 \"board\": each question has the complete position.",
                language,
            ),
        )
    }
}

/// Adds a hint about uninitialised variables, for languages that have them.
fn with_hint(advice: &'static str, language: BotLanguage) -> Message {
    let hint = matches!(language, BotLanguage::C | BotLanguage::Cpp).then_some(
        "A variable that was never set may have any value: build with -O2 -Wall -Wextra, and look at every \
         warning.",
    );
    Message::sentences([advice].into_iter().chain(hint).map(Message::from))
}

fn answers(illegal_moves: &[IllegalMove]) -> Message {
    let mut shown: Vec<Message> = Vec::new();
    // Begins with the clearest answers.
    let mut all: Vec<&IllegalMove> = illegal_moves.iter().collect();
    all.sort_by_key(|illegal| illegal.legal.len() != 1);
    for illegal in all {
        let one = match illegal.legal.as_slice() {
            [only] => message!("{:?} where the only move is {only}", illegal.answer),
            _ => message!("{:?}", illegal.answer),
        };
        if !shown.contains(&one) {
            shown.push(one);
        }
    }
    let more = shown.len().saturating_sub(3);
    let first = Message::enumeration(shown.into_iter().take(3));
    match more {
        0 => first,
        _ => message!("{first} and {more} more"),
    }
}

/// Draws the board: `*` is a legal move, `?` an answer on an empty square, `!` an answer on an occupied square.
pub fn drawn(illegal: &IllegalMove) -> Vec<Message> {
    let answered = illegal.answer.parse::<Square>().ok();
    let size = illegal.board.game().size();
    let letters: String = (0..size)
        .flat_map(|column| [' ', char::from(b'a' + column)])
        .collect();
    let mut lines = vec![Message::quote(format!("  {letters}"))];
    for (row, cells) in (0..).zip(illegal.board.rows()) {
        let symbol = |(column, cell)| {
            let square = Square::new(column, row);
            match cell {
                '.' if answered == Some(square) => '?',
                _ if answered == Some(square) => '!',
                '.' if illegal.legal.contains(&square) => '*',
                cell => cell,
            }
        };
        let cells = (0..).zip(cells.chars()).map(symbol);
        let spaced: String = cells.flat_map(|cell| [' ', cell]).collect();
        lines.push(Message::quote(format!("{:2}{spaced}", row + 1)));
    }
    let answer = answered.map(|square| {
        if !square.is_on(size) {
            message!("{square} is not on this board")
        } else if illegal.board.at(square).is_some() {
            message!("! marks {square}, which is occupied")
        } else {
            message!("? marks {square}")
        }
    });
    let to_move = message!("{} is to move", illegal.board.side_to_move());
    let legend = [to_move, "* is a legal move".into()];
    lines.push(Message::list(legend.into_iter().chain(answer)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;
    use games::{Game, parse_transcript};
    use insta::assert_snapshot;

    fn illegal(game: Game, transcript: &str, answer: &str) -> IllegalMove {
        let (_, board) = parse_transcript(game, transcript).expect("a game");
        IllegalMove::new(board, answer.to_owned(), Theme::Beginning)
    }

    const ONLY_F7: &str = "f5f6c4g5g6h6g7g8h7e6d7f4g3h8h5h4";

    #[test]
    fn the_only_move_in_another_notation_is_recognised() {
        assert_eq!(
            illegal(Game::OTHELLO, ONLY_F7, "").legal,
            [Square::new(5, 6)],
            "f7"
        );
        for (answer, expected) in cases::<(String, String)>("doctor-slip") {
            let found = notation(&[illegal(Game::OTHELLO, ONLY_F7, &answer)]);
            let described = found.map_or("", |notation| notation.described);
            assert_eq!(described.is_empty(), expected.is_empty(), "{answer:?}");
            assert!(described.contains(&expected), "{answer:?}: {described}");
        }
    }

    #[test]
    fn the_other_colours_moves_are_recognised() {
        // White has several legal moves here; black's only legal move is f7.
        let of = |answer: &str| other_colours(&[illegal(Game::OTHELLO, ONLY_F7, answer)]);
        assert!(!of("f7") && !of("a1") && !of("pass"));
        let moves: Vec<String> = (0..64)
            .map(|index| Square::from_index(index, 8).to_string())
            .filter(|square| of(square))
            .collect();
        assert!(moves.contains(&"f3".to_owned()), "{moves:?}");
        // In Gomoku, both sides have the same moves.
        let gomoku = Game::new("gomoku", None, None).expect("a game");
        assert!(!other_colours(&[illegal(gomoku, "h8c4", "h8")]));
    }

    #[test]
    fn go_letters_leave_out_the_i() {
        let nearly_full = "l5";
        let mut illegal = illegal(Game::new("gomoku", None, None).expect("a game"), "h8", "m5");
        illegal.legal = vec![nearly_full.parse().expect("a square")];
        let found = notation(std::slice::from_ref(&illegal)).map(|notation| notation.described);
        assert!(found.is_some_and(|described| described.contains("as in Go")));
        illegal.answer = "e5".to_owned();
        assert!(notation(&[illegal]).is_none());
    }

    #[test]
    fn answers_that_may_be_chance_have_no_notation() {
        // On a nearly empty board every empty square is legal, so any notation fits.
        let gomoku = Game::new("gomoku", None, None).expect("a game");
        assert!(notation(&[illegal(gomoku, "h8c4", "h8")]).is_none());
        // No single notation explains both answers.
        let answers = [
            illegal(Game::OTHELLO, ONLY_F7, "g6"),
            illegal(Game::OTHELLO, ONLY_F7, "f6"),
        ];
        assert!(notation(&answers).is_none());
    }

    #[test]
    fn the_answer_is_marked() {
        let illegal = IllegalMove::new(Game::OTHELLO.start(), "d2".to_owned(), Theme::Beginning);
        let lines: Vec<String> = drawn(&illegal).iter().map(Message::to_string).collect();
        assert_snapshot!(lines.join("\n"), @"
           a b c d e f g h
         1 . . . . . . . .
         2 . . . ? . . . .
         3 . . . * . . . .
         4 . . * O X . . .
         5 . . . X O * . .
         6 . . . . * . . .
         7 . . . . . . . .
         8 . . . . . . . .
        black is to move; * is a legal move; ? marks d2
        ");
    }
}
