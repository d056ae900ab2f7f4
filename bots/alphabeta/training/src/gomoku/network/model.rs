//! The network during training, in floating-point numbers.

use std::ops::Range;

use alphabeta::gomoku::network::{
    FEATURE_UNIT, FEATURES, HIDDEN, Head, LineRows, MIXED, MOVE_UNIT, ROWS, View,
};
use alphabeta::gomoku::weights::THREATS;
use alphabeta::gomoku::{KEYS, line_shape};
use games::Side;
use games::gomoku::Rule;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::gomoku::adam::Adam;

pub type Row = [f32; FEATURES];
pub type Mixed = [f32; MIXED];

pub fn row(numbers: &[f32], begin: usize) -> &Row {
    numbers[begin..].first_chunk().expect("a row is full")
}

pub fn row_mut(numbers: &mut [f32], begin: usize) -> &mut Row {
    numbers[begin..].first_chunk_mut().expect("a row is full")
}

// Inlined in a long function, these functions would not be vectorised.

#[inline(never)]
pub fn add<const N: usize>(into: &mut [f32; N], from: &[f32; N]) {
    for (one, two) in into.iter_mut().zip(from) {
        *one += two;
    }
}

#[inline(never)]
pub fn add_times<const N: usize>(into: &mut [f32; N], factor: f32, from: &[f32; N]) {
    for (one, two) in into.iter_mut().zip(from) {
        *one += factor * two;
    }
}

pub const SHAPES: usize = 16;

/// Where the numbers of a view are. The row of a table is a sum of five parts.
pub struct Places {
    pub rows: Range<usize>,
    pub own: Range<usize>,
    pub other: Range<usize>,
    pub own_shapes: Range<usize>,
    pub other_shapes: Range<usize>,
    pub bias: Range<usize>,
    pub window: Range<usize>,
    /// See [`Head::usual`]: a moving average.
    pub usual: Range<usize>,
    pub hidden: Range<usize>,
    pub threats: Range<usize>,
    pub neurons: Range<usize>,
    pub output: Range<usize>,
    pub direct: Range<usize>,
    pub begin: usize,
    pub moves: Range<usize>,
    pub end: usize,
}

fn places(keys: usize) -> Places {
    let mut end = 0;
    let mut next = |count: usize| {
        end += count;
        end - count..end
    };
    Places {
        rows: next(ROWS * FEATURES),
        own: next(keys * FEATURES),
        other: next(keys * FEATURES),
        own_shapes: next(SHAPES * FEATURES),
        other_shapes: next(SHAPES * FEATURES),
        bias: next(FEATURES),
        window: next(MIXED),
        usual: next(FEATURES),
        hidden: next(FEATURES * HIDDEN),
        threats: next(THREATS * HIDDEN),
        neurons: next(HIDDEN),
        output: next(HIDDEN),
        direct: next(FEATURES),
        begin: next(1).start,
        moves: next(FEATURES),
        end: next(0).start,
    }
}

/// Returns the row of each key of one side's stones, and the number of rows. A line and its mirror image share a row.
fn row_of() -> (Vec<u16>, usize) {
    let mut rows = vec![u16::MAX; KEYS];
    let mut count = 0;
    for key in 0..KEYS {
        let mirrored = key >> 6 | (key & 63) << 6;
        if mirrored < key {
            rows[key] = rows[mirrored];
        } else {
            rows[key] = count;
            count += 1;
        }
    }
    (rows, usize::from(count))
}

/// The limit of a number in a table. It ensures that a sum over lines fits in 16 bits.
const MOST: f32 = 3.5;

pub struct Model {
    pub views: usize,
    pub places: Places,
    /// For each row of each view, the first numbers of its parts.
    parts: Vec<Vec<[usize; 5]>>,
    pub numbers: Vec<f32>,
    /// The rounded tables of each view, as the bot has them: see [`View`].
    pub tables: Vec<Vec<Row>>,
    pub biases: Vec<Row>,
    pub windows: Vec<Mixed>,
    pub moves: Vec<Row>,
    pub line_rows: &'static LineRows,
    /// How many times finer the numbers are rounded than those of the bot: 1, except in tests of the gradient.
    fineness: f32,
}

/// Rounds to a multiple of `1 / unit`. Adding and subtracting `ROUND` rounds an `f32` below 2²² to an integer.
#[inline]
fn rounded(value: f32, unit: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    ((value * unit + ROUND) - ROUND) / unit
}

#[inline(never)]
fn sum_of(numbers: &[f32], parts: [usize; 5], unit: f32) -> Row {
    let [key, own, other, own_shape, other_shape] = parts.map(|begin| row(numbers, begin));
    std::array::from_fn(|at| {
        let sum = key[at] + own[at] + other[at] + own_shape[at] + other_shape[at];
        rounded(sum.clamp(-MOST, MOST), unit)
    })
}

impl Model {
    pub fn new(rule: Rule, random: &mut ChaCha8Rng) -> Model {
        let views = if rule == Rule::Renju { 2 } else { 1 };
        let (row_of_key, keys) = row_of();
        let places = places(keys);
        let p = &places;
        let parts = (0..views)
            .map(|view| {
                let sides = [view == 0, view != 0]
                    .map(|black| if black { Side::Black } else { Side::White });
                let of = |(number, [own, other]): (usize, [usize; 2])| {
                    let shape = |side, key| line_shape(rule, side, key) as usize;
                    [
                        p.rows.start + number * FEATURES,
                        p.own.start + usize::from(row_of_key[own]) * FEATURES,
                        p.other.start + usize::from(row_of_key[other]) * FEATURES,
                        p.own_shapes.start + shape(sides[0], own) * FEATURES,
                        p.other_shapes.start + shape(sides[1], other) * FEATURES,
                    ]
                };
                LineRows::keys().into_iter().enumerate().map(of).collect()
            })
            .collect();
        let mut model = Model {
            views,
            numbers: vec![0.0; views * places.end],
            places,
            parts,
            tables: vec![vec![[0.0; FEATURES]; ROWS]; views],
            biases: vec![[0.0; FEATURES]; views],
            windows: vec![[0.0; MIXED]; views],
            moves: vec![[0.0; FEATURES]; views],
            line_rows: LineRows::get(),
            fineness: 1.0,
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
                (&p.direct, 0.05),
                (&p.moves, 0.5),
            ] {
                for one in &mut numbers[range.clone()] {
                    *one = uniform(most);
                }
            }
            numbers[p.bias.clone()].fill(0.15);
            numbers[p.bias.start + FEATURES - MIXED..p.bias.end].fill(0.0);
        }
        model.share();
        model
    }

    /// Sets the numbers to those of a saved model. The numbers of one view initialise both views.
    pub fn set(&mut self, numbers: &[f32]) -> Result<(), String> {
        let copies = self.numbers.len() / numbers.len().max(1);
        if !numbers.len().is_multiple_of(self.places.end)
            || copies * numbers.len() != self.numbers.len()
        {
            let count = self.numbers.len();
            return Err(format!("{} numbers are not {count}", numbers.len()));
        }
        self.numbers = numbers.repeat(copies);
        self.share();
        Ok(())
    }

    fn share(&mut self) {
        let p = &self.places;
        let unit = FEATURE_UNIT as f32 * self.fineness;
        for view in 0..self.views {
            let numbers = &self.numbers[view * p.end..(view + 1) * p.end];
            for (row, &parts) in self.tables[view].iter_mut().zip(&self.parts[view]) {
                *row = sum_of(numbers, parts, unit);
            }
            let feature = |one| rounded(one, unit);
            self.biases[view] = row(numbers, p.bias.start).map(feature);
            self.windows[view] = array(&numbers[p.window.clone()]).map(feature);
            self.moves[view] = row(numbers, p.moves.start)
                .map(|one| rounded(one, MOVE_UNIT as f32 * self.fineness));
        }
    }

    /// Adds the gradient of each row of a view to its five parts.
    pub fn spread(&self, view: usize, slopes: &[Row], into: &mut [f32]) {
        for (slope, parts) in slopes.iter().zip(&self.parts[view]) {
            if slope.iter().any(|&one| one != 0.0) {
                for &part in parts {
                    add(row_mut(into, part), slope);
                }
            }
        }
    }

    pub fn views(&self) -> Vec<View> {
        let whole = |one: f32, unit: i32| (one * unit as f32).round() as i16;
        let view = |view: usize| {
            let p = &self.places;
            let numbers = &self.numbers[view * p.end..(view + 1) * p.end];
            let part = |range: &Range<usize>| &numbers[range.clone()];
            let layer = |range| part(range).as_chunks::<HIDDEN>().0.to_vec();
            let of_table = |row: &Row| row.map(|one| whole(one, FEATURE_UNIT));
            let neurons: [f32; HIDDEN] = array(part(&p.neurons));
            let mut threats = layer(&p.threats);
            for row in &mut threats {
                for (one, start) in row.iter_mut().zip(neurons) {
                    *one += start;
                }
            }
            View {
                rows: self.tables[view].iter().map(of_table).collect(),
                bias: of_table(&self.biases[view]),
                window: self.windows[view].map(|one| whole(one, FEATURE_UNIT)),
                moves: self.moves[view].map(|one| whole(one, MOVE_UNIT)),
                head: Head {
                    usual: array(part(&p.usual)),
                    hidden: layer(&p.hidden),
                    threats,
                    output: array(part(&p.output)),
                    direct: array(part(&p.direct)),
                    begin: numbers[p.begin],
                },
            }
        };
        (0..self.views).map(view).collect()
    }

    pub fn step(&mut self, adam: &mut Adam, slopes: &[f32], rate: f32) {
        adam.step(&mut self.numbers, slopes, rate);
        self.share();
    }

    #[cfg(test)]
    pub fn refine(&mut self) {
        self.fineness = 4096.0;
        self.share();
    }

    #[cfg(test)]
    pub fn shift(&mut self, at: usize, by: f32) {
        self.numbers[at] += by;
        self.share();
    }

    /// Moves the usual inputs of a view towards the mean inputs of a batch.
    pub fn follow(&mut self, view: usize, means: &Row) {
        let usual = row_mut(
            &mut self.numbers,
            view * self.places.end + self.places.usual.start,
        );
        let is_first = usual.iter().all(|&one| one == 0.0);
        for (one, mean) in usual.iter_mut().zip(means) {
            *one += (mean - *one) * if is_first { 1.0 } else { 0.02 };
        }
    }
}

fn array<const N: usize>(numbers: &[f32]) -> [f32; N] {
    *numbers.first_chunk().expect("a row is full")
}
