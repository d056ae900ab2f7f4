//! The shapes of a cell in all four lines, and lookup tables for them. A [`Shape`] packs a cell's four [`LineShape`]s
//! of one colour into 16 bits. [`ThreatKind`] classifies it for tactics.

use std::sync::OnceLock;

use games::Side;
use games::gomoku::Rule;

use super::evaluation::{THREATS, Weights};
use super::lines::{HalfCodes, LineShape, LineTable};

/// Four line shapes of one colour. Bits 4d to 4d + 3 hold direction d. The shape of a cell with a stone is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Shape(pub u16);

impl Shape {
    pub const COUNT: usize = 1 << 16;

    pub fn of(lines: [LineShape; 4]) -> Shape {
        (0..4).fold(Shape::default(), |shape, direction| {
            shape.with_line(direction, lines[direction])
        })
    }

    pub const fn line(self, direction: usize) -> LineShape {
        LineShape::ALL[(self.0 >> (4 * direction) & 15) as usize]
    }

    #[must_use]
    pub const fn with_line(self, direction: usize, line: LineShape) -> Shape {
        Shape(self.0 & !(15 << (4 * direction)) | (line as u16) << (4 * direction))
    }

    pub fn lines(self) -> [LineShape; 4] {
        [0, 1, 2, 3].map(|direction| self.line(direction))
    }

    pub fn count(self, from: LineShape, to: LineShape) -> usize {
        self.lines()
            .into_iter()
            .filter(|line| (from..=to).contains(line))
            .count()
    }
}

/// The threat that a stone on a cell makes, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ThreatKind {
    Quiet,
    /// An overline or a double four of renju's black, if the stone makes no five.
    Foul,
    Three,
    /// An open three, with a closed three or an open two in another line.
    ThreePlus,
    /// Two open threes. For renju's black, this may be a foul (see `moves`).
    DoubleThree,
    Four,
    /// A four, with a closed three or an open two in another line.
    FourPlus,
    /// A four and an open three. For renju's black also an open four with two open threes: perhaps a foul (`moves`).
    FourThree,
    /// An open four or two fours: a win unless the opponent has a five first. Never a foul.
    OpenFour,
    Five,
}

impl ThreatKind {
    pub const COUNT: usize = 10;

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

// The lookup tables of a rule are built when a game first uses it, in less than 10 ms.

type ByShape<T> = Box<[T; Shape::COUNT]>;

pub(super) struct ShapeTables {
    pub halves: HalfCodes,
    lines: [Box<LineTable>; 2],
    kinds: [ByShape<ThreatKind>; 2],
    /// The values of a shape: if its side is to move, and if the other side is.
    value: ByShape<[i16; 2]>,
    /// The promise of a move to a cell with this shape: if the shape is the mover's, and if it is the opponent's.
    policy: ByShape<[i16; 2]>,
    threats: Box<[i16; THREATS]>,
}

impl ShapeTables {
    pub(super) fn of(rule: Rule) -> &'static ShapeTables {
        static ALL: [OnceLock<ShapeTables>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        ALL[rule as usize].get_or_init(|| ShapeTables::new(rule))
    }

    fn new(rule: Rule) -> ShapeTables {
        let kinds = |renju_black| by_shape(|shape| ThreatKind::of(shape, renju_black));
        let weights = Weights::built_in();
        ShapeTables {
            halves: HalfCodes::of(rule),
            lines: Side::BOTH.map(|side| Box::new(LineTable::of(rule, side))),
            kinds: Side::BOTH.map(|side| kinds(rule.forbids(side))),
            value: by_shape(|shape| weights.of_shape("value", shape)),
            policy: by_shape(|shape| weights.of_shape("policy", shape)),
            threats: Box::new(std::array::from_fn(|threats| {
                weights.of_threats(threats as u16)
            })),
        }
    }

    #[inline]
    pub(super) fn line(&self, side: usize, key: usize) -> LineShape {
        self.lines[side & 1].shape(key)
    }

    pub(super) fn answers(&self, side: usize, key: usize) -> impl Iterator<Item = i16> + use<> {
        self.lines[side & 1].answers(key)
    }

    #[inline]
    pub(super) fn kind(&self, side: usize, shape: Shape) -> ThreatKind {
        self.kinds[side & 1][usize::from(shape.0)]
    }

    #[inline]
    pub(super) fn value(&self, shape: Shape) -> [i16; 2] {
        self.value[usize::from(shape.0)]
    }

    /// Returns the promise of a move that makes the shape `own` and prevents `taken`.
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

pub fn line_shape(rule: Rule, side: Side, key: usize) -> LineShape {
    ShapeTables::of(rule).line(side.index(), key)
}

/// Tabulates `value`, which must not depend on the order of the lines, since it is called for only one order.
#[expect(
    clippy::unnecessary_box_returns,
    reason = "a table of up to 256 KiB does not belong on the stack"
)]
fn by_shape<T: Copy>(value: impl Fn(Shape) -> T) -> ByShape<T> {
    let mut table = vec![value(Shape::default()); Shape::COUNT];
    // Of all orders of the same lines, the ascending one has the largest number, so this loop meets it first.
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
