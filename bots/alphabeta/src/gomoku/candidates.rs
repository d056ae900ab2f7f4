//! Which cells are worth a stone.
//!
//! Where a four or an open three of the opponent stands, only what answers it, or makes a four of
//! one's own, can avoid losing; these are all such moves and no others. Elsewhere every empty cell
//! near a stone is a candidate.

use super::LineShape;
use super::board::SearchBoard;
use super::cell::{Cell, CellSet};
use super::shape::Kind;

impl SearchBoard {
    /// The moves of the side to move that are worth searching, fouls not yet left out; the
    /// position must not be won at once. In a lost position there may be none.
    pub fn candidates(&mut self) -> CellSet {
        let mover = self.side_to_move().index();
        let other = mover ^ 1;
        if self.count(other, Kind::Five) > 0 {
            return self.answers_to_a_four(other);
        }
        if self.count(other, Kind::OpenFour) > 0 {
            let mut moves = self.answers_to_open_threes(other);
            moves.unite(&self.fours[mover]);
            return moves;
        }
        self.near_stones()
    }

    /// Whether the side to move must answer a four or an open three.
    pub(super) fn is_pressed(&self) -> bool {
        let other = self.side_to_move().index() ^ 1;
        self.count(other, Kind::Five) > 0 || self.count(other, Kind::OpenFour) > 0
    }

    /// The cell that completes the four of `attacker`; none where there are two.
    fn answers_to_a_four(&self, attacker: usize) -> CellSet {
        if self.count(attacker, Kind::Five) > 1 {
            return CellSet::default();
        }
        self.fives[attacker].clone()
    }

    /// The cells that answer every cell where `attacker` threatens an open four or two fours.
    ///
    /// Such a threat is answered on its own cell, or on one of the cells that would complete the
    /// fours; nowhere else.
    fn answers_to_open_threes(&mut self, attacker: usize) -> CellSet {
        let mut answers: Option<CellSet> = None;
        for threat in self.fours[attacker].iter() {
            if self.kind(threat, attacker) != Kind::OpenFour {
                continue;
            }
            let of_this = self.answers_to_threat(threat, attacker);
            match &mut answers {
                None => answers = Some(of_this),
                Some(answers) => answers.intersect(&of_this),
            }
        }
        answers.unwrap_or_default()
    }

    fn answers_to_threat(&mut self, threat: Cell, attacker: usize) -> CellSet {
        let shape = self.shape(threat, attacker);
        let mut answers = CellSet::default();
        answers.insert(threat);
        self.lines.set(threat, [attacker == 0, attacker == 1]);
        for direction in 0..4 {
            if !(LineShape::Four..=LineShape::OpenFour).contains(&shape.line(direction)) {
                continue;
            }
            for steps in (-4..=4).filter(|&steps| steps != 0) {
                let cell = threat.step(direction, steps);
                if self.is_empty(cell)
                    && self.line_shape(cell, direction, attacker) == LineShape::Five
                {
                    answers.insert(cell);
                }
            }
        }
        self.lines.set(threat, [false; 2]);
        answers
    }

    /// Empty cells within two of a stone, or three away in one of the eight directions; the middle
    /// of an empty board.
    pub(super) fn near_stones(&self) -> CellSet {
        let mut near = CellSet::default();
        let mut any = false;
        // Rows of the field, each spread along itself by two, and the stones alone.
        let mut stones = [0u32; 38];
        let mut spread = [0u32; 38];
        let mut free = [0u32; 32];
        for row in 0..32 {
            let [black, white] = self.row(row);
            free[row] = !(black | white);
            let of_row = black ^ white;
            stones[row + 3] = of_row;
            spread[row + 3] = of_row | of_row << 1 | of_row >> 1 | of_row << 2 | of_row >> 2;
            any |= of_row != 0;
        }
        if !any {
            near.insert(self.middle());
            return near;
        }
        for pair in 0..16 {
            let rows = [2 * pair, 2 * pair + 1].map(|row| {
                let here = row + 3;
                let far = stones[here - 3] | stones[here + 3];
                let close = spread[here - 2..=here + 2]
                    .iter()
                    .fold(0, |all, row| all | row);
                let straight = stones[here] << 3 | stones[here] >> 3;
                (close | straight | far | far << 3 | far >> 3) & free[row]
            });
            near.set_rows(pair, u64::from(rows[0]) | u64::from(rows[1]) << 32);
        }
        near
    }

    fn middle(&self) -> Cell {
        games::Square::new(self.size / 2, self.size / 2).into()
    }
}
