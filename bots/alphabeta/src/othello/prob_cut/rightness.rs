//! How often cuts are wrong, on positions that the constants were not fitted to.

use std::sync::Arc;

use games::othello::Position;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;
use crate::othello::endgame::ExactSolver;
use crate::othello::evaluation::Weights;
use crate::othello::{DISC, OthelloPosition, PASS};
use crate::search::{Budget, Move, Score, Search, SearchPosition, TranspositionTable};

/// As in `training prob-cut`: a search decides between positions that are nearly balanced.
const BALANCED: Score = 16 * DISC;

/// Limits for the share of cuts that are wrong at the edge, by selectivity. A normal error of the
/// size that was fitted would give 0.26, 0.055 and 0.005; the rest is for the error of the fit, whose
/// tails are longer than a normal error's.
const AT_THE_EDGE: [f64; 3] = [0.3, 0.08, 0.02];

/// Scores of the iterations of a search, by depth, and its best move.
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

/// One position of each of so many games between searches of two plies, after eight random ones.
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

/// What a deep score adds to the shallow one, and the margin that a cut asks for.
#[derive(Clone, Copy)]
struct Difference {
    score: Score,
    margin: Score,
}

/// The share of claims that are wrong at the very edge of a cut, where the shallow score just allows
/// one: that the deep score is above the window, and that it is below. Further from the edge fewer are.
fn wrong(differences: &[Difference]) -> f64 {
    let wrong = differences
        .iter()
        .filter(|one| one.score.abs() > one.margin);
    wrong.count() as f64 / (2 * differences.len()) as f64
}

#[test]
fn cuts_on_the_way_down_are_wrong_no_oftener_than_is_said() {
    let mut differences = Vec::new();
    for (empties, depth) in [(44, 8), (36, 9), (28, 8), (22, 9)] {
        for position in positions(50, empties) {
            let cut = shallow_search(position, depth, 0).expect("it is deep enough");
            let scores = search(position, depth, EXACT).scores;
            let (from, to) = (at(&scores, cut.depth), at(&scores, depth));
            let (from, to) = (from.expect("an iteration"), to.expect("the last one"));
            if to.abs() <= BALANCED {
                let (score, margin) = (to - from, cut.margin);
                differences.push(Difference { score, margin });
            }
        }
    }
    let wrong = wrong(&differences);
    assert!(differences.len() > 120, "{}", differences.len());
    assert!(wrong < AT_THE_EDGE[0], "{wrong}");
    // Neither far less often: it would search what it need not.
    assert!(wrong > AT_THE_EDGE[0] / 2.0, "{wrong}");
}

#[test]
fn cuts_to_the_end_are_wrong_no_oftener_than_is_said() {
    let mut differences = [Vec::new(), Vec::new()];
    for empties in [12, 13, 14, 15] {
        for position in positions(150, empties) {
            let exact = ExactSolver::new(1).solve(position).0.score * DISC;
            if exact.abs() > BALANCED {
                continue;
            }
            for (selectivity, list) in (1..).zip(&mut differences) {
                let cut = shallow_search(position, empties as Depth, selectivity).expect("a cut");
                let scores = search(position, cut.depth, EXACT).scores;
                let (score, margin) = (exact - scores.last().expect("one").1, cut.margin);
                list.push(Difference { score, margin });
            }
        }
    }
    for (list, limit) in differences.iter().zip(&AT_THE_EDGE[1..]) {
        let wrong = wrong(list);
        assert!(list.len() > 250, "{}", list.len());
        assert!(wrong < *limit, "{wrong}, not {limit}");
    }
}

/// The search with cuts finds the move of the search without, or one that is nearly as good.
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
