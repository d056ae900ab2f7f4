//! The network in real numbers, and the gradient of its loss.

use std::fmt;
use std::ops::{AddAssign, Range};

use alphabeta::gomoku::network::{
    BOTH, CELLS, FEATURE_UNIT, FEATURES, HIDDEN, MOVE_UNIT, TABLE_UNIT, View, WEIGHT_UNIT, row_of,
};
use alphabeta::gomoku::weights::THREATS;
use alphabeta::gomoku::{Cell, HalfCodes, line_shape};
use games::Side;
use games::gomoku::Rule;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::adam::Adam;
use super::positions::Position;

/// Shapes that a stone can make in a line.
const SHAPES: usize = 16;
/// The highest feature.
const TOP: f32 = 1.0 - 1.0 / FEATURE_UNIT as f32;
/// A number of a table is at most this, so that a sum over lines has a place in 16 bits.
const MOST: f32 = 3.5;
/// What a nat of the choice of moves counts, that of the value being 1.
const CHOICE: f32 = 0.5;

/// Where the numbers of a view are among those of its model.
struct Places {
    own: Range<usize>,
    other: Range<usize>,
    /// What all keys share that make one shape.
    own_shapes: Range<usize>,
    other_shapes: Range<usize>,
    bias: Range<usize>,
    hidden: Range<usize>,
    threats: Range<usize>,
    neurons: Range<usize>,
    output: Range<usize>,
    direct: Range<usize>,
    begin: usize,
    moves: Range<usize>,
    end: usize,
}

fn places(rows: usize) -> Places {
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

type Features = [f32; FEATURES];

/// What a key adds, shape and own part together.
struct Table {
    own: Vec<Features>,
    other: Vec<Features>,
}

/// The numbers that are learned.
pub struct Model {
    /// One view, or black's and white's.
    views: usize,
    places: Places,
    /// Of each key its row, and of each row of each view the shapes that it means: one's own and the other's.
    row: Vec<u16>,
    shapes: Vec<Vec<[usize; 2]>>,
    numbers: Vec<f32>,
    tables: Vec<Table>,
    halves: HalfCodes,
}

/// Mean loss.
#[derive(Clone, Copy, Default)]
pub struct Loss {
    value: f64,
    values: u32,
    choice: f64,
    first: u32,
    choices: u32,
}

impl AddAssign for Loss {
    fn add_assign(&mut self, more: Loss) {
        self.value += more.value;
        self.values += more.values;
        self.choice += more.choice;
        self.first += more.first;
        self.choices += more.choices;
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (values, choices) = (
            f64::from(self.values.max(1)),
            f64::from(self.choices.max(1)),
        );
        write!(
            f,
            "value {:.4} nats of {}, moves {:.4} nats, first {:.1} % of {}",
            self.value / values,
            self.values,
            self.choice / choices,
            100.0 * f64::from(self.first) / choices,
            self.choices
        )
    }
}

impl Loss {
    /// The loss of the patterns.
    pub fn of_patterns(positions: &[Position]) -> Loss {
        let mut loss = Loss::default();
        for position in positions {
            if let Some(target) = position.target {
                loss.add_value(position.by_patterns, target);
            }
            if !position.choice.is_empty() {
                loss.add_choice(position.nats_by_patterns);
            }
        }
        loss
    }

    fn add_value(&mut self, odds: f32, target: f32) {
        // ln(1 + e^x) − t·x
        let soft = f64::from(odds.max(0.0)) + f64::from((-odds.abs()).exp()).ln_1p();
        self.value += soft - f64::from(target * odds);
        self.values += 1;
    }

    fn add_choice(&mut self, nats: f32) {
        self.choice += f64::from(nats);
        self.choices += 1;
    }
}

/// The loss in nats where the first of these log-odds was chosen.
pub fn nats(odds: &[f32]) -> f32 {
    let Some(&first) = odds.first() else {
        return 0.0;
    };
    let most = odds.iter().copied().fold(f32::MIN, f32::max);
    let sum: f32 = odds.iter().map(|one| (one - most).exp()).sum();
    sum.ln() + most - first
}

/// A gradient, and the loss whose gradient it is.
pub struct Gradient {
    pub loss: Loss,
    numbers: Vec<f32>,
    /// By the sums of a key, before they are shared out.
    tables: Vec<Table>,
}

impl Gradient {
    pub fn plus(mut self, more: Gradient) -> Gradient {
        self.loss += more.loss;
        let add = |into: &mut [f32], from: &[f32]| {
            for (one, two) in into.iter_mut().zip(from) {
                *one += two;
            }
        };
        add(&mut self.numbers, &more.numbers);
        for (into, from) in self.tables.iter_mut().zip(&more.tables) {
            add(into.own.as_flattened_mut(), from.own.as_flattened());
            add(into.other.as_flattened_mut(), from.other.as_flattened());
        }
        self
    }
}

// Apart, each of these is a few instructions on whole rows; within a long function they are not.

#[inline(never)]
fn add(into: &mut Features, from: &Features) {
    for (one, two) in into.iter_mut().zip(from) {
        *one += two;
    }
}

/// `into + factor · from`.
#[inline(never)]
fn add_times(into: &mut Features, factor: f32, from: &Features) {
    for (one, two) in into.iter_mut().zip(from) {
        *one += factor * two;
    }
}

/// The features that go with sums.
#[inline(never)]
fn features(sums: &Features) -> Features {
    sums.map(|sum| sum.max(0.0).min(TOP))
}

/// What of a slope gets past the cut at 0 and 1.
#[inline(never)]
fn let_through(slope: &mut Features, sums: &Features) {
    for (one, &sum) in slope.iter_mut().zip(sums) {
        *one = if sum > 0.0 && sum < TOP { *one } else { 0.0 };
    }
}

impl Model {
    /// With small random numbers.
    pub fn new(rule: Rule, random: &mut ChaCha8Rng) -> Model {
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
        let mut model = Model {
            views,
            numbers: vec![0.0; views * places.end],
            places,
            row,
            shapes,
            tables: Vec::new(),
            halves: HalfCodes::new(),
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

    /// All numbers.
    pub fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// Takes numbers that were written down.
    ///
    /// # Errors
    /// Words, if they are not as many.
    pub fn set(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (chunks, rest) = bytes.as_chunks::<4>();
        // What was learned for both sides at once is where black and white begin.
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

    /// Adds up what each key means.
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
            Table {
                own: part(&p.own, &p.own_shapes, 0),
                other: part(&p.other, &p.other_shapes, 1),
            }
        };
        self.tables = (0..self.views).map(table).collect();
    }

    /// One step against the gradient of a batch.
    pub fn step(&mut self, adam: &mut Adam, mut gradient: Gradient, rate: f32) {
        let p = &self.places;
        for view in 0..self.views {
            let numbers = &mut gradient.numbers[view * p.end..(view + 1) * p.end];
            let table = &gradient.tables[view];
            for (of, slopes) in [&table.own, &table.other].into_iter().enumerate() {
                let (keys, shapes) = [(&p.own, &p.own_shapes), (&p.other, &p.other_shapes)][of];
                for (row, slope) in slopes.iter().enumerate() {
                    let shape = self.shapes[view][row][of];
                    let places = [keys.start + row * FEATURES, shapes.start + shape * FEATURES];
                    for place in places {
                        let (into, _) = numbers[place..].split_first_chunk_mut().expect("a row");
                        add(into, slope);
                    }
                }
            }
        }
        let count = gradient.loss.values.max(gradient.loss.choices).max(1) as f32;
        gradient.numbers.iter_mut().for_each(|one| *one /= count);
        adam.step(&mut self.numbers, &gradient.numbers, rate);
        self.share();
    }

    /// The sum of the gradients of some positions.
    pub fn gradient(&self, positions: &[Position]) -> Gradient {
        let table = |table: &Table| Table {
            own: vec![[0.0; FEATURES]; table.own.len()],
            other: vec![[0.0; FEATURES]; table.other.len()],
        };
        let mut gradient = Gradient {
            loss: Loss::default(),
            numbers: vec![0.0; self.numbers.len()],
            tables: self.tables.iter().map(table).collect(),
        };
        let mut scratch = Scratch::default();
        for position in positions {
            self.learn(position, &mut scratch, &mut gradient);
        }
        gradient
    }

    fn learn(&self, position: &Position, scratch: &mut Scratch, gradient: &mut Gradient) {
        let p = &self.places;
        let mover = position.mover();
        let view = |side: usize| if self.views == 1 { 0 } else { side };
        let views = [view(mover), view(mover ^ 1)];
        let numbers = &self.numbers[views[0] * p.end..(views[0] + 1) * p.end];
        let at = views[0] * p.end;

        // The features
        let (lines, cells) = position.lines();
        scratch.cells.clear();
        scratch.place.resize(Cell::COUNT, 0);
        let mut sums = [[0.0; FEATURES]; 2];
        let biases = views.map(|view| {
            let begin = view * p.end + p.bias.start;
            *self.numbers[begin..]
                .first_chunk::<FEATURES>()
                .expect("a row")
        });
        for cell in cells.filter(|&cell| lines.is_empty(cell)) {
            let mut one = Seen {
                rows: [[0; 2]; 4],
                sums: biases,
            };
            for direction in 0..4 {
                let keys = lines.keys(&self.halves, cell, direction);
                let [own, other] = [keys[mover], keys[mover ^ 1]].map(|key| self.row[key]);
                one.rows[direction] = [own, other];
                let (own, other) = (usize::from(own), usize::from(other));
                add(&mut one.sums[0], &self.tables[views[0]].own[own]);
                add(&mut one.sums[0], &self.tables[views[0]].other[other]);
                add(&mut one.sums[1], &self.tables[views[1]].own[other]);
                add(&mut one.sums[1], &self.tables[views[1]].other[own]);
            }
            for (all, own) in sums.iter_mut().zip(&one.sums) {
                add(all, &features(own));
            }
            scratch.place[cell.index()] = scratch.cells.len() as u16;
            scratch.cells.push(one);
        }

        // The value
        let mut slopes = [[0.0; FEATURES]; 2];
        if let Some(target) = position.target {
            let x: [f32; BOTH] =
                std::array::from_fn(|at| sums[at / FEATURES][at % FEATURES] / CELLS as f32);
            let threats = p.threats.start + usize::from(position.threats) * HIDDEN;
            let mut hidden: [f32; HIDDEN] =
                std::array::from_fn(|at| numbers[threats + at] + numbers[p.neurons.start + at]);
            let (weights, _) = numbers[p.hidden.clone()].as_chunks::<HIDDEN>();
            let mut odds = position.by_patterns + numbers[p.begin];
            for (at, x) in x.into_iter().enumerate() {
                for (neuron, weight) in hidden.iter_mut().zip(&weights[at]) {
                    *neuron += x * weight;
                }
                odds += x * numbers[p.direct.start + at];
            }
            for (neuron, weight) in hidden.iter().zip(&numbers[p.output.clone()]) {
                odds += neuron.max(0.0) * weight;
            }
            gradient.loss.add_value(odds, target);
            let error = 1.0 / (1.0 + (-odds).exp()) - target;
            let into = &mut gradient.numbers[at..at + p.end];
            into[p.begin] += error;
            let mut back = [0.0; HIDDEN];
            for (neuron, &value) in hidden.iter().enumerate() {
                if value > 0.0 {
                    into[p.output.start + neuron] += error * value;
                    back[neuron] = error * numbers[p.output.start + neuron];
                    into[threats + neuron] += back[neuron];
                    into[p.neurons.start + neuron] += back[neuron];
                }
            }
            for (place, x) in x.into_iter().enumerate() {
                into[p.direct.start + place] += error * x;
                let mut slope = error * numbers[p.direct.start + place];
                let row = p.hidden.start + place * HIDDEN;
                for neuron in 0..HIDDEN {
                    into[row + neuron] += x * back[neuron];
                    slope += back[neuron] * weights[place][neuron];
                }
                slopes[place / FEATURES][place % FEATURES] = slope / CELLS as f32;
            }
        }

        // The choice
        scratch.slopes.clear();
        scratch.slopes.resize(scratch.cells.len(), slopes);
        if !position.choice.is_empty() {
            let moves: [Features; 2] = [0, 1].map(|side| {
                let begin = p.moves.start + side * FEATURES;
                *numbers[begin..].first_chunk().expect("a row")
            });
            let places = position
                .choice
                .iter()
                .map(|cell| usize::from(scratch.place[cell.index()]));
            let places: Vec<usize> = places.collect();
            let promise = |&place: &usize| {
                let sums = &scratch.cells[place].sums;
                let of = |side: usize| {
                    let both = sums[side].iter().zip(&moves[side]);
                    both.map(|(sum, weight)| sum.clamp(0.0, TOP) * weight)
                        .sum::<f32>()
                };
                of(0) + of(1)
            };
            let odds: Vec<f32> = places.iter().map(promise).collect();
            let loss = nats(&odds);
            gradient.loss.add_choice(loss);
            gradient.loss.first += u32::from(odds.iter().all(|&one| one <= odds[0]));
            let into = &mut gradient.numbers[at..at + p.end];
            for (number, (&place, &one)) in places.iter().zip(&odds).enumerate() {
                let chance = (one - odds[0] - loss).exp();
                let error = CHOICE * (chance - f32::from(u8::from(number == 0)));
                for side in 0..2 {
                    let begin = p.moves.start + side * FEATURES;
                    let (into, _) = into[begin..].split_first_chunk_mut().expect("a row");
                    add_times(into, error, &features(&scratch.cells[place].sums[side]));
                    add_times(&mut scratch.slopes[place][side], error, &moves[side]);
                }
            }
        }

        // Back to the tables
        for (one, slopes) in scratch.cells.iter().zip(&mut scratch.slopes) {
            for (slope, sums) in slopes.iter_mut().zip(&one.sums) {
                let_through(slope, sums);
            }
            for [own, other] in one.rows {
                let (own, other) = (usize::from(own), usize::from(other));
                add(&mut gradient.tables[views[0]].own[own], &slopes[0]);
                add(&mut gradient.tables[views[0]].other[other], &slopes[0]);
                add(&mut gradient.tables[views[1]].own[other], &slopes[1]);
                add(&mut gradient.tables[views[1]].other[own], &slopes[1]);
            }
            for (side, slope) in slopes.iter().enumerate() {
                let begin = views[side] * p.end + p.bias.start;
                let (into, _) = gradient.numbers[begin..]
                    .split_first_chunk_mut()
                    .expect("a row");
                add(into, slope);
            }
        }
    }

    /// The numbers as a network has them.
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

/// What an empty cell sees.
struct Seen {
    /// Along each direction: the mover's row and the opponent's.
    rows: [[u16; 2]; 4],
    /// In the mover's view and in the opponent's.
    sums: [Features; 2],
}

/// Room that is used again.
#[derive(Default)]
struct Scratch {
    cells: Vec<Seen>,
    slopes: Vec<[Features; 2]>,
    place: Vec<u16>,
}
