//! A neural network, trained on games, that evaluates positions and scores moves.
//!
//! Every empty cell has features: sums of table entries over its four lines, clamped to the range from 0 to 1. The
//! entries depend on the stones along the line ([`HalfCodes`](super::HalfCodes)). There is one set of features for each
//! side's *view*, in which that side's stones are the own stones. The promise of a move is a weighted sum of the
//! features of its cell. One hidden layer computes the value of the position from the threats and the sums of the
//! features over all empty cells.
//!
//! A stone changes the lines of at most forty cells, so the features are updated in integers ([`Accumulators`]), as in
//! the networks of shogi and chess programs (Y. Nasu, "Efficiently updatable neural-network-based evaluation functions
//! for computer shogi", 2018). Features from lines, and promises from the features of a cell, follow Rapfi's networks
//! (H. Dai, 2022). Floating-point numbers are added in one fixed order, so that every machine computes the same scores.
//!
//! Reading order: [`View`], the tables of one side; [`Network`], the tables of both sides in the form for computing,
//! and its heads, which turn features into scores; [`Accumulators`]. `docs/gomoku-training.md` describes the training.

mod accumulators;

use std::sync::OnceLock;

use games::gomoku::Rule;

use super::evaluation::UNIT;
use super::lines::KEYS;
use super::weights::THREATS;
use crate::data_file::{BadFile, FileKind};

pub use accumulators::Accumulators;

// --- The tables of one side ---

/// The number of features of a cell in one view.
pub const FEATURES: usize = 32;
pub const BOTH: usize = 2 * FEATURES;
pub const HIDDEN: usize = 32;

/// The integer that stands for 1.0 in the tables and in a sum over lines.
pub const TABLE_UNIT: i32 = 1024;
/// The integer that stands for 1.0 in a feature.
pub const FEATURE_UNIT: i32 = 128;
/// The hidden layer gets the sum of a feature over all empty cells, divided by this number.
pub const CELLS: i32 = 16;
/// The integer that stands for 1.0 in the weights of the hidden layer and of the output.
pub const WEIGHT_UNIT: i32 = 1024;
/// The integer that stands for 1.0 in the weights of moves.
pub const MOVE_UNIT: i32 = 64;

/// The tables of one side: its features, and its evaluation when it is to move.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Entries for the own stones along a line, by the row numbers of [`row_of`].
    pub own: Vec<[i16; FEATURES]>,
    pub other: Vec<[i16; FEATURES]>,
    /// The initial value of a sum over lines.
    pub bias: [i16; FEATURES],
    /// Weights from the sums to the hidden layer: the own view first, then the opponent's view.
    pub hidden: Vec<[i16; HIDDEN]>,
    /// Weights from each combination of threats to the hidden layer.
    pub threats: Vec<[i16; HIDDEN]>,
    /// Weights from the hidden layer to the log-odds of winning.
    pub output: [i16; HIDDEN],
    /// Weights from the sums directly to the log-odds, without the hidden layer.
    pub direct: [i16; BOTH],
    pub begin: i16,
    /// Weights from the features of a cell to the log-odds of a move: the own view first, then the opponent's view.
    pub moves: [i16; BOTH],
}

/// Returns the row of a table for each key, and the number of rows. A line and its mirror image share a row.
pub fn row_of() -> (Vec<u16>, usize) {
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

// --- The tables of both sides ---

pub struct Network {
    /// Index 0 is for keys of black's stones, 1 for white's. A row has the entries for black's view, then for white's.
    pub(super) rows: [Box<[[i16; BOTH]]>; 2],
    pub(super) bias: [i16; BOTH],
    heads: [Head; 2],
}

impl Network {
    pub fn of(rule: Rule) -> &'static Network {
        static ALL: [OnceLock<Network>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        ALL[rule as usize].get_or_init(|| Network::built_in(rule))
    }

    fn built_in(rule: Rule) -> Network {
        let bytes = match rule {
            // There is no network for caro; freestyle is the most similar rule.
            Rule::Freestyle | Rule::Caro => &include_bytes!("../weights/freestyle.abgn")[..],
            Rule::Standard => include_bytes!("../weights/standard.abgn"),
            Rule::Renju => include_bytes!("../weights/renju.abgn"),
        };
        let views = built_in(bytes).expect("a test decodes the built-in networks");
        Network::new(&views)
    }

    /// Creates a network from one view for both sides, or from one for black and one for white.
    pub fn new(views: &[View]) -> Network {
        let (black, white) = (&views[0], &views[views.len() - 1]);
        let (row, _) = row_of();
        let table = |of_black: &[[i16; FEATURES]], of_white: &[[i16; FEATURES]]| {
            let both = |&row: &u16| both(of_black[usize::from(row)], of_white[usize::from(row)]);
            row.iter().map(both).collect()
        };
        Network {
            rows: [
                table(&black.own, &white.other),
                table(&black.other, &white.own),
            ],
            bias: both(black.bias, white.bias),
            heads: [Head::new(black, false), Head::new(white, true)],
        }
    }
}

fn both(black: [i16; FEATURES], white: [i16; FEATURES]) -> [i16; BOTH] {
    std::array::from_fn(|at| {
        if at < FEATURES {
            black[at]
        } else {
            white[at - FEATURES]
        }
    })
}

// --- From features to scores ---

/// The weights for one side to move, in the order of the features: black's view comes first.
struct Head {
    hidden: Vec<[f32; HIDDEN]>,
    threats: Vec<[f32; HIDDEN]>,
    output: [f32; HIDDEN],
    direct: [f32; BOTH],
    begin: f32,
    moves: [i16; BOTH],
}

impl Head {
    pub fn new(view: &View, is_white: bool) -> Head {
        let real = |weight: i16| f32::from(weight) / WEIGHT_UNIT as f32;
        let place = |at: usize| if is_white { at ^ FEATURES } else { at };
        Head {
            hidden: (0..BOTH)
                .map(|at| view.hidden[place(at)].map(real))
                .collect(),
            threats: view.threats.iter().map(|row| row.map(real)).collect(),
            output: view.output.map(real),
            direct: std::array::from_fn(|at| real(view.direct[place(at)])),
            begin: real(view.begin),
            moves: std::array::from_fn(|at| view.moves[place(at)]),
        }
    }

    pub fn value(&self, sums: &[u16; BOTH], threats: u16) -> i32 {
        let sums = sums.map(|sum| f32::from(sum) / (FEATURE_UNIT * CELLS) as f32);
        let mut hidden = self.threats[usize::from(threats)];
        let mut odds = self.begin;
        for ((sum, row), direct) in sums.into_iter().zip(&self.hidden).zip(self.direct) {
            for (neuron, weight) in hidden.iter_mut().zip(row) {
                *neuron += sum * weight;
            }
            odds += sum * direct;
        }
        for (neuron, weight) in hidden.into_iter().zip(self.output) {
            odds += neuron.max(0.0) * weight;
        }
        (odds * UNIT as f32) as i32
    }

    pub fn promise(&self, features: &[i16; BOTH]) -> i32 {
        let products = features.iter().zip(&self.moves);
        let sum: i32 = products
            .map(|(&feature, &weight)| i32::from(feature) * i32::from(weight))
            .sum();
        sum / (FEATURE_UNIT * MOVE_UNIT / UNIT)
    }
}

// --- The file format ---
//
// ```text
// "ABGN" 1                  magic and version
// number of views           a byte: 1 (a view for both sides) or 2 (black's, then white's)
// each view                 its tables in the order of [`View`], row by row: 16 bits, little endian
// checksum                  FNV-1a of all bytes before it, 64 bits, little endian
// ```

const KIND: FileKind = FileKind {
    magic: b"ABGN\x01",
    name: "a network for Gomoku, version 1: see docs/gomoku-training.md",
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNetwork {
    #[error(transparent)]
    File(#[from] BadFile),
    #[error("malformed: wrong number of views or weights")]
    Numbers,
}

pub fn encode(views: &[View]) -> Vec<u8> {
    let mut bytes = vec![views.len() as u8];
    for view in views {
        let tables = [
            view.own.as_flattened(),
            view.other.as_flattened(),
            &view.bias,
        ];
        let layers = [view.hidden.as_flattened(), view.threats.as_flattened()];
        let ends = [&view.output[..], &view.direct, &[view.begin], &view.moves];
        let all = tables.into_iter().chain(layers).chain(ends);
        bytes.extend(all.flatten().flat_map(|number| number.to_le_bytes()));
    }
    KIND.seal(&bytes)
}

pub fn decode(bytes: &[u8]) -> Result<Vec<View>, BadNetwork> {
    read(KIND.open(bytes)?)
}

/// Decodes a built-in network. Only a test verifies the checksum of built-in networks.
pub(super) fn built_in(bytes: &[u8]) -> Result<Vec<View>, BadNetwork> {
    read(KIND.content(bytes)?)
}

fn read(numbers: &[u8]) -> Result<Vec<View>, BadNetwork> {
    let (&count, numbers) = numbers.split_first().ok_or(BadNetwork::Numbers)?;
    let mut reader = NetworkReader(numbers);
    let views: Option<Vec<View>> = (0..count).map(|_| reader.view()).collect();
    let is_whole = reader.0.is_empty() && (1..=2).contains(&count);
    views.filter(|_| is_whole).ok_or(BadNetwork::Numbers)
}

struct NetworkReader<'a>(&'a [u8]);

impl NetworkReader<'_> {
    fn row<const N: usize>(&mut self) -> Option<[i16; N]> {
        let (row, rest) = self.0.split_at_checked(2 * N)?;
        self.0 = rest;
        let (numbers, _) = row.as_chunks();
        Some(std::array::from_fn(|at| i16::from_le_bytes(numbers[at])))
    }

    fn rows<const N: usize>(&mut self, count: usize) -> Option<Vec<[i16; N]>> {
        (0..count).map(|_| self.row()).collect()
    }

    fn view(&mut self) -> Option<View> {
        let (_, rows) = row_of();
        Some(View {
            own: self.rows::<FEATURES>(rows)?,
            other: self.rows::<FEATURES>(rows)?,
            bias: self.row()?,
            hidden: self.rows::<HIDDEN>(BOTH)?,
            threats: self.rows::<HIDDEN>(THREATS)?,
            output: self.row()?,
            direct: self.row()?,
            begin: self.row::<1>()?[0],
            moves: self.row()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::array::from_fn;

    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use crate::gomoku::board::SearchBoard;
    use crate::gomoku::cell::Cell;

    use super::*;

    /// Views with random weights, small enough that no sum overflows.
    pub(in crate::gomoku) fn random_views(seed: u64, count: usize) -> Vec<View> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (_, rows) = row_of();
        let mut next =
            |most: i32| ((random.next_u64() >> 33) as i32 % (2 * most + 1) - most) as i16;
        (0..count)
            .map(|_| View {
                own: (0..rows).map(|_| from_fn(|_| next(400))).collect(),
                other: (0..rows).map(|_| from_fn(|_| next(400))).collect(),
                bias: from_fn(|_| next(400)),
                hidden: (0..BOTH).map(|_| from_fn(|_| next(300))).collect(),
                threats: (0..THREATS).map(|_| from_fn(|_| next(300))).collect(),
                output: from_fn(|_| next(1000)),
                direct: from_fn(|_| next(100)),
                begin: next(1000),
                moves: from_fn(|_| next(1000)),
            })
            .collect()
    }

    // --- A second implementation, directly from the definition ---

    /// Computes the key of `cell` for `side` cell by cell. Each direction along the line has six bits: a 1 for each of
    /// the side's stones, nearest first, and a 1 for the first blocked cell, or in bit 5 if none of five is blocked.
    /// The second direction is six bits higher.
    fn key(board: &SearchBoard, cell: Cell, direction: usize, side: usize) -> usize {
        let way = |sign: i16| {
            let mut code = 0;
            for step in 1..=5 {
                let near = cell.step(direction, sign * step);
                if board.has_stone(near, side) {
                    code |= 1 << (step - 1);
                } else if !board.cells().any(|one| one == near) || !board.is_empty(near) {
                    return code | 1 << (step - 1);
                }
            }
            code | 1 << 5
        };
        way(-1) | way(1) << 6
    }

    fn features(views: &[View], board: &SearchBoard, cell: Cell, side: usize) -> [f64; FEATURES] {
        let view = &views[side.min(views.len() - 1)];
        let (row, _) = row_of();
        let mut sums = view.bias.map(i64::from);
        for direction in 0..4 {
            for (table, seen) in [(&view.own, side), (&view.other, side ^ 1)] {
                let row = table[usize::from(row[key(board, cell, direction, seen)])];
                for (sum, part) in sums.iter_mut().zip(row) {
                    *sum += i64::from(part);
                }
            }
        }
        sums.map(|sum| ((sum as f64 / 8.0 + 0.5).floor()).clamp(0.0, 127.0))
    }

    fn judged(views: &[View], board: &SearchBoard, mover: usize) -> (f64, Vec<f64>) {
        let view = &views[mover.min(views.len() - 1)];
        let cells = board.cells().filter(|&cell| board.is_empty(cell));
        let of = |cell| {
            [mover, mover ^ 1]
                .map(|side| features(views, board, cell, side))
                .concat()
        };
        let all: Vec<Vec<f64>> = cells.map(of).collect();
        let promise = |one: &Vec<f64>| {
            let products = one.iter().zip(view.moves);
            products
                .map(|(feature, weight)| feature / 128.0 * f64::from(weight) / 64.0)
                .sum()
        };
        let mut sums = [0.0; BOTH];
        for one in &all {
            sums.iter_mut()
                .zip(one)
                .for_each(|(sum, feature)| *sum += feature / 128.0 / 16.0);
        }
        let real = |weight: i16| f64::from(weight) / 1024.0;
        let mut odds = real(view.begin);
        odds += sums
            .iter()
            .zip(view.direct)
            .map(|(sum, weight)| sum * real(weight))
            .sum::<f64>();
        for neuron in 0..HIDDEN {
            let mut sum = real(view.threats[usize::from(board.threats())][neuron]);
            for (feature, row) in sums.iter().zip(&view.hidden) {
                sum += feature * real(row[neuron]);
            }
            odds += sum.max(0.0) * real(view.output[neuron]);
        }
        (odds, all.iter().map(promise).collect())
    }

    #[test]
    fn the_scores_are_those_of_the_definition() {
        for (rule, size, views) in [
            (Rule::Freestyle, 15, 1),
            (Rule::Standard, 20, 1),
            (Rule::Renju, 9, 2),
        ] {
            let views = random_views(7, views);
            let network: &'static Network = Box::leak(Box::new(Network::new(&views)));
            let mut board = SearchBoard::new(size, rule);
            let mut random = ChaCha8Rng::seed_from_u64(u64::from(size));
            for _ in 0..30 {
                let empty: Vec<Cell> = board.cells().filter(|&cell| board.is_empty(cell)).collect();
                board.play(empty[(random.next_u64() % empty.len() as u64) as usize]);
                let mover = board.side_to_move().index();
                let (value, promises) = judged(&views, &board, mover);
                let mut all = Accumulators::new(network, &board);
                let found = f64::from(all.value(mover, board.threats()));
                // The tolerance covers rounding to whole units, and rounding in sums of a few hundred `f32`.
                assert!(
                    (found - value * 256.0).abs() < 1.5,
                    "{found} for {}",
                    value * 256.0
                );
                let empty = board.cells().filter(|&cell| board.is_empty(cell));
                for (cell, promise) in empty.zip(promises) {
                    let found = f64::from(all.promise(mover, cell));
                    assert!(
                        (found - promise * 256.0).abs() < 1.5,
                        "{cell:?}: {found}, {promise}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_file_is_read_back_as_it_was_written() {
        for count in 1..=2 {
            let views = random_views(3, count);
            assert!(decode(&encode(&views)) == Ok(views), "{count}");
        }
    }

    #[test]
    fn the_built_in_networks_are_valid() {
        for (rule, views) in [
            (&include_bytes!("../weights/freestyle.abgn")[..], 1),
            (include_bytes!("../weights/standard.abgn"), 1),
            (include_bytes!("../weights/renju.abgn"), 2),
        ] {
            assert_eq!(decode(rule).map(|views| views.len()), Ok(views));
        }
    }

    #[test]
    fn damage_is_reported() {
        let file = encode(&random_views(3, 1));
        let content = KIND.open(&file).expect("it is ours");
        let mut flipped = file.clone();
        flipped[1000] ^= 1;
        assert!(matches!(
            decode(&flipped),
            Err(BadNetwork::File(BadFile::Checksum { .. }))
        ));
        for wrong in [&content[..900], &[content, &[0, 0]].concat(), &[]] {
            assert_eq!(decode(&KIND.seal(wrong)), Err(BadNetwork::Numbers));
        }
        let later = FileKind {
            magic: b"ABGN\x02",
            ..KIND
        };
        let other = BadFile::Magic(KIND.name);
        let text = b"something else, of no use here";
        for nothing in [&[][..], b"ABGN", &later.seal(content), text] {
            assert_eq!(decode(nothing), Err(other.into()));
        }
    }
}
