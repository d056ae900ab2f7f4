//! What a stone on a cell would make in its four lines together.
//!
//! A [`Shape`] packs the four [`LineShape`]s of one colour on one cell into sixteen bits, so that
//! any judgement of a cell is one table lookup. [`Kind`] is the judgement that tactics need.

use super::pattern::LineShape;

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

    /// The shape along one direction.
    pub const fn line(self, direction: usize) -> LineShape {
        LineShape::ALL[(self.0 >> (4 * direction) & 15) as usize]
    }

    /// The same with another shape along one direction.
    #[must_use]
    pub const fn with_line(self, direction: usize, line: LineShape) -> Shape {
        Shape(self.0 & !(15 << (4 * direction)) | (line as u16) << (4 * direction))
    }

    /// The shapes along the four directions.
    pub fn lines(self) -> [LineShape; 4] {
        [0, 1, 2, 3].map(|direction| self.line(direction))
    }

    /// How many lines have a shape between these two, both included.
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
pub enum Kind {
    /// Nothing that must be answered.
    Quiet,
    /// Black may not play here under renju, whatever else the stone would make.
    Foul,
    /// An open three.
    Three,
    /// An open three, with a closed three or an open two in another line.
    ThreePlus,
    /// Two open threes. Under renju black's may be a foul: see `forbidden`.
    DoubleThree,
    /// A four.
    Four,
    /// A four, with a closed three or an open two in another line.
    FourPlus,
    /// A four and an open three. Under renju also black's open four that two open threes may make
    /// a foul, at once or after a stone of white's: see `forbidden`.
    FourThree,
    /// An open four or two fours: won unless the opponent has a five first. Never a foul.
    OpenFour,
    /// Five.
    Five,
}

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = 10;

    /// The kind of a shape; `renju_black` says whether fouls are to be looked for.
    pub fn of(shape: Shape, renju_black: bool) -> Kind {
        use LineShape as S;
        let open_threes = shape.count(S::OpenThreeB, S::OpenThreeA);
        let fours = shape.count(S::Four, S::OpenFour);
        let helpers = shape.count(S::OpenTwoC, S::ClosedThreeA);
        if shape.count(S::Five, S::Five) > 0 {
            return Kind::Five;
        }
        let double_four = fours >= 2 || shape.count(S::DoubleFour, S::DoubleFour) > 0;
        if renju_black && (double_four || shape.count(S::Overline, S::Overline) > 0) {
            return Kind::Foul;
        }
        match (fours, open_threes) {
            (1.., 2..) if renju_black => Kind::FourThree,
            (2.., _) => Kind::OpenFour,
            (1, _) if shape.count(S::DoubleFour, S::OpenFour) > 0 => Kind::OpenFour,
            (1, 1..) => Kind::FourThree,
            (1, 0) if helpers > 0 => Kind::FourPlus,
            (1, 0) => Kind::Four,
            (_, 2..) => Kind::DoubleThree,
            (_, 1) if helpers > 0 => Kind::ThreePlus,
            (_, 1) => Kind::Three,
            _ => Kind::Quiet,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LineShape as S;

    #[test]
    fn lines_are_read_back_as_they_were_packed() {
        let lines = [S::Five, S::Dead, S::OpenThreeB, S::Four];
        assert_eq!(Shape::of(lines).lines(), lines);
    }
}
