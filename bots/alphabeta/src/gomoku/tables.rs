//! The lookup tables of one rule, built once when the rule is first played (well under 10 ms).

use std::sync::LazyLock;

use games::Side;
use games::gomoku::Rule;

use super::pattern::{FiveRule, HalfCodes, KEYS, LineShape, LineTable, line_table};
use super::shape::{Kind, Shape};
use super::weights::{THREATS, Weights};

/// A value for every shape.
type ByShape<T> = Box<[T; Shape::COUNT]>;

/// All that a board looks up when a stone is put down.
pub(super) struct Tables {
    pub halves: HalfCodes,
    /// Line shapes of each side.
    lines: [LineTable; 2],
    /// The kind of each shape, for each side.
    kinds: [ByShape<Kind>; 2],
    /// What a cell of that shape is worth: to the side to move, and to the other.
    value: ByShape<[i16; 2]>,
    /// How promising a move to a cell of that shape looks: to the side whose shape it is, and to
    /// the other.
    policy: ByShape<[i16; 2]>,
    /// What a combination of threats is worth to the side to move.
    threats: Box<[i16; THREATS]>,
}

impl Tables {
    /// The tables of `rule`.
    pub(super) fn of(rule: Rule) -> &'static Tables {
        static ALL: [LazyLock<Tables>; 3] = [
            LazyLock::new(|| Tables::new(Rule::Freestyle)),
            LazyLock::new(|| Tables::new(Rule::Standard)),
            LazyLock::new(|| Tables::new(Rule::Renju)),
        ];
        &ALL[rule as usize]
    }

    fn new(rule: Rule) -> Tables {
        let kinds = |renju_black| by_shape(|shape| Kind::of(shape, renju_black));
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
    pub(super) fn kind(&self, side: usize, shape: Shape) -> Kind {
        self.kinds[side & 1][usize::from(shape.0)]
    }

    #[inline]
    pub(super) fn value(&self, shape: Shape) -> [i16; 2] {
        self.value[usize::from(shape.0)]
    }

    /// How promising a move looks that makes the first shape and takes the second.
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

/// What a stone of `side` makes along a line that it sees by this key (see [`HalfCodes`]).
pub fn line_shape(rule: Rule, side: Side, key: usize) -> LineShape {
    Tables::of(rule).line(side.index(), key)
}

/// A table of `value` for every shape.
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
