//! The board of the search: stones, and for every empty cell what a stone of either side would
//! make there, kept up to date as stones come and go.
//!
//! A stone changes the line shapes of the empty cells within five steps of it and nothing else, so
//! [`SearchBoard::play`] looks up about forty windows, writes down the shapes that changed, and
//! [`SearchBoard::undo`] writes them back. Sets and counts of cells by [`Kind`] follow each change of a
//! shape, the sums of the evaluation when it is asked for. The tests hold all of it equal to a board that is
//! computed afresh.
//!
//! Legality is the caller's: renju's fouls are in `forbidden`.

mod stones;

use games::gomoku::Rule;
use games::{Rules, Side, Square};

use super::cell::{Cell, CellSet};
use super::key::{WHITE_TO_MOVE, stone_key};
use super::lines::Lines;
use super::shape::{Kind, Shape};
use super::tables::Tables;

/// A Gomoku position with its shapes.
#[derive(Clone)]
pub struct SearchBoard {
    pub(super) size: u8,
    pub(super) rule: Rule,
    pub(super) tables: &'static Tables,
    side_to_move: Side,
    key: u64,
    pub(super) lines: Lines,
    /// What each side would make on each cell; nothing on taken cells.
    shapes: [[Shape; 2]; Cell::COUNT],
    /// Cells of each side by kind: five, four or better, three or better.
    pub(super) fives: [CellSet; 2],
    pub(super) fours: [CellSet; 2],
    pub(super) threes: [CellSet; 2],
    counts: [[u16; Kind::COUNT]; 2],
    /// What the shapes are worth: at first, and after each of the first stones. Summed up when
    /// somebody asks: most positions of the solvers are left before.
    sums: Vec<Sums>,
    /// Every stone since the board was set up.
    moves: Vec<Cell>,
    changes: Vec<Change>,
    /// For each stone the length of `changes` before it.
    frames: Vec<usize>,
    empty: u16,
}

/// Worth of each side's shapes: were it to move, and were it not.
type Sums = [[i32; 2]; 2];

/// What a stone changed on a cell.
#[derive(Clone, Copy)]
struct Change {
    cell: Cell,
    before: [Shape; 2],
    after: [Shape; 2],
}

impl SearchBoard {
    /// An empty board of `size` (5 to 22), black to move.
    ///
    /// # Panics
    /// When there is no such board.
    pub fn new(size: u8, rule: Rule) -> SearchBoard {
        let sizes = games::gomoku::MIN_SIZE..=games::gomoku::MAX_SIZE;
        assert!(sizes.contains(&size), "no board of {size}");
        let mut board = SearchBoard {
            size,
            rule,
            tables: Tables::of(rule),
            side_to_move: Side::Black,
            key: 0,
            lines: Lines::blocked(),
            shapes: [[Shape::default(); 2]; Cell::COUNT],
            fives: Default::default(),
            fours: Default::default(),
            threes: Default::default(),
            counts: [[0; Kind::COUNT]; 2],
            sums: Vec::with_capacity(512),
            moves: Vec::new(),
            changes: Vec::with_capacity(4096),
            frames: Vec::with_capacity(512),
            empty: 0,
        };
        board.begin(&[], Side::Black);
        board
    }

    /// The board of the rules, as the search sees it.
    pub fn from_rules(rules: &games::gomoku::GomokuBoard) -> SearchBoard {
        let mut board = SearchBoard::new(rules.size(), rules.rule());
        let stones: Vec<(Square, Side)> = (0..usize::from(rules.size()).pow(2))
            .map(|index| Square::from_index(index, rules.size()))
            .filter_map(|square| rules.stone(square).map(|side| (square, side)))
            .collect();
        board.begin(&stones, rules.side_to_move());
        board
    }

    /// Sets up a position from nothing.
    fn begin(&mut self, stones: &[(Square, Side)], to_move: Side) {
        self.lines = Lines::blocked();
        self.empty = 0;
        for cell in self.cells() {
            self.lines.set(cell, [false; 2]);
            self.empty += 1;
        }
        self.key = 0;
        for &(square, side) in stones {
            let cell = Cell::from(square);
            let of_side = Side::BOTH.map(|each| each == side);
            self.lines.set(cell, of_side);
            self.key ^= stone_key(cell, side.index());
            self.empty -= 1;
        }
        let mut sums = Sums::default();
        for cell in self.cells() {
            let shapes = if self.is_empty(cell) {
                self.look_up(cell)
            } else {
                Default::default()
            };
            self.add_worth(&mut sums, Default::default(), shapes);
            self.set_shapes(cell, shapes);
        }
        self.sums.clear();
        self.sums.push(sums);
        self.side_to_move = to_move;
        if to_move == Side::White {
            self.key ^= WHITE_TO_MOVE;
        }
    }

    // --- What is on the board ---

    /// Every cell of the board, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size;
        (0..usize::from(size) * usize::from(size))
            .map(move |index| Square::from_index(index, size).into())
    }

    /// Side of the board, 5 to 22.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Which lines win.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    /// A hash of stones and side to move.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// What [`SearchBoard::key`] will be after a stone of the side to move on `cell`.
    pub(super) fn key_after(&self, cell: Cell) -> u64 {
        self.key ^ stone_key(cell, self.side_to_move.index()) ^ WHITE_TO_MOVE
    }

    /// Number of empty cells.
    pub fn empty(&self) -> u16 {
        self.empty
    }

    /// The stones played since the board was set up, the last one last.
    pub(super) fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// Whether no stone is on this cell; false on the rim.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.lines.is_empty(cell)
    }

    /// Whether `side` has a stone on this cell of the board.
    #[inline]
    pub(super) fn has_stone(&self, cell: Cell, side: usize) -> bool {
        self.lines.has_stone(cell, side)
    }

    /// Black's and white's bits of one row of the field, the rim set in both.
    pub(super) fn row(&self, row: usize) -> [u32; 2] {
        self.lines.row(row)
    }

    /// What a stone of `side` on an empty cell would make.
    #[inline]
    pub fn shape(&self, cell: Cell, side: usize) -> Shape {
        self.shapes[cell.index()][side & 1]
    }

    /// What a stone of `side` on an empty cell would threaten.
    #[inline]
    pub(super) fn kind(&self, cell: Cell, side: usize) -> Kind {
        self.tables.kind(side, self.shape(cell, side))
    }

    /// How promising a move of `side` to an empty cell looks by its shapes, in engine units.
    #[inline]
    pub fn promise(&self, cell: Cell, side: usize) -> i32 {
        let (own, theirs) = (self.shape(cell, side), self.shape(cell, side ^ 1));
        self.tables.policy(own, theirs)
    }

    /// Number of cells where a stone of `side` would be of this kind.
    #[inline]
    pub fn count(&self, side: usize, kind: Kind) -> u16 {
        self.counts[side & 1][kind as usize]
    }

    /// Worth of the shapes of the side to move, less that of the other's.
    pub(super) fn value(&mut self) -> i32 {
        let mover = self.side_to_move.index();
        let sums = self.sums_now();
        sums[mover][0] - sums[mover ^ 1][1]
    }

    /// Adds up what the stones since the last time have changed.
    fn sums_now(&mut self) -> Sums {
        let known = self.sums.len();
        let mut sums = self.sums[known - 1];
        for stone in known..=self.frames.len() {
            let end = self.frames.get(stone).copied();
            let of_stone = self.frames[stone - 1]..end.unwrap_or(self.changes.len());
            for change in &self.changes[of_stone] {
                self.add_worth(&mut sums, change.before, change.after);
            }
            self.sums.push(sums);
        }
        sums
    }

    #[inline]
    fn add_worth(&self, sums: &mut Sums, before: [Shape; 2], after: [Shape; 2]) {
        for side in 0..2 {
            if before[side] == after[side] {
                continue;
            }
            let [less, more] = [before[side], after[side]].map(|shape| self.tables.value(shape));
            for role in 0..2 {
                sums[side][role] += i32::from(more[role]) - i32::from(less[role]);
            }
        }
    }

    // --- Lines and shapes ---

    /// The shapes of an empty cell, from the lines.
    fn look_up(&self, cell: Cell) -> [Shape; 2] {
        let mut shapes = [Shape::default(); 2];
        for direction in 0..4 {
            for (side, shape) in shapes.iter_mut().enumerate() {
                *shape = shape.with_line(direction, self.line_shape(cell, direction, side));
            }
        }
        shapes
    }

    /// What a stone of `side` would make on an empty cell along one direction, from the lines.
    pub(super) fn line_shape(&self, cell: Cell, direction: usize, side: usize) -> super::LineShape {
        let keys = self.lines.keys(&self.tables.halves, cell, direction);
        self.tables.line(side, keys[side & 1])
    }

    /// Sets the shapes of a cell, and what follows from them.
    #[inline]
    fn set_shapes(&mut self, cell: Cell, new: [Shape; 2]) {
        let old = std::mem::replace(&mut self.shapes[cell.index()], new);
        for side in 0..2 {
            if old[side] == new[side] {
                continue;
            }
            let before = self.tables.kind(side, old[side]);
            let after = self.tables.kind(side, new[side]);
            if before != after {
                self.change_kind(cell, side, before, after);
            }
        }
    }

    fn change_kind(&mut self, cell: Cell, side: usize, before: Kind, after: Kind) {
        self.counts[side][before as usize] = self.counts[side][before as usize].wrapping_sub(1);
        self.counts[side][after as usize] = self.counts[side][after as usize].wrapping_add(1);
        for (least, set) in [
            (Kind::Five, &mut self.fives[side]),
            (Kind::Four, &mut self.fours[side]),
            (Kind::Three, &mut self.threes[side]),
        ] {
            if (before >= least) != (after >= least) {
                set.toggle(cell);
            }
        }
    }
}
