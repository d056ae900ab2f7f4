//! The last four empty squares, without lists of moves, a transposition table or loops over what cannot
//! be.
//!
//! All scores are final scores in discs for the side to move; all questions are zero windows: more
//! than `alpha` or not? The empty squares come in the order in which they are to be tried.

use games::othello::{Kernel, Position};

use super::last_move::turned_over;
use super::parity;

/// The squares round each square, to rule out moves that cannot turn anything over.
pub static NEIGHBOURS: [u64; 64] = {
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

/// No move has been found yet: below every score.
const NONE: i32 = -128;

/// What is carried down to the end: the instructions to use, and the count of positions.
struct Count<'a, K> {
    kernel: K,
    nodes: &'a mut u64,
}

/// The score of a position with exactly four `empties`, in a zero window at `alpha`.
pub fn four<K: Kernel>(
    kernel: K,
    position: Position,
    empties: u64,
    alpha: i32,
    nodes: &mut u64,
) -> i32 {
    let squares = parity::order_of_four(empties);
    let mut count = Count { kernel, nodes };
    *count.nodes += 1;
    or_pass(position, alpha, |position, alpha| {
        best_of_four(&mut count, position, squares, alpha)
    })
}

/// `best` of the position; if there is no move, of the position after a pass; and if there is none
/// either, the result.
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

/// What a disc on `square` turns over; 0 if it is not a legal move.
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

/// The final score with one empty square: the side to move plays it, or else the opponent does, or
/// else it stays empty and counts for the winner.
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
