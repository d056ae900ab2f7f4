//! Othello on an array: flips are found by walking along rays.

use games::othello::Position;
use proptest::prelude::*;

/// `Some(true)` is a disc of the side to move, `Some(false)` one of its opponent.
#[derive(Clone)]
pub struct Twin([[Option<bool>; 8]; 8]);

const RAYS: [[i32; 2]; 8] = [
    [0, 1],
    [1, 1],
    [1, 0],
    [1, -1],
    [0, -1],
    [-1, -1],
    [-1, 0],
    [-1, 1],
];

impl Twin {
    pub fn new(position: Position) -> Twin {
        let mut cells = [[None; 8]; 8];
        for (square, cell) in cells.iter_mut().flatten().enumerate() {
            *cell = match (position.own >> square & 1, position.opponent >> square & 1) {
                (1, _) => Some(true),
                (_, 1) => Some(false),
                _ => None,
            };
        }
        Twin(cells)
    }

    pub fn position(&self) -> Position {
        Position {
            own: self.set(Some(true)),
            opponent: self.set(Some(false)),
        }
    }

    fn set(&self, wanted: Option<bool>) -> u64 {
        let cells = self.0.iter().flatten().enumerate();
        cells
            .filter(|&(_, &cell)| cell == wanted)
            .map(|(square, _)| 1 << square)
            .sum()
    }

    fn at(&self, row: i32, column: i32) -> Option<bool> {
        let row = self.0.get(usize::try_from(row).ok()?)?;
        *row.get(usize::try_from(column).ok()?)?
    }

    /// Returns the discs that a disc on `square` turns over: along each ray, the opponent's discs before an own disc.
    pub fn flipped(&self, square: usize) -> Vec<usize> {
        let (row, column) = (square as i32 / 8, square as i32 % 8);
        let mut all = Vec::new();
        for [down, right] in RAYS {
            let mut ray = Vec::new();
            let (mut row, mut column) = (row + down, column + right);
            while self.at(row, column) == Some(false) {
                ray.push((row * 8 + column) as usize);
                (row, column) = (row + down, column + right);
            }
            if self.at(row, column) == Some(true) {
                all.extend(ray);
            }
        }
        all
    }

    pub fn flips(&self, square: usize) -> u64 {
        self.flipped(square).into_iter().map(|flip| 1 << flip).sum()
    }

    pub fn moves(&self) -> Vec<usize> {
        (0..64)
            .filter(|&square| self.0[square / 8][square % 8].is_none())
            .filter(|&square| !self.flipped(square).is_empty())
            .collect()
    }

    pub fn move_set(&self) -> u64 {
        self.moves().into_iter().map(|square| 1 << square).sum()
    }

    pub fn pass(&self) -> Twin {
        Twin(self.0.map(|row| row.map(|cell| cell.map(|own| !own))))
    }

    pub fn play(&self, square: usize) -> Twin {
        let mut after = self.clone();
        for disc in self.flipped(square).into_iter().chain([square]) {
            after.0[disc / 8][disc % 8] = Some(true);
        }
        after.pass()
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        if !moves.is_empty() {
            return moves
                .into_iter()
                .map(|square| self.play(square).perft(depth - 1))
                .sum();
        }
        if self.pass().moves().is_empty() {
            return 1;
        }
        self.pass().perft(depth - 1)
    }
}

/// Returns two disjoint sets of discs: sparse, even or dense. No game reaches most of these positions.
pub fn arbitrary() -> impl Strategy<Value = Position> {
    let bits = || {
        prop_oneof![
            any::<u64>(),
            (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a & b),
            (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a | b),
            Just(0),
            Just(u64::MAX),
        ]
    };
    (bits(), bits()).prop_map(|(taken, colour)| Position {
        own: taken & colour,
        opponent: taken & !colour,
    })
}

pub fn reachable() -> impl Strategy<Value = Position> {
    proptest::collection::vec(any::<prop::sample::Index>(), 0..70).prop_map(|choices| {
        let mut twin = Twin::new(Position::START);
        for choice in choices {
            let moves = twin.moves();
            twin = if moves.is_empty() {
                twin.pass()
            } else {
                twin.play(moves[choice.index(moves.len())])
            };
        }
        twin.position()
    })
}

pub fn any_position() -> impl Strategy<Value = Position> {
    prop_oneof![reachable(), arbitrary()]
}
