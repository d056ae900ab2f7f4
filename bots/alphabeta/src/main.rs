//! `alphabeta`: be a bot on stdin and stdout.

use std::io;
use std::process::ExitCode;

use clap::Parser;

/// The alpha-beta bot for Othello and Gomoku. Speaks the arena's protocol on stdin and stdout.
#[derive(Parser)]
#[command(name = "alphabeta", version)]
struct Cli {
    #[command(flatten)]
    options: alphabeta::Options,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut bot = match alphabeta::bot(&cli.options) {
        Ok(bot) => bot,
        Err(error) => return fail(2, &error),
    };
    match protocol::serve(&mut *bot, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(4, &error),
    }
}

fn fail(code: u8, error: &dyn std::error::Error) -> ExitCode {
    eprintln!("alphabeta: {error}");
    ExitCode::from(code)
}
