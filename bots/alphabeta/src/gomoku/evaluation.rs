//! The static evaluation: the fitted weights of shapes, the score of a position by its shapes and threats, and
//! a cache of scores.
//!
//! A weights file has a line a number, `value cell 0126 35 22`: which table (`value` or `policy`);
//! whether for a class of `cell`s (four line shapes in ascending order, a hexadecimal digit each),
//! or, for classes that no game showed, a `line` or a `kind` to be added up; which one; and the
//! values for the side to move and for the other. `threats 01f 40` is for the threats that stand.
//! `docs/gomoku-training.md` says how the files are made.

use std::collections::HashMap;

use super::board::SearchBoard;
use super::shape::{Shape, ThreatKind};
use crate::search::Score;

/// Number of combinations of threats that the evaluation tells apart.
pub const THREATS: usize = 1024;

/// Engine units of one unit of log-odds.
pub const UNIT: i32 = 256;

/// The weights of all rules, fitted to games on 15×15 under freestyle.
const FREESTYLE: &str = include_str!("weights/freestyle.txt");

/// Table, part and number.
type Name = (&'static str, &'static str, u16);

/// A weights file, read.
pub struct Weights {
    values: HashMap<Name, [i16; 2]>,
}

impl Weights {
    /// Returns the weights that are built in.
    pub fn built_in() -> Weights {
        Weights {
            values: FREESTYLE.lines().filter_map(read).collect(),
        }
    }

    /// Returns the classes of cells that the file knows.
    pub fn classes(&self) -> impl Iterator<Item = u16> {
        let of_cells =
            |&(table, part, class): &Name| (table, part) == ("value", "cell") && class > 0;
        self.values
            .keys()
            .copied()
            .filter(of_cells)
            .map(|name| name.2)
    }

    /// Returns the values of one part of one table.
    pub fn get(&self, table: &'static str, part: &'static str, number: u16) -> Option<[i16; 2]> {
        self.values.get(&(table, part, number)).copied()
    }

    /// Returns the worth of a cell of that shape, or how promising a move there is, by `table`: to the side
    /// whose shape it is, to move or not.
    pub fn of_shape(&self, table: &'static str, shape: Shape) -> [i16; 2] {
        let mut lines = shape.lines();
        lines.sort_unstable();
        self.get(table, "cell", Shape::of(lines).0)
            .unwrap_or_else(|| {
                let kind = self
                    .get(table, "kind", ThreatKind::of(shape, false) as u16)
                    .unwrap_or_default();
                lines.iter().fold(kind, |sum, &line| {
                    let line = self.get(table, "line", line as u16).unwrap_or_default();
                    [sum[0] + line[0], sum[1] + line[1]]
                })
            })
    }

    /// Returns the worth of a combination of threats to the side to move.
    pub fn of_threats(&self, threats: u16) -> i16 {
        self.get("threats", "", threats)
            .map_or(0, |[value, _]| value)
    }
}

/// Returns the name and the values of one line; `None` for a line that has none.
fn read(line: &'static str) -> Option<(Name, [i16; 2])> {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |hexadecimal| u16::from_str_radix(hexadecimal, 16).ok();
    match *words {
        ["threats", which, value] => {
            Some((("threats", "", number(which)?), [value.parse().ok()?, 0]))
        }
        [table, part, which, own, other] => Some((
            (table, part, number(which)?),
            [own.parse().ok()?, other.parse().ok()?],
        )),
        _ => None,
    }
}

// --- Scores ---

/// A position won by the side to move in no plies; one that takes n plies scores n less.
pub const WIN: Score = 30_000;

/// Scores beyond ± this prove the end of the game.
pub const PROVEN: Score = 29_000;

/// No evaluation is beyond ± this.
pub(super) const MOST: Score = 20_000;

/// Returns a win of the side to move, `plies` after the root.
pub const fn win_in(plies: usize) -> Score {
    WIN - plies as Score
}

impl SearchBoard {
    /// Returns the static evaluation for the side to move, in engine units.
    pub fn evaluate(&mut self) -> Score {
        let threats = self.tables.threats(self.threats());
        (self.value() + threats).clamp(-MOST, MOST)
    }

    /// Returns which threats each side has, as a number below [`THREATS`]: what
    /// shapes are worth does not simply add up where both sides threaten.
    pub fn threats(&self) -> u16 {
        let mover = self.side_to_move().index();
        let has = |side, kind| u16::from(self.count(side, kind) > 0);
        let other = mover ^ 1;
        has(mover, ThreatKind::FourThree)
            | has(mover, ThreatKind::FourPlus) << 1
            | has(mover, ThreatKind::Four) << 2
            | has(mover, ThreatKind::DoubleThree) << 3
            | (has(mover, ThreatKind::ThreePlus) | has(mover, ThreatKind::Three)) << 4
            | has(other, ThreatKind::OpenFour) << 5
            | has(other, ThreatKind::FourThree) << 6
            | (has(other, ThreatKind::FourPlus) | has(other, ThreatKind::Four)) << 7
            | has(other, ThreatKind::DoubleThree) << 8
            | (has(other, ThreatKind::ThreePlus) | has(other, ThreatKind::Three)) << 9
    }

    /// Returns the score of a position that is decided at once: the side to move has a five, or an open four
    /// that no four of the opponent comes before, or faces two fives.
    pub fn decided(&self, ply: usize) -> Option<Score> {
        let mover = self.side_to_move().index();
        let other = mover ^ 1;
        if self.count(mover, ThreatKind::Five) > 0 {
            return Some(win_in(ply + 1));
        }
        match self.count(other, ThreatKind::Five) {
            0 => {}
            1 => return None,
            _ => return Some(-win_in(ply + 2)),
        }
        (self.count(mover, ThreatKind::OpenFour) > 0).then(|| win_in(ply + 3))
    }
}

// --- The evaluation cache ---
//
// Without it a position would be evaluated at each visit, also where the transposition table knows it but not
// deeply enough; that table has no bits left for it, and does not keep leaves.

/// Entries: 128 KiB, which stay in the processor's caches. Of the evaluations that searches of 100,000 nodes
/// ask for they hold 41 %; four times as many would hold 45 % (`docs/gomoku-training.md`, "Speed").
const ENTRIES: usize = 1 << 14;

/// The bits of an entry that hold the score; the others are those of the key.
const SCORE: u64 = 0xffff;

/// The static evaluations of the positions seen last, each in the place that its key has.
pub(super) struct EvaluationCache(Box<[u64]>);

impl Default for EvaluationCache {
    fn default() -> EvaluationCache {
        EvaluationCache(bytemuck::zeroed_slice_box(ENTRIES))
    }
}

impl EvaluationCache {
    /// Returns the score of the position with this key: what is remembered, or else what `evaluate` says,
    /// within 16 bits.
    pub fn get_or(&mut self, key: u64, evaluate: impl FnOnce() -> Score) -> Score {
        // The key of the empty board is 0, and so is an empty entry.
        let key = !key;
        let entry = &mut self.0[key as usize % ENTRIES];
        if (*entry ^ key) & !SCORE != 0 {
            *entry = key & !SCORE | u64::from(evaluate() as u16);
        }
        Score::from(*entry as u16 as i16)
    }
}

#[cfg(test)]
mod tests {
    use games::gomoku::Rule;
    use proptest::prelude::*;

    use crate::gomoku::{Cell, GomokuPosition};
    use crate::options::Evaluation;
    use crate::search::{Move, SearchPosition};

    use super::*;

    #[test]
    fn every_line_of_the_file_is_read() {
        let lines = FREESTYLE.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(Weights::built_in().values.len(), lines.count());
    }

    fn judged(board: &SearchBoard) -> GomokuPosition {
        GomokuPosition::judged_by(Evaluation::Network, board.clone())
    }

    proptest! {
        #[test]
        fn what_is_remembered_is_what_a_new_position_says(
            rule in prop::sample::select(Rule::ALL.to_vec()),
            size in 5u8..=15,
            steps in proptest::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..40),
        ) {
            let mut position = judged(&SearchBoard::new(size, rule));
            let mut played = Vec::new();
            for (choice, back) in steps {
                let board = position.board();
                let empty: Vec<Cell> = board.cells().filter(|&cell| board.is_empty(cell)).collect();
                if back {
                    if let Some(last) = played.pop() {
                        position.undo(last);
                    }
                } else if !empty.is_empty() {
                    let next = Move::from(empty[choice.index(empty.len())]);
                    position.play(next);
                    played.push(next);
                }
                for _ in 0..2 {
                    prop_assert_eq!(position.evaluate(), judged(position.board()).evaluate());
                    position.null_move();
                }
            }
        }
    }

    #[test]
    fn a_position_is_evaluated_once_until_another_takes_its_place() {
        let mut cache = EvaluationCache::default();
        let (one, other) = (5 << 40 | 7, 6 << 40 | 7);
        assert_eq!(cache.get_or(one, || -20_000), -20_000);
        assert_eq!(cache.get_or(one, || unreachable!("remembered")), -20_000);
        assert_eq!(cache.get_or(other, || 20_000), 20_000);
        assert_eq!(cache.get_or(other + 1, || 3), 3);
        assert_eq!(cache.get_or(other, || unreachable!("remembered")), 20_000);
        assert_eq!(cache.get_or(one, || 1), 1);
        assert_eq!(cache.get_or(0, || 5), 5, "the empty board");
    }
}
