//! Candidate moves, and the forbidden moves of renju.
//!
//! Against a four, the candidates are the moves that stop it; against an open three, the moves that answer it or make
//! a four. All other moves lose. In other positions, the candidates are the empty cells near stones.

use games::Side;

use super::LineShape;
use super::board::SearchBoard;
use super::cell::{Cell, CellSet};
use super::shape::{Shape, ThreatKind};

impl SearchBoard {
    /// Returns the moves worth searching if the side to move cannot make a five. In a lost position, there may be none.
    pub fn candidates(&self) -> CellSet {
        let mover = self.side_to_move().index();
        let other = mover ^ 1;
        if self.count(other, ThreatKind::Five) > 0 {
            return self.answers_to_a_four(other);
        }
        if self.count(other, ThreatKind::OpenFour) > 0 {
            let mut moves = self.answers_to_open_threes(other);
            moves.unite(&self.fours[mover]);
            return moves;
        }
        self.near_stones()
    }

    pub(super) fn is_pressed(&self) -> bool {
        let other = self.side_to_move().index() ^ 1;
        self.count(other, ThreatKind::Five) > 0 || self.count(other, ThreatKind::OpenFour) > 0
    }

    /// Returns the cells where one stone stops every four of `attacker`.
    pub(super) fn answers_to_a_four(&self, attacker: usize) -> CellSet {
        let fives = &self.fives[attacker];
        if self.rule.five(Side::BOTH[attacker & 1]).closed {
            // Only a stone on the cell that completes a five stops it.
            return if self.count(attacker, ThreatKind::Five) > 1 {
                CellSet::default()
            } else {
                fives.clone()
            };
        }
        self.answers_to_all(fives.iter(), attacker)
    }

    /// Returns whether `attacker` can make a five on two or more cells, and no single stone stops all these fives.
    pub(super) fn is_beyond_answer(&self, attacker: usize) -> bool {
        self.count(attacker, ThreatKind::Five) > 1 && self.answers_to_a_four(attacker).is_empty()
    }

    fn answers_to_open_threes(&self, attacker: usize) -> CellSet {
        let threats = self.fours[attacker].iter();
        let threats = threats.filter(|&cell| self.kind(cell, attacker) == ThreatKind::OpenFour);
        self.answers_to_all(threats, attacker)
    }

    fn answers_to_all(&self, threats: impl Iterator<Item = Cell>, attacker: usize) -> CellSet {
        threats
            .map(|threat| self.answers_to_threat(threat, attacker))
            .reduce(|mut all, of_this| {
                all.intersect(&of_this);
                all
            })
            .unwrap_or_default()
    }

    /// Returns the cells that answer a threat: the cell `threat`, and cells that weaken a four or five made there.
    fn answers_to_threat(&self, threat: Cell, attacker: usize) -> CellSet {
        let shape = self.shape(threat, attacker);
        let mut answers = CellSet::default();
        answers.insert(threat);
        let fives = shape.count(LineShape::Five, LineShape::Five);
        let threatening = match fives {
            0 => LineShape::Four..=LineShape::OpenFour,
            1 => LineShape::Five..=LineShape::Five,
            _ => return answers,
        };
        for direction in (0..4).filter(|&direction| threatening.contains(&shape.line(direction))) {
            let keys = self.lines.keys(&self.tables.halves, threat, direction);
            for steps in self.tables.answers(attacker, keys[attacker & 1]) {
                answers.insert(threat.step(direction, steps));
            }
        }
        answers
    }

    /// Returns the empty cells within two rows and columns of a stone, or three steps from a stone in a straight line.
    /// Without stones, returns the centre.
    pub(super) fn near_stones(&self) -> CellSet {
        let mut near = CellSet::default();
        let mut any = false;
        // Rows as bits: stones, stones spread by two cells along the row, empty cells.
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

// The line shapes of a cell show overlines and double fours. A three counts in a double three only if black may play a
// point that makes it a straight four. To decide this, the same check runs again with one more stone on the board.

const BLACK: usize = 0;

impl SearchBoard {
    pub fn is_allowed(&mut self, cell: Cell) -> bool {
        self.side_to_move() != Side::Black || !self.is_foul(cell)
    }

    pub(super) fn is_foul(&mut self, cell: Cell) -> bool {
        if !self.rule().forbids(Side::Black) {
            return false;
        }
        let shape = self.shape(cell, BLACK);
        self.is_foul_with(cell, shape)
    }

    fn is_foul_with(&mut self, cell: Cell, shape: Shape) -> bool {
        match self.tables.kind(BLACK, shape) {
            ThreatKind::Five => false,
            ThreatKind::Foul => true,
            _ => open_threes(shape) >= 2 && self.is_double_three(cell, shape),
        }
    }

    /// Returns whether two of the open threes of `shape` on `cell` are threes by the rules.
    fn is_double_three(&mut self, cell: Cell, shape: Shape) -> bool {
        self.lines.set(cell, [true, false]);
        let threes = (0..4)
            .filter(|&direction| is_open_three(shape.line(direction)))
            .filter(|&direction| self.grows_to_a_straight_four(cell, direction))
            .take(2)
            .count();
        self.lines.set(cell, [false; 2]);
        threes >= 2
    }

    /// Returns whether black may play a stone that makes a straight four with the stone on `cell`.
    fn grows_to_a_straight_four(&mut self, cell: Cell, direction: usize) -> bool {
        [-1, 1].into_iter().any(|way| {
            // A straight four is unbroken, so the point is the nearest cell without a black stone.
            let point = (1..=3)
                .map(|steps| cell.step(direction, way * steps))
                .find(|&near| !self.has_stone(near, BLACK));
            point.is_some_and(|point| {
                self.is_empty(point)
                    && self.line_shape(point, direction, BLACK) == LineShape::OpenFour
                    && !self.is_foul_from_lines(point)
            })
        })
    }

    /// Returns whether the move is a foul. Unlike [`SearchBoard::is_foul`], computes the shapes from `lines`, because
    /// `shapes` may be out of date. A five also counts as a foul here, because it is no straight four.
    fn is_foul_from_lines(&mut self, cell: Cell) -> bool {
        let lines = [0, 1, 2, 3].map(|direction| self.line_shape(cell, direction, BLACK));
        let shape = Shape::of(lines);
        lines.contains(&LineShape::Five) || self.is_foul_with(cell, shape)
    }
}

fn is_open_three(line: LineShape) -> bool {
    matches!(line, LineShape::OpenThreeA | LineShape::OpenThreeB)
}

fn open_threes(shape: Shape) -> usize {
    shape
        .lines()
        .into_iter()
        .filter(|&line| is_open_three(line))
        .count()
}

#[cfg(test)]
mod tests {
    use games::gomoku::Rule;
    use games::{Reason, Side, Square};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    fn assert_agrees(rules: &games::gomoku::GomokuBoard) -> Vec<Reason> {
        let mut board = SearchBoard::from_rules(rules);
        let mut reasons = Vec::new();
        for square in rules.empty_squares() {
            let expected = rules.renju_forbids(square);
            let found = board.is_foul(square.into());
            assert_eq!(
                found,
                expected.is_some(),
                "{square} is {expected:?} in\n{:?}",
                games::Board::Gomoku(rules.clone())
            );
            reasons.extend(expected);
        }
        reasons
    }

    /// The published diagrams include nested double threes.
    #[test]
    fn fouls_match_the_rules_in_the_published_diagrams() {
        for (_, rows) in crate::gomoku::diagrams::diagrams() {
            let mut rules = games::gomoku::GomokuBoard::new(15, Rule::Renju);
            for (row, line) in (0..).zip(&rows) {
                for (column, symbol) in (0..).zip(line.chars()) {
                    let side = Side::BOTH.into_iter().find(|side| side.symbol() == symbol);
                    rules.set(Square::new(column, row), side);
                }
            }
            assert_agrees(&rules);
        }
    }

    /// Dense clusters, with many fouls, on 5×5 to 11×11; every tenth cluster on 9×9 to 15×15.
    #[test]
    fn fouls_are_those_of_the_rules_on_100_000_clusters() {
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let mut below = |bound: u64| random.next_u64() % bound;
        let mut fouls = std::collections::BTreeMap::new();
        for number in 0..100_000 {
            let larger = if number % 10 == 0 { 4 } else { 0 };
            let size = 5 + larger + below(7) as u8;
            let (black, white) = (15 + below(35), below(30));
            let mut rules = games::gomoku::GomokuBoard::new(size, Rule::Renju);
            for index in 0..usize::from(size).pow(2) {
                let chance = below(100);
                let side = match chance {
                    _ if chance < black => Side::Black,
                    _ if chance < black + white => Side::White,
                    _ => continue,
                };
                rules.set(Square::from_index(index, size), Some(side));
            }
            for reason in assert_agrees(&rules) {
                *fouls.entry(reason.word()).or_insert(0_u32) += 1;
            }
        }
        assert_eq!(fouls.len(), 3, "all kinds: {fouls:?}");
        assert!(fouls.values().all(|&count| count > 10_000), "{fouls:?}");
    }
}
