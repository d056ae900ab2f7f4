//! Gomoku on strings: the board is its drawing, and a five is a substring of a line.

use games::gomoku::Rule;
use games::{Ending, Reason, Side, Square};

use super::renju_twin::{Twin as Renju, Verdict};

#[derive(Clone)]
pub struct Twin {
    pub rule: Rule,
    pub rows: Vec<String>,
    pub to_move: Side,
    pub ending: Option<Ending>,
}

impl Twin {
    pub fn new(size: u8, rule: Rule) -> Twin {
        Twin {
            rule,
            rows: vec![".".repeat(usize::from(size)); usize::from(size)],
            to_move: Side::Black,
            ending: None,
        }
    }

    pub fn count(&self, symbol: char) -> usize {
        self.rows.concat().matches(symbol).count()
    }

    fn size(&self) -> usize {
        self.rows.len()
    }

    fn empty(&self) -> Vec<Square> {
        let size = self.size() as u8;
        let cells = self.rows.concat();
        let empty = cells.match_indices('.');
        empty
            .map(|(index, _)| Square::from_index(index, size))
            .collect()
    }

    fn verdicts(&self, squares: Vec<Square>) -> Vec<(Square, Verdict)> {
        let mut renju = (self.rule == Rule::Renju && self.to_move == Side::Black)
            .then(|| Renju::new(&self.rows));
        let verdict = |square| {
            let renju = renju.as_mut();
            renju.map_or(Verdict::Allowed, |renju| renju.verdict(square))
        };
        let verdicts: Vec<Verdict> = squares.iter().copied().map(verdict).collect();
        squares.into_iter().zip(verdicts).collect()
    }

    pub fn legal(&self) -> Vec<Square> {
        if self.ending.is_some() {
            return Vec::new();
        }
        let verdicts = self.verdicts(self.empty()).into_iter();
        verdicts
            .filter(|(_, verdict)| !matches!(verdict, Verdict::Forbidden(_)))
            .map(|(square, _)| square)
            .collect()
    }

    fn lines(&self) -> Vec<String> {
        let size = self.size() as i32;
        let cell = |row: i32, column: i32| {
            let row = self.rows.get(usize::try_from(row).ok()?)?;
            let cell = row.as_bytes().get(usize::try_from(column).ok()?)?;
            Some(char::from(*cell))
        };
        let line = |place: &dyn Fn(i32) -> (i32, i32)| -> String {
            let places = (0..size).map(place);
            places
                .filter_map(|(row, column)| cell(row, column))
                .collect()
        };
        let mut lines = Vec::new();
        for number in -size..2 * size {
            lines.push(line(&|step| (number, step)));
            lines.push(line(&|step| (step, number)));
            lines.push(line(&|step| (step, number + step)));
            lines.push(line(&|step| (step, number - step)));
        }
        lines
    }

    pub fn has_won(&self, side: Side) -> bool {
        let wins = |before: Option<char>, length: usize, after: Option<char>| match self.rule {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju => length == 5 || (length > 5 && side == Side::White),
            Rule::Caro => {
                let closed = [before, after] == [Some((!side).symbol()); 2];
                length > 5 || (length == 5 && !closed)
            }
        };
        let is_own = |cell: char| cell == side.symbol();
        self.lines().into_iter().any(|line| {
            let row_at = |(start, _): (usize, &str)| {
                let (before, from) = line.split_at(start);
                let length = from.chars().take_while(|&cell| is_own(cell)).count();
                let before = before.chars().next_back();
                !before.is_some_and(is_own) && wins(before, length, from.chars().nth(length))
            };
            line.match_indices(is_own).any(row_at)
        })
    }

    pub fn play(&mut self, square: Square) {
        let (_, verdict) = self.verdicts(vec![square])[0];
        let mover = self.to_move;
        let column = usize::from(square.column());
        self.rows[usize::from(square.row())]
            .replace_range(column..=column, &mover.symbol().to_string());
        self.to_move = !mover;
        let end = |winner, reason| Some(Ending { winner, reason });
        self.ending = if let Verdict::Forbidden(reason) = verdict {
            end(Some(!mover), reason)
        } else if self.has_won(mover) {
            end(Some(mover), Reason::FIVE)
        } else if self.legal().is_empty() {
            end(None, Reason::BOARD_FULL)
        } else {
            None
        };
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.ending.is_some() {
            return 1;
        }
        let after = |square| {
            let mut next = self.clone();
            next.play(square);
            next.perft(depth - 1)
        };
        self.legal().into_iter().map(after).sum()
    }
}
