//! `alphabeta book`: prints the line that the opening book plays.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use games::{Game, Move, Rules};

use crate::book::Book;
use crate::gomoku::evaluation::UNIT;
use crate::othello::DISC;

use super::{Failure, read_board};

/// Show the line that the opening book plays from a position
///
/// A bot plays from the built-in book with --book, and from another book with --book FILE.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A transcript such as f5d6c3; for Othello also 64 squares and the side to move [default: the start]
    #[arg(default_value = "", hide_default_value = true)]
    position: String,
    /// othello or gomoku
    #[arg(long, default_value = "othello")]
    game: String,
    /// With --game gomoku: freestyle, standard, renju or caro
    #[arg(long, requires = "game")]
    rules: Option<String>,
    /// With --game gomoku: side of the board
    #[arg(long, requires = "game")]
    size: Option<i64>,
    /// Show this file, made by `training book`, instead of the book that comes with the program
    #[arg(long)]
    from: Option<PathBuf>,
}

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
    let mut board = read_board(game, &arguments.position)?;
    let (unit, units) = if game == Game::OTHELLO {
        (DISC, "discs")
    } else {
        (UNIT, "units of log-odds")
    };
    writeln!(out, "{board}\n")?;
    if board.ending().is_some() {
        return Ok(());
    }
    if book.find(&board).is_none() {
        let of = arguments.from.as_ref();
        let name = of.map_or("the book".to_owned(), |path| path.display().to_string());
        writeln!(
            out,
            "{name} has no entry for this position of {game}; the built-in book covers Othello, and Gomoku on 15×15"
        )?;
        return Ok(());
    }
    writeln!(out, "move  score in {units} for the side to move")?;
    while let Some(entry) = book.find(&board) {
        let score = f64::from(entry.score) / f64::from(unit);
        writeln!(out, "{:4} {score:+6.2}", entry.best.to_string())?;
        board.play(Move::Place(entry.best)).map_err(Failure::own)?;
    }
    Ok(())
}
