//! The shapes of a cell in all four lines. A [`Shape`] packs a cell's four [`LineShape`]s of one colour into 16 bits.
//! [`ThreatKind`] classifies it for tactics.

use super::lines::LineShape;

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
