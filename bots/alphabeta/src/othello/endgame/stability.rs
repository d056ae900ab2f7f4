//! Stable discs, which can never be flipped. They bound the final score without a search.
//!
//! This module finds a part of them: discs that are stable along their edge, discs whose four lines are full, and
//! inner discs that have, in each of the four directions, a stable neighbour of their colour or a full line.

use std::sync::LazyLock;

use games::othello::Position;

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;
const EDGES: u64 = 0xff81_8181_8181_81ff;

/// `EDGE[own << 8 | opponent]`: the `own` discs that no moves on the edge can flip. Bits 0 and 7 are the corners.
static EDGE: LazyLock<Box<[u8; 1 << 16]>> = LazyLock::new(|| {
    let mut table = Box::new([0; 1 << 16]);
    let mut known = vec![false; 1 << 16];
    for own in 0..=255u8 {
        for opponent in 0..=255u8 {
            if own & opponent == 0 {
                fill_edge(own, opponent, &mut table, &mut known);
            }
        }
    }
    table
});

const fn edge_index(own: u8, opponent: u8) -> usize {
    (own as usize) << 8 | opponent as usize
}

/// Computes an entry of [`EDGE`]. A disc is stable if no disc of either side on any empty square of the edge flips it,
/// and if it is also stable in each resulting edge.
fn fill_edge(own: u8, opponent: u8, table: &mut [u8; 1 << 16], known: &mut [bool]) -> u8 {
    let index = edge_index(own, opponent);
    if known[index] {
        return table[index];
    }
    let mut stable = own;
    let empties = !(own | opponent);
    for square in (0..8).filter(|square| empties >> square & 1 == 1) {
        let (mine, theirs) = put_on_edge(own, opponent, square);
        stable &= mine & fill_edge(mine, theirs, table, known);
        let (theirs, mine) = put_on_edge(opponent, own, square);
        stable &= mine & fill_edge(mine, theirs, table, known);
    }
    table[index] = stable;
    known[index] = true;
    stable
}

/// Returns the edge after `mover` has placed a disc on `square`, with or without flips.
fn put_on_edge(mover: u8, other: u8, square: u32) -> (u8, u8) {
    let mut flipped = 0;
    for step in [-1i32, 1] {
        let mut line = 0;
        let mut at = square as i32 + step;
        while (0..8).contains(&at) && other >> at & 1 == 1 {
            line |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && mover >> at & 1 == 1 {
            flipped |= line;
        }
    }
    (mover | flipped | 1 << square, other & !flipped)
}

/// Returns the a-file as eight bits, a1 lowest.
const fn a_file(set: u64) -> u8 {
    ((set & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

const fn onto_a_file(edge: u8) -> u64 {
    // Moves bit n to bit 8n, by 28, 14 and 7 bits with a mask after each step.
    let spread = (edge as u64 | (edge as u64) << 28) & 0x0000_000f_0000_000f;
    let spread = (spread | spread << 14) & 0x0003_0003_0003_0003;
    (spread | spread << 7) & A_FILE
}

#[inline]
fn stable_edges(own: u64, opponent: u64) -> u64 {
    let table = &**EDGE;
    let look = |own: u8, opponent: u8| table[edge_index(own, opponent)];
    let top = u64::from(look(own as u8, opponent as u8));
    let bottom = u64::from(look((own >> 56) as u8, (opponent >> 56) as u8)) << 56;
    let left = onto_a_file(look(a_file(own), a_file(opponent)));
    let right = onto_a_file(look(a_file(own >> 7), a_file(opponent >> 7))) << 7;
    top | bottom | left | right
}

/// Returns the squares on full lines by direction: rows, columns, and the two diagonals.
#[inline]
fn full_lines(discs: u64) -> [u64; 4] {
    let empties = !discs;
    [
        !spread_rows(empties),
        !spread_columns(empties),
        !spread(empties, 9),
        !spread(empties, 7),
    ]
}

#[inline]
const fn spread_rows(set: u64) -> u64 {
    let mut any = set | set >> 4;
    any |= any >> 2;
    any |= any >> 1;
    (any & A_FILE).wrapping_mul(0xff)
}

#[inline]
const fn spread_columns(set: u64) -> u64 {
    let set = set | set.rotate_left(32);
    let set = set | set.rotate_left(16);
    set | set.rotate_left(8)
}

/// Returns the squares of all diagonals (in steps of 9 or 7) that contain a square of `set`.
#[inline]
const fn spread(set: u64, step: u32) -> u64 {
    // The masks prevent a wrap around the left and right edges.
    let (forward, back) = if step == 9 {
        (!A_FILE, !H_FILE)
    } else {
        (!H_FILE, !A_FILE)
    };
    let (mut up, mut down) = (set, set);
    let mut up_mask = forward;
    let mut down_mask = back;
    let mut shift = step;
    let mut doubling = 0;
    while doubling < 3 {
        up |= up_mask & (up << shift);
        down |= down_mask & (down >> shift);
        up_mask &= up_mask << shift;
        down_mask &= down_mask >> shift;
        shift *= 2;
        doubling += 1;
    }
    up | down
}

#[inline]
pub fn stable_discs(own: u64, opponent: u64) -> u64 {
    let full = full_lines(own | opponent);
    let mut stable = stable_edges(own, opponent) | (own & full[0] & full[1] & full[2] & full[3]);
    let inner = own & !EDGES;
    if stable & own == 0 {
        return 0;
    }
    loop {
        // The edge table handles discs on the edges, so the shifts of inner discs need no masks.
        let leans = (stable >> 1 | stable << 1 | full[0])
            & (stable >> 8 | stable << 8 | full[1])
            & (stable >> 9 | stable << 9 | full[2])
            & (stable >> 7 | stable << 7 | full[3]);
        let found = stable | (inner & leans);
        if found == stable {
            return stable;
        }
        stable = found;
    }
}

/// Computes an upper bound of the score from the opponent's stable discs. Returns it if it is at most `alpha`.
#[inline(always)]
pub(super) fn cutoff(position: Position, empties: u32, alpha: i32) -> Option<i32> {
    if alpha < 2 * empties as i32 - 4 {
        return None;
    }
    let theirs = stable_discs(position.opponent, position.own).count_ones();
    let most = 64 - 2 * theirs as i32;
    (most <= alpha).then_some(most)
}

#[cfg(test)]
mod tests {
    use games::othello::{Position, squares};
    use proptest::prelude::*;

    use super::*;
    use crate::othello::reached::reachable;

    #[test]
    fn a_corner_and_its_supported_neighbours_are_stable() {
        // The discs along both edges from a1, and the disc on b2.
        let own = 0x0000_0000_0001_0307;
        assert_eq!(stable_discs(own, 0), own & 0x0000_0000_0001_0307);
        assert_eq!(
            stable_discs(0x0000_0000_0000_003c, 0),
            0,
            "no corner, no edge"
        );
        assert_eq!(stable_discs(u64::MAX, 0), u64::MAX);
    }

    #[test]
    fn edges_are_read_and_written_the_same_way() {
        for edge in 0..=255u8 {
            assert_eq!(a_file(onto_a_file(edge)), edge);
        }
    }

    proptest! {
        #[test]
        fn lines_are_full_when_no_empty_square_is_on_them(discs in any::<u64>()) {
            let discs = discs | discs.rotate_left(13) | discs.rotate_left(29);
            let full = full_lines(discs);
            for square in 0..64i32 {
                let (row, column) = (square / 8, square % 8);
                for (axis, (down, right)) in [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().enumerate() {
                    let on_line = (-7..=7).filter_map(|step| {
                        let (row, column) = (row + step * down, column + step * right);
                        ((0..8).contains(&row) && (0..8).contains(&column)).then_some(row * 8 + column)
                    });
                    let is_full = on_line.into_iter().all(|at| discs >> at & 1 == 1);
                    prop_assert_eq!(full[axis] >> square & 1 == 1, is_full, "axis {} square {}", axis, square);
                }
            }
        }

        #[test]
        fn stable_discs_stay_to_the_end_of_any_game(
            position in reachable(),
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 60),
        ) {
            let stable = stable_discs(position.own, position.opponent);
            let mut now = position;
            let mut ours = true;
            for choice in choices {
                let moves: Vec<usize> = squares(now.legal_moves()).collect();
                now = if moves.is_empty() { now.pass() } else { now.play(moves[choice.index(moves.len())]) };
                ours = !ours;
                let Position { own, opponent } = now;
                let discs = if ours { own } else { opponent };
                prop_assert_eq!(discs & stable, stable, "{:?}", now);
            }
        }
    }
}
