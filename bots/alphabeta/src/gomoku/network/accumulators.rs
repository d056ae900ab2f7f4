//! The features of every empty cell, updated with each stone.

use super::{BOTH, FEATURE_UNIT, Network, TABLE_UNIT};
use crate::gomoku::board::SearchBoard;
use crate::gomoku::cell::Cell;
use crate::gomoku::lines::{HalfCodes, LineBitboards};

/// The additional bits of precision of a sum over lines, compared with a feature.
const FINER: u32 = (TABLE_UNIT / FEATURE_UNIT).ilog2();

/// The number of cells that see one cell: five in each direction along four lines.
const NEIGHBOURS: usize = 4 * 10;

/// The features of a board. Stones are applied only when a value is needed, because a search rarely needs one.
#[derive(Clone)]
pub struct Accumulators {
    network: &'static Network,
    halves: &'static HalfCodes,
    lines: LineBitboards,
    /// The sums over the lines of each empty cell: black's view, then white's.
    cells: Box<[[i16; BOTH]]>,
    /// The sums of the features of all empty cells. On 22×22, each is at most 61,468.
    sums: [u16; BOTH],
    /// The stones since creation, with their sides; the first `frames.len()` are applied.
    path: Vec<(Cell, usize)>,
    saved: Vec<(Cell, [i16; BOTH])>,
    frames: Vec<UndoFrame>,
}

#[derive(Clone)]
struct UndoFrame {
    cell: Cell,
    saved: usize,
    sums: [u16; BOTH],
}

#[inline]
fn feature(sum: i16) -> i16 {
    let half = 1 << (FINER - 1);
    (sum.saturating_add(half) >> FINER).clamp(0, FEATURE_UNIT as i16 - 1)
}

#[inline]
fn features(sums: &[i16; BOTH]) -> [i16; BOTH] {
    sums.map(feature)
}

impl Accumulators {
    pub fn new(network: &'static Network, board: &SearchBoard) -> Accumulators {
        let mut new = Accumulators {
            network,
            halves: HalfCodes::plain(),
            lines: board.lines.clone(),
            cells: vec![[0; BOTH]; Cell::COUNT].into(),
            sums: [0; BOTH],
            path: Vec::with_capacity(64),
            saved: Vec::with_capacity(2048),
            frames: Vec::with_capacity(64),
        };
        for cell in board.cells().filter(|&cell| board.is_empty(cell)) {
            let mut sums = network.bias;
            for direction in 0..4 {
                let keys = new.lines.keys(new.halves, cell, direction);
                for (rows, key) in network.rows.iter().zip(keys) {
                    add(&mut sums, &rows[key]);
                }
            }
            new.cells[cell.index()] = sums;
            for (all, feature) in new.sums.iter_mut().zip(features(&sums)) {
                *all += feature as u16;
            }
        }
        new
    }

    pub fn play(&mut self, cell: Cell, side: usize) {
        self.path.push((cell, side));
    }

    pub fn undo(&mut self) {
        self.path.pop();
        if self.frames.len() > self.path.len() {
            self.take_back();
        }
    }

    fn follow(&mut self) {
        while let Some(&(cell, side)) = self.path.get(self.frames.len()) {
            self.put_down(cell, side);
        }
    }

    fn put_down(&mut self, cell: Cell, side: usize) {
        self.frames.push(UndoFrame {
            cell,
            saved: self.saved.len(),
            sums: self.sums,
        });
        let mut before = [[0; 2]; NEIGHBOURS];
        let mut count = 0;
        for direction in 0..4 {
            for (near, keys) in self.lines.in_reach(self.halves, cell, direction) {
                if near != cell {
                    before[count] = keys;
                    count += 1;
                }
            }
        }
        self.lines.set(cell, [side == 0, side == 1]);
        subtract_sums(&mut self.sums, &features(&self.cells[cell.index()]));
        let mut before = before[..count].iter();
        for direction in 0..4 {
            for (near, new) in self.lines.in_reach(self.halves, cell, direction) {
                let &old = before.next().expect("as many cells as before");
                self.change(near, old, new);
            }
        }
    }

    fn take_back(&mut self) {
        let frame = self.frames.pop().expect("a stone was played");
        self.lines.set(frame.cell, [false; 2]);
        for (cell, sums) in self.saved.drain(frame.saved..) {
            self.cells[cell.index()] = sums;
        }
        self.sums = frame.sums;
    }

    /// Returns the score for `mover` in engine units. The caller adds it to the score of the patterns.
    pub fn value(&mut self, mover: usize, threats: u16) -> i32 {
        self.follow();
        self.network.heads[mover & 1].value(&self.sums, threats)
    }

    pub fn promise(&mut self, mover: usize, cell: Cell) -> i32 {
        self.follow();
        self.network.heads[mover & 1].promise(&features(&self.cells[cell.index()]))
    }

    /// Updates the sums for a cell whose keys along one line change from `old` to `new`.
    #[inline]
    fn change(&mut self, cell: Cell, old: [usize; 2], new: [usize; 2]) {
        let rows = |side: usize| {
            let rows = &self.network.rows[side];
            (&rows[old[side]], &rows[new[side]])
        };
        let sums = &mut self.cells[cell.index()];
        let all = &mut self.sums;
        match [0, 1].map(|side| old[side] != new[side]) {
            [false, false] => {}
            [true, false] => {
                self.saved.push((cell, *sums));
                exchange(sums, all, rows(0));
            }
            [false, true] => {
                self.saved.push((cell, *sums));
                exchange(sums, all, rows(1));
            }
            [true, true] => {
                self.saved.push((cell, *sums));
                exchange_two(sums, all, rows(0), rows(1));
            }
        }
    }
}

// Each function below makes a single pass over the rows, because the processor's registers cannot hold a row.

#[inline]
fn exchange(
    sums: &mut [i16; BOTH],
    all: &mut [u16; BOTH],
    (old, new): (&[i16; BOTH], &[i16; BOTH]),
) {
    for at in 0..BOTH {
        let before = sums[at];
        let after = before.wrapping_sub(old[at]).wrapping_add(new[at]);
        sums[at] = after;
        all[at] = all[at].wrapping_add((feature(after) - feature(before)) as u16);
    }
}

#[inline]
fn exchange_two(
    sums: &mut [i16; BOTH],
    all: &mut [u16; BOTH],
    (old, new): (&[i16; BOTH], &[i16; BOTH]),
    (old2, new2): (&[i16; BOTH], &[i16; BOTH]),
) {
    for at in 0..BOTH {
        let before = sums[at];
        let less = before.wrapping_sub(old[at]).wrapping_sub(old2[at]);
        let after = less.wrapping_add(new[at]).wrapping_add(new2[at]);
        sums[at] = after;
        all[at] = all[at].wrapping_add((feature(after) - feature(before)) as u16);
    }
}

#[inline]
fn add(sums: &mut [i16; BOTH], row: &[i16; BOTH]) {
    for (sum, part) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*part);
    }
}

#[inline]
fn subtract_sums(sums: &mut [u16; BOTH], features: &[i16; BOTH]) {
    for (sum, &feature) in sums.iter_mut().zip(features) {
        *sum = sum.wrapping_sub(feature as u16);
    }
}

#[cfg(test)]
mod tests {
    use games::gomoku::Rule;
    use proptest::prelude::*;

    use super::*;
    use crate::gomoku::network::tests::random_views;

    fn scores(all: &mut Accumulators, board: &SearchBoard) -> Vec<i32> {
        let of = |mover: usize| {
            let cells = board.cells().filter(|&cell| board.is_empty(cell));
            let promises: Vec<i32> = cells.map(|cell| all.promise(mover, cell)).collect();
            let value = all.value(mover, board.threats());
            [vec![value], promises].concat()
        };
        [0, 1].map(of).concat()
    }

    proptest! {
        #[test]
        fn updated_features_are_those_of_a_new_board(
            rule in prop::sample::select(Rule::ALL.to_vec()),
            size in 5u8..=22,
            seed in any::<u64>(),
            steps in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..5), 1..80),
        ) {
            let network: &'static Network = Box::leak(Box::new(Network::new(&random_views(seed, 2))));
            let mut board = SearchBoard::new(size, rule);
            let mut all = Accumulators::new(network, &board);
            let mut stones = 0;
            for (choice, what) in steps {
                let empty: Vec<Cell> = board.cells().filter(|&cell| board.is_empty(cell)).collect();
                match what {
                    0 if stones > 0 => {
                        board.undo();
                        all.undo();
                        stones -= 1;
                    }
                    1 => board.toggle_side(),
                    2 => drop(scores(&mut all, &board)),
                    _ if !empty.is_empty() => {
                        let cell = empty[choice.index(empty.len())];
                        all.play(cell, board.side_to_move().index());
                        board.play(cell);
                        stones += 1;
                    }
                    _ => {}
                }
            }
            let mut afresh = Accumulators::new(network, &board);
            prop_assert_eq!(scores(&mut all, &board), scores(&mut afresh, &board));
        }
    }
}
