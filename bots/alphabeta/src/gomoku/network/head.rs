//! From the features to scores: for one side to move.

use super::view::{BOTH, CELLS, FEATURE_UNIT, FEATURES, HIDDEN, MOVE_UNIT, View, WEIGHT_UNIT};
use crate::gomoku::weights::UNIT;

/// The weights of one side, arranged as the features are: those of black's view first.
pub(super) struct Head {
    hidden: Vec<[f32; HIDDEN]>,
    threats: Vec<[f32; HIDDEN]>,
    output: [f32; HIDDEN],
    direct: [f32; BOTH],
    begin: f32,
    moves: [i16; BOTH],
}

impl Head {
    /// The head of a view; `is_white` says whose.
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

    /// What a position is worth to the side to move, in engine units, by the sums of its features.
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

    /// How promising a move to a cell with these features looks, in engine units.
    pub fn promise(&self, features: &[i16; BOTH]) -> i32 {
        let products = features.iter().zip(&self.moves);
        let sum: i32 = products
            .map(|(&feature, &weight)| i32::from(feature) * i32::from(weight))
            .sum();
        sum / (FEATURE_UNIT * MOVE_UNIT / UNIT)
    }
}
