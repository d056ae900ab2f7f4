//! The subcommands of the binary, one file each. They print data on stdout. The arena shares some of them.

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

/// Returns the words of the command line. A position may begin with `-`, the symbol of an empty square. This `-`
/// becomes a dot, because clap would parse the position as an option.
pub fn words() -> impl Iterator<Item = OsString> {
    env::args_os().map(|word| match word.to_str() {
        Some(text) if text.starts_with('-') && obf::looks_like(text) => {
            text.replacen('-', ".", 1).into()
        }
        _ => word,
    })
}

#[derive(Debug)]
pub struct Failure {
    /// The exit code. 0: the reader closed stdout; 1: a check failed; 2: bad usage or input; 4: the system failed.
    pub code: u8,
    pub message: String,
}

impl Failure {
    pub fn input(error: impl std::fmt::Display) -> Failure {
        Failure {
            code: 2,
            message: error.to_string(),
        }
    }

    pub fn own(error: impl std::fmt::Display) -> Failure {
        Failure {
            code: 4,
            message: error.to_string(),
        }
    }

    pub fn not_passed(message: String) -> Failure {
        Failure { code: 1, message }
    }
}

/// Converts a write error. If the reader closed stdout early, as `head` does, the exit code is 0 without a message.
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

/// Parses a position of any game. Only Othello accepts 64 squares.
fn read_board(game: Game, text: &str) -> Result<Board, Failure> {
    if game == Game::OTHELLO {
        return read_othello(text).map(Board::Othello);
    }
    let (_, board) = parse_transcript(game, text).map_err(Failure::input)?;
    Ok(board)
}

fn format_line(moves: &[Move]) -> String {
    let words = moves.iter().map(|&played| notation(played).to_string());
    words.collect::<Vec<_>>().join(" ")
}
