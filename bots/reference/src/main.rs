//! `reference NAME`: a reference opponent on stdin and stdout.

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};
use protocol::engine_server::{NotSpoken, Setting, speak};
use reference::{CATALOGUE, Options, bot};

/// Play Othello or Gomoku as one of the reference opponents, over stdin and stdout.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Name of the opponent, from the list below
    name: String,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    setting: Setting,
}

fn main() -> ExitCode {
    let matches = Arguments::command().after_help(catalogue()).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let mut bot = match bot(&arguments.name, &arguments.options) {
        Ok(bot) => bot,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    match speak(&mut *bot, &arguments.setting, input, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            match error {
                NotSpoken::Setting(_) => ExitCode::from(2),
                NotSpoken::Io(_) => ExitCode::FAILURE,
            }
        }
    }
}

fn catalogue() -> String {
    CATALOGUE
        .iter()
        .fold("Opponents:\n".to_owned(), |mut text, entry| {
            let games = entry.games().join(", ");
            let _ = write!(text, "  {:11} {} ({games}", entry.name, entry.about);
            for option in entry.options {
                let _ = write!(text, "; --{option}");
            }
            text.push_str(")\n");
            text
        })
}
