//! The opening book: best moves found by searches before the game.
//!
//! The file format, with little-endian numbers:
//!
//! ```text
//! "ABOB" 2      magic and version
//! entries       12 bytes each: fingerprint, column and row of the best move, score
//! checksum      FNV-1a of all bytes before it, 64 bits
//! ```
//!
//! The fingerprint is [`games::canonical_hash`]: it depends on game, rules and size, and is the same for all eight
//! symmetric positions. Entries are sorted by fingerprint. The move is turned by the symmetry of [`games::canonical`].

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use games::{Board, Game, Rules, Square, canonical};

use crate::data_file::{BadFile, FileKind};
use crate::search::Score;

const KIND: FileKind = FileKind {
    magic: b"ABOB\x02",
    name: "an opening book of version 2; `training book` makes one",
};

const SIZE: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBook {
    #[error(transparent)]
    File(#[from] BadFile),
    /// The checksum is valid, but this entry (counted from 1) is not.
    #[error(
        "entry {0} is invalid: it is cut off, out of order, or its move is off every board; get the file again"
    )]
    Entry(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookEntry {
    pub best: Square,
    /// The score of the best move for the side to move, in engine units.
    pub score: Score,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    entries: BTreeMap<u64, BookEntry>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    Shipped,
    Own(Arc<Book>),
}

impl Source {
    pub fn of(&self, game: Game) -> &Book {
        match self {
            Source::Shipped => Book::shipped(game),
            Source::Own(book) => book,
        }
    }
}

impl Book {
    /// Returns the built-in book for `game`. There is one book for Othello, and one for Gomoku under all rules.
    pub fn shipped(game: Game) -> &'static Book {
        fn read(bytes: &[u8]) -> Book {
            Book::decode(bytes).expect("a test reads the books that come with the program")
        }
        static OTHELLO: LazyLock<Book> =
            LazyLock::new(|| read(include_bytes!("book/othello.abob")));
        static GOMOKU: LazyLock<Book> = LazyLock::new(|| read(include_bytes!("book/gomoku.abob")));
        if game == Game::OTHELLO {
            &OTHELLO
        } else {
            &GOMOKU
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entry for `board`. Ignores an entry whose move is illegal: its fingerprint is equal only by chance.
    pub fn find(&self, board: &Board) -> Option<BookEntry> {
        let (key, symmetry) = canonical(board);
        let &entry = self.entries.get(&key)?;
        let size = board.size();
        let is_on = entry.best.is_on(size);
        let best = is_on.then(|| symmetry.inverse().apply(entry.best, size))?;
        let is_legal = board.legal_squares().contains(&best);
        is_legal.then_some(BookEntry { best, ..entry })
    }

    pub fn insert(&mut self, board: &Board, entry: BookEntry) {
        let (key, symmetry) = canonical(board);
        let best = symmetry.apply(entry.best, board.size());
        self.entries.insert(key, BookEntry { best, ..entry });
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (key, entry) in &self.entries {
            bytes.extend(key.to_le_bytes());
            bytes.extend([entry.best.column(), entry.best.row()]);
            bytes.extend((entry.score as i16).to_le_bytes());
        }
        KIND.seal(&bytes)
    }

    pub fn decode(bytes: &[u8]) -> Result<Book, BadBook> {
        let entries = KIND.open(bytes)?;
        let (whole, rest) = entries.as_chunks::<SIZE>();
        let mut book = Book::default();
        for (number, bytes) in (1..).zip(whole) {
            let [key @ .., column, row, low, high] = *bytes;
            let key = u64::from_le_bytes(key);
            let last = book.entries.last_key_value();
            let rises = last.is_none_or(|(&last, _)| last < key);
            if !rises || column.max(row) >= games::MAX_SIZE {
                return Err(BadBook::Entry(number));
            }
            let entry = BookEntry {
                best: Square::new(column, row),
                score: i16::from_le_bytes([low, high]).into(),
            };
            book.entries.insert(key, entry);
        }
        if rest.is_empty() {
            Ok(book)
        } else {
            Err(BadBook::Entry(whole.len() + 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use games::gomoku::Rule;
    use games::{Move, Symmetry, canonical_hash, parse_transcript};
    use proptest::prelude::*;

    use super::*;

    fn of(board: &Board, best: Square) -> Book {
        let mut book = Book::default();
        book.insert(board, BookEntry { best, score: -5 });
        book
    }

    fn games() -> impl Strategy<Value = Game> {
        let gomoku = |rule| Game::gomoku(15, rule);
        prop::sample::select(vec![
            Game::OTHELLO,
            Game::gomoku(6, Rule::Freestyle),
            gomoku(Rule::Freestyle),
            gomoku(Rule::Standard),
            gomoku(Rule::Renju),
            gomoku(Rule::Caro),
        ])
    }

    fn reached() -> impl Strategy<Value = (Board, Square)> {
        let choices = proptest::collection::vec(any::<prop::sample::Index>(), 1..12);
        (games(), choices).prop_map(|(game, choices)| {
            let mut board = game.start();
            for choice in &choices[1..] {
                let moves = board.legal_squares();
                let mut next = board.clone();
                let square = moves[choice.index(moves.len())];
                next.play(Move::Place(square)).expect("it is legal");
                if next.legal_squares().is_empty() {
                    break;
                }
                board = next;
            }
            let moves = board.legal_squares();
            (board, moves[choices[0].index(moves.len())])
        })
    }

    fn after(board: &Board, square: Square) -> u64 {
        let mut next = board.clone();
        next.play(Move::Place(square)).expect("it is legal");
        canonical_hash(&next)
    }

    proptest! {
        #[test]
        fn a_position_is_found_again_however_it_is_turned((board, best) in reached()) {
            let book = of(&board, best);
            prop_assert_eq!(Book::decode(&book.encode()), Ok(book.clone()));
            for symmetry in Symmetry::ALL {
                let turned = board.turned(symmetry);
                let found = book.find(&turned).expect("it is the same position");
                prop_assert_eq!(found.score, -5);
                // In a symmetric position, any of the equivalent moves is correct.
                prop_assert_eq!(after(&turned, found.best), after(&board, best));
            }
        }

        #[test]
        fn another_position_is_not_found((board, best) in reached(), (other, _) in reached()) {
            let found = of(&board, best).find(&other);
            prop_assert_eq!(found.is_some(), canonical_hash(&board) == canonical_hash(&other));
        }
    }

    #[test]
    fn the_same_stones_by_other_rules_are_another_position() {
        let board = |rule| Game::gomoku(15, rule).start();
        let book = of(&board(Rule::Freestyle), Square::new(7, 7));
        assert!(book.find(&board(Rule::Freestyle)).is_some());
        assert_eq!(book.find(&board(Rule::Renju)), None);
        assert_eq!(book.find(&Game::gomoku(13, Rule::Freestyle).start()), None);
    }

    /// The illegal moves here are an occupied square, a square off the board, and a foul: black's h8 makes two open
    /// threes, which renju forbids (<https://www.renju.net/rules/>, rule 9).
    #[test]
    fn a_move_that_is_not_legal_does_not_come_out() {
        let fork = |rule| {
            let text = "g8a1i8a3h7a5h9a7";
            parse_transcript(Game::gomoku(15, rule), text)
                .expect("moves")
                .1
        };
        for (rule, square, is_played) in [
            (Rule::Freestyle, "h8", true),
            (Rule::Renju, "h8", false),
            (Rule::Renju, "h6", true),
            (Rule::Freestyle, "a1", false),
            (Rule::Freestyle, "p16", false),
        ] {
            let board = fork(rule);
            let (key, symmetry) = canonical(&board);
            let best: Square = square.parse().expect("a square");
            let best = if best.is_on(15) {
                symmetry.apply(best, 15)
            } else {
                best
            };
            let book = Book {
                entries: [(key, BookEntry { best, score: 0 })].into(),
            };
            let found = book.find(&board).map(|entry| entry.best.to_string());
            let expected = is_played.then(|| square.to_owned());
            assert_eq!(found, expected, "{rule:?} {square}");
        }
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = of(&Game::OTHELLO.start(), Square::new(3, 2)).encode();
        let other = BadFile::Magic(KIND.name);
        assert_eq!(Book::decode(b"ABOB\x01, and so on"), Err(other.into()));
        for place in 5..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            let error = Book::decode(&damaged).expect_err("one bit is wrong");
            assert!(matches!(error, BadBook::File(BadFile::Checksum { .. })));
        }
        let entry = |column| [0, 0, 0, 0, 0, 0, 0, 1, column, 0, 0, 0];
        for (content, bad) in [
            ([entry(7), entry(7)].concat(), 2),
            (entry(22).to_vec(), 1),
            (entry(7)[1..].to_vec(), 1),
        ] {
            let decoded = Book::decode(&KIND.seal(&content));
            assert_eq!(decoded, Err(BadBook::Entry(bad)), "{content:?}");
        }
    }

    #[test]
    fn the_books_that_come_with_the_program_begin_at_the_beginning() {
        let find = |game: Game, text: &str| {
            let (_, board) = parse_transcript(game, text).expect("moves");
            Book::shipped(game).find(&board)
        };
        // All four first moves of Othello are equivalent by symmetry.
        for text in ["", "f5", "c4"] {
            assert!(find(Game::OTHELLO, text).is_some(), "{text}");
        }
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
            let game = Game::gomoku(15, rule);
            let first = find(game, "").map(|entry| entry.best.to_string());
            assert_eq!(first.as_deref(), Some("h8"), "{rule:?}");
            for text in ["h8", "h8h9", "h8i9"] {
                assert!(find(game, text).is_some(), "{rule:?} {text}");
            }
        }
    }
}
