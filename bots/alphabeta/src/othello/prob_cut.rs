//! Prob-cut: a shallow search that lands far outside the window makes the deep one needless.
//!
//! Scores of a shallow and a deep search of one position differ by an error that is nearly normal;
//! if the shallow score is beyond the window by so many standard deviations, the deep score will be
//! beyond it too (M. Buro, "Improving heuristic mini-max search by supervised learning", 2002).
//! How large the error is was measured by `training prob-cut`, which prints [`ERROR`] and [`END_ERROR`].

use std::array;
use std::sync::LazyLock;

use games::othello::Position;

use crate::search::{Depth, ProbCut};

/// Least depth at which a cut is tried.
const LEAST: Depth = 3;

/// Standard deviations between the shallow score and the window that make a cut, by selectivity: the
/// first on the way down, the others once the search sees the end of the game. The first won
/// +10 ± 24 Elo of 600 games against 0.8, which won +45 ± 19 of 1,000 against 0.95
/// (`docs/othello-training.md`).
const CONFIDENCE: [f64; 3] = [0.65, 1.6, 2.6];

/// The selectivity with which nothing is cut off.
pub const EXACT: u8 = CONFIDENCE.len() as u8;

/// ln σ, σ in 1/128 disc, as a sum of these times 1, deep plies, shallow plies, discs, and discs
/// squared over 64.
pub const ERROR: [f64; 5] = [4.7809, 0.0948, -0.1952, 0.0252, 0.0028];

/// The same for a deep search that sees the end of the game, as a sum of these times 1 and shallow
/// plies: how far away the end is makes no difference.
pub const END_ERROR: [f64; 2] = [6.7443, -0.0774];

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

/// The shallow search that may stand for one of `depth` plies, and how far outside the window its
/// score must be, at this selectivity.
pub(super) fn shallow_search(position: Position, depth: Depth, selectivity: u8) -> Option<ProbCut> {
    let margins = MARGINS.get(usize::from(selectivity))?;
    if depth < LEAST {
        return None;
    }
    let empties = position.empties().count_ones();
    let (shallow, margin) = if depth >= empties as Depth {
        let shallow = shallow_depth_to_end(depth);
        (shallow, margins.to_end[shallow as usize])
    } else {
        let discs = 64 - empties as usize;
        (shallow_depth(depth), margins.midgame[depth as usize][discs])
    };
    Some(ProbCut {
        depth: shallow,
        margin: margin.into(),
    })
}

/// The margins of one selectivity in 1/128 disc, worked out once: every machine cuts the same trees.
struct Margins {
    /// By the plies of the deep search and the discs.
    midgame: [[i16; 65]; 61],
    /// By the plies of the shallow search.
    to_end: [i16; 61],
}

static MARGINS: LazyLock<[Margins; CONFIDENCE.len()]> = LazyLock::new(|| {
    CONFIDENCE.map(|confidence| {
        let margin = |terms: &[f64], factors: &[f64]| {
            let products = terms
                .iter()
                .zip(factors)
                .map(|(term, factor)| term * factor);
            // Not the system's exponential, whose last digits differ from one machine to the next.
            (confidence * libm::exp(products.sum())) as i16
        };
        let of_depth = |depth: usize| depth as Depth;
        Margins {
            midgame: array::from_fn(|depth| {
                let depth = of_depth(depth);
                let terms = |discs| terms(depth, shallow_depth(depth), discs as u32);
                array::from_fn(|discs| margin(&terms(discs), &ERROR))
            }),
            to_end: array::from_fn(|shallow| margin(&end_terms(of_depth(shallow)), &END_ERROR)),
        }
    })
});

#[cfg(test)]
mod rightness;

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows worked out with another program's exponential.
    #[test]
    fn margins_are_deviations_times_confidence() {
        let midgame = |depth: usize, discs: usize| MARGINS[0].midgame[depth][discs];
        assert_eq!([midgame(8, 20), midgame(12, 30)], [127, 165]);
        assert_eq!([2, 4].map(|plies| MARGINS[1].to_end[plies]), [1163, 996]);
        assert_eq!(shallow_search(Position::START, 8, EXACT), None);
        assert_eq!(shallow_search(Position::START, LEAST - 1, 0), None);
    }
}
