//! Legal moves and flips on any processor. A direction is a shift. For sideways shifts, the opponent's columns a and h
//! are masked, so that no line wraps round.

use super::rays::RAYS;

/// The columns b to g: only there can a sideways or diagonal line pass over the opponent's discs.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
/// Each shift with the mask of the opponent's discs: sideways, up and down, the two diagonals.
const AXES: [(u32, u64); 4] = [(1, INNER), (8, u64::MAX), (7, INNER), (9, INNER)];

/// Returns the empty squares on which a disc of `own` turns over at least one disc of `opponent`.
#[inline]
pub fn legal_moves(own: u64, opponent: u64) -> u64 {
    let mut moves = 0;
    for (shift, mask) in AXES {
        let (up, down) = runs(own, opponent & mask, shift);
        moves |= (up << shift) | (down >> shift);
    }
    moves & !(own | opponent)
}

/// Returns the discs of `opponent` that a disc of `own` on `square` (0–63) turns over. On each ray, the *stop* is the
/// nearest square without a disc of the opponent. If the stop has an own disc, all discs before it are turned over.
#[inline]
pub fn flips(own: u64, opponent: u64, square: usize) -> u64 {
    let rays = &RAYS[square & 63];
    let mut flipped = 0;
    for ray in rays.up {
        // Only the stops are zeros here, so adding 1 carries to the nearest stop. This stop minus 1 has all lower bits.
        let stop = (opponent | !ray).wrapping_add(1) & ray & own;
        flipped |= ray & stop.wrapping_sub(u64::from(stop != 0));
    }
    for ray in rays.down {
        // On these rays the nearest stop is the highest. Twice its bit, negated, has every bit above it.
        let stops = ray & !opponent;
        let highest = (1 << 63 >> (stops | 1).leading_zeros()) & stops;
        flipped |= ray & ((highest & own) << 1).wrapping_neg();
    }
    flipped
}

/// Returns the discs of `through` in unbroken runs from a disc of `from`, towards higher bits and towards lower bits.
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
