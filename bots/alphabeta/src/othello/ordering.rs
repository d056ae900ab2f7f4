//! Which moves look best before they are searched.

use games::othello::squares;

use super::evaluation::Weights;
use super::state::State;
use crate::search::{Depth, Hints, Move, ScoredMove};

/// A first opinion of each square, from a1; the other three corners mirror it.
const SQUARE: [[i32; 4]; 4] = [
    [18, 4, 16, 12],
    [4, 2, 6, 8],
    [16, 6, 14, 10],
    [12, 8, 10, 0],
];

/// The worth of a square, 0 to 18.
pub fn square_value(square: usize) -> i32 {
    let (row, column) = (square / 8, square % 8);
    SQUARE[row.min(7 - row)][column.min(7 - column)]
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// How free so many `answers` leave the opponent: corners count twice.
#[inline]
pub fn mobility(answers: u64) -> i32 {
    (answers.count_ones() + (answers & CORNERS).count_ones()) as i32
}

/// Least depth at which moves are ordered by what they are worth; below it by mobility alone.
const EVALUATE: Depth = 3;

/// Adds `moves` to `list`: those that leave the opponent the least, in score and in answers.
pub fn score(
    state: &State,
    weights: &Weights,
    moves: u64,
    hints: &Hints<'_>,
    list: &mut Vec<ScoredMove>,
) {
    for square in squares(moves) {
        let played = Move(square as u16);
        let mut score = square_value(square) * 8 + hints.history[square] / 64;
        if hints.killers.contains(&played) {
            score += 192;
        }
        let next = if hints.depth >= EVALUATE {
            let next = state.play(square);
            score -= next.leaf_score(weights);
            next.position
        } else {
            state.position.play(square)
        };
        score -= mobility(next.legal_moves()) * 128;
        list.push(ScoredMove { played, score });
    }
}
