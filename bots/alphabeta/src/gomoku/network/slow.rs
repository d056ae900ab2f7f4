//! The network once more, from its definition: in exact numbers, a cell at a time, without tables by key.

use games::gomoku::Rule;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::accumulators::Accumulators;
use super::view::{BOTH, FEATURES, HIDDEN, View, row_of};
use super::weights::Network;
use crate::gomoku::board::SearchBoard;
use crate::gomoku::cell::Cell;
use crate::gomoku::weights::THREATS;

/// Views of random numbers, small enough for whole sums.
pub fn random_views(seed: u64, count: usize) -> Vec<View> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (_, rows) = row_of();
    let mut next = |most: i32| ((random.next_u64() >> 33) as i32 % (2 * most + 1) - most) as i16;
    (0..count)
        .map(|_| View {
            own: (0..rows)
                .map(|_| std::array::from_fn(|_| next(400)))
                .collect(),
            other: (0..rows)
                .map(|_| std::array::from_fn(|_| next(400)))
                .collect(),
            bias: std::array::from_fn(|_| next(400)),
            hidden: (0..BOTH)
                .map(|_| std::array::from_fn(|_| next(300)))
                .collect(),
            threats: (0..THREATS)
                .map(|_| std::array::from_fn(|_| next(300)))
                .collect(),
            output: std::array::from_fn(|_| next(1000)),
            direct: std::array::from_fn(|_| next(100)),
            begin: next(1000),
            moves: std::array::from_fn(|_| next(1000)),
        })
        .collect()
}

/// The key of what `side` sees from a cell, walked step by step: its stones one way, nearest first, and a bit
/// where the sight ends; then the other way, six bits higher.
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

/// The features of a cell in a view, 0 to 127.
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

/// Log-odds of the position, and of each empty cell.
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
fn a_network_says_what_its_definition_says() {
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
            // Whole units, and sums of some hundred numbers with 24 bits.
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
