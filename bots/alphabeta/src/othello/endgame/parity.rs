//! Parity: in a region with an odd number of empty squares the side that enters it can also leave
//! it last, and the last word in a region is worth much.
//!
//! The regions are the four quadrants, as in most programs: a good guess that costs little.

/// The upper left quadrant.
const QUADRANT: u64 = 0x0000_0000_0f0f_0f0f;

/// The empty squares in quadrants that hold an odd number of them.
#[inline(always)]
pub fn odd_squares(empties: u64) -> u64 {
    let mut odd = 0;
    for quadrant in [QUADRANT, QUADRANT << 4, QUADRANT << 32, QUADRANT << 36] {
        let inside = empties & quadrant;
        if inside.count_ones() & 1 == 1 {
            odd |= inside;
        }
    }
    odd
}

/// The number of a square's quadrant, 0 to 3.
const fn quadrant_of(square: usize) -> usize {
    square >> 2 & 1 | square >> 4 & 2
}

/// For the quadrants of four squares (two bits each), the order in which the squares are tried:
/// those alone in their quadrant, then three together, then pairs, each pair side by side.
static ORDER_OF_FOUR: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut key = 0;
    while key < 256 {
        let mut placed = 0;
        // Companions of a square, itself counted, in the order in which they are to come.
        let mut rank = 0;
        while rank < 4 {
            let companions = [1, 3, 2, 4][rank];
            let mut quadrant = 0;
            while quadrant < 4 {
                let mut members = 0;
                let mut index = 0;
                while index < 4 {
                    members += (key >> (2 * index) & 3 == quadrant) as usize;
                    index += 1;
                }
                index = 0;
                while index < 4 && members == companions {
                    if key >> (2 * index) & 3 == quadrant {
                        table[key][placed] = index as u8;
                        placed += 1;
                    }
                    index += 1;
                }
                quadrant += 1;
            }
            rank += 1;
        }
        key += 1;
    }
    table
};

/// The four squares of `empties`, in the order in which they are tried.
#[inline(always)]
pub fn order_of_four(mut empties: u64) -> [usize; 4] {
    let mut squares = [0; 4];
    let mut key = 0;
    for (index, square) in squares.iter_mut().enumerate() {
        *square = empties.trailing_zeros() as usize & 63;
        empties &= empties.wrapping_sub(1);
        key |= quadrant_of(*square) << (2 * index);
    }
    ORDER_OF_FOUR[key].map(|index| squares[index as usize & 3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_odd_quadrants_are_found() {
        // a1 and b1 in one quadrant, h8 alone in another, e1 and h4 in a third.
        assert_eq!(
            odd_squares(1 << 0 | 1 << 1 | 1 << 63 | 1 << 4 | 1 << 31),
            1 << 63
        );
    }

    #[test]
    fn single_squares_come_first_and_pairs_stay_together() {
        for (squares, order) in [
            ([0, 1, 4, 63], [4, 63, 0, 1]),
            ([0, 1, 8, 63], [63, 0, 1, 8]),
            ([0, 4, 8, 12], [0, 8, 4, 12]),
            ([0, 7, 56, 63], [0, 7, 56, 63]),
        ] {
            let empties = squares.iter().fold(0u64, |set, square| set | 1 << square);
            assert_eq!(order_of_four(empties), order);
        }
    }
}
