//! The eight symmetries of the square board.

use crate::{Move, Square};

/// One of the eight ways to turn and mirror a square board. `Symmetry::ALL[0]` changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transpose: bool,
    mirror_columns: bool,
    mirror_rows: bool,
}

impl Symmetry {
    /// All symmetries, the identity first.
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

    /// Returns the image of `square` on a board of `size`.
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

    /// Returns the image of a move on a board of `size`; a pass stays a pass.
    pub const fn apply_to_move(self, played: Move, size: u8) -> Move {
        match played {
            Move::Place(square) => Move::Place(self.apply(square, size)),
            Move::Pass | Move::Choose(_) => played,
        }
    }

    /// Returns the symmetry that undoes this one.
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

    /// Composes two symmetries: this one first, then `next`.
    #[must_use]
    pub const fn then(self, next: Symmetry) -> Symmetry {
        // The mirrors of `next` act after this transposition. To apply them before it, rows and columns are exchanged.
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

    /// Returns the image of a set of squares of an 8×8 board, one bit per square from a1 row by row.
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

/// Transposes an 8×8 bit matrix in blocks of 4×4, 2×2 and single bits. Source: H. Warren, "Hacker's Delight", §7–3.
const fn transposed(mut set: u64) -> u64 {
    let swap = (set ^ (set >> 7)) & 0x00aa_00aa_00aa_00aa;
    set ^= swap ^ (swap << 7);
    let swap = (set ^ (set >> 14)) & 0x0000_cccc_0000_cccc;
    set ^= swap ^ (swap << 14);
    let swap = (set ^ (set >> 28)) & 0x0000_0000_f0f0_f0f0;
    set ^ swap ^ (swap << 28)
}
