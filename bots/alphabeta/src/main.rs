//! `alphabeta`: be a bot on stdin and stdout, or do one of the jobs of `cli`.

mod cli;

use std::io;
use std::process::ExitCode;

use clap::Parser;

/// The alpha-beta bot for Othello and Gomoku.
///
/// Without a command it speaks the arena's protocol on stdin and stdout.
#[derive(Parser)]
#[command(name = "alphabeta", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    options: alphabeta::Options,
    #[command(subcommand)]
    command: Option<cli::Command>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Some(command) => command.run(),
        None => serve(&cli.options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("alphabeta: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}

fn serve(options: &alphabeta::Options) -> Result<(), cli::Failure> {
    let mut bot = alphabeta::bot(options).map_err(cli::Failure::input)?;
    protocol::serve(&mut *bot, io::stdin().lock(), io::stdout().lock()).map_err(cli::Failure::own)
}
