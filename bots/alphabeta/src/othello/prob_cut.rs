//! Prob-cut: if the score of a shallow search is far outside the window, the deep search is not needed.
//!
//! The difference between a shallow and a deep score is nearly normally distributed. If the shallow score is outside
//! the window by enough standard deviations, the deep score probably is, too (M. Buro, "Improving heuristic mini-max
//! search by supervised learning", 2002). `training prob-cut` measures [`ERROR`] and [`END_ERROR`].

use std::array;
use std::sync::LazyLock;

use games::othello::Position;

use crate::search::{Depth, ProbCut};

const LEAST: Depth = 3;

/// The margin of a cut in standard deviations, by selectivity: index 0 for the midgame and the first search to the end,
/// 1 and 2 for the next searches to the end. `docs/othello-training.md` has the matches that chose the value 0.65.
const CONFIDENCE: [f64; 3] = [0.65, 1.6, 2.6];

pub const EXACT: u8 = CONFIDENCE.len() as u8;

/// The coefficients of ln σ (σ in 1/128 disc) for the terms 1, deep plies, shallow plies, discs, and discs² / 64.
pub const ERROR: [f64; 5] = [4.7809, 0.0948, -0.1952, 0.0252, 0.0028];

/// The coefficients for a search to the end, for the terms 1 and shallow plies.
pub const END_ERROR: [f64; 2] = [6.7443, -0.0774];

/// Returns about half of `depth`, with the same parity, because scores after odd and even numbers of plies differ.
pub const fn shallow_depth(depth: Depth) -> Depth {
    2 * (depth / 4) + depth % 2
}

/// Returns about a quarter of `depth` for a search to the end, because more plies hardly improve the prediction.
const fn shallow_depth_to_end(depth: Depth) -> Depth {
    2 * (depth / 8) + depth % 2
}

pub fn terms(depth: Depth, shallow: Depth, discs: u32) -> [f64; 5] {
    let discs = f64::from(discs);
    let (depth, shallow) = (f64::from(depth), f64::from(shallow));
    [1.0, depth, shallow, discs, discs * discs / 64.0]
}

pub fn end_terms(shallow: Depth) -> [f64; 2] {
    [1.0, f64::from(shallow)]
}

/// Returns the shallow search that may replace a search of `depth` plies at this selectivity, and its margin.
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

/// The margins of one selectivity in 1/128 disc. They are integers, so that every machine searches the same tree.
struct Margins {
    /// Margins by depth of the deep search and number of discs.
    midgame: [[i16; 65]; 61],
    /// Margins by depth of the shallow search.
    to_end: [i16; 61],
}

static MARGINS: LazyLock<[Margins; CONFIDENCE.len()]> = LazyLock::new(|| {
    CONFIDENCE.map(|confidence| {
        let margin = |terms: &[f64], factors: &[f64]| {
            let products = terms
                .iter()
                .zip(factors)
                .map(|(term, factor)| term * factor);
            // The last digits of the system's exponential differ between machines; those of `libm` do not.
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
mod tests {
    use super::*;

    /// The expected values were computed with another program's exponential.
    #[test]
    fn margins_are_deviations_times_confidence() {
        let midgame = |depth: usize, discs: usize| MARGINS[0].midgame[depth][discs];
        assert_eq!([midgame(8, 20), midgame(12, 30)], [127, 165]);
        assert_eq!([2, 4].map(|plies| MARGINS[1].to_end[plies]), [1163, 996]);
        assert_eq!(shallow_search(Position::START, 8, EXACT), None);
        assert_eq!(shallow_search(Position::START, LEAST - 1, 0), None);
    }
}

#[cfg(test)]
mod rightness {
    //! Tests the error rate of cuts, on positions that were not used to fit the constants.

    use std::sync::Arc;

    use games::othello::Position;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::othello::ExactSolver;
    use crate::othello::evaluation::Weights;
    use crate::othello::{DISC, OthelloPosition, PASS};
    use crate::search::{Budget, Move, Score, Search, SearchPosition, TranspositionTable};

    /// As in `training prob-cut`, only nearly balanced positions are used, because only these matter to a search.
    const BALANCED: Score = 16 * DISC;

    /// The largest accepted share of wrong cuts (see `wrong`), by selectivity. A normal error of the fitted size gives
    /// 0.26, 0.055 and 0.005; the real error has longer tails.
    const AT_THE_EDGE: [f64; 3] = [0.3, 0.08, 0.02];

    struct Searched {
        scores: Vec<(Depth, Score)>,
        best: Move,
    }

    fn search(position: Position, depth: Depth, selectivity: u8) -> Searched {
        let mut root = OthelloPosition::new(position, Weights::trained());
        root.set_selectivity(selectivity);
        let mut search = Search::new(root, Arc::new(TranspositionTable::new(1)));
        let mut scores = Vec::new();
        let report = search.deepen(Budget::of_depth(depth), depth, &mut |report| {
            scores.push((report.depth, report.score));
        });
        let best = report.line.first().copied().unwrap_or(PASS);
        Searched { scores, best }
    }

    fn at(scores: &[(Depth, Score)], wanted: Depth) -> Option<Score> {
        let found = scores.iter().find(|&&(depth, _)| depth == wanted);
        found.map(|&(_, score)| score)
    }

    /// Plays `games` games: eight random moves, then moves of two-ply searches. Returns the position of each game at
    /// `empties` empty squares. Skips a game that ends earlier, and a position in which the side to move must pass.
    fn positions(games: u64, empties: u32) -> impl Iterator<Item = Position> {
        (0..games).filter_map(move |game| {
            let mut random = ChaCha8Rng::seed_from_u64(2_026);
            random.set_stream(game);
            let mut now = Position::START;
            while now.empties().count_ones() > empties {
                if now.is_over() {
                    return None;
                }
                let moves: Vec<usize> = games::othello::squares(now.legal_moves()).collect();
                now = if moves.is_empty() {
                    now.pass()
                } else if now.empties().count_ones() > 52 {
                    now.play(moves[random.next_u64() as usize % moves.len()])
                } else {
                    now.play(search(now, 2, 0).best.index())
                };
            }
            (!now.is_over() && now.legal_moves() != 0).then_some(now)
        })
    }

    #[derive(Clone, Copy)]
    struct ScoreDifference {
        score: Score,
        margin: Score,
    }

    /// Returns the share of wrong cuts in the worst case, in which every shallow score is exactly one margin outside
    /// the window. Each difference counts twice: as a cut above the window and as a cut below.
    fn wrong(differences: &[ScoreDifference]) -> f64 {
        let wrong = differences
            .iter()
            .filter(|one| one.score.abs() > one.margin);
        wrong.count() as f64 / (2 * differences.len()) as f64
    }

    #[test]
    fn midgame_cuts_are_wrong_within_the_limit() {
        let mut differences = Vec::new();
        for (empties, depth) in [(44, 8), (36, 9), (28, 8), (22, 9)] {
            for position in positions(50, empties) {
                let cut = shallow_search(position, depth, 0).expect("it is deep enough");
                let scores = search(position, depth, EXACT).scores;
                let (from, to) = (at(&scores, cut.depth), at(&scores, depth));
                let (from, to) = (from.expect("an iteration"), to.expect("the last one"));
                if to.abs() <= BALANCED {
                    let (score, margin) = (to - from, cut.margin);
                    differences.push(ScoreDifference { score, margin });
                }
            }
        }
        let wrong = wrong(&differences);
        assert!(differences.len() > 120, "{}", differences.len());
        assert!(wrong < AT_THE_EDGE[0], "{wrong}");
        // If far fewer cuts were wrong, the search would cut too rarely.
        assert!(wrong > AT_THE_EDGE[0] / 2.0, "{wrong}");
    }

    #[test]
    fn cuts_to_the_end_are_wrong_within_the_limits() {
        let mut differences = [Vec::new(), Vec::new()];
        for empties in [12, 13, 14, 15] {
            for position in positions(150, empties) {
                let exact = ExactSolver::new(1).solve(position).0.score * DISC;
                if exact.abs() > BALANCED {
                    continue;
                }
                for (selectivity, list) in (1..).zip(&mut differences) {
                    let cut =
                        shallow_search(position, empties as Depth, selectivity).expect("a cut");
                    let scores = search(position, cut.depth, EXACT).scores;
                    let (score, margin) = (exact - scores.last().expect("one").1, cut.margin);
                    list.push(ScoreDifference { score, margin });
                }
            }
        }
        for (list, limit) in differences.iter().zip(&AT_THE_EDGE[1..]) {
            let wrong = wrong(list);
            assert!(list.len() > 250, "{}", list.len());
            assert!(wrong < *limit, "{wrong}, not {limit}");
        }
    }

    /// A search with prob-cut must find the same move as a search without prob-cut, or a move that is nearly as good.
    #[test]
    fn moves_of_a_search_with_cuts_are_as_good_as_those_without() {
        let (mut same, mut all, mut lost) = (0.0, 0.0, 0.0);
        for (empties, depth) in [(44, 8), (32, 8), (22, 8)] {
            for position in positions(40, empties) {
                let full = search(position, depth, EXACT);
                let best = search(position, depth, 0).best;
                all += 1.0;
                if best == full.best {
                    same += 1.0;
                    continue;
                }
                let replies = search(position.play(best.index()), depth - 1, EXACT).scores;
                let score = -replies.last().map_or(0, |last| last.1);
                let of_best = full.scores.last().expect("searched").1;
                lost += f64::from(of_best - score) / f64::from(DISC);
            }
        }
        assert!(all > 100.0, "{all}");
        assert!(same / all > 0.75, "{same} of {all} moves are the same");
        assert!(lost / all < 0.25, "{lost} discs in {all} moves");
    }
}
