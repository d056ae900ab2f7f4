//! The features of every empty cell in both views, updated with each stone.

#![expect(
    clippy::inline_always,
    reason = "code inlined into `vectorized` uses the fastest CPU instructions"
)]

use games::othello::vectorized;

use super::{
    CELLS, FEATURE_UNIT, FEATURES, LineRows, MIXED, MOVE_UNIT, Network, PLAIN, TILE, TOP, UNIT,
    View, WINDOW_TOP,
};
use crate::gomoku::board::SearchBoard;
use crate::gomoku::cell::{Cell, RIM};
use crate::gomoku::lines::{LineBitboards, REACH};

/// The features of a board. A view applies stones only when its side needs a value, because a search rarely needs one.
#[derive(Clone)]
pub struct Accumulators {
    /// The stones since creation, with their sides.
    path: Vec<(Cell, usize)>,
    views: [ViewAccumulators; 2],
}

impl Accumulators {
    pub fn new(network: &'static Network, board: &SearchBoard) -> Accumulators {
        Accumulators {
            path: Vec::with_capacity(64),
            views: [0, 1].map(|side| ViewAccumulators::new(network.view(side), side, board)),
        }
    }

    pub fn play(&mut self, cell: Cell, side: usize) {
        self.path.push((cell, side));
    }

    pub fn undo(&mut self) {
        self.path.pop();
        for view in &mut self.views {
            if view.frames.len() > self.path.len() {
                view.take_back();
            }
        }
    }

    /// Returns the score for `mover` in engine units.
    pub fn value(&mut self, mover: usize, threats: u16) -> i32 {
        (self.odds(mover, threats) * UNIT as f32) as i32
    }

    /// Returns the log-odds that `mover` wins.
    pub fn odds(&mut self, mover: usize, threats: u16) -> f32 {
        let view = self.up_to_date(mover);
        vectorized(
            #[inline(always)]
            || view.tables.head.value(&view.inputs(), threats),
        )
    }

    /// Returns the log-odds of a move of `mover` to an empty cell, in engine units.
    pub fn promise(&mut self, mover: usize, cell: Cell) -> i32 {
        let view = self.up_to_date(mover);
        let (sums, weights) = (&view.cells[cell.index()], &view.tables.moves);
        let sum = vectorized(
            #[inline(always)]
            || {
                let parts = features(sums).into_iter().zip(weights);
                let parts = parts.map(|(feature, weight)| i32::from(feature) * i32::from(*weight));
                parts.sum::<i32>()
            },
        );
        sum / (FEATURE_UNIT * MOVE_UNIT / UNIT)
    }

    fn up_to_date(&mut self, side: usize) -> &mut ViewAccumulators {
        let view = &mut self.views[side & 1];
        if view.frames.len() < self.path.len() {
            vectorized(
                #[inline(always)]
                || {
                    for &(cell, side) in &self.path[view.frames.len()..] {
                        view.put_down(cell, side);
                    }
                },
            );
        }
        view
    }
}

/// The number of cells that see one cell: five in each direction along four lines.
const NEIGHBOURS: usize = 4 * 2 * REACH as usize;

/// The number of tiles in a row of tiles: enough for the largest board.
const ACROSS: usize = 8;

type Sums = [i16; FEATURES];
type Tile = [i16; MIXED];

#[derive(Clone)]
struct ViewAccumulators {
    side: usize,
    tables: &'static View,
    line_rows: &'static LineRows,
    lines: LineBitboards,
    /// The sums over the lines of each empty cell.
    cells: Box<[Sums]>,
    /// The sums of the plain features of all empty cells. On 22×22, each is at most 61,468.
    plain: [u16; PLAIN],
    /// The sums of the mixed features of the empty cells of each tile.
    tiles: Box<[Tile; ACROSS * ACROSS]>,
    /// The number of tiles along a side of the board.
    across: usize,
    changed: Vec<Cell>,
    /// The sums of the changed cells before their changes, and room for more.
    saved_cells: Vec<Sums>,
    saved_tiles: Vec<(usize, Tile)>,
    frames: Vec<UndoFrame>,
}

#[derive(Clone)]
struct UndoFrame {
    cell: Cell,
    cells: usize,
    tiles: usize,
    plain: [u16; PLAIN],
}

#[inline(always)]
const fn tile_of(cell: Cell) -> usize {
    let (row, column) = (cell.index() >> 5, cell.index() & 31);
    let rim = RIM as usize;
    ((row - rim) / TILE * ACROSS + (column - rim) / TILE) & (ACROSS * ACROSS - 1)
}

#[inline(always)]
fn plain(sum: i16) -> i16 {
    sum.clamp(0, TOP)
}

#[inline(always)]
fn mixed(sum: i16) -> i16 {
    sum.clamp(-TOP, TOP)
}

#[inline(always)]
fn features(sums: &Sums) -> Sums {
    std::array::from_fn(|at| {
        if at < PLAIN {
            plain(sums[at])
        } else {
            mixed(sums[at])
        }
    })
}

impl ViewAccumulators {
    fn new(tables: &'static View, side: usize, board: &SearchBoard) -> ViewAccumulators {
        let mut new = ViewAccumulators {
            side,
            tables,
            line_rows: LineRows::get(),
            lines: board.lines.clone(),
            cells: vec![[0; FEATURES]; Cell::COUNT].into(),
            plain: [0; PLAIN],
            tiles: Box::new([[0; MIXED]; ACROSS * ACROSS]),
            across: usize::from(board.size()).div_ceil(TILE),
            changed: Vec::with_capacity(1024),
            saved_cells: Vec::new(),
            saved_tiles: Vec::with_capacity(512),
            frames: Vec::with_capacity(64),
        };
        for cell in board.cells().filter(|&cell| board.is_empty(cell)) {
            let mut sums = tables.bias;
            for direction in 0..4 {
                let row = new.line_rows.of(&new.lines, cell, direction, side);
                for (sum, part) in sums.iter_mut().zip(&tables.rows[row]) {
                    *sum = sum.wrapping_add(*part);
                }
            }
            new.cells[cell.index()] = sums;
            let features = features(&sums);
            for (all, feature) in new.plain.iter_mut().zip(features) {
                *all += feature as u16;
            }
            let tile = &mut new.tiles[tile_of(cell)];
            for (all, feature) in tile.iter_mut().zip(&features[PLAIN..]) {
                *all += feature;
            }
        }
        new
    }

    #[inline(always)]
    fn put_down(&mut self, cell: Cell, side: usize) {
        // A stone changes the sums of at most forty cells.
        if self.saved_cells.len() < self.changed.len() + NEIGHBOURS {
            let room = 2 * self.changed.len() + NEIGHBOURS;
            self.saved_cells.resize(room, [0; FEATURES]);
        }
        self.frames.push(UndoFrame {
            cell,
            cells: self.changed.len(),
            tiles: self.saved_tiles.len(),
            plain: self.plain,
        });
        let mut touched = 0;
        self.save_tile(cell, &mut touched);
        let features = features(&self.cells[cell.index()]);
        for (all, feature) in self.plain.iter_mut().zip(features) {
            *all = all.wrapping_sub(feature as u16);
        }
        let tile = &mut self.tiles[tile_of(cell)];
        for (all, feature) in tile.iter_mut().zip(&features[PLAIN..]) {
            *all = all.wrapping_sub(*feature);
        }
        for direction in 0..4 {
            let (bits, place) = self.lines.line(cell, direction);
            let before = [bits[self.side & 1], bits[self.side & 1 ^ 1]];
            let mut after = before;
            after[usize::from(side != self.side)] |= 1 << place;
            // The empty cells within reach, from the farthest before the stone to the farthest after it.
            let first = place - REACH;
            let mut empty = !(after[0] | after[1]) >> first & ((1 << (2 * REACH + 1)) - 1);
            while empty != 0 {
                let at = empty.trailing_zeros();
                empty &= empty - 1;
                let old = self.line_rows.halves(before[0], before[1], first + at);
                let new = self.line_rows.halves(after[0], after[1], first + at);
                if old != new {
                    let near = cell.step(direction, at as i16 - REACH as i16);
                    let [old, new] = [old, new].map(|halves| self.line_rows.row(halves));
                    self.save_tile(near, &mut touched);
                    self.exchange(near, old, new);
                }
            }
        }
        self.lines.set(cell, [side == 0, side == 1]);
    }

    fn take_back(&mut self) {
        let frame = self.frames.pop().expect("a stone was played");
        self.lines.set(frame.cell, [false; 2]);
        for (cell, sums) in self.changed[frame.cells..]
            .iter()
            .zip(&self.saved_cells[frame.cells..])
        {
            self.cells[cell.index()] = *sums;
        }
        self.changed.truncate(frame.cells);
        for (tile, sums) in self.saved_tiles.drain(frame.tiles..) {
            self.tiles[tile] = sums;
        }
        self.plain = frame.plain;
    }

    /// Saves the tile of `cell` before its first change by a stone. `touched` has a bit for each saved tile.
    #[inline(always)]
    fn save_tile(&mut self, cell: Cell, touched: &mut u64) {
        let tile = tile_of(cell);
        if *touched >> tile & 1 == 0 {
            *touched |= 1 << tile;
            self.saved_tiles.push((tile, self.tiles[tile]));
        }
    }

    /// Updates the sums for a cell whose row along one line changes from `old` to `new`.
    #[inline(always)]
    fn exchange(&mut self, cell: Cell, old: usize, new: usize) {
        let (old, new) = (&self.tables.rows[old], &self.tables.rows[new]);
        let sums = &mut self.cells[cell.index()];
        let saved = &mut self.saved_cells[self.changed.len()];
        self.changed.push(cell);
        // A single pass over the rows, because the processor's registers cannot hold a row.
        let all = &mut self.plain;
        for at in 0..PLAIN {
            let before = sums[at];
            saved[at] = before;
            let after = before.wrapping_sub(old[at]).wrapping_add(new[at]);
            sums[at] = after;
            all[at] = all[at].wrapping_add((plain(after) - plain(before)) as u16);
        }
        let tile = &mut self.tiles[tile_of(cell)];
        for at in 0..MIXED {
            let before = sums[PLAIN + at];
            saved[PLAIN + at] = before;
            let after = before
                .wrapping_sub(old[PLAIN + at])
                .wrapping_add(new[PLAIN + at]);
            sums[PLAIN + at] = after;
            tile[at] = tile[at].wrapping_add(mixed(after) - mixed(before));
        }
    }

    #[inline(always)]
    fn inputs(&self) -> [f32; FEATURES] {
        let mut windows = [0u16; MIXED];
        for top in 0..self.across - 1 {
            for left in 0..self.across - 1 {
                let first = top * ACROSS + left;
                let of = |step| &self.tiles[(first + step) & (ACROSS * ACROSS - 1)];
                let tiles = [of(0), of(1), of(ACROSS), of(ACROSS + 1)];
                for (at, all) in windows.iter_mut().enumerate() {
                    let upper = tiles[0][at].wrapping_add(tiles[1][at]);
                    let lower = tiles[2][at].wrapping_add(tiles[3][at]);
                    let sum = upper.wrapping_add(lower);
                    let sum = sum.wrapping_add(self.tables.window[at]);
                    *all = all.wrapping_add(sum.clamp(0, WINDOW_TOP) as u16);
                }
            }
        }
        std::array::from_fn(|at| {
            let sum = if at < PLAIN {
                self.plain[at]
            } else {
                windows[at - PLAIN]
            };
            f32::from(sum) / (FEATURE_UNIT * CELLS) as f32
        })
    }
}

#[cfg(test)]
mod tests {
    use games::gomoku::Rule;
    use proptest::prelude::*;

    use super::*;
    use crate::gomoku::network::tests::random_network;

    fn scores(all: &mut Accumulators, board: &SearchBoard) -> Vec<f32> {
        let of = |mover: usize| {
            let cells = board.cells().filter(|&cell| board.is_empty(cell));
            let promises = cells.map(|cell| all.promise(mover, cell) as f32).collect();
            let value = all.odds(mover, board.threats());
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
            let network: &'static Network = Box::leak(Box::new(random_network(seed, 2)));
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
                    2 => drop(all.odds(choice.index(2), board.threats())),
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
