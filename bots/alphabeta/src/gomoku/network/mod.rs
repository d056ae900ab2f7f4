//! The network that evaluates positions and scores moves, trained on games.
//!
//! Each side has a *view* of the board, and only the view of the side to move is evaluated. In a view, every empty cell
//! has features: sums of table rows over its four lines ([`LineRows`]), clamped. There are two kinds. *Plain* features
//! are summed over all empty cells. *Mixed* features are summed over square windows of the board first, and the sums of
//! the windows are clamped before they are added: so a feature can tell strength that is concentrated from strength
//! that is spread out. One hidden layer computes the value of the position from these sums and the threats. The promise
//! of a move is a weighted sum of all features of its cell.
//!
//! The features are updated in integers with each stone ([`Accumulators`]), as in the networks of shogi and chess
//! programs (Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018).
//! Features from lines, promises from the features of a cell, and features that are mixed with their neighbours follow
//! Rapfi's networks (H. Dai, 2022 and later). The program that trains the network rounds its tables to the same
//! integers, so both compute the same values. Floating-point numbers are added in one fixed order, so that every
//! machine computes the same scores.
//!
//! Reading order: [`LineRows`]; [`View`], the tables of one side; [`Network`] and its file format; [`Accumulators`].
//! `docs/gomoku-training.md` describes the design and the training.

mod accumulators;
mod line_rows;

use std::sync::OnceLock;

use games::gomoku::Rule;

use super::evaluation::UNIT;
use super::weights::THREATS;
use crate::data_file::{BadFile, FileKind};

pub use accumulators::Accumulators;
pub use line_rows::{LineRows, ROWS};

// --- The tables of one view ---

/// The number of plain features of a cell.
pub const PLAIN: usize = 64;
/// The number of mixed features of a cell.
pub const MIXED: usize = 32;
pub const FEATURES: usize = PLAIN + MIXED;
pub const HIDDEN: usize = 32;

/// The integer that stands for 1.0 in the tables and in features.
pub const FEATURE_UNIT: i32 = 128;
/// The largest feature. The least plain feature is 0, the least mixed feature is `-TOP`.
pub const TOP: i16 = FEATURE_UNIT as i16 - 1;
/// The side of a tile, in cells. A window has 2 × 2 tiles, and windows overlap.
pub const TILE: usize = 3;
/// The largest value of a window. The least is 0.
pub const WINDOW_TOP: i16 = 8 * FEATURE_UNIT as i16 - 1;
/// The hidden layer gets the sums over cells and windows, divided by this number.
pub const CELLS: i32 = 16;
/// The integer that stands for 1.0 in the weights of moves.
pub const MOVE_UNIT: i32 = 64;

/// The tables of one side, for positions in which it is to move. Plain features come before mixed ones.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// A row for each pair of half lines: see [`LineRows`].
    pub rows: Vec<[i16; FEATURES]>,
    /// The initial value of a sum over lines.
    pub bias: [i16; FEATURES],
    /// The initial value of a sum over a window.
    pub window: [i16; MIXED],
    /// Weights from the features of a cell to the log-odds of a move.
    pub moves: [i16; FEATURES],
    pub head: Head,
}

/// The layers that compute the value of a position from sums of features. The numbers are as in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The usual value of each sum. The layers get the differences, with which training converges faster.
    pub usual: [f32; FEATURES],
    /// Weights from the sums to the hidden layer.
    pub hidden: Vec<[f32; HIDDEN]>,
    /// Weights from each combination of threats to the hidden layer.
    pub threats: Vec<[f32; HIDDEN]>,
    /// Weights from the hidden layer to the log-odds of winning.
    pub output: [f32; HIDDEN],
    /// Weights from the sums directly to the log-odds.
    pub direct: [f32; FEATURES],
    pub begin: f32,
}

impl Head {
    /// Returns the log-odds of winning.
    #[expect(clippy::inline_always, reason = "the caller is vectorized")]
    #[inline(always)]
    fn value(&self, sums: &[f32; FEATURES], threats: u16) -> f32 {
        let mut hidden = self.threats[usize::from(threats)];
        let mut odds = self.begin;
        let sums = sums.iter().zip(self.usual).map(|(sum, usual)| sum - usual);
        for ((sum, row), direct) in sums.zip(&self.hidden).zip(self.direct) {
            for (neuron, weight) in hidden.iter_mut().zip(row) {
                *neuron += sum * weight;
            }
            odds += sum * direct;
        }
        for (neuron, weight) in hidden.into_iter().zip(self.output) {
            odds += neuron.max(0.0) * weight;
        }
        odds
    }
}

// --- The tables of both sides ---

/// Returns the file of a rule.
const fn file(rule: Rule) -> &'static [u8] {
    match rule {
        // There is no network for caro; freestyle is the most similar rule.
        Rule::Freestyle | Rule::Caro => include_bytes!("../weights/freestyle.abgn"),
        Rule::Standard => include_bytes!("../weights/standard.abgn"),
        Rule::Renju => include_bytes!("../weights/renju.abgn"),
    }
}

#[derive(Debug, PartialEq)]
pub struct Network {
    /// One view for both sides, or black's and white's.
    views: Vec<View>,
}

impl Network {
    /// Returns the built-in network of a rule. The first call decodes its file.
    pub fn of(rule: Rule) -> &'static Network {
        static ALL: [OnceLock<Network>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        ALL[rule as usize].get_or_init(|| {
            let content = KIND.content(file(rule));
            let network = content.map_err(BadNetwork::from);
            let network = network.and_then(Network::from_content);
            network.expect("a test decodes the built-in networks")
        })
    }

    /// # Panics
    /// If there are no views.
    pub fn new(views: Vec<View>) -> Network {
        assert!(!views.is_empty(), "a network has one or two views");
        Network { views }
    }

    fn view(&self, side: usize) -> &View {
        &self.views[side.min(self.views.len() - 1)]
    }
}

// --- The file format ---
//
// ```text
// "ABGN" 2                  magic and version
// number of views           a byte: 1 (a view for both sides) or 2 (black's, then white's)
// each view                 its tables in the order of [`View`] and [`Head`], row by row, little endian
// checksum                  FNV-1a of all bytes before it, 64 bits, little endian
// ```

const KIND: FileKind = FileKind {
    magic: b"ABGN\x02",
    name: "a network for Gomoku, version 2: see docs/gomoku-training.md",
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNetwork {
    #[error(transparent)]
    File(#[from] BadFile),
    #[error("malformed: wrong number of views or weights")]
    Numbers,
}

impl Network {
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![self.views.len() as u8];
        for View {
            rows,
            bias,
            window,
            moves,
            head,
        } in &self.views
        {
            let whole = [rows.as_flattened(), bias, window, moves];
            bytes.extend(whole.concat().iter().flat_map(|one| one.to_le_bytes()));
            let layers = [
                &head.usual,
                head.hidden.as_flattened(),
                head.threats.as_flattened(),
            ];
            let ends = [&head.output[..], &head.direct, &[head.begin]];
            let real = layers.into_iter().chain(ends).flatten();
            bytes.extend(real.flat_map(|one| one.to_le_bytes()));
        }
        KIND.seal(&bytes)
    }

    pub fn decode(bytes: &[u8]) -> Result<Network, BadNetwork> {
        Network::from_content(KIND.open(bytes)?)
    }

    fn from_content(bytes: &[u8]) -> Result<Network, BadNetwork> {
        let (&count, bytes) = bytes.split_first().ok_or(BadNetwork::Numbers)?;
        let mut reader = NetworkReader(bytes);
        let views: Option<Vec<View>> = (0..count).map(|_| reader.view()).collect();
        let is_whole = reader.0.is_empty() && (1..=2).contains(&count);
        let views = views.filter(|_| is_whole).ok_or(BadNetwork::Numbers)?;
        Ok(Network { views })
    }
}

struct NetworkReader<'a>(&'a [u8]);

impl NetworkReader<'_> {
    fn row<T, const N: usize, const BYTES: usize>(
        &mut self,
        number: fn([u8; BYTES]) -> T,
    ) -> Option<[T; N]> {
        let (row, rest) = self.0.split_at_checked(BYTES * N)?;
        self.0 = rest;
        let (numbers, _) = row.as_chunks();
        Some(std::array::from_fn(|at| number(numbers[at])))
    }

    fn whole<const N: usize>(&mut self) -> Option<[i16; N]> {
        self.row(i16::from_le_bytes)
    }

    fn real<const N: usize>(&mut self) -> Option<[f32; N]> {
        self.row(f32::from_le_bytes)
    }

    fn view(&mut self) -> Option<View> {
        Some(View {
            rows: (0..ROWS).map(|_| self.whole()).collect::<Option<_>>()?,
            bias: self.whole()?,
            window: self.whole()?,
            moves: self.whole()?,
            head: Head {
                usual: self.real()?,
                hidden: (0..FEATURES).map(|_| self.real()).collect::<Option<_>>()?,
                threats: (0..THREATS).map(|_| self.real()).collect::<Option<_>>()?,
                output: self.real()?,
                direct: self.real()?,
                begin: self.real::<1>()?[0],
            },
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

    /// A network with random weights, small enough that no sum overflows.
    pub(super) fn random_network(seed: u64, views: usize) -> Network {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut whole =
            |most: i32| ((random.next_u64() >> 33) as i32 % (2 * most + 1) - most) as i16;
        let view = |_| {
            let mut real = |most: f32| most * f32::from(whole(1000)) / 1000.0;
            let head = Head {
                usual: from_fn(|_| real(1.0)),
                hidden: (0..FEATURES).map(|_| from_fn(|_| real(0.3))).collect(),
                threats: (0..THREATS).map(|_| from_fn(|_| real(0.3))).collect(),
                output: from_fn(|_| real(1.0)),
                direct: from_fn(|_| real(0.1)),
                begin: real(1.0),
            };
            View {
                rows: (0..ROWS).map(|_| from_fn(|_| whole(50))).collect(),
                bias: from_fn(|_| whole(50)),
                window: from_fn(|_| whole(300)),
                moves: from_fn(|_| whole(300)),
                head,
            }
        };
        Network::new((0..views).map(view).collect())
    }

    // --- A second implementation, directly from the definition ---

    /// Returns the half codes of the own stones and of the opponent's for five cells, found cell by cell.
    fn half(
        board: &SearchBoard,
        cell: Cell,
        direction: usize,
        sign: i16,
        side: usize,
    ) -> [usize; 2] {
        let mut codes = [0; 2];
        let mut nearest = None;
        let mut end = 5;
        for step in 0..5 {
            let near = cell.step(direction, sign * (step as i16 + 1));
            let stone = [0, 1]
                .into_iter()
                .find(|of| board.has_stone(near, side ^ of));
            let is_rim = stone.is_none() && !board.is_empty(near);
            if is_rim || stone.is_some_and(|stone| nearest.is_some_and(|(of, _)| of != stone)) {
                end = step;
                break;
            }
            if let Some(stone) = stone {
                nearest = nearest.or(Some((stone, step)));
                codes[stone] |= 1 << step;
            }
        }
        from_fn(|of| match nearest {
            Some((stone, step)) if stone != of => 1 << step,
            _ => codes[of] | 1 << end,
        })
    }

    fn row(board: &SearchBoard, cell: Cell, direction: usize, side: usize) -> usize {
        let [before, after] = [-1, 1].map(|sign| half(board, cell, direction, sign, side));
        let keys = from_fn(|of| before[of] | after[of] << 6);
        let mirrored = from_fn(|of| after[of] | before[of] << 6);
        let all = LineRows::keys();
        let found = all.iter().position(|&one| one == keys || one == mirrored);
        found.expect("every pair of half lines has a row")
    }

    fn features(
        network: &Network,
        board: &SearchBoard,
        cell: Cell,
        side: usize,
    ) -> [i32; FEATURES] {
        let view = network.view(side);
        let rows = [0, 1, 2, 3].map(|direction| row(board, cell, direction, side));
        from_fn(|at| {
            let of_row = |&row: &usize| i32::from(view.rows[row][at]);
            let sum = i32::from(view.bias[at]) + rows.iter().map(of_row).sum::<i32>();
            sum.clamp(if at < PLAIN { 0 } else { -127 }, 127)
        })
    }

    fn judged(network: &Network, board: &SearchBoard, mover: usize) -> (f64, Vec<i32>) {
        let view = network.view(mover);
        let cells: Vec<Cell> = board.cells().filter(|&cell| board.is_empty(cell)).collect();
        let of = |&cell: &Cell| features(network, board, cell, mover);
        let all: Vec<[i32; FEATURES]> = cells.iter().map(of).collect();
        let promise = |one: &[i32; FEATURES]| {
            let products = one.iter().zip(view.moves);
            let sum: i32 = products.map(|(one, weight)| one * i32::from(weight)).sum();
            sum / 32
        };
        let windows = |at: usize| {
            let tiles = usize::from(board.size()).div_ceil(3);
            let ends = (0..tiles - 1).flat_map(|top| (0..tiles - 1).map(move |left| (top, left)));
            ends.map(|(top, left)| {
                let inside = cells.iter().zip(&all).filter(|(cell, _)| {
                    let square = cell.square();
                    let [row, column] = [square.row(), square.column()].map(usize::from);
                    (3 * top..3 * top + 6).contains(&row)
                        && (3 * left..3 * left + 6).contains(&column)
                });
                let sum: i32 = inside.map(|(_, features)| features[PLAIN + at]).sum();
                (sum + i32::from(view.window[at])).clamp(0, 1023)
            })
            .sum::<i32>()
        };
        let sums: [f64; FEATURES] = from_fn(|at| {
            let sum = if at < PLAIN {
                all.iter().map(|features| features[at]).sum()
            } else {
                windows(at - PLAIN)
            };
            f64::from(sum) / 128.0 / 16.0 - f64::from(view.head.usual[at])
        });
        let head = &view.head;
        let products = sums.iter().zip(head.direct);
        let mut odds = f64::from(head.begin);
        odds += products
            .map(|(sum, weight)| sum * f64::from(weight))
            .sum::<f64>();
        for neuron in 0..HIDDEN {
            let mut sum = f64::from(head.threats[usize::from(board.threats())][neuron]);
            for (feature, row) in sums.iter().zip(&head.hidden) {
                sum += feature * f64::from(row[neuron]);
            }
            odds += sum.max(0.0) * f64::from(head.output[neuron]);
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
            let network: &'static Network = Box::leak(Box::new(random_network(7, views)));
            let mut board = SearchBoard::new(size, rule);
            let mut random = ChaCha8Rng::seed_from_u64(u64::from(size));
            for _ in 0..30 {
                let empty: Vec<Cell> = board.cells().filter(|&cell| board.is_empty(cell)).collect();
                board.play(empty[(random.next_u64() % empty.len() as u64) as usize]);
                let mover = board.side_to_move().index();
                let (value, promises) = judged(network, &board, mover);
                let mut all = Accumulators::new(network, &board);
                let found = f64::from(all.odds(mover, board.threats()));
                // The tolerance covers rounding in sums of a few hundred `f32`.
                assert!((found - value).abs() < 1e-4, "{found} for {value}");
                let empty = board.cells().filter(|&cell| board.is_empty(cell));
                for (cell, promise) in empty.zip(promises) {
                    assert_eq!(all.promise(mover, cell), promise, "{cell:?}");
                }
            }
        }
    }

    #[test]
    fn a_file_is_read_back_as_it_was_written() {
        for count in 1..=2 {
            let network = random_network(3, count);
            assert!(Network::decode(&network.encode()) == Ok(network), "{count}");
        }
    }

    #[test]
    fn the_built_in_networks_are_whole() {
        for rule in Rule::ALL {
            let network = Network::decode(file(rule)).expect("a network");
            assert_eq!(&network, Network::of(rule), "{rule:?}");
            assert_eq!(network.views.len(), if rule == Rule::Renju { 2 } else { 1 });
        }
    }

    #[test]
    fn damage_is_reported() {
        let file = random_network(3, 1).encode();
        let content = KIND.open(&file).expect("it is ours");
        let mut flipped = file.clone();
        flipped[1000] ^= 1;
        assert!(matches!(
            Network::decode(&flipped),
            Err(BadNetwork::File(BadFile::Checksum { .. }))
        ));
        for wrong in [&content[..900], &[content, &[0, 0]].concat(), &[]] {
            assert_eq!(Network::decode(&KIND.seal(wrong)), Err(BadNetwork::Numbers));
        }
        let earlier = FileKind {
            magic: b"ABGN\x01",
            ..KIND
        };
        let other = BadFile::Magic(KIND.name);
        let text = b"something else, of no use here";
        for nothing in [&[][..], b"ABGN", &earlier.seal(content), text] {
            assert_eq!(Network::decode(nothing), Err(other.into()));
        }
    }
}
