//! `alphabeta book`: the opening book.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use games::{Game, Move, Rules};

use crate::book::Book;
use crate::gomoku::weights::UNIT;
use crate::othello::DISC;

use super::failure::Failure;
use super::position;

/// Show the line that the opening book plays from a position on
///
/// A bot plays from the book that comes with the program with --book. The package `training` makes
/// others.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A transcript such as f5d6c3; Othello: or 64 squares and the side to move
    #[arg(default_value = "")]
    position: String,
    /// othello or gomoku
    #[arg(long, default_value = "othello")]
    game: String,
    /// Gomoku: freestyle, standard or renju
    #[arg(long)]
    rules: Option<String>,
    /// Gomoku: side of the board
    #[arg(long)]
    size: Option<i64>,
    /// A book of one's own
    #[arg(long)]
    from: Option<PathBuf>,
}

/// Does what the arguments say, and prints it.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = Game::new(&arguments.game, arguments.rules.as_deref(), arguments.size);
    let game = game.map_err(Failure::input)?;
    let own = match &arguments.from {
        None => None,
        Some(path) => {
            let bad = |why: String| Failure::input(format!("{}: {why}", path.display()));
            let bytes = fs::read(path).map_err(|error| bad(error.to_string()))?;
            Some(Book::decode(&bytes).map_err(|error| bad(error.to_string()))?)
        }
    };
    let book = own.as_ref().unwrap_or_else(|| Book::shipped(game));
    let mut out = io::stdout().lock();
    let mut board = position::of_game(game, &arguments.position)?;
    let (unit, units) = if game == Game::OTHELLO {
        (DISC, "discs")
    } else {
        (UNIT, "units of log-odds")
    };
    writeln!(out, "{board}\n")?;
    writeln!(
        out,
        "the book knows {} positions; scores are {units} for the side to move",
        book.len()
    )?;
    while let Some(entry) = book.find(&board) {
        let score = f64::from(entry.score) / f64::from(unit);
        writeln!(out, "{} {score:+.2}", entry.best)?;
        board.play(Move::Place(entry.best)).map_err(Failure::own)?;
    }
    Ok(())
}
