//! Gomoku for the bots: lines of stones as bitmaps, and evaluations that are sums over lines.
//!
//! [`Stones`] has the stones; [`Line`] is a row, column or diagonal; [`StonePattern`] is a pattern to count in lines;
//! a [`Program`] evaluates lines; [`GomokuTree`] is a position for the search of a program. Bots choose among the
//! legal squares, but search as if renju had no forbidden points.

mod playout;
mod tree;

use games::gomoku::{DIRECTIONS, GomokuBoard, Rule};
use games::{Side, Square};

pub(crate) use playout::Playout;

pub(crate) use tree::{GomokuTree, Program};

/// Returns the steps from the edge to `square`: 0 at the edge, 7 in the centre of a 15×15 board.
pub(crate) fn centrality(square: Square, size: u8) -> i32 {
    let inwards = |coordinate: u8| coordinate.min(size - 1 - coordinate);
    i32::from(inwards(square.column()).min(inwards(square.row())))
}

pub(crate) fn from_the_centre(size: u8) -> Vec<Square> {
    let cells = usize::from(size) * usize::from(size);
    let mut squares: Vec<_> = (0..cells)
        .map(|index| Square::from_index(index, size))
        .collect();
    squares.sort_by_key(|&square| -centrality(square, size));
    squares
}

/// The stones on a board by line (there are 6·size − 2 lines) and side, which makes wins and evaluations fast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stones {
    size: u8,
    rule: Rule,
    empties: u16,
    lines: Vec<[u32; 2]>,
    edges: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineCell {
    /// The number of the line: first rows from the top, then columns from the left, then diagonals down to the right
    /// from the lower left corner on, and then diagonals down to the left from the upper left corner on.
    pub(crate) line: usize,
    pub(crate) bit: u32,
}

impl Stones {
    pub(crate) fn new(board: &GomokuBoard) -> Stones {
        let size = board.size();
        let mut stones = Stones {
            size,
            rule: board.rule(),
            empties: u16::from(size) * u16::from(size),
            lines: vec![[0, 0]; 6 * usize::from(size) - 2],
            edges: (0..6 * usize::from(size) - 2)
                .map(|line| Line::edge(length(line, usize::from(size))))
                .collect(),
        };
        for index in 0..usize::from(size) * usize::from(size) {
            let square = Square::from_index(index, size);
            if let Some(side) = board.stone(square) {
                stones.put(square, side);
            }
        }
        stones
    }

    pub(crate) fn size(&self) -> u8 {
        self.size
    }

    pub(crate) fn empties(&self) -> u16 {
        self.empties
    }

    pub(crate) fn line_count(&self) -> usize {
        self.lines.len()
    }

    #[inline]
    pub(crate) fn places(&self, square: Square) -> [LineCell; 4] {
        let size = usize::from(self.size);
        let (column, row) = (usize::from(square.column()), usize::from(square.row()));
        let sum = column + row;
        let place = |line, cells_before: usize| LineCell {
            line,
            bit: cells_before as u32 + 1,
        };
        [
            place(row, column),
            place(size + column, row),
            place(3 * size - 1 + column - row, column.min(row)),
            place(4 * size - 1 + sum, row - sum.saturating_sub(size - 1)),
        ]
    }

    #[inline]
    pub(crate) fn line(&self, line: usize, side: Side) -> Line {
        let stones = self.lines[line];
        Line {
            own: stones[side.index()],
            opponent: stones[(!side).index()],
            edge: self.edges[line],
        }
    }

    #[inline]
    pub(crate) fn put(&mut self, square: Square, side: Side) {
        debug_assert!(self.is_empty(square), "{square} is taken");
        self.toggle(square, side);
        self.empties -= 1;
    }

    #[inline]
    pub(crate) fn take(&mut self, square: Square, side: Side) {
        self.toggle(square, side);
        self.empties += 1;
    }

    #[inline]
    fn toggle(&mut self, square: Square, side: Side) {
        for place in self.places(square) {
            self.lines[place.line][side.index()] ^= 1 << place.bit;
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self, square: Square) -> bool {
        self.row(square.row()) >> (square.column() + 1) & 1 == 0
    }

    #[inline]
    pub(crate) fn wins(&self, square: Square, side: Side) -> bool {
        let five = self.rule.five(side);
        self.places(square)
            .into_iter()
            .any(|LineCell { line, bit }| {
                let stones = self.lines[line][side.index()];
                let after = (stones >> (bit + 1)).trailing_ones();
                let before = (stones << (32 - bit)).leading_ones();
                let is_closed = || {
                    let theirs = self.lines[line][(!side).index()];
                    let ends = [bit - before - 1, bit + after + 1];
                    ends.into_iter().all(|end| theirs >> end & 1 != 0)
                };
                five.wins(before + 1 + after, is_closed)
            })
    }

    /// Returns an empty square on which `side` wins in a line through its stone on `square`.
    #[inline]
    pub(crate) fn completion(&self, square: Square, side: Side) -> Option<Square> {
        let (column, row) = (i32::from(square.column()), i32::from(square.row()));
        for (LineCell { line, bit }, (right, down)) in
            self.places(square).into_iter().zip(DIRECTIONS)
        {
            let mut completions = self.line(line, side).completions();
            while completions != 0 {
                let steps = completions.trailing_zeros() as i32 - bit as i32;
                completions &= completions - 1;
                let (right, down) = (i32::from(right) * steps, i32::from(down) * steps);
                let square = Square::new((column + right) as u8, (row + down) as u8);
                if self.wins(square, side) {
                    return Some(square);
                }
            }
        }
        None
    }

    /// Returns the stones of both sides in one row of the board. The first column is bit 1.
    #[inline]
    fn row(&self, row: u8) -> u32 {
        let [black, white] = self.lines[usize::from(row)];
        black | white
    }

    /// Returns, for each row, the empty squares within `reach` steps of a stone. The first column is bit 1.
    pub(crate) fn neighbourhood(&self, reach: u8) -> [u32; games::MAX_SIZE as usize] {
        let mut wide = [0; games::MAX_SIZE as usize];
        for row in 0..self.size {
            let stones = self.row(row);
            wide[usize::from(row)] =
                (1..=reach).fold(stones, |wide, step| wide | stones << step | stones >> step);
        }
        let mut near = [0; games::MAX_SIZE as usize];
        for row in 0..self.size {
            let rows = row.saturating_sub(reach)..=(row + reach).min(self.size - 1);
            let reached = rows.fold(0, |near, row| near | wide[usize::from(row)]);
            let off_board = Line::edge(u32::from(self.size));
            near[usize::from(row)] = reached & !off_board & !self.row(row);
        }
        near
    }
}

fn length(line: usize, size: usize) -> u32 {
    let length = match line.checked_sub(2 * size) {
        None => size,
        Some(diagonal) => {
            let number = diagonal % (2 * size - 1);
            size - number.abs_diff(size - 1)
        }
    };
    length as u32
}

/// A line from the view of one side: bits 1 to `length` are cells, all others edge, so that shifts need no checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) own: u32,
    pub(crate) opponent: u32,
    pub(crate) edge: u32,
}

impl Line {
    pub(crate) const fn edge(length: u32) -> u32 {
        1 | (u32::MAX << (length + 1))
    }

    pub(crate) const fn reversed(self) -> Line {
        Line {
            own: self.opponent,
            opponent: self.own,
            edge: self.edge,
        }
    }

    pub(crate) const fn blocked(self) -> u32 {
        self.opponent | self.edge
    }

    pub(crate) const fn empty(self) -> u32 {
        !(self.own | self.opponent | self.edge)
    }

    /// Returns the empty cells that would complete five in a row or more.
    #[inline]
    const fn completions(self) -> u32 {
        let own = self.own;
        let pair = own & own >> 1;
        // Each term finds four own stones in five cells and marks the fifth cell.
        let triple = pair & own >> 2;
        let cells = (own >> 1 & pair >> 2 & own >> 4)
            | (own & triple >> 2) << 1
            | (pair & pair >> 3) << 2
            | (triple & own >> 4) << 3
            | (pair & pair >> 2) << 4;
        cells & self.empty()
    }

    pub(crate) const fn length(self) -> u32 {
        (self.edge >> 1).trailing_zeros()
    }
}

#[cfg(test)]
impl Line {
    /// Parses a line: `x` own, `o` opponent, `_` empty.
    pub(crate) fn parse(text: &str) -> Line {
        let cells_with = |symbol| {
            text.chars()
                .enumerate()
                .filter(|&(_, cell)| cell == symbol)
                .fold(0, |set, (cell, _)| set | 2 << cell)
        };
        Line {
            own: cells_with('x'),
            opponent: cells_with('o'),
            edge: Line::edge(text.len() as u32),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatternCell {
    Own,
    Empty,
    Blocked,
}

/// A pattern of up to six cells, such as `_xxx#`: `x` own stone, `_` empty, `#` opponent's stone or edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StonePattern {
    cells: [PatternCell; 6],
    length: usize,
}

impl StonePattern {
    /// Makes a pattern. Panics if it is invalid. Patterns are constants, so this is a compile error.
    pub(crate) const fn new(pattern: &str) -> StonePattern {
        let pattern = pattern.as_bytes();
        assert!(pattern.len() <= 6, "a shape has at most six cells");
        let mut cells = [PatternCell::Empty; 6];
        let mut index = 0;
        while index < pattern.len() {
            cells[index] = match pattern[index] {
                b'x' => PatternCell::Own,
                b'_' => PatternCell::Empty,
                b'#' => PatternCell::Blocked,
                _ => panic!("a shape is written with x, _ and #"),
            };
            index += 1;
        }
        StonePattern {
            cells,
            length: pattern.len(),
        }
    }

    #[inline]
    pub(crate) const fn count(&self, line: Line) -> i32 {
        let mut begins = u32::MAX;
        let mut index = 0;
        while index < self.length {
            let cells = match self.cells[index] {
                PatternCell::Own => line.own,
                PatternCell::Empty => line.empty(),
                PatternCell::Blocked => line.blocked(),
            };
            begins &= cells >> index;
            index += 1;
        }
        begins.count_ones() as i32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn boards() -> impl Strategy<Value = games::Board> {
        (5..=22u8, 0..3usize).prop_flat_map(|(size, rule)| {
            let cells = usize::from(size) * usize::from(size);
            proptest::collection::vec(0..4u8, cells).prop_map(move |cells| {
                let mut board = GomokuBoard::new(size, Rule::ALL[rule]);
                for (index, cell) in cells.into_iter().enumerate() {
                    let side = match cell {
                        0 => Some(Side::Black),
                        1 => Some(Side::White),
                        _ => None,
                    };
                    board.set(Square::from_index(index, size), side);
                }
                games::Board::Gomoku(board)
            })
        })
    }

    fn gomoku(board: &games::Board) -> &GomokuBoard {
        match board {
            games::Board::Gomoku(board) => board,
            _ => unreachable!("only Gomoku is drawn here"),
        }
    }

    proptest! {
        #[test]
        fn wins_are_those_of_the_rules(board in boards()) {
            let board = gomoku(&board);
            let stones = Stones::new(board);
            for square in board.empty_squares() {
                for side in Side::BOTH {
                    prop_assert_eq!(stones.wins(square, side), board.wins(square, side));
                }
            }
        }

        #[test]
        fn taking_undoes_putting(board in boards()) {
            let board = gomoku(&board);
            let stones = Stones::new(board);
            prop_assert_eq!(usize::from(stones.empties()), board.empty_squares().count());
            for square in board.empty_squares() {
                let mut changed = stones.clone();
                changed.put(square, Side::White);
                prop_assert!(!changed.is_empty(square));
                changed.take(square, Side::White);
                prop_assert_eq!(&changed, &stones);
            }
        }

        #[test]
        fn neighbours_are_empty_squares_with_a_stone_in_reach(board in boards(), reach in 1..=3u8) {
            let board = gomoku(&board);
            let near = Stones::new(board).neighbourhood(reach);
            let all = super::from_the_centre(board.size());
            for &square in &all {
                let in_reach = |&other: &Square| {
                    board.stone(other).is_some()
                        && other.column().abs_diff(square.column()) <= reach
                        && other.row().abs_diff(square.row()) <= reach
                };
                let expected = board.stone(square).is_none() && all.iter().any(in_reach);
                let found = near[usize::from(square.row())] >> (square.column() + 1) & 1 == 1;
                prop_assert_eq!(found, expected, "{} of {:?}", square, all.len());
            }
        }
    }

    #[test]
    fn each_line_has_its_cells() {
        for size in [5, 15, 22] {
            let mut stones = Stones::new(&GomokuBoard::new(size, Rule::Freestyle));
            for square in super::from_the_centre(size) {
                stones.put(square, Side::Black);
            }
            for line in 0..stones.line_count() {
                let line = stones.line(line, Side::Black);
                assert_eq!(line.own, !line.edge, "a full line");
                assert_eq!(line.own.count_ones(), line.length());
            }
        }
    }

    proptest! {
        #[test]
        fn a_completion_makes_five_of_a_window(text in "[xo_]{1,22}") {
            let line = Line::parse(&text);
            for (index, cell) in text.char_indices() {
                let completed = format!("{}x{}", &text[..index], &text[index + 1..]);
                let five = completed
                    .match_indices('x')
                    .any(|(from, _)| completed[from..].starts_with("xxxxx") && (from..from + 5).contains(&index));
                let found = line.completions() >> (index + 1) & 1 == 1;
                prop_assert_eq!(found, cell == '_' && five, "{} of {}", index, text);
            }
        }
    }

    const SHAPES: [&str; 6] = ["_xx_", "x_xxx", "xxxxx", "_xxx#", "#xx_x_", "xxx_xx"];

    fn slow_count(shape: &str, line: &str) -> i32 {
        let line: Vec<char> = format!("#{line}#").chars().collect();
        let fits = |cells: &[char]| {
            shape
                .chars()
                .zip(cells)
                .all(|(wanted, &cell)| match wanted {
                    '#' => cell == '#' || cell == 'o',
                    wanted => cell == wanted,
                })
        };
        line.windows(shape.len())
            .filter(|cells| fits(cells))
            .count() as i32
    }

    proptest! {
        #[test]
        fn counting_is_sliding_the_pattern_along(line in "[xo_]{1,22}") {
            for shape in SHAPES {
                let fast = StonePattern::new(shape).count(Line::parse(&line));
                prop_assert_eq!(fast, slow_count(shape, &line), "{} in {}", shape, line);
            }
        }
    }
}
