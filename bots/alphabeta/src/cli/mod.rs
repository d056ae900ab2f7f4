//! The commands of the binary beside playing, one file each. What they print is data, on stdout. The
//! arena has some of these commands, too.

pub mod analyze;
pub mod bench;
pub mod book;
pub mod compare;
pub mod solve;

use std::ffi::OsString;
use std::{env, io};

use games::othello::{self, obf};
use games::{Board, Game, parse_transcript};

use crate::othello::notation;
use crate::search::Move;

/// What to do instead of being a bot. The help of each is the comment on its arguments.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Analyze(analyze::Arguments),
    Compare(compare::Arguments),
    Bench(bench::Arguments),
    Solve(solve::Arguments),
    Book(book::Arguments),
}

impl Command {
    pub fn run(&self) -> Result<(), Failure> {
        match self {
            Command::Analyze(arguments) => analyze::run(arguments),
            Command::Compare(arguments) => compare::run(arguments),
            Command::Bench(arguments) => bench::run(arguments),
            Command::Solve(arguments) => solve::run(arguments),
            Command::Book(arguments) => book::run(arguments),
        }
    }
}

/// Returns the words of the command line. A position may begin with an empty square: written as a dot instead
/// of a dash, it cannot be mistaken for an option, nor a mistyped option for it.
pub fn words() -> impl Iterator<Item = OsString> {
    env::args_os().map(|word| match word.to_str() {
        Some(text) if text.starts_with('-') && obf::looks_like(text) => {
            text.replacen('-', ".", 1).into()
        }
        _ => word,
    })
}

// --- Failures ---

/// Why a command ends early, and the exit code that says so.
#[derive(Debug)]
pub struct Failure {
    /// 0: the reader stopped; 1: done, not passed; 2: usage or input; 4: the program or the machine.
    pub code: u8,
    /// The message for the user; empty: none.
    pub message: String,
}

impl Failure {
    /// Creates the failure of input that cannot be used.
    pub fn input(error: impl std::fmt::Display) -> Failure {
        Failure {
            code: 2,
            message: error.to_string(),
        }
    }

    /// Creates the failure of the program or the machine.
    pub fn own(error: impl std::fmt::Display) -> Failure {
        Failure {
            code: 4,
            message: error.to_string(),
        }
    }

    /// Creates the failure of work that was done with a wrong result.
    pub fn not_passed(message: String) -> Failure {
        Failure { code: 1, message }
    }
}

/// Output that cannot be written. A reader that stops early, such as `head`, is not a failure.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure {
                code: 0,
                message: String::new(),
            },
            _ => Failure::own(error),
        }
    }
}

// --- Positions and moves as text ---

/// Returns the board after a transcript such as `f5d6c3`, or the one that 64 squares and a side draw.
fn read_othello(text: &str) -> Result<othello::OthelloBoard, Failure> {
    if obf::looks_like(text) {
        let problems = obf::read(text).map_err(Failure::input)?;
        return Ok(problems[0].board);
    }
    match parse_transcript(Game::OTHELLO, text) {
        Ok((_, Board::Othello(board))) => Ok(board),
        Ok(_) => unreachable!("the transcript is Othello's"),
        Err(error) => Err(Failure::input(error)),
    }
}

/// The same in any game: 64 squares draw a position of Othello alone.
fn read_board(game: Game, text: &str) -> Result<Board, Failure> {
    if game == Game::OTHELLO {
        return read_othello(text).map(Board::Othello);
    }
    let (_, board) = parse_transcript(game, text).map_err(Failure::input)?;
    Ok(board)
}

/// Moves as people write them, with spaces between.
fn format_line(moves: &[Move]) -> String {
    let words = moves.iter().map(|&played| notation(played).to_string());
    words.collect::<Vec<_>>().join(" ")
}
