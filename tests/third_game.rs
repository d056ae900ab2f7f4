//! A game that `src` and `crates` do not know: noughts and crosses on 3×3.
//!
//! If this program is called `arena`, it registers the game and runs the command line. Under its own name, it is the
//! test: it plays a tournament with that arena, deletes part of the record, resumes the run, and reads the result. So
//! it has no test harness.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::ops::RangeInclusive;
use std::process::ExitCode;

use games::{
    DynRules, Ending, Family, Game, IllegalMove, Move, Reason, Rules, Side, Square, Theme,
};

#[expect(dead_code, reason = "the other tests use it")]
#[path = "it/common/mod.rs"]
mod common;

use common::{Workdir, assert_contains, table, timeless};

struct Noughts;

const SIZE: u8 = 3;
const THREE: Reason = Reason::new("three");
const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

#[derive(Clone, PartialEq)]
struct TicTacToe {
    cells: [Option<Side>; 9],
    to_move: Side,
}

impl Rules for TicTacToe {
    fn size(&self) -> u8 {
        SIZE
    }

    fn side_to_move(&self) -> Side {
        self.to_move
    }

    fn at(&self, square: Square) -> Option<Side> {
        *self
            .cells
            .get(square.index(SIZE))
            .filter(|_| square.is_on(SIZE))?
    }

    fn legal_squares(&self) -> Vec<Square> {
        if self.ending().is_some() {
            return Vec::new();
        }
        let empty = (0..9).filter(|&index| self.cells[index].is_none());
        empty.map(|index| Square::from_index(index, SIZE)).collect()
    }

    fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        let square = played
            .square()
            .filter(|square| self.legal_squares().contains(square));
        let square = square.ok_or(IllegalMove {
            played,
            side: self.to_move,
            why: "the square is not free",
        })?;
        self.cells[square.index(SIZE)] = Some(self.to_move);
        self.to_move = !self.to_move;
        Ok(())
    }

    fn ending(&self) -> Option<Ending> {
        let has_won = |side: &Side| {
            let full = |line: &[usize; 3]| line.iter().all(|&cell| self.cells[cell] == Some(*side));
            LINES.iter().any(full)
        };
        let winner = Side::BOTH.into_iter().find(has_won);
        let reason = match winner {
            Some(_) => THREE,
            None => Reason::BOARD_FULL,
        };
        let is_over = winner.is_some() || self.cells.iter().all(Option::is_some);
        is_over.then_some(Ending { winner, reason })
    }
}

impl Family for Noughts {
    fn name(&self) -> &'static str {
        "noughts"
    }

    fn title(&self) -> &'static str {
        "Noughts and crosses"
    }

    fn sizes(&self) -> RangeInclusive<u8> {
        SIZE..=SIZE
    }

    fn reasons(&self) -> &'static [Reason] {
        &[THREE, Reason::BOARD_FULL]
    }

    fn start(&self, game: Game) -> Box<dyn DynRules> {
        self.set_up(game, &[], Side::Black)
    }

    fn set_up(&self, _: Game, stones: &[(Square, Side)], to_move: Side) -> Box<dyn DynRules> {
        let mut cells = [None; 9];
        for &(square, side) in stones {
            cells[square.index(SIZE)] = Some(side);
        }
        Box::new(TicTacToe { cells, to_move })
    }

    /// Returns corner, edge and centre, which are all first moves up to symmetry.
    fn openings(&self, _: Game) -> Vec<Vec<Move>> {
        let squares = [(0, 0), (1, 0), (1, 1)];
        squares
            .map(|(column, row)| vec![Move::Place(Square::new(column, row))])
            .into()
    }
}

fn main() -> ExitCode {
    games::register(&Noughts);
    let program = std::env::current_exe().expect("a path");
    if program.file_stem() == Some(OsStr::new("arena")) {
        return arena::cli::main();
    }
    the_family_is_a_game_like_any();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let arena = folder.path().join("arena");
    fs::hard_link(&program, &arena).expect("a second name for this program");
    it_is_played_recorded_resumed_and_shown(&Workdir::with(folder, arena));
    println!("test a_third_game ... ok");
    ExitCode::SUCCESS
}

fn the_family_is_a_game_like_any() {
    let game = Game::new("noughts", None, None).expect("it was registered");
    assert_eq!((game.to_string().as_str(), game.size()), ("noughts", 3));
    let error = Game::new("noughts", None, Some(4)).expect_err("there is no such board");
    assert_eq!(
        error.to_string(),
        "noughts is not played on a board of size 4: it is played on 3"
    );
    // No game ends before the fifth half-move, so the counts are 9, 9·8, 9·8·7 and so on.
    for (depth, leaves) in [(1, 9), (2, 72), (3, 504), (4, 3_024), (5, 15_120)] {
        assert_eq!(games::perft(&game.start(), depth), leaves, "depth {depth}");
    }
    // The number of all games is from S. Schaefer, "MathRec Solutions (Tic-Tac-Toe)", 2002.
    assert_eq!(games::perft(&game.start(), 9), 255_168);
    let rows = ["X.O", ".X.", "O.."];
    let board = game.position(&rows, Side::Black).expect("a position");
    assert_eq!(board.rows(), rows);
    let turned = games::Symmetry::ALL.map(|symmetry| board.turned(symmetry));
    let rows: BTreeSet<_> = turned.iter().map(games::Board::rows).collect();
    assert_eq!(rows.len(), 4, "it has one mirror of its own");
    let hashes: BTreeSet<u64> = turned.iter().map(games::canonical_hash).collect();
    assert_eq!(hashes.len(), 1);
    for (_, scene) in game.family().scenes(game, true) {
        assert_eq!(scene.theme, Theme::Beginning);
    }
}

const TOURNAMENT: &str = r#"
name = "third"
game = "noughts"
format = "round-robin"
games = 12
seed = 7
concurrency = 2
[[bot]]
name = "one"
use = "random"
[[bot]]
name = "two"
use = "random"
[[bot]]
name = "three"
use = "random"
"#;

fn it_is_played_recorded_resumed_and_shown(workdir: &Workdir) {
    let read = |name| fs::read_to_string(workdir.path(name)).expect(name);
    let games = || timeless(&workdir.path("run/games.csv"));
    workdir.write("third.toml", TOURNAMENT);
    workdir.succeed(["run", "third.toml", "--out", "run"]);
    let played = games();
    assert_eq!(played.lines().count(), 37, "12 games of each of 3 pairings");
    let rows = table(&workdir.path("run/games.csv"));
    assert!(rows.iter().any(|row| row["reason"] == "three"));
    assert_contains(&read("run/run.toml"), &["noughts"]);

    // The games that the test deletes are played again, with the same results.
    let record = rusqlite::Connection::open(workdir.path("run/arena.db")).expect("a record");
    let lost = record
        .execute("DELETE FROM game WHERE id >= 20", ())
        .expect("a table");
    assert_eq!(lost, 16);
    drop(record);
    workdir.succeed(["resume", "run"]);
    assert_eq!(games(), played);

    let standings = read("run/standings.csv");
    fs::remove_file(workdir.path("run/standings.csv")).expect("a table");
    workdir.succeed(["report", "run"]);
    assert_eq!(read("run/standings.csv"), standings);
    let transcripts = workdir.succeed(["export", "run", "--format", "transcript"]);
    assert_eq!(transcripts.lines().count(), 36);
    for (words, expected) in [
        ("replay run/0", "   a b c\n"),
        ("check random --game noughts", "plays noughts"),
        ("bots", "othello gomoku noughts"),
    ] {
        assert_contains(&workdir.succeed(words.split(' ')), &[expected]);
    }
}
