//! Prob-cut: a shallow search that lands far outside the window makes the deep one needless.
//!
//! Scores of a shallow and a deep search of one position differ by an error that is nearly normal;
//! if the shallow score is beyond the window by so many standard deviations, the deep score will be
//! beyond it too (M. Buro, "Improving heuristic mini-max search by supervised learning", 2002).
//! How large the error is was measured by `alphabeta tune`, which prints [`ERROR`].

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
pub const ERROR: [f64; 5] = [4.9476, 0.0747, -0.1773, 0.0283, -0.0035];

/// Plies of the shallow search for a deep one: about half, and odd for odd, since scores after an
/// odd and an even number of plies differ.
pub const fn shallow_depth(depth: Depth) -> Depth {
    2 * (depth / 4) + depth % 2
}

/// What [`ERROR`] multiplies.
pub fn terms(depth: Depth, shallow: Depth, discs: u32) -> [f64; 5] {
    let discs = f64::from(discs);
    let (depth, shallow) = (f64::from(depth), f64::from(shallow));
    [1.0, depth, shallow, discs, discs * discs / 64.0]
}

/// How far beyond the window the shallow score has to be.
fn margin(position: Position, depth: Depth, shallow: Depth, confidence: f64) -> Score {
    let discs = 64 - position.empties().count_ones();
    let terms = terms(depth, shallow, discs);
    let log: f64 = terms
        .iter()
        .zip(ERROR)
        .map(|(term, factor)| term * factor)
        .sum();
    (confidence * log.exp()) as Score
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
    let shallow = shallow_depth(depth);
    let margin = margin(search.position.position(), depth, shallow, confidence);
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
