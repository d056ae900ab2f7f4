//! The board of the search: its stones, and the shapes that a stone of each side would make on every empty cell.
//!
//! A stone changes only the line shapes of empty cells within five steps. [`SearchBoard::play`] looks up at most forty
//! line shapes of each side and records the changes; [`SearchBoard::undo`] reverts them. Each change also updates the
//! sets and counts of cells by [`ThreatKind`]. The sums of the evaluation are updated only when a value is needed.
//!
//! The caller checks legality. The forbidden moves of renju are in the module `moves`.

use games::gomoku::Rule;
use games::{Rules, Side, Square};

use super::cell::{Cell, CellSet};
use super::lines::LineBitboards;
use super::shape::{Shape, ThreatKind};
use super::shape_tables::ShapeTables;

#[derive(Clone)]
pub struct SearchBoard {
    pub(super) size: u8,
    pub(super) rule: Rule,
    pub(super) tables: &'static ShapeTables,
    side_to_move: Side,
    key: u64,
    pub(super) lines: LineBitboards,
    /// The shape that each side would make on each cell; 0 on occupied cells.
    shapes: [[Shape; 2]; Cell::COUNT],
    /// For each side, the cells where its stone makes a five; at least a four (`fours`); at least a three (`threes`).
    pub(super) fives: [CellSet; 2],
    pub(super) fours: [CellSet; 2],
    pub(super) threes: [CellSet; 2],
    counts: [[u16; ThreatKind::COUNT]; 2],
    /// The sums before the first of `moves` and after each move. The latest sums are computed when they are needed.
    sums: Vec<Sums>,
    moves: Vec<Cell>,
    changes: Vec<Change>,
    frames: Vec<usize>,
    empty: u16,
}

/// The value of each side's shapes if that side is to move, and if it is not.
type Sums = [[i32; 2]; 2];

#[derive(Clone, Copy)]
struct Change {
    cell: Cell,
    before: [Shape; 2],
    after: [Shape; 2],
}

impl SearchBoard {
    /// Creates an empty board of `size` (5 to 22), black to move.
    ///
    /// # Panics
    /// If the size is out of range.
    pub fn new(size: u8, rule: Rule) -> SearchBoard {
        let sizes = games::gomoku::MIN_SIZE..=games::gomoku::MAX_SIZE;
        assert!(
            sizes.contains(&size),
            "the board size {size} is not supported"
        );
        let mut board = SearchBoard {
            size,
            rule,
            tables: ShapeTables::of(rule),
            side_to_move: Side::Black,
            key: 0,
            lines: LineBitboards::blocked(),
            shapes: [[Shape::default(); 2]; Cell::COUNT],
            fives: Default::default(),
            fours: Default::default(),
            threes: Default::default(),
            counts: [[0; ThreatKind::COUNT]; 2],
            sums: Vec::with_capacity(512),
            moves: Vec::new(),
            changes: Vec::with_capacity(4096),
            frames: Vec::with_capacity(512),
            empty: 0,
        };
        board.begin(&[], Side::Black);
        board
    }

    pub fn from_rules(rules: &games::gomoku::GomokuBoard) -> SearchBoard {
        let mut board = SearchBoard::new(rules.size(), rules.rule());
        let stones: Vec<(Square, Side)> = (0..usize::from(rules.size()).pow(2))
            .map(|index| Square::from_index(index, rules.size()))
            .filter_map(|square| rules.stone(square).map(|side| (square, side)))
            .collect();
        board.begin(&stones, rules.side_to_move());
        board
    }

    fn begin(&mut self, stones: &[(Square, Side)], to_move: Side) {
        self.lines = LineBitboards::blocked();
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

    // --- Queries ---

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size;
        (0..usize::from(size) * usize::from(size))
            .map(move |index| Square::from_index(index, size).into())
    }

    pub fn size(&self) -> u8 {
        self.size
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    pub fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the key of the position in which the side to move has put a stone on `cell`.
    pub(super) fn key_after(&self, cell: Cell) -> u64 {
        self.key ^ stone_key(cell, self.side_to_move.index()) ^ WHITE_TO_MOVE
    }

    pub fn empty(&self) -> u16 {
        self.empty
    }

    pub(super) fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// Returns whether the cell is on the board and has no stone.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.lines.is_empty(cell)
    }

    #[inline]
    pub(super) fn has_stone(&self, cell: Cell, side: usize) -> bool {
        self.lines.has_stone(cell, side)
    }

    pub(super) fn row(&self, row: usize) -> [u32; 2] {
        self.lines.row(row)
    }

    #[inline]
    pub fn shape(&self, cell: Cell, side: usize) -> Shape {
        self.shapes[cell.index()][side & 1]
    }

    #[inline]
    pub(super) fn kind(&self, cell: Cell, side: usize) -> ThreatKind {
        self.tables.kind(side, self.shape(cell, side))
    }

    /// Returns how promising a move of `side` to an empty cell is, by the shapes of both sides there, in engine units.
    #[inline]
    pub fn promise(&self, cell: Cell, side: usize) -> i32 {
        let (own, theirs) = (self.shape(cell, side), self.shape(cell, side ^ 1));
        self.tables.policy(own, theirs)
    }

    #[inline]
    pub fn count(&self, side: usize, kind: ThreatKind) -> u16 {
        self.counts[side & 1][kind as usize]
    }

    /// Returns the value of the shapes of the side to move minus the value of the opponent's shapes.
    pub(super) fn value(&mut self) -> i32 {
        let mover = self.side_to_move.index();
        let sums = self.sums_now();
        sums[mover][0] - sums[mover ^ 1][1]
    }

    /// Returns the sums of the current position. Stores the sums after each stone since the last call.
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

    fn look_up(&self, cell: Cell) -> [Shape; 2] {
        let mut shapes = [Shape::default(); 2];
        for direction in 0..4 {
            for (side, shape) in shapes.iter_mut().enumerate() {
                *shape = shape.with_line(direction, self.line_shape(cell, direction, side));
            }
        }
        shapes
    }

    pub(super) fn line_shape(&self, cell: Cell, direction: usize, side: usize) -> super::LineShape {
        let keys = self.lines.keys(&self.tables.halves, cell, direction);
        self.tables.line(side, keys[side & 1])
    }

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

    fn change_kind(&mut self, cell: Cell, side: usize, before: ThreatKind, after: ThreatKind) {
        self.counts[side][before as usize] = self.counts[side][before as usize].wrapping_sub(1);
        self.counts[side][after as usize] = self.counts[side][after as usize].wrapping_add(1);
        for (least, set) in [
            (ThreatKind::Five, &mut self.fives[side]),
            (ThreatKind::Four, &mut self.fours[side]),
            (ThreatKind::Three, &mut self.threes[side]),
        ] {
            if (before >= least) != (after >= least) {
                set.toggle(cell);
            }
        }
    }
}

// --- Play and undo ---

impl SearchBoard {
    pub fn play(&mut self, cell: Cell) {
        debug_assert!(self.is_empty(cell), "{cell:?} is taken");
        let side = self.side_to_move;
        self.frames.push(self.changes.len());
        self.moves.push(cell);
        self.change(cell, [Shape::default(); 2]);
        self.lines.set(cell, Side::BOTH.map(|each| each == side));
        self.refresh_line::<0>(cell);
        self.refresh_line::<1>(cell);
        self.refresh_line::<2>(cell);
        self.refresh_line::<3>(cell);
        self.key = self.key_after(cell);
        self.side_to_move = !side;
        self.empty -= 1;
    }

    pub fn undo(&mut self) {
        let cell = self.moves.pop().expect("a stone was played");
        let frame = self.frames.pop().expect("a frame for each stone");
        self.side_to_move = !self.side_to_move;
        self.key ^= stone_key(cell, self.side_to_move.index()) ^ WHITE_TO_MOVE;
        self.lines.set(cell, [false; 2]);
        self.empty += 1;
        while self.changes.len() > frame {
            let Change { cell, before, .. } = self.changes.pop().expect("a change of this frame");
            self.set_shapes(cell, before);
        }
        self.sums.truncate(self.frames.len() + 1);
    }

    pub(in crate::gomoku) fn toggle_side(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.key ^= WHITE_TO_MOVE;
    }

    /// Updates the shapes of the empty cells within reach. The direction is a constant, so that shifts are constants.
    #[inline]
    fn refresh_line<const DIRECTION: usize>(&mut self, cell: Cell) {
        let tables = self.tables;
        for (near, keys) in self.lines.in_reach(&tables.halves, cell, DIRECTION) {
            let old = self.shapes[near.index()];
            let new = [0, 1].map(|side| {
                let line = tables.line(side, keys[side]);
                old[side].with_line(DIRECTION, line)
            });
            if new != old {
                self.change(near, new);
            }
        }
    }

    #[inline]
    fn change(&mut self, cell: Cell, after: [Shape; 2]) {
        self.changes.push(Change {
            cell,
            before: self.shapes[cell.index()],
            after,
        });
        self.set_shapes(cell, after);
    }
}

// --- Zobrist keys ---

const WHITE_TO_MOVE: u64 = 0x9d39_247e_3377_6d41;

#[inline]
fn stone_key(cell: Cell, side: usize) -> u64 {
    static KEYS: [[u64; 2]; Cell::COUNT] = {
        let mut keys = [[0; 2]; Cell::COUNT];
        let mut index = 0;
        while index < Cell::COUNT {
            keys[index] = [mix(2 * index as u64 + 1), mix(2 * index as u64 + 2)];
            index += 1;
        }
        keys
    };
    KEYS[cell.index()][side & 1]
}

/// Applies the finaliser of `SplitMix64` (G. Steele, D. Lea, C. Flood, 2014).
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn afresh(board: &SearchBoard) -> SearchBoard {
        let mut fresh = SearchBoard::new(board.size, board.rule);
        let stones: Vec<(Square, Side)> = board
            .cells()
            .filter_map(|cell| {
                let side = Side::BOTH
                    .into_iter()
                    .find(|side| board.has_stone(cell, side.index()))?;
                Some((cell.square(), side))
            })
            .collect();
        fresh.begin(&stones, board.side_to_move);
        fresh
    }

    fn assert_same(board: &SearchBoard, other: &SearchBoard) {
        assert_eq!(board.key, other.key);
        assert_eq!(board.lines, other.lines);
        for cell in board.cells() {
            assert_eq!(
                board.shapes[cell.index()],
                other.shapes[cell.index()],
                "{cell:?}"
            );
        }
        assert_eq!((&board.fives, &board.fours), (&other.fives, &other.fours));
        assert_eq!(board.threes, other.threes);
        assert_eq!(
            board.counts.map(|of| of[1..].to_vec()),
            other.counts.map(|of| of[1..].to_vec())
        );
        assert_eq!(board.clone().sums_now(), other.clone().sums_now());
        assert_eq!(board.empty, other.empty);
    }

    proptest! {
        #[test]
        fn playing_and_undoing_keeps_everything_as_computed_afresh(
            rule in prop::sample::select(Rule::ALL.to_vec()),
            size in 5u8..=22,
            steps in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..4), 1..120),
        ) {
            let mut board = SearchBoard::new(size, rule);
            for (choice, what) in steps {
                let empty: Vec<Cell> = board.cells().filter(|&cell| board.is_empty(cell)).collect();
                if what == 0 && !board.moves.is_empty() {
                    board.undo();
                } else if !empty.is_empty() {
                    board.play(empty[choice.index(empty.len())]);
                }
            }
            assert_same(&board, &afresh(&board));
            while !board.moves.is_empty() {
                board.undo();
            }
            assert_same(&board, &SearchBoard::new(size, rule));
        }

        #[test]
        fn a_cell_of_kind_five_is_one_where_the_rules_see_a_win(
            rule in prop::sample::select(Rule::ALL.to_vec()),
            size in 5u8..=15,
            stones in proptest::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..120),
        ) {
            let mut rules = games::gomoku::GomokuBoard::new(size, rule);
            for (place, white) in stones {
                let square = Square::from_index(place.index(usize::from(size).pow(2)), size);
                rules.set(square, Some(if white { Side::White } else { Side::Black }));
            }
            let board = SearchBoard::from_rules(&rules);
            for square in rules.empty_squares() {
                for side in Side::BOTH {
                    let five = board.kind(square.into(), side.index()) == ThreatKind::Five;
                    prop_assert_eq!(five, rules.wins(square, side), "{} at {}", side, square);
                }
            }
        }
    }

    #[test]
    fn the_rim_is_as_wide_as_a_cell_sees() {
        assert_eq!(
            u32::from(crate::gomoku::cell::RIM),
            crate::gomoku::lines::REACH
        );
    }
}
