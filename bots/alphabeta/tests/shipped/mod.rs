//! The stages that ship: as little as a proof needs of what the arena reads.

use std::fs;
use std::path::{Path, PathBuf};

use games::gomoku::GomokuBoard;
use games::{Board as AnyBoard, Game, Side};

/// A position that black, to move, wins.
pub struct Stage {
    /// Its file.
    pub path: PathBuf,
    /// The position.
    pub board: GomokuBoard,
    /// Plies of the shortest win by threats.
    pub plies: u32,
    /// Whether it takes fours alone.
    pub by_fours: bool,
}

/// All, the easiest first.
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

/// What follows a row's number.
fn row(line: &str) -> Option<String> {
    let (number, row) = line.trim_start().split_once(' ')?;
    number.parse::<u8>().ok()?;
    Some(row.replace(' ', ""))
}
