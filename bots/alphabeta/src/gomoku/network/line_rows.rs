//! The rows of the tables: what a side sees from an empty cell in the two directions of a line.
//!
//! In each direction, the side sees the stones of the nearest stone's colour up to the first cell of the other colour
//! or the rim, at most five cells away. This is one of 120 *views of a half line*: 57 in which the nearest stone is its
//! own, 57 in which it is the opponent's, and 6 without a stone. A pair of them and its mirror image share a row.

use std::sync::LazyLock;

use crate::gomoku::cell::Cell;
use crate::gomoku::lines::{LineBitboards, REACH, half};

/// The number of views of a half line.
pub const HALVES: usize = 120;
/// The number of pairs without their mirror images.
pub const ROWS: usize = HALVES * (HALVES + 1) / 2;

/// The number of rows of the table by which pairs are looked up: the next power of two.
const WIDE: usize = HALVES.next_power_of_two();

/// The bits of five cells of each side: own stones times 32, plus the opponent's. The rim is set in both.
const FIVES: usize = 1 << (2 * REACH);

pub struct LineRows {
    /// The view of the half line before the cell, whose nearest cell is the highest bit, and of the half line after it.
    before: [u8; FIVES],
    after: [u8; FIVES],
    rows: Box<[[u16; WIDE]; WIDE]>,
}

/// The view of a half line: the half codes of the side's own stones and of the opponent's (`lines.rs`).
#[derive(Clone, Copy, PartialEq, Eq)]
struct HalfView {
    own: u32,
    other: u32,
}

impl HalfView {
    /// The view of five cells; the nearest cell is bit 0.
    const fn of(own: u32, other: u32) -> HalfView {
        let nearest = (own | other | 1 << REACH).trailing_zeros();
        let blocked = 1 << nearest;
        let (is_own, is_other) = (own >> nearest & 1 != 0, other >> nearest & 1 != 0);
        HalfView {
            own: if is_own && !is_other {
                half(own, other)
            } else {
                blocked
            },
            other: if is_other && !is_own {
                half(other, own)
            } else {
                blocked
            },
        }
    }

    /// All views, in the order of their numbers.
    fn all() -> Vec<HalfView> {
        let mut all = Vec::with_capacity(HALVES);
        for index in 0..FIVES as u32 {
            let view = HalfView::of(index >> REACH, index & 31);
            if !all.contains(&view) {
                all.push(view);
            }
        }
        all
    }
}

impl LineRows {
    pub fn get() -> &'static LineRows {
        static ROWS: LazyLock<LineRows> = LazyLock::new(LineRows::new);
        &ROWS
    }

    fn new() -> LineRows {
        let all = HalfView::all();
        let number = |own, other| {
            let view = HalfView::of(own, other);
            let number = all.iter().position(|&one| one == view);
            number.expect("all views are numbered") as u8
        };
        let mut rows = LineRows {
            before: [0; FIVES],
            after: [0; FIVES],
            rows: vec![[0; WIDE]; WIDE]
                .try_into()
                .expect("the length is right"),
        };
        for index in 0..FIVES {
            let (own, other) = (index as u32 >> REACH, index as u32 & 31);
            rows.after[index] = number(own, other);
            rows.before[index] = number(own.reverse_bits() >> 27, other.reverse_bits() >> 27);
        }
        let mut next = 0;
        for before in 0..HALVES {
            for after in before..HALVES {
                rows.rows[before][after] = next;
                rows.rows[after][before] = next;
                next += 1;
            }
        }
        rows
    }

    /// Returns the views of both half lines of the cell at `place`, for the side whose stones are `own`.
    #[inline]
    pub(super) const fn halves(&self, own: u32, other: u32, place: u32) -> [u8; 2] {
        let shift = place - REACH;
        let (own, other) = (own >> shift, other >> shift);
        let before = (own & 31) << 5 | (other & 31);
        let after = (own >> 6 & 31) << 5 | (other >> 6 & 31);
        [
            self.before[before as usize & (FIVES - 1)],
            self.after[after as usize & (FIVES - 1)],
        ]
    }

    #[inline]
    pub(super) const fn row(&self, halves: [u8; 2]) -> usize {
        self.rows[halves[0] as usize & (WIDE - 1)][halves[1] as usize & (WIDE - 1)] as usize
    }

    /// Returns the row of an empty cell along a line, in the view of `side`.
    #[inline]
    pub const fn of(
        &self,
        lines: &LineBitboards,
        cell: Cell,
        direction: usize,
        side: usize,
    ) -> usize {
        let (bits, place) = lines.line(cell, direction);
        self.row(self.halves(bits[side & 1], bits[side & 1 ^ 1], place))
    }

    /// Returns, for each row, the keys of the own stones and of the opponent's by which line shapes are looked up.
    pub fn keys() -> Vec<[usize; 2]> {
        let all = HalfView::all();
        let mut keys = Vec::with_capacity(ROWS);
        for (number, before) in all.iter().enumerate() {
            for after in &all[number..] {
                let key = |before, after: u32| (before | after << 6) as usize;
                keys.push([key(before.own, after.own), key(before.other, after.other)]);
            }
        }
        keys
    }
}
