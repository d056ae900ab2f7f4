//! Keys of positions: one number a stone, all xored.

use super::cell::Cell;

/// For the key of a position with white to move.
pub(super) const WHITE_TO_MOVE: u64 = 0x9d39_247e_3377_6d41;

/// The number of a stone (A. Zobrist, 1970).
#[inline]
pub(super) fn stone_key(cell: Cell, side: usize) -> u64 {
    static KEYS: [[u64; 2]; Cell::COUNT] = {
        let mut keys = [[0; 2]; Cell::COUNT];
        let mut index = 0;
        while index < Cell::COUNT {
            keys[index] = [mix(2 * index as u64 + 1), mix(2 * index as u64 + 2)];
            index += 1;
        }
        keys
    };
    KEYS[cell.index()][side & 1]
}

/// The finaliser of `SplitMix64` (G. Steele, D. Lea, C. Flood, 2014).
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
