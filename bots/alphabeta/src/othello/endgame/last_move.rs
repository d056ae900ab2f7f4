//! The last empty square: how many discs it turns over, without finding which.
//!
//! All other squares are full, so own discs alone tell a line: each of the four through the square
//! becomes eight bits by a shift or a multiplication, and a table knows the rest. A short diagonal is
//! filled up with zeros, which turn nothing over: no own disc is beyond them.

const A_FILE: u64 = 0x0101_0101_0101_0101;

/// `TURNED[place][own]`: opponent's discs that a disc on `place` of a full line of eight turns over,
/// where `own` has the others.
static TURNED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let above = (own >> place) >> 1;
            let below = own & ((1 << place) - 1);
            let mut turned = 0;
            if above != 0 {
                turned += (above as u32).trailing_zeros();
            }
            if below != 0 {
                turned += place - 1 - (below as u32).ilog2();
            }
            table[place as usize][own] = turned as u8;
            own += 1;
        }
        place += 1;
    }
    table
};

/// The two diagonals through each square: the one parallel to a1–h8, and the one parallel to h1–a8.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (down, right) = (other / 8 - square / 8, other % 8 - square % 8);
            table[square as usize][0] |= ((down == right) as u64) << other;
            table[square as usize][1] |= ((down == -right) as u64) << other;
            other += 1;
        }
        square += 1i32;
    }
    table
};

/// How many discs a disc of `own` on `square` turns over, where all other squares are full.
#[inline(always)]
pub fn turned_over(own: u64, square: usize) -> i32 {
    let square = square & 63;
    let (row, column) = (square / 8, square % 8);
    let by_column = &TURNED[column];
    let look = |line: u64| i32::from(by_column[line as usize & 0xff]);
    let across = look(own >> (8 * row));
    let [first, second] = DIAGONALS[square];
    let slanted = |diagonal: u64| look((own & diagonal).wrapping_mul(A_FILE) >> 56);
    // The a-file as eight bits, a1 lowest.
    let upright = (own >> column & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    across + slanted(first) + slanted(second) + i32::from(TURNED[row][upright as usize & 0xff])
}

#[cfg(test)]
mod tests {
    use games::othello::{Kernel, Portable};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn as_many_as_the_rules_turn_over(own: u64, square in 0..64usize) {
            let own = own & !(1 << square);
            let opponent = !own & !(1 << square);
            let flips = Portable.flips(own, opponent, square);
            prop_assert_eq!(turned_over(own, square), flips.count_ones() as i32);
        }
    }
}
