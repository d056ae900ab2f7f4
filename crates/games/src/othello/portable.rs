//! Where discs may be put and what they turn over, on any machine.
//!
//! Both functions take the discs of the side to move first. A direction is a shift; the columns a
//! and h are masked out of the opponent's discs for every shift that has a sideways part, so that
//! no line runs round the edge of the board.

use super::rays::RAYS;

/// The opponent's discs on these columns can be passed over sideways.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
/// Shifts and the opponent's discs they may pass over: sideways, up and down, the two diagonals.
const AXES: [(u32, u64); 4] = [(1, INNER), (8, u64::MAX), (7, INNER), (9, INNER)];

/// The empty squares on which a disc of `own` would turn over at least one of `opponent`.
#[inline]
pub fn legal_moves(own: u64, opponent: u64) -> u64 {
    let mut moves = 0;
    for (shift, mask) in AXES {
        let (up, down) = runs(own, opponent & mask, shift);
        moves |= (up << shift) | (down >> shift);
    }
    moves & !(own | opponent)
}

/// The discs of `opponent` that a disc of `own` on `square` (0–63) turns over; 0 for a move that is
/// not legal on an empty square.
///
/// Along each ray, by its nearest square that holds no disc of the opponent: if it is ours, what
/// lies before it is turned over.
#[inline]
pub fn flips(own: u64, opponent: u64, square: usize) -> u64 {
    let rays = &RAYS[square & 63];
    let mut flipped = 0;
    for ray in rays.up {
        // All squares off the ray and all opponent's discs are ones, so that adding one carries to
        // the nearest stop; one less than it is everything below it.
        let stop = (opponent | !ray).wrapping_add(1) & ray & own;
        flipped |= ray & stop.wrapping_sub(u64::from(stop != 0));
    }
    for ray in rays.down {
        // The nearest stop is the highest; the two's complement of twice it is everything above.
        let stops = ray & !opponent;
        let highest = (1 << 63 >> (stops | 1).leading_zeros()) & stops;
        flipped |= ray & ((highest & own) << 1).wrapping_neg();
    }
    flipped
}

/// The discs of `through` in unbroken runs that begin beside one of `from`, towards h8 and towards
/// a1. A run has at most six discs; it is doubled in length each step.
#[inline]
fn runs(from: u64, through: u64, shift: u32) -> (u64, u64) {
    let mut up = through & (from << shift);
    let mut down = through & (from >> shift);
    up |= through & (up << shift);
    down |= through & (down >> shift);
    let pairs_up = through & (through << shift);
    let pairs_down = through & (through >> shift);
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    (up, down)
}
