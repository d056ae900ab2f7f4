//! The eight symmetries of the square board, and a hash that is equal for equal positions under
//! them.
//!
//! ```
//! use games::{Game, Symmetry, canonical_hash, parse_transcript};
//!
//! // Othello's four first moves are one and the same.
//! let (_, f5) = parse_transcript(Game::Othello, "f5d6")?;
//! let (_, e6) = parse_transcript(Game::Othello, "e6f4")?;
//! assert_eq!(canonical_hash(&f5), canonical_hash(&e6));
//! assert!(Symmetry::ALL.iter().any(|&symmetry| f5.turned(symmetry) == e6));
//! # Ok::<(), games::BadTranscript>(())
//! ```

use crate::{Board, Game, Move, Rules, Side, Square};

/// One of the eight ways to turn and mirror a square board. `Symmetry::ALL[0]` changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transpose: bool,
    mirror_columns: bool,
    mirror_rows: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry {
            transpose: false,
            mirror_columns: false,
            mirror_rows: false,
        }; 8];
        let mut number = 0;
        while number < 8 {
            all[number] = Symmetry {
                transpose: number & 4 != 0,
                mirror_columns: number & 2 != 0,
                mirror_rows: number & 1 != 0,
            };
            number += 1;
        }
        all
    };

    /// Where `square` of a board of `size` goes.
    pub const fn apply(self, square: Square, size: u8) -> Square {
        let (mut column, mut row) = (square.column(), square.row());
        if self.mirror_columns {
            column = size - 1 - column;
        }
        if self.mirror_rows {
            row = size - 1 - row;
        }
        if self.transpose {
            Square::new(row, column)
        } else {
            Square::new(column, row)
        }
    }

    /// Where a move on a board of `size` goes; a pass stays one.
    pub const fn apply_to_move(self, played: Move, size: u8) -> Move {
        match played {
            Move::Place(square) => Move::Place(self.apply(square, size)),
            Move::Pass => Move::Pass,
        }
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        if self.transpose {
            Symmetry {
                transpose: true,
                mirror_columns: self.mirror_rows,
                mirror_rows: self.mirror_columns,
            }
        } else {
            self
        }
    }

    /// This symmetry and `next` after it, as one.
    #[must_use]
    pub const fn then(self, next: Symmetry) -> Symmetry {
        // Mirrors of `next` come after our transposition: before it they are each other's.
        let (columns, rows) = if self.transpose {
            (next.mirror_rows, next.mirror_columns)
        } else {
            (next.mirror_columns, next.mirror_rows)
        };
        Symmetry {
            transpose: self.transpose != next.transpose,
            mirror_columns: self.mirror_columns != columns,
            mirror_rows: self.mirror_rows != rows,
        }
    }

    /// Where a set of squares of an 8×8 board goes, one bit a square from a1 row by row.
    #[must_use]
    pub const fn apply_to_bits(self, mut set: u64) -> u64 {
        if self.mirror_columns {
            set = set.reverse_bits().swap_bytes();
        }
        if self.mirror_rows {
            set = set.swap_bytes();
        }
        if self.transpose {
            set = transposed(set);
        }
        set
    }
}

/// The 8×8 bit matrix with rows and columns exchanged, in blocks of 4×4, 2×2 and single bits.
///
/// Source: H. Warren, "Hacker's Delight", §7–3.
const fn transposed(mut set: u64) -> u64 {
    let swap = (set ^ (set >> 7)) & 0x00aa_00aa_00aa_00aa;
    set ^= swap ^ (swap << 7);
    let swap = (set ^ (set >> 14)) & 0x0000_cccc_0000_cccc;
    set ^= swap ^ (swap << 14);
    let swap = (set ^ (set >> 28)) & 0x0000_0000_f0f0_f0f0;
    set ^ swap ^ (swap << 28)
}

impl Board {
    /// This position turned and mirrored by `symmetry`.
    #[must_use]
    pub fn turned(&self, symmetry: Symmetry) -> Board {
        match self {
            Board::Othello(board) => Board::Othello(board.turned(symmetry)),
            Board::Gomoku(board) => Board::Gomoku(board.turned(symmetry)),
        }
    }
}

/// A hash of the discs or stones, the side to move and the game with its rules and size, equal for
/// positions that are the same under a symmetry. Stable between versions and machines, so it may be
/// stored. How the position was reached, and whether the game has ended, is not in it.
pub fn canonical_hash(board: &Board) -> u64 {
    Symmetry::ALL
        .into_iter()
        .map(|symmetry| hash(board, symmetry))
        .min()
        .expect("there are eight")
}

fn hash(board: &Board, symmetry: Symmetry) -> u64 {
    let size = board.game().size();
    let cells = usize::from(size) * usize::from(size);
    let side = board.side_to_move().index() as u64;
    let rules = match board.game() {
        Game::Othello => 0,
        Game::Gomoku { rule, .. } => 1 + rule as u64,
    };
    let seed = mix(rules << 6 | u64::from(size) << 1 | side);
    (0..cells).fold(seed, |sum, index| {
        let square = Square::from_index(index, size);
        match board.at(square) {
            None => sum,
            Some(stone) => {
                let place = symmetry.apply(square, size).index(size) as u64;
                sum.wrapping_add(mix(2 * place + u64::from(stone == Side::White) + 1000))
            }
        }
    })
}

/// The finaliser of `SplitMix64` (G. Steele, D. Lea, C. Flood, 2014).
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
