//! Patterns on a line, and counting them.

use super::Line;

/// What a cell of a shape must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    /// `x`
    Own,
    /// `_`
    Empty,
    /// `#`: an opponent's stone or the edge of the board.
    Blocked,
}

/// A pattern of up to six cells, such as `_xxx_`: `x` an own stone, `_` an empty cell, `#` an
/// opponent's stone or the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    cells: [Cell; 6],
    length: usize,
}

impl Shape {
    /// Reads a pattern.
    ///
    /// # Panics
    /// When it is none; shapes are constants, so that this is noticed by the compiler.
    pub(crate) const fn new(pattern: &str) -> Shape {
        let pattern = pattern.as_bytes();
        assert!(pattern.len() <= 6, "a shape has at most six cells");
        let mut cells = [Cell::Empty; 6];
        let mut index = 0;
        while index < pattern.len() {
            cells[index] = match pattern[index] {
                b'x' => Cell::Own,
                b'_' => Cell::Empty,
                b'#' => Cell::Blocked,
                _ => panic!("a shape is written with x, _ and #"),
            };
            index += 1;
        }
        Shape {
            cells,
            length: pattern.len(),
        }
    }

    /// How often the shape occurs in `line`; occurrences may overlap.
    #[inline]
    pub(crate) const fn count(&self, line: Line) -> i32 {
        let mut begins = u32::MAX;
        let mut index = 0;
        while index < self.length {
            let cells = match self.cells[index] {
                Cell::Own => line.own,
                Cell::Empty => line.empty(),
                Cell::Blocked => line.blocked(),
            };
            begins &= cells >> index;
            index += 1;
        }
        begins.count_ones() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHAPES: [&str; 6] = ["_xx_", "x_xxx", "xxxxx", "_xxx#", "#xx_x_", "xxx_xx"];

    /// Counting by sliding the pattern along the text, with the edges written out.
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
                let fast = Shape::new(shape).count(Line::parse(&line));
                prop_assert_eq!(fast, slow_count(shape, &line), "{} in {}", shape, line);
            }
        }
    }
}
