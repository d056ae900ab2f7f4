//! What a network is made of: the tables of one side, and the units of their numbers.

use crate::gomoku::pattern::KEYS;

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
