//! Line shapes: what a stone would make along one line.
//!
//! A cell sees five cells each way along a line. For one colour, each has an own stone, is empty, or is *blocked* (an
//! opponent's stone or the rim). Cells beyond the first blocked one do not matter. A [`HalfCode`] of six bits describes
//! one way: the own stones, the nearest in bit 0, and a set bit at the first blocked cell. The two half codes index a
//! table of 64 · 64 [`LineShape`]s.
//!
//! An entry is computed from later entries: a stone makes a four if one more makes a five, a three if one more makes a
//! four, and so on. The rules differ only in the definition of a five.

use games::Side;
use games::gomoku::Rule;

use super::cell::Cell;

/// The shape that a stone of one colour on an empty cell would make along one line, weakest first.
///
/// An *open* four can be completed on two cells, so that one answer is not enough; an open three can become an open
/// four, and an open two an open three. *Closed* shapes can still become a five. The letters order shapes of one name
/// by the number of ways to grow: A has the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LineShape {
    /// No five is possible here.
    Dead,
    /// A stone that can only become closed shapes.
    ClosedOne,
    /// A stone that can become an open two.
    OpenOne,
    /// Two stones that can become a closed three.
    ClosedTwo,
    /// An open two with one or two ways to an open three.
    OpenTwoC,
    /// An open two with three ways.
    OpenTwoB,
    /// An open two with four ways or more: adjacent stones with room.
    OpenTwoA,
    /// Three stones that become a four in one way.
    ClosedThreeB,
    /// As [`LineShape::ClosedThreeB`], in several ways.
    ClosedThreeA,
    /// Three stones that become an open four in one way.
    OpenThreeB,
    /// As [`LineShape::OpenThreeB`], in several ways.
    OpenThreeA,
    /// Four stones that one cell completes.
    Four,
    /// Two fours in one line, such as `X XXX X`: a foul of renju's black. Other rules have [`LineShape::OpenFour`]
    /// instead.
    DoubleFour,
    /// Four stones that either of two cells completes.
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

/// The definition of a five for one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FiveRule {
    OrMore,
    /// More than five are worth nothing.
    Exactly,
    /// Renju's black: exactly five, and two fours in one line are a foul.
    Renju,
}

impl FiveRule {
    pub(super) const fn of(rule: Rule, side: Side) -> FiveRule {
        match (rule, side) {
            (Rule::Freestyle, _) | (Rule::Renju, Side::White) => FiveRule::OrMore,
            (Rule::Standard, _) => FiveRule::Exactly,
            (Rule::Renju, Side::Black) => FiveRule::Renju,
        }
    }
}

/// Number of cells that a cell sees each way.
pub(super) const REACH: u32 = 5;
/// `REACH` bits for own stones up to the first blocked cell, and the bit of that cell.
type HalfCode = u32;

pub const KEYS: usize = 1 << 12;

/// Line shapes of one colour, indexed by the half code before the cell, plus 64 times the half code after it.
pub(super) type LineTable = [LineShape; KEYS];

pub(super) fn line_table(five: FiveRule) -> LineTable {
    let mut table = [LineShape::Dead; KEYS];
    // An entry depends on entries with one more stone, which have larger numbers.
    for key in (0..KEYS).rev() {
        let (before, after) = (key as HalfCode & 63, key as HalfCode >> 6);
        if before != 0 && after != 0 {
            table[key] = classify(&table, before, after, five);
        }
    }
    table
}

fn classify(table: &LineTable, before: HalfCode, after: HalfCode, five: FiveRule) -> LineShape {
    use LineShape as S;
    let run = 1 + run(before) + run(after);
    if run == 5 || (run > 5 && five == FiveRule::OrMore) {
        return S::Five;
    }
    if run > 5 {
        return S::Overline;
    }
    let mut ways = [0; 16];
    for shape in with_one_more(table, before, after) {
        ways[shape as usize] += 1;
    }
    let ways_to = |from: S, to: S| ways[from as usize..=to as usize].iter().sum::<u32>();
    match ways_to(S::Five, S::Five) {
        0 => {}
        1 => return S::Four,
        _ if run != 4 && five == FiveRule::Renju => return S::DoubleFour,
        _ => return S::OpenFour,
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

/// Returns the number of own stones adjacent to the cell on one side.
const fn run(half: HalfCode) -> u32 {
    let seen = sight(half);
    let stones = half & ((1 << seen) - 1);
    stones.trailing_ones()
}

/// Returns the number of cells before the first blocked one.
const fn sight(half: HalfCode) -> u32 {
    half.ilog2()
}

/// Returns the shapes after one more own stone, for each empty cell in sight.
fn with_one_more(
    table: &LineTable,
    before: HalfCode,
    after: HalfCode,
) -> impl Iterator<Item = LineShape> {
    let empty = |half: HalfCode| {
        (0..sight(half))
            .map(|at| 1 << at)
            .filter(move |bit| half & bit == 0)
    };
    let left = empty(before).map(move |bit| (before | bit) | after << 6);
    let right = empty(after).map(move |bit| before | (after | bit) << 6);
    left.chain(right).map(|key| table[key as usize])
}

/// Tables that convert the bits of a line to the half codes of both colours. An entry has black's in its low half and
/// white's in its high half, each shifted to its place in the index of a `LineTable`.
#[derive(Debug)]
pub struct HalfCodes {
    before: [u32; 1024],
    after: [u32; 1024],
}

impl Default for HalfCodes {
    fn default() -> HalfCodes {
        let mut codes = HalfCodes {
            before: [0; 1024],
            after: [0; 1024],
        };
        for index in 0..1024usize {
            let (black, white) = (index as u32 >> 5, index as u32 & 31);
            codes.after[index] = half(black, white) << 6 | half(white, black) << 22;
            let (black, white) = (black.reverse_bits() >> 27, white.reverse_bits() >> 27);
            codes.before[index] = half(black, white) | half(white, black) << 16;
        }
        codes
    }
}

impl HalfCodes {
    /// Returns the table indices of black and white for the cell at `place` of a line. The rim is set in both `black`
    /// and `white`.
    #[inline]
    pub(super) const fn keys(&self, black: u32, white: u32, place: u32) -> [usize; 2] {
        let shift = place - REACH;
        let (black, white) = (black >> shift, white >> shift);
        let before = (black & 31) << 5 | (white & 31);
        let after = (black >> 6 & 31) << 5 | (white >> 6 & 31);
        let keys = self.before[before as usize & 1023] | self.after[after as usize & 1023];
        [(keys & 0xfff) as usize, (keys >> 16 & 0xfff) as usize]
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
pub struct Lines([[[u32; 2]; 64]; 4]);

impl Lines {
    /// Returns a field that is all rim.
    pub const fn blocked() -> Lines {
        Lines([[[u32::MAX; 2]; 64]; 4])
    }

    /// Sets whether black and white have a stone on `cell`.
    pub fn set(&mut self, cell: Cell, of_side: [bool; 2]) {
        for direction in 0..4 {
            let (line, place) = cell.place(direction);
            for (bits, set) in self.0[direction][line].iter_mut().zip(of_side) {
                *bits = *bits & !(1 << place) | u32::from(set) << place;
            }
        }
    }

    /// Returns whether the cell has no stone; false on the rim.
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

    /// Returns black's and white's indices into a `LineTable` for a cell along one direction.
    #[inline]
    pub const fn keys(&self, halves: &HalfCodes, cell: Cell, direction: usize) -> [usize; 2] {
        let (line, place) = cell.place(direction);
        let [black, white] = self.0[direction][line];
        halves.keys(black, white, place)
    }

    /// Returns the empty cells that see `cell` along one direction (and `cell` itself if empty), with [`Lines::keys`].
    #[inline]
    pub fn in_reach<'a>(
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
