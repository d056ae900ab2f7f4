//! Shallow solvers for up to six empty squares, without transposition tables and without scores for moves. Scores are
//! in discs for the side to move; all windows are zero windows.

use games::othello::{Kernel, Position, squares};

use super::move_ordering::{odd_squares, order_of_four};
use super::stability;

/// Corners first, squares next to corners last.
const CLASSES: [u64; 3] = [
    0x8100_0000_0000_0081,
    0x3c3c_ffff_ffff_3c3c,
    0x42c3_0000_0000_c342,
];

/// The most empty squares for the shallow solvers.
pub(super) const SHALLOW: u32 = 6;

/// Returns the score in a zero window at `alpha`: a lower bound if it is above `alpha`, otherwise an upper bound.
#[inline]
pub(super) fn zero_window<K: Kernel>(
    kernel: K,
    position: Position,
    empties: u32,
    alpha: i32,
    nodes: &mut u64,
) -> i32 {
    match empties {
        0..=3 => plain(kernel, position, alpha, alpha + 1, nodes),
        4 => four(kernel, position, position.empties(), alpha, nodes),
        _ => five_or_six(kernel, position, empties, alpha, nodes),
    }
}

/// Plain alpha-beta, for very few empty squares and for tests.
pub(crate) fn plain<K: Kernel>(
    kernel: K,
    position: Position,
    alpha: i32,
    beta: i32,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    let moves = kernel.legal_moves(position.own, position.opponent);
    if moves == 0 {
        let passed = position.pass();
        if kernel.legal_moves(passed.own, passed.opponent) == 0 {
            return position.final_score();
        }
        return -plain(kernel, passed, -beta, -alpha, nodes);
    }
    let mut best = -64;
    for square in squares(moves) {
        let flips = kernel.flips(position.own, position.opponent, square);
        let next = position.play_flips(square, flips);
        let score = -plain(kernel, next, -beta, -alpha.max(best), nodes);
        best = best.max(score);
        if best >= beta {
            break;
        }
    }
    best
}

/// Orders moves by parity and class.
fn five_or_six<K: Kernel>(
    kernel: K,
    position: Position,
    empties: u32,
    alpha: i32,
    nodes: &mut u64,
) -> i32 {
    kernel.vectorize(
        #[inline(always)]
        || {
            *nodes += 1;
            if let Some(score) = stability::cutoff(position, empties, alpha) {
                return score;
            }
            let moves = kernel.legal_moves(position.own, position.opponent);
            if moves == 0 {
                let passed = position.pass();
                if kernel.legal_moves(passed.own, passed.opponent) == 0 {
                    return position.final_score();
                }
                return -five_or_six(kernel, passed, empties, -alpha - 1, nodes);
            }
            let odd = moves & odd_squares(position.empties());
            let mut best = -64;
            for set in [odd, moves ^ odd] {
                for class in CLASSES {
                    let mut squares = set & class;
                    while squares != 0 {
                        let square = squares.trailing_zeros() as usize;
                        squares &= squares - 1;
                        let flips = kernel.flips(position.own, position.opponent, square);
                        let next = position.play_flips(square, flips);
                        let score = -zero_window(kernel, next, empties - 1, -alpha - 1, nodes);
                        best = best.max(score);
                        if best > alpha {
                            return best;
                        }
                    }
                }
            }
            best
        },
    )
}

// --- The last four empty squares ---
//
// Specialised functions without move lists. They get the empty squares in the order in which to try them.

/// The neighbours of each square. A move without an opponent's disc beside it is illegal.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0i32;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let down = other / 8 - square / 8;
            let right = other % 8 - square % 8;
            if down >= -1 && down <= 1 && right >= -1 && right <= 1 && other != square {
                table[square as usize] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// The score if there is no move; it is below every other score.
const NONE: i32 = -128;

struct Count<'a, K> {
    kernel: K,
    nodes: &'a mut u64,
}

fn four<K: Kernel>(
    kernel: K,
    position: Position,
    empties: u64,
    alpha: i32,
    nodes: &mut u64,
) -> i32 {
    let squares = order_of_four(empties);
    let mut count = Count { kernel, nodes };
    *count.nodes += 1;
    or_pass(position, alpha, |position, alpha| {
        best_of_four(&mut count, position, squares, alpha)
    })
}

/// Returns the score by `best`, after a pass if there is no move. If both sides must pass, returns the final score.
#[inline(always)]
fn or_pass(position: Position, alpha: i32, mut best: impl FnMut(Position, i32) -> i32) -> i32 {
    let score = best(position, alpha);
    if score != NONE {
        return score;
    }
    let score = best(position.pass(), -alpha - 1);
    if score != NONE {
        return -score;
    }
    position.final_score()
}

#[inline(always)]
fn flips<K: Kernel>(kernel: K, position: Position, square: usize) -> u64 {
    if position.opponent & NEIGHBOURS[square] == 0 {
        return 0;
    }
    kernel.flips(position.own, position.opponent, square)
}

fn best_of_four<K: Kernel>(
    count: &mut Count<'_, K>,
    position: Position,
    [a, b, c, d]: [usize; 4],
    alpha: i32,
) -> i32 {
    count.kernel.vectorize(
        #[inline(always)]
        || {
            let mut best = NONE;
            for (square, rest) in [
                (a, [b, c, d]),
                (b, [a, c, d]),
                (c, [d, a, b]),
                (d, [c, a, b]),
            ] {
                let flipped = flips(count.kernel, position, square);
                if flipped != 0 {
                    let next = position.play_flips(square, flipped);
                    *count.nodes += 1;
                    let score = or_pass(next, -alpha - 1, |position, alpha| {
                        best_of_three(count, position, rest, alpha)
                    });
                    best = best.max(-score);
                    if best > alpha {
                        break;
                    }
                }
            }
            best
        },
    )
}

fn best_of_three<K: Kernel>(
    count: &mut Count<'_, K>,
    position: Position,
    [a, b, c]: [usize; 3],
    alpha: i32,
) -> i32 {
    count.kernel.vectorize(
        #[inline(always)]
        || {
            let mut best = NONE;
            for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
                let flipped = flips(count.kernel, position, square);
                if flipped != 0 {
                    let next = position.play_flips(square, flipped);
                    *count.nodes += 1;
                    let score = or_pass(
                        next,
                        -alpha - 1,
                        #[inline(always)]
                        |position, alpha| best_of_two(count, position, rest, alpha),
                    );
                    best = best.max(-score);
                    if best > alpha {
                        break;
                    }
                }
            }
            best
        },
    )
}

#[inline(always)]
fn best_of_two<K: Kernel>(
    count: &mut Count<'_, K>,
    position: Position,
    [a, b]: [usize; 2],
    alpha: i32,
) -> i32 {
    let mut best = NONE;
    let flipped = flips(count.kernel, position, a);
    if flipped != 0 {
        *count.nodes += 1;
        best = -one(position.play_flips(a, flipped), b);
        if best > alpha {
            return best;
        }
    }
    let flipped = flips(count.kernel, position, b);
    if flipped != 0 {
        *count.nodes += 1;
        best = best.max(-one(position.play_flips(b, flipped), a));
    }
    best
}

/// Returns the final score of a position with one empty square. The side to move plays there if this is legal,
/// otherwise the opponent plays there. If neither can, the square counts for the winner.
#[inline(always)]
fn one(position: Position, square: usize) -> i32 {
    // 63 discs are on the board.
    let difference = 2 * position.own.count_ones() as i32 - 63;
    let turned = turned_over(position.own, square);
    if turned > 0 {
        return difference + 2 * turned + 1;
    }
    let turned = turned_over(position.opponent, square);
    if turned > 0 {
        return difference - 2 * turned - 1;
    }
    difference + difference.signum()
}

// --- The last empty square ---
//
// Only the number of flips is computed. All other squares are full, so the own discs alone determine a line. A shift or
// a multiplication moves each of the four lines into eight bits; a table has the count. Zeros pad short diagonals. The
// table reads a zero as an opponent's disc. No own disc is beyond a padding zero, so the zero adds no flips.

const A_FILE: u64 = 0x0101_0101_0101_0101;

/// `TURNED[place][own]`: the number of discs that a disc on `place` flips in a line of eight. Each other place has an
/// own disc if its bit in `own` is set, and an opponent's disc otherwise.
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

/// The two diagonals through each square, parallel to a1–h8 and to h1–a8.
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

/// Returns the number of flips of a disc of `own` on `square` if all other squares are full.
#[inline(always)]
fn turned_over(own: u64, square: usize) -> i32 {
    let square = square & 63;
    let (row, column) = (square / 8, square % 8);
    let by_column = &TURNED[column];
    let look = |line: u64| i32::from(by_column[line as usize & 0xff]);
    let across = look(own >> (8 * row));
    let [first, second] = DIAGONALS[square];
    let slanted = |diagonal: u64| look((own & diagonal).wrapping_mul(A_FILE) >> 56);
    // The square's column as eight bits, with the first row in the lowest bit.
    let upright = (own >> column & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    across + slanted(first) + slanted(second) + i32::from(TURNED[row][upright as usize & 0xff])
}

#[cfg(test)]
mod tests {
    use games::othello::Portable;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn turned_over_counts_the_flips_of_the_rules(own: u64, square in 0..64usize) {
            let own = own & !(1 << square);
            let opponent = !own & !(1 << square);
            let flips = Portable.flips(own, opponent, square);
            prop_assert_eq!(turned_over(own, square), flips.count_ones() as i32);
        }
    }
}
