//! The eight symmetries of the square board, and a hash that is equal for equal positions under
//! them.

use crate::{Board, Rules, Side, Square};

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
}

/// A hash of the discs or stones, the side to move and the game, equal for positions that are the
/// same under a symmetry. Stable between versions and machines, so it may be stored.
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
    let seed = mix(u64::from(size) << 1 | side);
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
