//! `training`: makes what `alphabeta` plays with. Nobody needs it to play.
//!
//! A command, a file or folder: [`othello`] and [`gomoku`] play the program against itself and fit
//! weights to the games, [`prob_cut`] measures the errors of shallow searches, [`book`] searches
//! openings. `docs/othello-training.md` and `docs/gomoku-training.md` say what was run.
//!
//! All random choices come from a seed: the same command makes the same file.

mod book;
mod failure;
mod gomoku;
mod othello;
mod prob_cut;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

/// Make what alphabeta plays with: weights, constants and the opening book.
#[derive(Parser)]
#[command(name = "training", version)]
enum Command {
    Othello(othello::train::Arguments),
    Gomoku(gomoku::Arguments),
    ProbCut(prob_cut::Arguments),
    Book(book::Arguments),
}

fn main() -> ExitCode {
    let done = match Command::parse() {
        Command::Othello(arguments) => othello::train::run(&arguments),
        Command::Gomoku(arguments) => gomoku::run(&arguments),
        Command::ProbCut(arguments) => prob_cut::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
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
