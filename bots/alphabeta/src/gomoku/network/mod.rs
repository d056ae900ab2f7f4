//! The network: what a position is worth, and how promising its moves look, learned from games.
//!
//! Every empty cell has features: a sum, over its four lines, of what stands in a table for what each side
//! sees along that line ([`HalfCodes`](super::pattern::HalfCodes)), cut off below 0 and above 1. There are
//! two such sets, one from the *view* of each side: which stones are one's own. A move's promise is a
//! weighted sum of the features of its cell. The value of the position comes from the sums of the features
//! over all empty cells and from the threats that stand, through one hidden layer.
//!
//! A stone changes the lines of at most forty cells, so the features are kept up to date in whole numbers
//! ([`Accumulators`]), as in the networks of shogi and chess programs (Y. Nasu, "Efficiently updatable
//! neural-network-based evaluation functions for computer shogi", 2018); that features come from lines, and
//! the promise of a move from the features of its cell, is the idea of Rapfi's networks (H. Dai, 2022). The
//! rest is computed in one order of additions that no compiler changes, so that every machine has the same
//! scores.
//!
//! `docs/gomoku-training.md` says how the weights are made, [`file`] how they are written.

mod accumulators;
pub mod file;
mod head;
#[cfg(test)]
mod slow;

use std::sync::LazyLock;

use games::gomoku::Rule;

use super::pattern::KEYS;
pub use accumulators::Accumulators;

/// Features of a cell in one view.
pub const FEATURES: usize = 32;
/// Features of a cell in both views.
pub const BOTH: usize = 2 * FEATURES;
/// Neurons of the hidden layer.
pub const HIDDEN: usize = 32;

/// Units of one in the tables and in a sum over lines.
pub const TABLE_UNIT: i32 = 1024;
/// Units of one in a feature.
pub const FEATURE_UNIT: i32 = 128;
/// A sum of features over all cells is divided by this before the hidden layer.
pub const CELLS: i32 = 16;
/// Units of one in the weights of the hidden layer and of the output.
pub const WEIGHT_UNIT: i32 = 1024;
/// Units of one in the weights of moves.
pub const MOVE_UNIT: i32 = 64;

/// How one side sees the board, and how it judges when it is to move.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// What is seen of one's own stones along a line, for every row of [`row_of`].
    pub own: Vec<[i16; FEATURES]>,
    /// What is seen of the opponent's.
    pub other: Vec<[i16; FEATURES]>,
    /// What the sum over the lines begins with.
    pub bias: [i16; FEATURES],
    /// From the sums of one's own view, then of the opponent's, to the hidden layer.
    pub hidden: Vec<[i16; HIDDEN]>,
    /// What each combination of threats adds to the hidden layer.
    pub threats: Vec<[i16; HIDDEN]>,
    /// From the hidden layer to the log-odds of winning.
    pub output: [i16; HIDDEN],
    /// From the sums to the log-odds, past the hidden layer.
    pub direct: [i16; BOTH],
    /// What the log-odds begin with.
    pub begin: i16,
    /// From the features of a cell, of one's own view and of the opponent's, to the log-odds of a move.
    pub moves: [i16; BOTH],
}

/// Which row of a table belongs to a key: a line seen from its other end is the same.
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

/// A network as it is computed with: the views of black and of white under one rule.
pub struct Network {
    /// For black's stones and for white's: what a key adds to the view of black, then to that of white.
    rows: [Box<[[i16; BOTH]]>; 2],
    bias: [i16; BOTH],
    /// How black judges, and how white.
    heads: [head::Head; 2],
}

impl Network {
    /// The network of a rule that comes with the program.
    pub fn of(rule: Rule) -> &'static Network {
        static ALL: [LazyLock<Network>; 3] = [
            LazyLock::new(|| Network::built_in(Rule::Freestyle)),
            LazyLock::new(|| Network::built_in(Rule::Standard)),
            LazyLock::new(|| Network::built_in(Rule::Renju)),
        ];
        &ALL[rule as usize]
    }

    fn built_in(rule: Rule) -> Network {
        let bytes = match rule {
            Rule::Freestyle => &include_bytes!("../weights/freestyle.abgn")[..],
            Rule::Standard => include_bytes!("../weights/standard.abgn"),
            Rule::Renju => include_bytes!("../weights/renju.abgn"),
        };
        let views = file::decode(bytes).expect("a test reads what comes with the program");
        Network::new(&views)
    }

    /// A network of one view for both sides, or of black's and white's.
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
            heads: [head::Head::new(black, false), head::Head::new(white, true)],
        }
    }
}

/// The features of black's view and of white's, one after the other.
fn both(black: [i16; FEATURES], white: [i16; FEATURES]) -> [i16; BOTH] {
    std::array::from_fn(|at| {
        if at < FEATURES {
            black[at]
        } else {
            white[at - FEATURES]
        }
    })
}
