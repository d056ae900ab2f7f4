//! Checks Gomoku's solvers and the bot by exhaustive proofs, a simple search, published puzzles and the stages.

mod proof;
mod puzzles;
mod slow;

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use games::gomoku::{GomokuBoard, Rule};
use games::{Board, Board as AnyBoard, Game, Side, Square};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Returns the freestyle position with these rows, black to move.
pub fn drawn(rows: &str) -> GomokuBoard {
    let rows: Vec<&str> = rows.split_whitespace().collect();
    let game = Game::new("gomoku", None, Some(rows.len() as i64)).expect("a game");
    match game.position(&rows, Side::Black) {
        Ok(Board::Gomoku(stones)) => stones,
        other => panic!("{other:?}"),
    }
}

/// Random positions on boards of `sizes` in which neither side can make a five.
pub struct Positions {
    rule: Rule,
    sizes: RangeInclusive<u8>,
    random: ChaCha8Rng,
}

impl Positions {
    pub fn of(rule: Rule, sizes: RangeInclusive<u8>) -> Positions {
        Positions {
            rule,
            sizes,
            random: ChaCha8Rng::seed_from_u64(rule as u64),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound as u64) as usize
    }
}

impl Iterator for Positions {
    type Item = GomokuBoard;

    fn next(&mut self) -> Option<GomokuBoard> {
        let extra = self.below(self.sizes.len()) as u8;
        let size = self.sizes.start() + extra;
        let cells = usize::from(size).pow(2);
        let mut board = GomokuBoard::new(size, self.rule);
        for number in 0..cells / 6 + self.below(cells / 3) {
            let square = Square::from_index(self.below(cells), size);
            if board.stone(square).is_some() {
                continue;
            }
            board.set(square, Some(Side::BOTH[number % 2]));
            let wins = |side| board.empty_squares().any(|five| board.wins(five, side));
            if board.winner().is_some() || Side::BOTH.into_iter().any(wins) {
                board.set(square, None);
            }
        }
        Some(board.with_side_to_move(Side::BOTH[self.below(2)]))
    }
}

pub struct Stage {
    pub path: PathBuf,
    pub board: GomokuBoard,
    /// The number of plies of the shortest win by threats.
    pub plies: u32,
    pub by_fours: bool,
}

pub fn stages() -> Vec<Stage> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tournaments/stages");
    let files = fs::read_dir(folder).expect("the stages are there");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    paths.sort();
    assert!(paths.len() >= 24, "{}", paths.len());
    paths.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> Stage {
    let text = fs::read_to_string(&path).expect("a text");
    let win = text.lines().find_map(|line| line.strip_prefix("# win: "));
    let (plies, means) = win
        .and_then(|win| win.split_once(" plies, "))
        .expect("a win");
    let rows: Vec<String> = text.lines().filter_map(row).collect();
    let game = Game::new("gomoku", None, Some(rows.len() as i64)).expect("a game");
    let Ok(AnyBoard::Gomoku(board)) = game.position(&rows, Side::Black) else {
        panic!("{} holds no position", path.display());
    };
    Stage {
        plies: plies.parse().expect("a number"),
        by_fours: means == "fours",
        board,
        path,
    }
}

fn row(line: &str) -> Option<String> {
    let (number, row) = line.trim_start().split_once(' ')?;
    number.parse::<u8>().ok()?;
    Some(row.replace(' ', ""))
}
