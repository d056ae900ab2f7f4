//! Lookup tables of a rule: the shapes of lines, and the kind, value and promise of every [`Shape`]. They are built when a
//! game first uses the rule, in less than 10 ms.

use std::sync::{Arc, OnceLock};

use games::Side;
use games::gomoku::Rule;

use super::lines::{HalfCodes, LineShape, LineTable};
use super::shape::{Shape, ThreatKind};
use super::weights::{THREATS, Weights};

type ByShape<T> = Box<[T; Shape::COUNT]>;

pub(super) struct ShapeTables {
    pub halves: HalfCodes,
    /// The tables of both sides, which are the same unless the rule treats black differently.
    lines: [Arc<LineTable>; 2],
    kinds: [Arc<[ThreatKind; Shape::COUNT]>; 2],
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
        let swapped = swapped();
        let kinds = |side| {
            let kind = |shape| ThreatKind::of(shape, rule.forbids(side));
            by_shape(&swapped, kind)
        };
        let weights = Weights::built_in();
        ShapeTables {
            halves: HalfCodes::of(rule),
            lines: of_sides(rule, |side| Box::new(LineTable::of(rule, side))),
            kinds: of_sides(rule, kinds),
            value: by_shape(&swapped, |shape| weights.value.of_shape(shape)),
            policy: by_shape(&swapped, |shape| weights.policy.of_shape(shape)),
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

fn of_sides<T>(rule: Rule, table: impl Fn(Side) -> Box<T>) -> [Arc<T>; 2] {
    let black = Arc::from(table(Side::Black));
    let white = if rule.forbids(Side::Black) {
        table(Side::White).into()
    } else {
        Arc::clone(&black)
    };
    [black, white]
}

/// Returns for each shape the number of a shape with two of its lines swapped into ascending order, which is larger; for
/// a shape whose lines ascend, its own number.
fn swapped() -> Vec<u16> {
    let swap = |number: u16| {
        let lines = Shape(number).lines();
        let place = (0..3).find(|&place| lines[place] > lines[place + 1]);
        place.map_or(number, |place| {
            let swapped = Shape(number).with_line(place, lines[place + 1]);
            swapped.with_line(place + 1, lines[place]).0
        })
    };
    (0..=u16::MAX).map(swap).collect()
}

/// Tabulates `value`, which must not depend on the order of the lines, since it is called for only one order.
#[expect(
    clippy::unnecessary_box_returns,
    reason = "a table of up to 256 KiB does not belong on the stack"
)]
fn by_shape<T: Copy>(swapped: &[u16], value: impl Fn(Shape) -> T) -> ByShape<T> {
    let mut table = vec![value(Shape::default()); Shape::COUNT];
    // The larger number comes first, so its value is known.
    for (number, &larger) in swapped.iter().enumerate().rev() {
        table[number] = match usize::from(larger) {
            met if met > number => table[met],
            _ => value(Shape(larger)),
        };
    }
    table.try_into().ok().expect("the length is right")
}
