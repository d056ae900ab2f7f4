//! The opening book: the best moves of positions that were searched before the game.
//!
//! A file of it:
//!
//! ```text
//! "ABOB" 1      magic and version
//! entries       19 bytes each: own discs, opponent's discs, best square, score in 1/128 disc
//! checksum      FNV-1a of all before, 64 bits
//! ```
//!
//! Numbers are little endian. A position stands for all eight that are the same by a symmetry: the
//! least of them is kept, and entries rise in that order.

use std::sync::LazyLock;

use games::othello::{Position, squares};
use games::{Square, Symmetry};

use crate::sealed::{Kind, Unsealed};
use crate::search::{Move, Score};

const KIND: Kind = Kind {
    magic: b"ABOB\x01",
    name: "an opening book for Othello, version 1",
};

/// Bytes of an entry.
const SIZE: usize = 19;

/// A file that is not a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBook {
    /// Something else, or damaged on the way.
    #[error(transparent)]
    Sealed(#[from] Unsealed),
    /// The checksum holds, but this entry (counted from 1) cannot be.
    #[error("entry {0} cannot be: it is cut off, out of order, or its move is not legal")]
    Entry(usize),
}

/// What the book says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move.
    pub best: Move,
    /// Its score in 1/128 disc for the side to move.
    pub score: Score,
}

/// Positions and their best moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// By own and opponent's discs of the least symmetric position.
    entries: Vec<((u64, u64), Entry)>,
}

impl Book {
    /// The book that comes with the program.
    pub fn shipped() -> &'static Book {
        static SHIPPED: LazyLock<Book> = LazyLock::new(|| {
            let book = Book::decode(include_bytes!("book/book.abob"));
            book.expect("a test reads the book that comes with the program")
        });
        &SHIPPED
    }

    /// How many positions it knows, those that are the same by a symmetry counted once.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it knows nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What it says of `position`.
    pub fn find(&self, position: Position) -> Option<Entry> {
        let (least, symmetry) = least(position);
        let place = self.place(least).ok()?;
        let entry = self.entries[place].1;
        Some(Entry {
            best: turned(entry.best, symmetry.inverse()),
            ..entry
        })
    }

    /// Learns that `entry` is best in `position`.
    pub fn insert(&mut self, position: Position, entry: Entry) {
        let (least, symmetry) = least(position);
        let entry = Entry {
            best: turned(entry.best, symmetry),
            ..entry
        };
        match self.place(least) {
            Ok(place) => self.entries[place].1 = entry,
            Err(place) => self.entries.insert(place, (least, entry)),
        }
    }

    fn place(&self, least: (u64, u64)) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&least, |&(key, _)| key)
    }

    /// As a file.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for ((own, opponent), entry) in &self.entries {
            bytes.extend(own.to_le_bytes());
            bytes.extend(opponent.to_le_bytes());
            bytes.push(entry.best.0 as u8);
            bytes.extend((entry.score as i16).to_le_bytes());
        }
        KIND.seal(&bytes)
    }

    /// The book of a file; every move in it is legal.
    pub fn decode(bytes: &[u8]) -> Result<Book, BadBook> {
        let entries = KIND.open(bytes)?;
        let (whole, rest) = entries.as_chunks::<SIZE>();
        let mut book = Book::default();
        for (number, bytes) in (1..).zip(whole) {
            let (position, entry) = read(bytes).ok_or(BadBook::Entry(number))?;
            let key = (position.own, position.opponent);
            if book.entries.last().is_some_and(|&(last, _)| last >= key) {
                return Err(BadBook::Entry(number));
            }
            book.entries.push((key, entry));
        }
        if rest.is_empty() {
            Ok(book)
        } else {
            Err(BadBook::Entry(whole.len() + 1))
        }
    }
}

fn read(bytes: &[u8; SIZE]) -> Option<(Position, Entry)> {
    let set = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
    let position = Position {
        own: set(0),
        opponent: set(8),
    };
    let entry = Entry {
        best: Move(bytes[16].into()),
        score: i16::from_le_bytes([bytes[17], bytes[18]]).into(),
    };
    let is_sound = position.own & position.opponent == 0
        && entry.best.0 < 64
        && position.legal_moves() >> entry.best.0 & 1 == 1;
    is_sound.then_some((position, entry))
}

fn turned(played: Move, symmetry: Symmetry) -> Move {
    let square = Square::from_index(played.index(), 8);
    Move(symmetry.apply(square, 8).index(8) as u16)
}

/// The least of the eight positions that are the same, and the symmetry that leads there.
fn least(position: Position) -> ((u64, u64), Symmetry) {
    let turned_set = |set: u64, symmetry: Symmetry| {
        squares(set).fold(0u64, |turned_set, square| {
            turned_set | 1 << turned(Move(square as u16), symmetry).0
        })
    };
    let all = Symmetry::ALL.map(|symmetry| {
        let own = turned_set(position.own, symmetry);
        ((own, turned_set(position.opponent, symmetry)), symmetry)
    });
    all.into_iter()
        .min_by_key(|&(key, _)| key)
        .expect("there are eight symmetries")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::othello::reached::reachable;

    fn entry(square: u16) -> Entry {
        Entry {
            best: Move(square),
            score: -5,
        }
    }

    proptest! {
        #[test]
        fn a_position_is_found_again_however_it_is_turned(position in reachable(), number in 0..8usize) {
            let square = position.legal_moves().trailing_zeros() as u16;
            prop_assume!(square < 64);
            let mut book = Book::default();
            book.insert(position, entry(square));
            prop_assert_eq!(book.find(position).map(|found| found.score), Some(-5));

            let symmetry = Symmetry::ALL[number];
            let set = |set| squares(set).fold(0u64, |all, square| all | 1 << turned(Move(square as u16), symmetry).0);
            let other = Position { own: set(position.own), opponent: set(position.opponent) };
            let found = book.find(other).expect("it is the same position");
            // Where a position is symmetric in itself, any of the moves that are the same will do.
            let after = least(other.play(found.best.index())).0;
            prop_assert_eq!(after, least(position.play(square.into())).0);
            prop_assert_eq!(Book::decode(&book.encode()), Ok(book));
        }
    }

    #[test]
    fn damage_is_noticed() {
        let mut book = Book::default();
        book.insert(Position::START, entry(19));
        let bytes = book.encode();
        let other = Unsealed::Magic(KIND.name);
        assert_eq!(Book::decode(b"ABOW\x01, and so on"), Err(other.into()));
        let mut damaged = bytes.clone();
        damaged[7] ^= 1;
        let error = Book::decode(&damaged).expect_err("one bit is wrong");
        assert!(matches!(error, BadBook::Sealed(Unsealed::Checksum { .. })));

        book.entries[0].1.best = Move(0);
        assert_eq!(Book::decode(&book.encode()), Err(BadBook::Entry(1)));
    }

    #[test]
    fn the_book_that_comes_with_the_program_answers_every_first_move() {
        let book = Book::shipped();
        let f5 = Position::START.play(37);
        let answer = book.find(f5).expect("the commonest position of all");
        assert_eq!(f5.legal_moves() >> answer.best.0 & 1, 1);
        assert!(book.find(Position::START).is_some());
    }
}
