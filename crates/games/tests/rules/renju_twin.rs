//! Renju's forbidden points, computed literally as the rules define them: each added stone is tried.

use std::collections::BTreeSet;

use games::{Reason, Square};

/// The largest distance along a line at which a square can matter to the stone at [`MIDDLE`].
const REACH: i32 = 6;
const MIDDLE: usize = REACH as usize;
const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// A board as its drawing: rows of `X`, `O` and `.`.
pub struct Twin {
    rows: Vec<Vec<u8>>,
}

/// The 13 places of a line with a stone in the middle; `#` is off the board.
type LineWindow = [u8; 2 * MIDDLE + 1];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Wins,
    Forbidden(Reason),
    Allowed,
}

impl Twin {
    pub fn new(rows: &[String]) -> Twin {
        Twin {
            rows: rows.iter().map(|row| row.clone().into_bytes()).collect(),
        }
    }

    fn at(&self, row: i32, column: i32) -> u8 {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        let cell = row.and_then(|row| row.get(usize::try_from(column).ok()?));
        cell.copied().unwrap_or(b'#')
    }

    fn line(&self, (row, column): (i32, i32), (down, right): (i32, i32)) -> LineWindow {
        std::array::from_fn(|place| {
            let steps = place as i32 - REACH;
            self.at(row + steps * down, column + steps * right)
        })
    }

    pub fn verdict(&mut self, square: Square) -> Verdict {
        self.verdict_to_depth(square, u32::MAX)
    }

    /// Like [`Twin::verdict`], but counts added stones beyond `depth` as allowed. Depth 1 checks only the first stone.
    pub fn verdict_to_depth(&mut self, square: Square, depth: u32) -> Verdict {
        let point = (i32::from(square.row()), i32::from(square.column()));
        self.try_stone(point, depth)
    }

    fn try_stone(&mut self, point: (i32, i32), depth: u32) -> Verdict {
        if depth == 0 {
            return Verdict::Allowed;
        }
        self.rows[point.0 as usize][point.1 as usize] = b'X';
        let verdict = self.judge(point, depth);
        self.rows[point.0 as usize][point.1 as usize] = b'.';
        verdict
    }

    fn judge(&mut self, point: (i32, i32), depth: u32) -> Verdict {
        let lines = DIRECTIONS.map(|direction| self.line(point, direction));
        if lines.iter().any(makes_five) {
            return Verdict::Wins;
        }
        if lines.iter().any(makes_overline) {
            return Verdict::Forbidden(Reason::OVERLINE);
        }
        if lines.iter().map(|line| fours(line).len()).sum::<usize>() > 1 {
            return Verdict::Forbidden(Reason::DOUBLE_FOUR);
        }
        let mut threes = 0;
        for (line, direction) in lines.iter().zip(DIRECTIONS) {
            let mut found = BTreeSet::new();
            for (three, one_more) in threes_to_be(line) {
                let steps = one_more as i32 - REACH;
                let there = (point.0 + steps * direction.0, point.1 + steps * direction.1);
                if self.try_stone(there, depth - 1) == Verdict::Allowed {
                    found.insert(three);
                }
            }
            threes += found.len();
        }
        if threes > 1 {
            return Verdict::Forbidden(Reason::DOUBLE_THREE);
        }
        Verdict::Allowed
    }
}

fn all_black(line: &LineWindow, first: usize, length: usize) -> bool {
    line[first..first + length].iter().all(|&cell| cell == b'X')
}

fn is_five(line: &LineWindow, first: usize) -> bool {
    all_black(line, first, 5) && line[first - 1] != b'X' && line[first + 5] != b'X'
}

fn makes_five(line: &LineWindow) -> bool {
    (MIDDLE - 4..=MIDDLE).any(|first| is_five(line, first))
}

fn makes_overline(line: &LineWindow) -> bool {
    (MIDDLE - 5..=MIDDLE).any(|first| all_black(line, first, 6))
}

/// Returns the sets of stones of "a row with four stones to which you can add one more stone to attain five in a row".
fn fours(line: &LineWindow) -> BTreeSet<Vec<usize>> {
    let mut found = BTreeSet::new();
    for first in MIDDLE - 4..=MIDDLE {
        if let Some((four, one_more)) = all_but_one(line, first, 5)
            && is_five(&with_stone(line, one_more), first)
        {
            found.insert(four);
        }
    }
    found
}

/// If one of `length` places from `first` is empty and all others have black stones, returns these and the empty one.
fn all_but_one(line: &LineWindow, first: usize, length: usize) -> Option<(Vec<usize>, usize)> {
    let places = first..first + length;
    let one_more = places.clone().find(|&place| line[place] != b'X')?;
    let stones = || places.clone().filter(|&place| place != one_more);
    let missing_one = line[one_more] == b'.' && stones().all(|place| line[place] == b'X');
    missing_one.then(|| (stones().collect(), one_more))
}

fn with_stone(line: &LineWindow, place: usize) -> LineWindow {
    let mut after = *line;
    after[place] = b'X';
    after
}

/// Returns whether there is "an unbroken row with four stones to which you, in two different ways, can add one more
/// stone to attain five in a row".
fn is_straight_four(line: &LineWindow, first: usize) -> bool {
    let becomes_five = |one_more: usize, first: usize| {
        line[one_more] == b'.' && is_five(&with_stone(line, one_more), first)
    };
    all_black(line, first, 4)
        && becomes_five(first - 1, first - 1)
        && becomes_five(first + 4, first)
}

/// Returns the threes through the middle, each with the place of a stone that makes it a straight four.
fn threes_to_be(line: &LineWindow) -> Vec<(Vec<usize>, usize)> {
    (MIDDLE - 3..=MIDDLE)
        .filter_map(|first| {
            let (three, one_more) = all_but_one(line, first, 4)?;
            is_straight_four(&with_stone(line, one_more), first).then_some((three, one_more))
        })
        .collect()
}
