//! The stones of a board by line: a word of bits for every row, column and diagonal. Each stone is in the words of its
//! four lines, so that row lengths and neighbours are computed from one word.

use crate::{Side, Square};

use super::rule::MAX_SIZE;

/// The steps (columns, rows) of the four directions of lines: right, down, and the two diagonals downwards.
pub const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

const MAX: usize = MAX_SIZE as usize;
/// The index of the first word of each direction: rows, columns, falling and rising diagonals.
const FIRST: [usize; 4] = [0, MAX, 2 * MAX, 4 * MAX - 1];
const WORDS: usize = 6 * MAX - 2;
/// The change of column and row per bit of a line, in the order of [`DIRECTIONS`].
const STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Lines {
    size: u8,
    words: [[u32; WORDS]; 2],
}

#[derive(Clone, Copy)]
struct Place {
    word: usize,
    bit: u32,
}

#[inline]
fn place(square: Square, direction: usize) -> Place {
    let (column, row) = (usize::from(square.column()), usize::from(square.row()));
    let (line, bit) = match direction {
        0 => (row, column),
        1 => (column, row),
        2 => (row + MAX - 1 - column, column),
        _ => (row + column, column),
    };
    Place {
        word: FIRST[direction] + line,
        bit: bit as u32,
    }
}

/// The bit of the square in its *window*. The window of a square on a line is the line's word in 64 bits, shifted so
/// that the square is at this bit. No line reaches an end of the window.
pub(super) const CENTRE: u32 = MAX as u32;

impl Lines {
    pub(super) const fn new(size: u8) -> Lines {
        Lines {
            size,
            words: [[0; WORDS]; 2],
        }
    }

    pub(super) const fn size(&self) -> u8 {
        self.size
    }

    const fn full(&self) -> u32 {
        (1 << self.size) - 1
    }

    /// Returns, in the word of the line through `square`, the bits that are squares of this board.
    fn on_board(&self, square: Square, direction: usize) -> u32 {
        let full = self.full();
        let (column, row) = (i32::from(square.column()), i32::from(square.row()));
        // Bits are columns. A diagonal has no square in the first `late` columns; if `late` < 0, in the last `-late`.
        let late = match direction {
            0 | 1 => 0,
            2 => column - row,
            _ => column + row + 1 - i32::from(self.size),
        };
        if late >= 0 {
            full & (full << late)
        } else {
            full >> -late
        }
    }

    pub(super) const fn row(&self, row: u8, side: Side) -> u32 {
        self.words[side.index()][row as usize]
    }

    pub(super) const fn empty_row(&self, row: u8) -> u32 {
        self.full() & !(self.row(row, Side::Black) | self.row(row, Side::White))
    }

    pub(super) fn stone(&self, square: Square) -> Option<Side> {
        debug_assert!(square.is_on(self.size));
        let has = |side| self.row(square.row(), side) >> square.column() & 1 != 0;
        Side::BOTH.into_iter().find(|&side| has(side))
    }

    pub(super) fn toggle(&mut self, square: Square, side: Side) {
        debug_assert!(square.is_on(self.size));
        for direction in 0..4 {
            let Place { word, bit } = place(square, direction);
            self.words[side.index()][word] ^= 1 << bit;
        }
    }

    /// Returns the length of the unbroken row that a stone of `side` on `square` makes or would make.
    pub(super) fn unbroken(&self, square: Square, direction: usize, side: Side) -> u32 {
        let Place { word, bit } = place(square, direction);
        let stones = self.words[side.index()][word];
        let after = (stones >> bit >> 1).trailing_ones();
        let before = (stones << (31 - bit) << 1).leading_ones();
        before + 1 + after
    }

    pub(super) fn row_of(&self, square: Square, direction: usize, side: Side) -> Vec<Square> {
        let [before, after] = self.ends(square, direction, side);
        (before + 1..after)
            .map(|bit| at_bit(square, direction, bit))
            .collect()
    }

    /// Returns true if the row of [`Lines::unbroken`] has an opponent's stone at both ends.
    pub(super) fn is_closed(&self, square: Square, direction: usize, side: Side) -> bool {
        let theirs = self.stones(square, direction, !side);
        let is_theirs = |bit: u32| theirs >> bit & 1 != 0;
        self.ends(square, direction, side)
            .into_iter()
            .all(is_theirs)
    }

    /// Returns the bits of the window just before and just after the row of [`Lines::unbroken`].
    fn ends(&self, square: Square, direction: usize, side: Side) -> [u32; 2] {
        let stones = self.stones(square, direction, side) | 1 << CENTRE;
        let after = (stones >> CENTRE).trailing_ones();
        let before = (stones << (63 - CENTRE)).leading_ones();
        [CENTRE - before, CENTRE + after]
    }

    /// Returns the window of `square` on a line, with the stones of `side`.
    #[inline]
    pub(super) fn stones(&self, square: Square, direction: usize, side: Side) -> u64 {
        let Place { word, bit } = place(square, direction);
        u64::from(self.words[side.index()][word]) << (CENTRE - bit)
    }

    /// Returns the window of `square` on a line, with the empty squares.
    pub(super) fn empty(&self, square: Square, direction: usize) -> u64 {
        let Place { word, bit } = place(square, direction);
        let taken = self.words[0][word] | self.words[1][word];
        u64::from(self.on_board(square, direction) & !taken) << (CENTRE - bit)
    }
}

/// Returns the square at `bit` of the window of `square` on the line in `direction`.
pub(super) fn at_bit(square: Square, direction: usize, bit: u32) -> Square {
    let steps = bit as i8 - CENTRE as i8;
    let along = |from: u8, step: i8| {
        from.checked_add_signed(step * steps)
            .expect("a bit of a window is on the board")
    };
    let (columns, rows) = STEPS[direction];
    Square::new(along(square.column(), columns), along(square.row(), rows))
}
