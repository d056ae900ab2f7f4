//! The network during training, in floating-point numbers.

use std::ops::Range;

use alphabeta::gomoku::network::{
    BOTH, FEATURE_UNIT, FEATURES, HIDDEN, MOVE_UNIT, TABLE_UNIT, View, WEIGHT_UNIT, row_of,
};
use alphabeta::gomoku::weights::THREATS;
use alphabeta::gomoku::{HalfCodes, line_shape};
use games::Side;
use games::gomoku::Rule;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::gomoku::adam::Adam;

// Inlined in a long function, these functions would not be vectorised, and training would take three times as long.

const TOP: f32 = 1.0 - 1.0 / FEATURE_UNIT as f32;

pub type Features = [f32; FEATURES];

pub fn row(numbers: &[f32], begin: usize) -> &Features {
    numbers[begin..].first_chunk().expect("a row is full")
}

pub fn row_mut(numbers: &mut [f32], begin: usize) -> &mut Features {
    numbers[begin..].first_chunk_mut().expect("a row is full")
}

#[inline(never)]
pub fn add(into: &mut Features, from: &Features) {
    for (one, two) in into.iter_mut().zip(from) {
        *one += two;
    }
}

#[inline(never)]
pub fn add_times(into: &mut Features, factor: f32, from: &Features) {
    for (one, two) in into.iter_mut().zip(from) {
        *one += factor * two;
    }
}

#[inline(never)]
pub fn features(sums: &Features) -> Features {
    sums.map(|sum| sum.clamp(0.0, TOP))
}

/// Sets the slope to 0 where the feature is clamped.
#[inline(never)]
pub fn let_through(slope: &mut Features, sums: &Features) {
    for (one, &sum) in slope.iter_mut().zip(sums) {
        *one = if sum > 0.0 && sum < TOP { *one } else { 0.0 };
    }
}

pub const SHAPES: usize = 16;

pub struct Places {
    pub own: Range<usize>,
    pub other: Range<usize>,
    /// The numbers that all keys with the same shape share.
    pub own_shapes: Range<usize>,
    pub other_shapes: Range<usize>,
    pub bias: Range<usize>,
    pub hidden: Range<usize>,
    pub threats: Range<usize>,
    pub neurons: Range<usize>,
    pub output: Range<usize>,
    pub direct: Range<usize>,
    pub begin: usize,
    pub moves: Range<usize>,
    pub end: usize,
}

pub fn places(rows: usize) -> Places {
    let mut end = 0;
    let mut next = |count: usize| {
        end += count;
        end - count..end
    };
    let (own, other) = (next(rows * FEATURES), next(rows * FEATURES));
    let (own_shapes, other_shapes) = (next(SHAPES * FEATURES), next(SHAPES * FEATURES));
    let (bias, hidden) = (next(FEATURES), next(BOTH * HIDDEN));
    let (threats, neurons, output) = (next(THREATS * HIDDEN), next(HIDDEN), next(HIDDEN));
    let (direct, begin, moves) = (next(BOTH), next(1).start, next(BOTH));
    Places {
        own,
        other,
        own_shapes,
        other_shapes,
        bias,
        hidden,
        threats,
        neurons,
        output,
        direct,
        begin,
        moves,
        end,
    }
}

/// The limit of a number in a table. It ensures that a sum over lines fits in 16 bits.
const MOST: f32 = 3.5;

pub struct ViewTables {
    pub own: Vec<Features>,
    pub other: Vec<Features>,
}

pub struct NetworkModel {
    pub views: usize,
    pub places: Places,
    pub row: Vec<u16>,
    /// For each row of each view, its shape for the own stones and for the opponent's stones.
    pub shapes: Vec<Vec<[usize; 2]>>,
    pub numbers: Vec<f32>,
    pub tables: Vec<ViewTables>,
    pub halves: &'static HalfCodes,
}

impl NetworkModel {
    pub fn new(rule: Rule, random: &mut ChaCha8Rng) -> NetworkModel {
        let views = if rule == Rule::Renju { 2 } else { 1 };
        let (row, rows) = row_of();
        let places = places(rows);
        let shapes = (0..views)
            .map(|view| {
                let sides = [view == 0, view != 0]
                    .map(|black| if black { Side::Black } else { Side::White });
                let mut shapes = vec![[0; 2]; rows];
                for (key, &row) in row.iter().enumerate() {
                    shapes[usize::from(row)] =
                        sides.map(|side| line_shape(rule, side, key) as usize);
                }
                shapes
            })
            .collect();
        let mut model = NetworkModel {
            views,
            numbers: vec![0.0; views * places.end],
            places,
            row,
            shapes,
            tables: Vec::new(),
            halves: HalfCodes::plain(),
        };
        let mut uniform =
            |most: f32| most * ((random.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0);
        let p = &model.places;
        for numbers in model.numbers.chunks_mut(p.end) {
            for (range, most) in [
                (&p.own_shapes, 0.2),
                (&p.other_shapes, 0.2),
                (&p.hidden, 0.3),
                (&p.output, 0.3),
                (&p.moves, 0.5),
            ] {
                numbers[range.clone()]
                    .iter_mut()
                    .for_each(|one| *one = uniform(most));
            }
            numbers[p.bias.clone()].fill(0.15);
        }
        model.share();
        model
    }

    /// Reads saved numbers. Fails if their count does not match.
    pub fn set(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (chunks, rest) = bytes.as_chunks::<4>();
        // A saved model with one view initialises both views.
        let twice = [chunks, chunks].concat();
        let is_half = chunks.len() == self.places.end;
        let chunks = if is_half && self.views == 2 {
            &twice
        } else {
            chunks
        };
        if chunks.len() != self.numbers.len() || !rest.is_empty() {
            let count = self.numbers.len();
            return Err(format!("{} bytes are not {count} numbers", bytes.len()));
        }
        let read = chunks.iter().map(|&four| f32::from_le_bytes(four));
        self.numbers = read.collect();
        self.share();
        Ok(())
    }

    fn share(&mut self) {
        let p = &self.places;
        let table = |view: usize| {
            let numbers = &self.numbers[view * p.end..];
            let part = |keys: &Range<usize>, shapes: &Range<usize>, of: usize| {
                let (keys, _) = numbers[keys.clone()].as_chunks::<FEATURES>();
                let (shapes, _) = numbers[shapes.clone()].as_chunks::<FEATURES>();
                let sum = |(row, key): (usize, &Features)| {
                    let mut sum = shapes[self.shapes[view][row][of]];
                    add(&mut sum, key);
                    sum.map(|one| one.clamp(-MOST, MOST))
                };
                keys.iter().enumerate().map(sum).collect()
            };
            ViewTables {
                own: part(&p.own, &p.own_shapes, 0),
                other: part(&p.other, &p.other_shapes, 1),
            }
        };
        self.tables = (0..self.views).map(table).collect();
    }

    pub fn step(&mut self, adam: &mut Adam, slopes: &[f32], rate: f32) {
        adam.step(&mut self.numbers, slopes, rate);
        self.share();
    }

    #[cfg(test)]
    pub fn shift(&mut self, at: usize, by: f32) {
        self.numbers[at] += by;
        self.share();
    }

    pub fn views(&self) -> Vec<View> {
        let p = &self.places;
        let whole =
            |unit: i32| move |one: f32| (one * unit as f32).round().clamp(-32767.0, 32767.0) as i16;
        let view = |view: usize| {
            let numbers = &self.numbers[view * p.end..];
            let (hidden, _) = numbers[p.hidden.clone()].as_chunks::<HIDDEN>();
            let (threats, _) = numbers[p.threats.clone()].as_chunks::<HIDDEN>();
            let neurons = &numbers[p.neurons.clone()];
            let table =
                |rows: &[Features]| rows.iter().map(|row| row.map(whole(TABLE_UNIT))).collect();
            let row = |range: &Range<usize>, unit| {
                numbers[range.clone()].iter().copied().map(whole(unit))
            };
            View {
                own: table(&self.tables[view].own),
                other: table(&self.tables[view].other),
                bias: array(row(&p.bias, TABLE_UNIT)),
                hidden: hidden
                    .iter()
                    .map(|row| row.map(whole(WEIGHT_UNIT)))
                    .collect(),
                threats: threats
                    .iter()
                    .map(|row| {
                        array(
                            row.iter()
                                .zip(neurons)
                                .map(|(a, b)| whole(WEIGHT_UNIT)(a + b)),
                        )
                    })
                    .collect(),
                output: array(row(&p.output, WEIGHT_UNIT)),
                direct: array(row(&p.direct, WEIGHT_UNIT)),
                begin: whole(WEIGHT_UNIT)(numbers[p.begin]),
                moves: array(row(&p.moves, MOVE_UNIT)),
            }
        };
        (0..self.views).map(view).collect()
    }
}

fn array<const N: usize>(mut numbers: impl Iterator<Item = i16>) -> [i16; N] {
    std::array::from_fn(|_| numbers.next().expect("a row is full"))
}
