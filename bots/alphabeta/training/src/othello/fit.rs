//! Labelled positions, their file format, and the fit of weights to them.

use std::ops::Range;
use std::sync::Mutex;
use std::thread;

use alphabeta::othello::DISC;
use alphabeta::othello::evaluation::patterns::{CENTRES, COUNT, WEIGHTS, canonical_weights};
use alphabeta::othello::evaluation::{Features, MOVES, PHASES, PhaseWeights, Weights};
use games::othello::{Position, legal_moves};

// The file of examples keeps the games of earlier generations.
//
// ```text
// "ABOE" 1       magic and version
// examples       20 bytes each: own discs, opponent's discs, opinion, result, flags
// ```
//
// Numbers are little endian. There is no checksum, because runs append examples. An invalid example is an error.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    pub position: Position,
    /// The final score for the side to move, in discs.
    pub result: i8,
    /// The score of the search in 1/128 disc; `None` if `result` is the result of perfect play.
    pub opinion: Option<i16>,
    pub held_back: bool,
}

pub const MAGIC: &[u8; 5] = b"ABOE\x01";

const SIZE: usize = 20;

/// The encoding of a missing opinion; no score has this value.
const SOLVED: i16 = i16::MIN;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadExamples {
    #[error("not a file of examples for Othello, version 1")]
    Magic,
    #[error("example {0} is cut off or invalid: remove the file and play its games again")]
    Example(usize),
}

impl Example {
    /// Returns whether this may be the position after `earlier`: it has one more disc, and no disc was removed.
    fn follows(&self, earlier: &Example) -> bool {
        let (before, now) = (earlier.position.empties(), self.position.empties());
        now & !before == 0 && (before & !now).is_power_of_two()
    }

    /// Returns whether the side to move has changed since `earlier`: the mover's discs are now the opponent's.
    fn is_answer_to(&self, earlier: &Example) -> bool {
        earlier.position.own & !self.position.opponent == 0
    }

    pub fn write(&self, file: &mut Vec<u8>) {
        file.extend(self.position.own.to_le_bytes());
        file.extend(self.position.opponent.to_le_bytes());
        file.extend(self.opinion.unwrap_or(SOLVED).to_le_bytes());
        file.extend(self.result.to_le_bytes());
        file.push(u8::from(self.held_back));
    }

    fn read(bytes: &[u8; SIZE]) -> Option<Example> {
        let set = |at: usize| -> [u8; 8] { std::array::from_fn(|byte| bytes[at + byte]) };
        let position = Position {
            own: u64::from_le_bytes(set(0)),
            opponent: u64::from_le_bytes(set(8)),
        };
        let opinion = i16::from_le_bytes([bytes[16], bytes[17]]);
        let result = i8::from_le_bytes([bytes[18]]);
        let is_sound =
            position.own & position.opponent == 0 && (-64..=64).contains(&result) && bytes[19] < 2;
        is_sound.then_some(Example {
            position,
            result,
            opinion: (opinion != SOLVED).then_some(opinion),
            held_back: bytes[19] == 1,
        })
    }
}

/// Returns the label of each example, in 1/128 disc. The examples of a game must be consecutive and in order.
///
/// A label is (1 − `lambda`) · opinion + `lambda` · next label (R. Sutton, "Learning to predict by the methods of
/// temporal differences", 1988): later opinions see further ahead, but the result depends on every later mistake. For
/// the last example, the next label is the result. The label of an example without an opinion is its result.
pub fn labels(examples: &[Example], lambda: f64) -> Vec<f32> {
    let mut labels = vec![0.0; examples.len()];
    for (index, example) in examples.iter().enumerate().rev() {
        let later = match examples.get(index + 1) {
            Some(next) if next.follows(example) => {
                let sign = if next.is_answer_to(example) {
                    -1.0
                } else {
                    1.0
                };
                sign * f64::from(labels[index + 1])
            }
            _ => f64::from(example.result) * f64::from(DISC),
        };
        let label = match example.opinion {
            Some(opinion) => (1.0 - lambda) * f64::from(opinion) + lambda * later,
            None => f64::from(example.result) * f64::from(DISC),
        };
        labels[index] = label as f32;
    }
    labels
}

pub fn read_all(file: &[u8]) -> Result<Vec<Example>, BadExamples> {
    let bytes = file.strip_prefix(MAGIC).ok_or(BadExamples::Magic)?;
    let (whole, rest) = bytes.as_chunks::<SIZE>();
    if !rest.is_empty() {
        return Err(BadExamples::Example(whole.len() + 1));
    }
    let read = |(number, bytes)| Example::read(bytes).ok_or(BadExamples::Example(number));
    (1..).zip(whole).map(read).collect()
}

// Linear least squares with ridge regularisation. Each phase has its own model: the score of a position is the sum of
// the weights of its features. The fit minimises the squared error over all examples, each weighted by its [`share`],
// plus `ridge` times the squared change of the weights. So weights keep what they learned from games that are not among
// the examples. Conjugate gradients, preconditioned by the number of occurrences of each weight (M. Hestenes, E.
// Stiefel, 1952), need no step size. A phase also learns from positions a little before and after it.

/// The number of plies before and after a phase from which the phase also learns.
const OVERLAP: u32 = 2;

/// The features of a position: a configuration per pattern, both sides' mobility, and the number of discs (tempo).
const SEEN: usize = COUNT + 3;

/// Offsets of the weights of moves and tempo, which follow those of the patterns.
const MOBILITY: usize = WEIGHTS;
const TEMPO: usize = MOBILITY + 2 * MOVES;
const ALL: usize = TEMPO + 65;

/// Root mean square errors of a phase's predictions on validation positions, in discs, before and after the fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseError {
    pub positions: usize,
    pub before: f64,
    pub after: f64,
    /// Root mean square of the labels. This would be the error if every prediction were 0.
    pub spread: f64,
}

pub struct Fitted {
    pub weights: Weights,
    pub errors: Vec<PhaseError>,
}

#[derive(Clone, Debug)]
pub struct Fit {
    /// How far labels look ahead, from 0 to 1: see [`labels`].
    pub lambda: f64,
    /// The number of occurrences after which a weight has moved half of the way from its old value to the fitted value.
    pub ridge: f64,
    pub iterations: u32,
}

pub fn fit(examples: &[Example], old: &Weights, settings: &Fit, threads: usize) -> Fitted {
    let canonical = canonical_weights();
    let labels = labels(examples, settings.lambda);
    let queue = Mutex::new(0..PHASES);
    let work = || {
        let mut done = Vec::new();
        loop {
            let next = queue.lock().expect("no worker panics").next();
            let Some(phase) = next else { return done };
            let model = PhaseExamples::new(phase, examples, &labels, &canonical);
            let Fit {
                ridge, iterations, ..
            } = *settings;
            done.push((phase, model.fit(old, &canonical, ridge, iterations)));
        }
    };
    let mut done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<_>>| worker.join();
        workers
            .into_iter()
            .flat_map(|worker| join(worker).expect("a fit does not panic"))
            .collect()
    });
    done.sort_unstable_by_key(|&(phase, _)| phase);
    let mut weights = Weights::zero();
    let mut errors = Vec::new();
    for (phase, (fitted, error)) in done {
        unpack(&fitted, phase, &canonical, &mut weights);
        errors.push(error);
    }
    Fitted { weights, errors }
}

fn discs_of(phase: usize) -> Range<u32> {
    let first = 4 + 4 * phase as u32;
    let end = if phase + 1 == PHASES { 65 } else { first + 4 };
    first..end
}

struct PhaseExamples {
    phase: usize,
    rows: Vec<[u32; SEEN]>,
    labels: Vec<f32>,
    shares: Vec<f32>,
    held_back: Vec<([u32; SEEN], f32)>,
}

/// Returns the weight of an example: 1 for the label 0, ½ for ± 24 discs. Searches have to distinguish nearly balanced
/// positions, and a sum of weights cannot explain the scores of other positions.
fn share(label: f32) -> f32 {
    const HALVED: f32 = 24.0 * DISC as f32;
    1.0 / (1.0 + (label / HALVED) * (label / HALVED))
}

impl PhaseExamples {
    fn new(phase: usize, examples: &[Example], labels: &[f32], canonical: &[u32]) -> PhaseExamples {
        let core = discs_of(phase);
        let near = core.start.saturating_sub(OVERLAP)..core.end + OVERLAP;
        let mut model = PhaseExamples {
            phase,
            rows: Vec::new(),
            labels: Vec::new(),
            shares: Vec::new(),
            held_back: Vec::new(),
        };
        for (example, &label) in examples.iter().zip(labels) {
            let discs = 64 - example.position.empties().count_ones();
            if example.held_back && core.contains(&discs) {
                let row = (row(example, canonical), label);
                model.held_back.push(row);
            } else if !example.held_back && near.contains(&discs) {
                model.rows.push(row(example, canonical));
                model.labels.push(label);
                model.shares.push(share(label));
            }
        }
        model
    }

    fn fit(
        &self,
        old: &Weights,
        canonical: &[u32],
        ridge: f64,
        iterations: u32,
    ) -> (Vec<f32>, PhaseError) {
        let mut weights = pack(old, self.phase, canonical);
        let before = self.error(&weights);
        let spread = self.error(&vec![0.0; ALL]);
        self.conjugate_gradients(&mut weights, ridge as f32, iterations);
        let error = PhaseError {
            positions: self.held_back.len(),
            before,
            after: self.error(&weights),
            spread,
        };
        (weights, error)
    }

    /// Solves `(XᵀSX + ridge) (w − w₀) = XᵀS(y − Xw₀)`. X has a row for each example, y has the labels, and the
    /// diagonal of S has the shares. `weights` is w₀ at the beginning and w at the end.
    fn conjugate_gradients(&self, weights: &mut [f32], ridge: f32, iterations: u32) {
        let mut diagonal = vec![ridge; ALL];
        for (row, &share) in self.rows.iter().zip(&self.shares) {
            scatter(row, share, &mut diagonal);
        }
        // residual = XᵀS(y − Xw) − ridge·(w − w₀), with w = w₀ at first
        let mut residual = vec![0.0f32; ALL];
        let examples = self.rows.iter().zip(&self.labels).zip(&self.shares);
        for ((row, &label), &share) in examples {
            let rest = label - sum(row, weights);
            scatter(row, share * rest, &mut residual);
        }
        let mut scaled: Vec<f32> = divided(&residual, &diagonal);
        let mut direction = scaled.clone();
        let mut product = dot(&residual, &scaled);
        for _ in 0..iterations {
            let mut image: Vec<f32> = direction.iter().map(|&value| ridge * value).collect();
            for (row, &share) in self.rows.iter().zip(&self.shares) {
                scatter(row, share * sum(row, &direction), &mut image);
            }
            let curvature = dot(&direction, &image);
            if curvature <= f64::EPSILON {
                break;
            }
            let step = (product / curvature) as f32;
            for index in 0..ALL {
                weights[index] += step * direction[index];
                residual[index] -= step * image[index];
            }
            scaled = divided(&residual, &diagonal);
            let next = dot(&residual, &scaled);
            let turn = (next / product) as f32;
            product = next;
            for (direction, &scaled) in direction.iter_mut().zip(&scaled) {
                *direction = scaled + turn * *direction;
            }
        }
    }

    /// Returns the root mean square error on the validation positions, in discs, weighted by their shares.
    fn error(&self, weights: &[f32]) -> f64 {
        let (mut total, mut count) = (0.0, 0.0);
        for (row, label) in &self.held_back {
            let error = f64::from((label - sum(row, weights)) / DISC as f32);
            let share = f64::from(share(*label));
            total += share * error * error;
            count += share;
        }
        (total / f64::max(count, 1e-9)).sqrt()
    }
}

fn row(example: &Example, canonical: &[u32]) -> [u32; SEEN] {
    let position = example.position;
    let features = Features::of(position);
    let mut row = [0; SEEN];
    let fillings = CENTRES.iter().zip(features.fillings());
    for (slot, (&centre, &filling)) in row.iter_mut().zip(fillings) {
        *slot = canonical[(centre as i32 + i32::from(filling)) as usize];
    }
    let moves = [
        legal_moves(position.own, position.opponent),
        legal_moves(position.opponent, position.own),
    ];
    for (side, moves) in moves.into_iter().enumerate() {
        let moves = (moves.count_ones() as usize).min(MOVES - 1);
        row[COUNT + side] = (MOBILITY + side * MOVES + moves) as u32;
    }
    row[COUNT + 2] = TEMPO as u32 + 64 - position.empties().count_ones();
    row
}

fn sum(row: &[u32; SEEN], weights: &[f32]) -> f32 {
    row.iter().map(|&index| weights[index as usize]).sum()
}

fn scatter(row: &[u32; SEEN], value: f32, into: &mut [f32]) {
    for &index in row {
        into[index as usize] += value;
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    let products = a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b));
    products.sum()
}

fn divided(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a / b).collect()
}

/// Returns the weights of a phase in one row; weights that are not canonical are 0.
fn pack(weights: &Weights, phase: usize, canonical: &[u32]) -> Vec<f32> {
    let PhaseWeights { patterns, mobility } = &weights.phases[phase];
    let own = |(index, &weight): (usize, &i16)| {
        let is_first = canonical[index] as usize == index;
        if is_first { f32::from(weight) } else { 0.0 }
    };
    let patterns = patterns.iter().enumerate().map(own);
    let others = mobility.as_flattened().iter().chain(&weights.tempo);
    patterns
        .chain(others.map(|&weight| f32::from(weight)))
        .collect()
}

/// Undoes [`pack`], with rounding. Copies each canonical weight to the weights that are equivalent to it.
fn unpack(row: &[f32], phase: usize, canonical: &[u32], weights: &mut Weights) {
    let round = |value: f32| value.round().clamp(-8192.0, 8191.0) as i16;
    let PhaseWeights { patterns, mobility } = &mut weights.phases[phase];
    for (weight, &first) in patterns.iter_mut().zip(canonical) {
        *weight = round(row[first as usize]);
    }
    for (weight, &value) in mobility.as_flattened_mut().iter_mut().zip(&row[MOBILITY..]) {
        *weight = round(value);
    }
    for discs in discs_of(phase) {
        weights.tempo[discs as usize] = round(row[TEMPO + discs as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<Example> {
        let solved = Example {
            position: Position::START,
            result: -64,
            opinion: None,
            held_back: true,
        };
        let thought = Example {
            result: 10,
            opinion: Some(-640),
            held_back: false,
            ..solved
        };
        vec![solved, thought]
    }

    fn file() -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        for example in two() {
            example.write(&mut file);
        }
        file
    }

    #[test]
    fn examples_survive_a_round_trip_and_damage_is_reported() {
        assert_eq!(read_all(&file()), Ok(two()));
        assert_eq!(read_all(b"ABOW\x01"), Err(BadExamples::Magic));
        let file = file();
        assert_eq!(
            read_all(&file[..file.len() - 1]),
            Err(BadExamples::Example(2))
        );
        let mut damaged = file.clone();
        damaged[5] = 0xff;
        damaged[5 + 8] = 0xff;
        assert_eq!(read_all(&damaged), Err(BadExamples::Example(1)));
    }

    /// The moves are f5 and d6, then an impossible pass.
    #[test]
    fn labels_look_ahead_and_change_sides_with_the_mover() {
        let first = Position::START;
        let second = first.play(37);
        let third = second.play(43).pass();
        let example = |position, opinion, result| Example {
            position,
            result,
            opinion,
            held_back: false,
        };
        let game = [
            example(first, Some(128), 2),
            example(second, Some(-512), -2),
            example(third, Some(256), -2),
            // Another game begins here.
            example(first, None, 8),
        ];
        for (lambda, expected) in [
            (0.0, [128.0, -512.0, 256.0, 1024.0]),
            (1.0, [256.0, -256.0, -256.0, 1024.0]),
            (0.5, [192.0, -256.0, 0.0, 1024.0]),
        ] {
            assert_eq!(labels(&game, lambda), expected, "{lambda}");
        }
    }
}
