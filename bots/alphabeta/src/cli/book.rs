//! `alphabeta book`: the opening book of Othello.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::othello::book::Book;
use crate::othello::{DISC, notation};

use super::failure::Failure;
use super::position;

/// Show the line that the opening book of Othello plays from a position on
///
/// A bot plays from the book that comes with the program with --book. The package `training` makes
/// others.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A transcript such as f5d6c3, or 64 squares and the side to move
    #[arg(default_value = "")]
    position: String,
    /// A book of one's own
    #[arg(long)]
    from: Option<PathBuf>,
}

/// Does what the arguments say, and prints it.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let own = match &arguments.from {
        None => None,
        Some(path) => {
            let bad = |why: String| Failure::input(format!("{}: {why}", path.display()));
            let bytes = fs::read(path).map_err(|error| bad(error.to_string()))?;
            Some(Book::decode(&bytes).map_err(|error| bad(error.to_string()))?)
        }
    };
    let book = own.as_ref().unwrap_or_else(|| Book::shipped());
    let mut out = io::stdout().lock();
    let board = position::board(&arguments.position)?;
    writeln!(out, "{}\n", games::Board::Othello(board))?;
    writeln!(out, "the book knows {} positions", book.len())?;
    let mut now = board.position();
    while let Some(entry) = book.find(now) {
        let score = f64::from(entry.score) / f64::from(DISC);
        writeln!(out, "{} {score:+.2}", notation(entry.best))?;
        now = now.play(entry.best.index());
    }
    Ok(())
}
