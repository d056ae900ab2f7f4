//! Prob-cut: a shallow search that lands far outside the window makes the deep one needless.
//!
//! Scores of a shallow and a deep search of one position differ by an error that is nearly normal;
//! if the shallow score is beyond the window by so many standard deviations, the deep score will be
//! beyond it too (M. Buro, "Improving heuristic mini-max search by supervised learning", 2002).
//! How large the error is was measured by `alphabeta tune`, which prints [`ERROR`] and [`END_ERROR`].

use games::othello::Position;

use super::OthelloPosition;
use crate::search::{Depth, Score, Search, SearchPosition, Window};

/// Least depth at which a cut is tried.
const LEAST: Depth = 3;

/// Standard deviations between the shallow score and the window that make a cut, by care: the first
/// on the way down, the others once the search sees the end of the game.
const CONFIDENCE: [f64; 3] = [0.65, 1.6, 2.6];

/// The care with which nothing is cut off.
pub const EXACT: u8 = CONFIDENCE.len() as u8;

/// ln σ, σ in 1/128 disc, as a sum of these times 1, deep plies, shallow plies, discs, and discs
/// squared over 64.
pub const ERROR: [f64; 5] = [4.8691, 0.0809, -0.1770, 0.0298, -0.0061];

/// The same for a deep search that sees the end of the game, as a sum of these times 1 and shallow
/// plies: how far away the end is makes no difference.
pub const END_ERROR: [f64; 2] = [6.7296, -0.0758];

/// Plies of the shallow search for a deep one: about half, and odd for odd, since scores after an
/// odd and an even number of plies differ.
pub const fn shallow_depth(depth: Depth) -> Depth {
    2 * (depth / 4) + depth % 2
}

/// The same for a deep search that sees the end: about a quarter, since more plies tell little more
/// of the end.
const fn shallow_depth_to_end(depth: Depth) -> Depth {
    2 * (depth / 8) + depth % 2
}

/// What [`ERROR`] multiplies.
pub fn terms(depth: Depth, shallow: Depth, discs: u32) -> [f64; 5] {
    let discs = f64::from(discs);
    let (depth, shallow) = (f64::from(depth), f64::from(shallow));
    [1.0, depth, shallow, discs, discs * discs / 64.0]
}

/// What [`END_ERROR`] multiplies.
pub fn end_terms(shallow: Depth) -> [f64; 2] {
    [1.0, f64::from(shallow)]
}

fn exponential_of_sum(terms: &[f64], factors: &[f64]) -> f64 {
    let products = terms
        .iter()
        .zip(factors)
        .map(|(term, factor)| term * factor);
    products.sum::<f64>().exp()
}

/// The depth of the shallow search that may stand for a deep one, and how far their scores lie
/// apart: σ in 1/128 disc.
fn stand_in(position: Position, depth: Depth) -> (Depth, f64) {
    let empties = position.empties().count_ones();
    if depth >= empties as Depth {
        let shallow = shallow_depth_to_end(depth);
        (shallow, exponential_of_sum(&end_terms(shallow), &END_ERROR))
    } else {
        let shallow = shallow_depth(depth);
        let terms = terms(depth, shallow, 64 - empties);
        (shallow, exponential_of_sum(&terms, &ERROR))
    }
}

/// A bound on the score of the position, if a shallow search makes it sure enough. The shallow search
/// is cut in the same way.
pub fn cut(
    search: &mut Search<OthelloPosition>,
    depth: Depth,
    window: Window,
    ply: usize,
) -> Option<Score> {
    let &confidence = CONFIDENCE.get(usize::from(search.position.care()))?;
    if !window.is_zero() || depth < LEAST {
        return None;
    }
    let (shallow, deviation) = stand_in(search.position.position(), depth);
    let margin = (confidence * deviation) as Score;
    // The shallow search is made only on the side where its answer is likely to be yes.
    let likely = search.position.evaluate();
    if likely >= window.beta {
        let bound = window.beta + margin;
        let score = search.node(shallow, Window::zero(bound - 1), ply);
        (score >= bound).then_some(window.beta)
    } else {
        let bound = window.alpha - margin;
        let score = search.node(shallow, Window::zero(bound), ply);
        (score <= bound).then_some(window.alpha)
    }
}
