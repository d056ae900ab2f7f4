//! What a stone on a cell would make in its four lines together, and the lookup tables by that.
//!
//! A [`Shape`] packs the four [`LineShape`]s of one colour on one cell into sixteen bits, so that
//! any judgement of a cell is one table lookup. [`ThreatKind`] is the judgement that tactics need.

use std::sync::LazyLock;

use games::Side;
use games::gomoku::Rule;

use super::evaluation::{THREATS, Weights};
use super::lines::{FiveRule, HalfCodes, KEYS, LineShape, LineTable, line_table};

/// Four line shapes of one colour, four bits each: direction number d in bits 4d to 4d + 3.
///
/// 0, dead in every line, stands on cells that have a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Shape(pub u16);

impl Shape {
    /// Number of different values.
    pub const COUNT: usize = 1 << 16;

    /// Of the four directions in order.
    pub fn of(lines: [LineShape; 4]) -> Shape {
        (0..4).fold(Shape::default(), |shape, direction| {
            shape.with_line(direction, lines[direction])
        })
    }

    /// Returns the shape along one direction.
    pub const fn line(self, direction: usize) -> LineShape {
        LineShape::ALL[(self.0 >> (4 * direction) & 15) as usize]
    }

    /// The same with another shape along one direction.
    #[must_use]
    pub const fn with_line(self, direction: usize, line: LineShape) -> Shape {
        Shape(self.0 & !(15 << (4 * direction)) | (line as u16) << (4 * direction))
    }

    /// Returns the shapes along the four directions.
    pub fn lines(self) -> [LineShape; 4] {
        [0, 1, 2, 3].map(|direction| self.line(direction))
    }

    /// Returns the number of lines with a shape between these two, both included.
    pub fn count(self, from: LineShape, to: LineShape) -> usize {
        self.lines()
            .into_iter()
            .filter(|line| (from..=to).contains(line))
            .count()
    }
}

/// What a stone on a cell threatens, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ThreatKind {
    /// Nothing that must be answered.
    Quiet,
    /// Black may not play here under renju, whatever else the stone would make.
    Foul,
    Three,
    /// An open three, with a closed three or an open two in another line.
    ThreePlus,
    /// Two open threes. Under renju black's may be a foul: see `moves`.
    DoubleThree,
    Four,
    /// A four, with a closed three or an open two in another line.
    FourPlus,
    /// A four and an open three. Under renju also black's open four that two open threes may make
    /// a foul, at once or after a stone of white's: see `moves`.
    FourThree,
    /// An open four or two fours: won unless the opponent has a five first. Never a foul.
    OpenFour,
    Five,
}

impl ThreatKind {
    pub const COUNT: usize = 10;

    /// Returns the kind of a shape; `renju_black` says whether fouls are to be looked for.
    pub fn of(shape: Shape, renju_black: bool) -> ThreatKind {
        use LineShape as S;
        let open_threes = shape.count(S::OpenThreeB, S::OpenThreeA);
        let fours = shape.count(S::Four, S::OpenFour);
        let helpers = shape.count(S::OpenTwoC, S::ClosedThreeA);
        if shape.count(S::Five, S::Five) > 0 {
            return ThreatKind::Five;
        }
        let double_four = fours >= 2 || shape.count(S::DoubleFour, S::DoubleFour) > 0;
        if renju_black && (double_four || shape.count(S::Overline, S::Overline) > 0) {
            return ThreatKind::Foul;
        }
        match (fours, open_threes) {
            (1.., 2..) if renju_black => ThreatKind::FourThree,
            (2.., _) => ThreatKind::OpenFour,
            (1, _) if shape.count(S::DoubleFour, S::OpenFour) > 0 => ThreatKind::OpenFour,
            (1, 1..) => ThreatKind::FourThree,
            (1, 0) if helpers > 0 => ThreatKind::FourPlus,
            (1, 0) => ThreatKind::Four,
            (_, 2..) => ThreatKind::DoubleThree,
            (_, 1) if helpers > 0 => ThreatKind::ThreePlus,
            (_, 1) => ThreatKind::Three,
            _ => ThreatKind::Quiet,
        }
    }
}

// --- The lookup tables of one rule ---
//
// Built once when the rule is first played, in well under 10 ms.

/// A value for every shape.
type ByShape<T> = Box<[T; Shape::COUNT]>;

/// The lookup tables for a stone.
pub(super) struct Tables {
    pub halves: HalfCodes,
    /// Line shapes of each side.
    lines: [LineTable; 2],
    /// The kind of each shape, for each side.
    kinds: [ByShape<ThreatKind>; 2],
    /// What a cell of that shape is worth: to the side to move, and to the other.
    value: ByShape<[i16; 2]>,
    /// How promising a move to a cell of that shape looks: to the side whose shape it is, and to
    /// the other.
    policy: ByShape<[i16; 2]>,
    /// What a combination of threats is worth to the side to move.
    threats: Box<[i16; THREATS]>,
}

impl Tables {
    pub(super) fn of(rule: Rule) -> &'static Tables {
        static ALL: [LazyLock<Tables>; 3] = [
            LazyLock::new(|| Tables::new(Rule::Freestyle)),
            LazyLock::new(|| Tables::new(Rule::Standard)),
            LazyLock::new(|| Tables::new(Rule::Renju)),
        ];
        &ALL[rule as usize]
    }

    fn new(rule: Rule) -> Tables {
        let kinds = |renju_black| by_shape(|shape| ThreatKind::of(shape, renju_black));
        let weights = Weights::built_in();
        Tables {
            halves: HalfCodes::default(),
            lines: Side::BOTH.map(|side| line_table(FiveRule::of(rule, side))),
            kinds: [kinds(rule == Rule::Renju), kinds(false)],
            value: by_shape(|shape| weights.of_shape("value", shape)),
            policy: by_shape(|shape| weights.of_shape("policy", shape)),
            threats: Box::new(std::array::from_fn(|threats| {
                weights.of_threats(threats as u16)
            })),
        }
    }

    #[inline]
    pub(super) fn line(&self, side: usize, key: usize) -> LineShape {
        self.lines[side & 1][key & (KEYS - 1)]
    }

    #[inline]
    pub(super) fn kind(&self, side: usize, shape: Shape) -> ThreatKind {
        self.kinds[side & 1][usize::from(shape.0)]
    }

    #[inline]
    pub(super) fn value(&self, shape: Shape) -> [i16; 2] {
        self.value[usize::from(shape.0)]
    }

    /// Returns how promising a move looks that makes the first shape and takes the second.
    #[inline]
    pub(super) fn policy(&self, own: Shape, taken: Shape) -> i32 {
        let own = self.policy[usize::from(own.0)][0];
        i32::from(own) + i32::from(self.policy[usize::from(taken.0)][1])
    }

    #[inline]
    pub(super) fn threats(&self, threats: u16) -> i32 {
        self.threats[usize::from(threats) & (THREATS - 1)].into()
    }
}

/// Returns the shape that a stone of `side` makes along a line with this key (see [`HalfCodes`]).
pub fn line_shape(rule: Rule, side: Side, key: usize) -> LineShape {
    Tables::of(rule).line(side.index(), key)
}

/// Returns a table of `value` for every shape.
///
/// The order of the lines does not matter to any judgement, so it is asked for one order only.
#[expect(
    clippy::unnecessary_box_returns,
    reason = "a table of up to 256 KiB does not belong on the stack"
)]
fn by_shape<T: Copy>(value: impl Fn(Shape) -> T) -> ByShape<T> {
    let mut table = vec![value(Shape::default()); Shape::COUNT];
    // The lines in ascending order make the largest number, which is met first.
    for number in (0..Shape::COUNT).rev() {
        let mut lines = Shape(number as u16).lines();
        lines.sort_unstable();
        let sorted = Shape::of(lines);
        table[number] = match usize::from(sorted.0) {
            met if met > number => table[met],
            _ => value(sorted),
        };
    }
    table.try_into().ok().expect("the length is right")
}

#[cfg(test)]
mod tests {
    use LineShape as S;

    use super::*;

    #[test]
    fn lines_are_read_back_as_they_were_packed() {
        let lines = [S::Five, S::Dead, S::OpenThreeB, S::Four];
        assert_eq!(Shape::of(lines).lines(), lines);
    }
}
