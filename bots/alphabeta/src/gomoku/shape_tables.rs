//! Lookup tables of a rule: the shapes of lines, and the kind, value and promise of every [`Shape`]. They are built when a
//! game first uses the rule, in less than 10 ms.

use std::sync::OnceLock;

use games::Side;
use games::gomoku::Rule;

use super::lines::{HalfCodes, LineShape, LineTable};
use super::shape::{Shape, ThreatKind};
use super::weights::{THREATS, Weights};

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
