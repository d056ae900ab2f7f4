//! Move ordering of the solver: a picker of the best move, ordering by a midgame search, and parity.

use games::othello::{Kernel, Position, squares};

use crate::othello::DISC;
use crate::othello::position::{EvalPosition, mobility};
use crate::search::{Depth, Score};

/// The score that puts the table's best move first.
pub(super) const REMEMBERED: i32 = i32::MAX;

#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub flips: u64,
    pub score: i32,
    pub square: u8,
}

impl Candidate {
    const NONE: Candidate = Candidate {
        flips: 0,
        score: 0,
        square: 0,
    };

    #[inline(always)]
    pub fn is_remembered(self) -> bool {
        self.score == REMEMBERED
    }

    #[inline(always)]
    pub fn play(self, position: Position) -> Position {
        position.play_flips(usize::from(self.square), self.flips)
    }
}

pub(super) struct Candidates {
    list: [Candidate; Candidates::MOST],
    length: usize,
    taken: usize,
}

impl Candidates {
    /// More moves than any reachable position has (the largest known number is 33).
    const MOST: usize = 48;

    #[inline(always)]
    pub fn new<K: Kernel>(
        kernel: K,
        position: Position,
        moves: u64,
        mut score: impl FnMut(usize, Position) -> i32,
    ) -> Candidates {
        let mut all = Candidates {
            list: [Candidate::NONE; Candidates::MOST],
            length: 0,
            taken: 0,
        };
        for square in squares(moves).take(Candidates::MOST) {
            let flips = kernel.flips(position.own, position.opponent, square);
            all.list[all.length] = Candidate {
                flips,
                score: score(square, position.play_flips(square, flips)),
                square: square as u8,
            };
            all.length += 1;
        }
        all
    }

    pub fn is_first(&self) -> bool {
        self.taken == 1
    }

    pub fn has_remembered(&self) -> bool {
        self.left()
            .iter()
            .any(|candidate| candidate.is_remembered())
    }

    pub fn left(&self) -> &[Candidate] {
        &self.list[self.taken..self.length]
    }

    pub fn left_mut(&mut self) -> &mut [Candidate] {
        &mut self.list[self.taken..self.length]
    }

    #[inline(always)]
    pub fn next(&mut self) -> Option<Candidate> {
        let rest = &mut self.list[self.taken..self.length];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].score > rest[best].score {
                best = index;
            }
        }
        if rest.is_empty() {
            return None;
        }
        rest.swap(0, best);
        self.taken += 1;
        Some(self.list[self.taken - 1])
    }
}

// A wrong first move is expensive: one or two more empty squares make a tree four times as large. So if the table's
// best move causes no cutoff, a midgame search scores the other moves. With more empty squares, it searches deeper.

/// The penalty of a move for each answer of the opponent, in evaluation units: more answers make a larger tree.
const ANSWER: i32 = 3 * DISC;

/// Returns the depth of the midgame search, tuned with [`ANSWER`] on the FFO positions (`docs/othello-training.md`).
fn plies(empties: u32) -> Depth {
    (empties.saturating_sub(15) / 2).min(8) as Depth
}

/// The midgame search, as the solver uses it. Scores are in evaluation units for the side to move.
pub(crate) trait MidgameSearch {
    fn score_of(&mut self, state: EvalPosition, plies: Depth) -> Score;
    fn is_at_least(&mut self, state: EvalPosition, plies: Depth, bound: Score) -> bool;
    fn nodes(&self) -> u64;
    /// Returns whether the budget is spent. Scores found since then are worthless.
    fn is_stopped(&self) -> bool;
}

#[inline(never)]
pub(super) fn order_by_search<K: Kernel>(
    kernel: K,
    midgame: &mut dyn MidgameSearch,
    candidates: &mut Candidates,
    position: Position,
    empties: u32,
) {
    let before = kernel.vectorize(
        #[inline(always)]
        || EvalPosition::of(position),
    );
    for candidate in candidates.left_mut() {
        if candidate.is_remembered() {
            continue;
        }
        let next = kernel.vectorize(
            #[inline(always)]
            || before.play_flips(candidate.square.into(), candidate.flips),
        );
        let answers = mobility(next.position.legal_moves());
        candidate.score = -midgame.score_of(next, plies(empties)) - ANSWER * answers;
    }
}

// In a region with an odd number of empty squares, the side that plays there first can also play there last, which is
// an advantage. As a common and cheap approximation, the four quadrants serve as regions.

const QUADRANT: u64 = 0x0000_0000_0f0f_0f0f;

/// Returns the empty squares in all quadrants that have an odd number of them.
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

const fn quadrant_of(square: usize) -> usize {
    square >> 2 & 1 | square >> 4 & 2
}

/// The order of four squares by quadrants (two bits each): lone squares first, then three in one quadrant, then pairs.
static ORDER_OF_FOUR: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut key = 0;
    while key < 256 {
        let mut placed = 0;
        // `companions` is the number of squares in the quadrant. The loop goes through its values in the order of play.
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
