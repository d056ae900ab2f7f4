//! `training`: makes the weights, constants and books of `alphabeta`. The bot does not need this program.
//!
//! Each subcommand is a file or folder. [`othello`] and [`gomoku`] play the program against itself and fit weights,
//! [`prob_cut`] measures errors of shallow searches, [`book`] searches openings. `docs/othello-training.md` and
//! `docs/gomoku-training.md` list the commands that made the files. The same seed makes the same file.

mod book;
mod gomoku;
mod othello;
mod prob_cut;

use std::error::Error;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

/// Make the weights, constants and opening books of alphabeta.
#[derive(Parser)]
#[command(name = "training", version)]
enum TrainingCommand {
    Othello(othello::Arguments),
    Gomoku(gomoku::Arguments),
    ProbCut(prob_cut::Arguments),
    Book(book::Arguments),
}

fn main() -> ExitCode {
    let done = match TrainingCommand::parse() {
        TrainingCommand::Othello(arguments) => othello::run(&arguments),
        TrainingCommand::Gomoku(arguments) => gomoku::run(&arguments),
        TrainingCommand::ProbCut(arguments) => prob_cut::run(&arguments),
        TrainingCommand::Book(arguments) => book::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // If the message cannot be written, only the exit code remains.
            let _ = writeln!(io::stderr(), "training: {failure}");
            ExitCode::from(2)
        }
    }
}

pub type BoxError = Box<dyn Error>;

/// Checks that the file can be written, before hours of work begin.
pub fn writable(path: &Path) -> Result<(), BoxError> {
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened
        .map(|_| ())
        .map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

pub fn write(path: &Path, bytes: &[u8]) -> Result<(), BoxError> {
    fs::write(path, bytes).map_err(|error| named(path, &error))
}

pub fn named(path: &Path, error: &dyn Display) -> BoxError {
    format!("{}: {error}", path.display()).into()
}
