//! Line shapes: what a stone would make along one line.
//!
//! A cell sees five cells in each direction along a line. For one colour, each of these has an *own* stone (of this
//! colour), is empty, or is *blocked* (an opponent's stone or the rim). Cells beyond the first blocked cell do not
//! matter. A [`HalfCode`] of six bits describes one direction: one bit is set for each own stone, the nearest in bit 0,
//! and one for the first blocked cell (bit 5 if none of the five is blocked). The two half codes index a table of
//! 64 · 64 [`LineShape`]s.
//! Under caro, the opponent's stones close a five but the rim does not, so two more bits of the index distinguish them.
//!
//! A stone makes a four if one more stone makes a five, a three if one more makes a four, and so on. The rules differ
//! in the definition of a five. Only renju's black has [`LineShape::DoubleFour`].

use games::Side;
use games::gomoku::{Five, Rule};

use super::cell::Cell;

/// The shape that a stone of one colour on an empty cell would make along one line, weakest first.
///
/// An *open* four can be completed on two cells, so one answer is not enough; an open three can become an open four,
/// and an open two an open three. *Closed* shapes can still become a five. Shapes with the same name are ordered by
/// the number of ways to grow, which is largest for the letter A.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LineShape {
    Dead,
    /// A stone that can only become closed shapes.
    ClosedOne,
    /// A stone that can become an open two.
    OpenOne,
    /// Two stones that can become a closed three.
    ClosedTwo,
    /// An open two with one or two ways to an open three.
    OpenTwoC,
    /// An open two with three ways to an open three.
    OpenTwoB,
    /// An open two with four ways or more to an open three, such as adjacent stones with free cells on both sides.
    OpenTwoA,
    /// Three stones that become a four in one way.
    ClosedThreeB,
    /// Three stones that become a four in several ways.
    ClosedThreeA,
    /// Three stones that become an open four in one way.
    OpenThreeB,
    /// Three stones that become an open four in several ways.
    OpenThreeA,
    /// Four stones that can become a five. One stone of the opponent stops this (under caro also by closing the five).
    Four,
    /// Two fours in one line, such as `X XXX X`: a foul of renju's black. Other rules have [`LineShape::OpenFour`].
    DoubleFour,
    /// Four stones that two cells complete, and that no single stone stops.
    OpenFour,
    Five,
    /// More than five stones where exactly five win: worthless, or a renju foul.
    Overline,
}

impl LineShape {
    pub const ALL: [LineShape; 16] = {
        use LineShape as S;
        [
            S::Dead,
            S::ClosedOne,
            S::OpenOne,
            S::ClosedTwo,
            S::OpenTwoC,
            S::OpenTwoB,
            S::OpenTwoA,
            S::ClosedThreeB,
            S::ClosedThreeA,
            S::OpenThreeB,
            S::OpenThreeA,
            S::Four,
            S::DoubleFour,
            S::OpenFour,
            S::Five,
            S::Overline,
        ]
    };
}

/// The number of cells that a cell sees in each direction.
pub(super) const REACH: u32 = 5;
/// The own stones up to the first blocked cell, and the position of that cell, as bits.
type HalfCode = u32;

/// The number of pairs of half codes, by which line shapes are looked up.
pub const KEYS: usize = 1 << 12;
/// Two bits of a key, used only under caro: whether the first blocked cell of each half is the rim.
const RIMS: [usize; 2] = [1 << 12, 1 << 13];
const RIM_KEYS: usize = 1 << 14;

/// Line shapes of one colour. The index is the first half code, plus 64 times the second one, plus the bits [`RIMS`].
pub(super) struct LineTable {
    shapes: [LineShape; RIM_KEYS],
    /// The cells on which an opponent's stone weakens a four or five: bit n stands for the cell n + 1 steps before,
    /// and bit 5 + n for the cell n + 1 steps after.
    answers: Box<[u16]>,
}

impl LineTable {
    pub(super) fn of(rule: Rule, side: Side) -> LineTable {
        let mut table = LineTable {
            shapes: [LineShape::Dead; RIM_KEYS],
            answers: vec![0; RIM_KEYS].into(),
        };
        let keys = if tells_rim(rule) { RIM_KEYS } else { KEYS };
        let keys = (0..keys).filter(|key| key & 63 != 0 && key >> 6 & 63 != 0);
        // An entry depends on entries with one more stone, which have larger numbers.
        for key in keys.clone().rev() {
            table.shapes[key] = classify(&table, key, rule, side);
        }
        for key in keys {
            if (LineShape::Four..=LineShape::Five).contains(&table.shapes[key]) {
                let weaker = |&at: &u32| {
                    blocked(key, at).is_some_and(|after| table.shapes[after] < table.shapes[key])
                };
                let answers = (0..2 * REACH).filter(weaker);
                table.answers[key] = answers.fold(0, |all, at| all | 1 << at);
            }
        }
        table
    }

    #[inline]
    pub(super) const fn shape(&self, key: usize) -> LineShape {
        self.shapes[key & (RIM_KEYS - 1)]
    }

    pub(super) fn answers(&self, key: usize) -> impl Iterator<Item = i16> + use<> {
        let answers = self.answers[key & (RIM_KEYS - 1)];
        (0..2 * REACH as i16)
            .filter(move |at| answers >> at & 1 != 0)
            .map(|at| if at < 5 { -1 - at } else { at - 4 })
    }
}

/// Returns whether the rule distinguishes the rim from an opponent's stone at the end of a five.
const fn tells_rim(rule: Rule) -> bool {
    !rule.five(Side::Black).closed
}

fn classify(table: &LineTable, key: usize, rule: Rule, side: Side) -> LineShape {
    use LineShape as S;
    let five = rule.five(side);
    if is_five(key, five) {
        return S::Five;
    }
    let run = halves(key).map(run).iter().sum::<u32>() + 1;
    if run > 5 {
        return S::Overline;
    }
    let mut ways = [0; 16];
    for key in with_one_more(key) {
        ways[table.shapes[key] as usize] += 1;
    }
    let ways_to = |from: S, to: S| ways[from as usize..=to as usize].iter().sum::<u32>();
    if ways_to(S::Five, S::Five) > 0 {
        let stops = |after: usize| !with_one_more(after).any(|key| is_five(key, five));
        let is_stopped = (0..2 * REACH).filter_map(|at| blocked(key, at)).any(stops);
        return match is_stopped {
            true => S::Four,
            false if run != 4 && rule.forbids(side) => S::DoubleFour,
            false => S::OpenFour,
        };
    }
    match ways_to(S::OpenFour, S::OpenFour) {
        0 => {}
        1 => return S::OpenThreeB,
        _ => return S::OpenThreeA,
    }
    match ways_to(S::Four, S::DoubleFour) {
        0 => {}
        1 => return S::ClosedThreeB,
        _ => return S::ClosedThreeA,
    }
    match ways_to(S::OpenThreeB, S::OpenThreeA) {
        0 => {}
        1 | 2 => return S::OpenTwoC,
        3 => return S::OpenTwoB,
        _ => return S::OpenTwoA,
    }
    if ways_to(S::ClosedThreeB, S::ClosedThreeA) > 0 {
        S::ClosedTwo
    } else if ways_to(S::OpenTwoC, S::OpenTwoA) > 0 {
        S::OpenOne
    } else if ways_to(S::ClosedTwo, S::ClosedTwo) > 0 {
        S::ClosedOne
    } else {
        S::Dead
    }
}

const fn halves(key: usize) -> [HalfCode; 2] {
    [key as HalfCode & 63, key as HalfCode >> 6 & 63]
}

fn is_five(key: usize, five: Five) -> bool {
    let halves = halves(key);
    let length = 1 + halves.map(run).iter().sum::<u32>();
    let ends_at_stone = |way: usize| run(halves[way]) == sight(halves[way]) && key & RIMS[way] == 0;
    five.wins(length, || (0..2).all(ends_at_stone))
}

/// Returns the number of own stones adjacent to the cell on one side.
const fn run(half: HalfCode) -> u32 {
    let seen = sight(half);
    let stones = half & ((1 << seen) - 1);
    stones.trailing_ones()
}

/// Returns the number of cells before the first blocked cell.
const fn sight(half: HalfCode) -> u32 {
    half.ilog2()
}

/// Returns the bit of a cell in the key, if the cell is empty and in sight. `at` is the index of its bit in `answers`.
fn empty(key: usize, at: u32) -> Option<usize> {
    let (way, steps) = (at / REACH, at % REACH);
    let half = halves(key)[way as usize];
    (steps < sight(half) && half >> steps & 1 == 0).then_some(1 << (6 * way + steps))
}

/// Returns the keys with one more own stone, for each empty cell in sight.
fn with_one_more(key: usize) -> impl Iterator<Item = usize> {
    (0..2 * REACH).filter_map(move |at| Some(key | empty(key, at)?))
}

fn blocked(key: usize, at: u32) -> Option<usize> {
    let bit = empty(key, at)?;
    let way = (at / REACH) as usize;
    let seen = (bit - 1) & 63 << (6 * way);
    Some(key & !(63 << (6 * way)) & !RIMS[way] | key & seen | bit)
}

/// Tables that convert the bits of a line to the half codes of both colours. The low half of an entry is for black,
/// the high half for white. Each half code is shifted to its place in the index of a `LineTable`.
pub(super) struct HalfCodes {
    before: [u32; 1024],
    after: [u32; 1024],
}

impl HalfCodes {
    /// Returns the tables for a rule, with rim bits under caro.
    pub(super) fn of(rule: Rule) -> HalfCodes {
        let rims = if tells_rim(rule) { RIMS } else { [0; 2] };
        let code = |own: u32, other: u32, way: usize| {
            let end = other & own & other.wrapping_neg();
            let rim = if end == 0 { 0 } else { rims[way] as u32 };
            half(own, other) << (6 * way) | rim
        };
        let codes = |black, white, way| code(black, white, way) | code(white, black, way) << 16;
        let mut all = HalfCodes {
            before: [0; 1024],
            after: [0; 1024],
        };
        for index in 0..1024usize {
            let (black, white) = (index as u32 >> 5, index as u32 & 31);
            all.after[index] = codes(black, white, 1);
            let (black, white) = (black.reverse_bits() >> 27, white.reverse_bits() >> 27);
            all.before[index] = codes(black, white, 0);
        }
        all
    }

    /// Returns the table indices of both colours for a cell at `place` of a line. `black` and `white` include the rim.
    #[inline]
    pub(super) const fn keys(&self, black: u32, white: u32, place: u32) -> [usize; 2] {
        let shift = place - REACH;
        let (black, white) = (black >> shift, white >> shift);
        let before = (black & 31) << 5 | (white & 31);
        let after = (black >> 6 & 31) << 5 | (white >> 6 & 31);
        let keys = self.before[before as usize & 1023] | self.after[after as usize & 1023];
        [(keys & 0x3fff) as usize, (keys >> 16 & 0x3fff) as usize]
    }
}

/// Returns the half code of five cells; the nearest cell is bit 0 of `own` and `blocked`.
pub(super) const fn half(own: u32, blocked: u32) -> HalfCode {
    let end = blocked | 1 << REACH;
    let end = end & end.wrapping_neg();
    own & (end - 1) | end
}

// --- The lines of a board ---

/// The stones of black and of white by direction and line; the rim is set in both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineBitboards([[[u32; 2]; 64]; 4]);

impl LineBitboards {
    pub const fn blocked() -> LineBitboards {
        LineBitboards([[[u32::MAX; 2]; 64]; 4])
    }

    pub fn set(&mut self, cell: Cell, of_side: [bool; 2]) {
        for direction in 0..4 {
            let (line, place) = cell.place(direction);
            for (bits, set) in self.0[direction][line].iter_mut().zip(of_side) {
                *bits = *bits & !(1 << place) | u32::from(set) << place;
            }
        }
    }

    #[inline]
    pub const fn is_empty(&self, cell: Cell) -> bool {
        let (line, place) = cell.place(0);
        let [black, white] = self.0[0][line];
        (black | white) >> place & 1 == 0
    }

    #[inline]
    pub const fn has_stone(&self, cell: Cell, side: usize) -> bool {
        let (line, place) = cell.place(0);
        let [own, other] = [self.0[0][line][side & 1], self.0[0][line][side & 1 ^ 1]];
        (own & !other) >> place & 1 != 0
    }

    pub const fn row(&self, row: usize) -> [u32; 2] {
        self.0[0][row & 63]
    }

    /// Returns the stones of black and of white on the line through `cell`, and the cell's place on it.
    #[inline]
    pub(super) const fn line(&self, cell: Cell, direction: usize) -> ([u32; 2], u32) {
        let (line, place) = cell.place(direction);
        (self.0[direction][line], place)
    }

    #[inline]
    pub(super) const fn keys(
        &self,
        halves: &HalfCodes,
        cell: Cell,
        direction: usize,
    ) -> [usize; 2] {
        let (line, place) = cell.place(direction);
        let [black, white] = self.0[direction][line];
        halves.keys(black, white, place)
    }

    /// Returns the empty cells that see `cell` along one direction, and `cell` itself if empty, with their keys.
    #[inline]
    pub(super) fn in_reach<'a>(
        &self,
        halves: &'a HalfCodes,
        cell: Cell,
        direction: usize,
    ) -> impl Iterator<Item = (Cell, [usize; 2])> + use<'a> {
        let (line, place) = cell.place(direction);
        let [black, white] = self.0[direction][line];
        let first = place - REACH;
        let reach = (1u32 << (2 * REACH + 1)) - 1;
        let mut empty = !(black | white) >> first & reach;
        std::iter::from_fn(move || {
            (empty != 0).then(|| {
                let at = empty.trailing_zeros();
                empty &= empty - 1;
                let near = cell.step(direction, at as i16 - REACH as i16);
                (near, halves.keys(black, white, first + at))
            })
        })
    }
}
