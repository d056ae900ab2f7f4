//! `training prob-cut`: measures the constants of Othello's prob-cut.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;

use alphabeta::othello::evaluation::Weights;
use alphabeta::othello::prob_cut::{self, end_terms, shallow_depth, terms};
use alphabeta::othello::{DISC, OthelloPosition};
use alphabeta::search::{Budget, Depth, Score, Search, SearchPosition, TranspositionTable};

use crate::BoxError;
use crate::othello::fit::Example;
use crate::othello::self_play::{self, SelfPlay};

/// Measure the constants of Othello's prob-cut
///
/// Searches positions of self-play at all depths without prob-cut and fits the error of shallow scores. Prints the
/// constants for alphabeta's `prob_cut.rs`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Positions to search
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(i32).range(4..=20))]
    depth: i32,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), BoxError> {
    let Arguments {
        positions,
        depth,
        seed,
    } = *arguments;
    let positions = positions as usize;
    let weights = Weights::trained();
    let error = measure(&weights, positions, depth, seed);
    writeln!(io::stdout(), "pub const ERROR: [f64; 5] = {error:.4?};")?;
    let error = measure_ends(&weights, positions, seed);
    writeln!(io::stdout(), "pub const END_ERROR: [f64; 2] = {error:.4?};")?;
    Ok(())
}

#[derive(Clone, Copy, Debug)]
struct Difference {
    depth: Depth,
    discs: u32,
    squared: f64,
}

/// The largest absolute value of the score of a measured position.
const BALANCED: Score = 16 * DISC;

fn played(weights: &Arc<Weights>, games: usize, seed: u64) -> Vec<Example> {
    let settings = SelfPlay {
        depth: 3,
        solve_from: 6,
        drawn_plies: [2, 28],
        seed,
    };
    self_play::games(&settings, weights, games as u64, 1, &|_| ())
}

/// Searches positions of self-play without prob-cut. Returns the coefficients of [`terms`] that fit ln σ.
pub fn measure(weights: &Arc<Weights>, positions: usize, depth: Depth, seed: u64) -> [f64; 5] {
    let played = played(weights, positions, seed);
    let stride = played.len() / positions.max(1);
    let mut differences = Vec::new();
    for example in played.iter().step_by(stride.max(1)) {
        let discs = 64 - example.position.empties().count_ones();
        if discs + depth as u32 + 2 > 64 {
            continue;
        }
        let mut root = OthelloPosition::new(example.position, Arc::clone(weights));
        root.set_selectivity(prob_cut::EXACT);
        let mut search = Search::new(root, Arc::new(TranspositionTable::new(16)));
        let mut scores: Vec<Score> = vec![0];
        let budget = Budget::of_depth(depth);
        search.deepen(budget, depth, &mut |report| {
            scores.push(report.score);
        });
        // Only nearly balanced positions matter to a search; in others, shallow and deep scores differ more.
        if scores.last().is_none_or(|score| score.abs() > BALANCED) {
            continue;
        }
        for depth in 3..=depth {
            let deep = scores.get(depth as usize);
            let shallow = scores.get(shallow_depth(depth) as usize);
            if let (Some(&deep), Some(&shallow)) = (deep, shallow) {
                let difference = f64::from(deep - shallow);
                differences.push(Difference {
                    depth,
                    discs,
                    squared: difference * difference,
                });
            }
        }
    }
    fit(&differences, depth)
}

/// Computes σ at each depth for groups of disc numbers (0 to 7, 8 to 15, …), and fits ln σ by weighted least squares.
fn fit(differences: &[Difference], deepest: Depth) -> [f64; 5] {
    let mut normal = [[0.0; 5]; 5];
    let mut right = [0.0; 5];
    for depth in 3..=deepest {
        for group in 0..8 {
            let members: Vec<&Difference> = differences
                .iter()
                .filter(|one| one.depth == depth && one.discs / 8 == group)
                .collect();
            if members.len() < 8 {
                continue;
            }
            let count = members.len() as f64;
            let variance = members.iter().map(|one| one.squared).sum::<f64>() / count;
            let terms = terms(depth, shallow_depth(depth), 8 * group + 4);
            let log = variance.max(1.0).ln() / 2.0;
            add(&mut normal, &mut right, &terms, log, count);
        }
    }
    solved(normal, right)
}

/// The numbers of empty squares of positions searched to the end: too many for the solver, few enough for a search.
const ENDS: RangeInclusive<u32> = 11..=17;

/// Searches `positions` positions to the end without prob-cut. Returns the coefficients of [`end_terms`] that fit ln σ
/// of the differences between exact and shallow scores. The shallow scores are those of the iterations that do not
/// reach the end. They have up to 7 plies, which is enough for prob-cut in searches with up to 31 plies to the end.
pub fn measure_ends(weights: &Arc<Weights>, positions: usize, seed: u64) -> [f64; 2] {
    let played = played(weights, positions, seed);
    let ends = played
        .iter()
        .map(|example| example.position)
        .filter(|position| ENDS.contains(&position.empties().count_ones()));
    // Each game has a position for each number of empty squares. The stride takes about one position of each game.
    let mut squared = [(0.0, 0.0); *ENDS.end() as usize];
    for position in ends.step_by(ENDS.count()).take(positions) {
        let empties = position.empties().count_ones() as Depth;
        let mut root = OthelloPosition::new(position, Arc::clone(weights));
        root.set_selectivity(prob_cut::EXACT);
        let mut search = Search::new(root, Arc::new(TranspositionTable::new(16)));
        let mut scores = Vec::new();
        let budget = Budget::of_depth(empties);
        let exact = search.deepen(budget, empties, &mut |report| {
            scores.push((report.depth, report.score));
        });
        if exact.score.abs() > BALANCED {
            continue;
        }
        // Scores after an odd and an even number of plies differ.
        scores.retain(|&(depth, _)| depth < empties && (empties - depth) % 2 == 0);
        for (depth, score) in scores {
            let (sum, count) = &mut squared[depth as usize];
            *sum += f64::from(exact.score - score).powi(2);
            *count += 1.0;
        }
    }
    let mut normal = [[0.0; 2]; 2];
    let mut right = [0.0; 2];
    for (shallow, (sum, count)) in squared.into_iter().enumerate() {
        if count >= 8.0 {
            let log = (sum / count).max(1.0_f64).ln() / 2.0;
            add(
                &mut normal,
                &mut right,
                &end_terms(shallow as Depth),
                log,
                count,
            );
        }
    }
    solved(normal, right)
}

/// Adds an observation of weight `count` to the normal equations.
fn add<const N: usize>(
    normal: &mut [[f64; N]; N],
    right: &mut [f64; N],
    terms: &[f64; N],
    seen: f64,
    count: f64,
) {
    for (row, term) in terms.iter().enumerate() {
        right[row] += count * term * seen;
        for (column, other) in terms.iter().enumerate() {
            normal[row][column] += count * term * other;
        }
    }
}

/// Solves a system of linear equations by elimination. Undetermined unknowns are 0.
fn solved<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        let size = |row: &usize| matrix[*row][pivot].abs();
        let best = (pivot..N)
            .max_by(|a, b| size(a).total_cmp(&size(b)))
            .unwrap_or(pivot);
        matrix.swap(pivot, best);
        right.swap(pivot, best);
        if matrix[pivot][pivot].abs() < 1e-9 {
            continue;
        }
        for row in 0..N {
            if row != pivot {
                let factor = matrix[row][pivot] / matrix[pivot][pivot];
                let pivot_row = matrix[pivot];
                for (value, above) in matrix[row].iter_mut().zip(pivot_row) {
                    *value -= factor * above;
                }
                right[row] -= factor * right[pivot];
            }
        }
    }
    std::array::from_fn(|row| {
        let diagonal = matrix[row][row];
        if diagonal.abs() < 1e-9 {
            0.0
        } else {
            right[row] / diagonal
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        let matrix = [[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [3.0, 0.0, 1.0]];
        let solution = solved(matrix, [7.0, 3.0, 6.0]);
        for (value, expected) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((value - expected).abs() < 1e-9, "{solution:?}");
        }
    }
}
