//! `alphabeta`: a bot on stdin and stdout, with the subcommands of `cli`.

use std::io::{self, Write};
use std::process::ExitCode;

use alphabeta::cli;
use clap::Parser;
use protocol::engine_server::NotSpoken;

/// The alpha-beta bot for Othello and Gomoku.
///
/// Without a command, it plays as a bot on stdin and stdout, by the arena's protocol or another.
#[derive(Parser)]
#[command(name = "alphabeta", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    options: alphabeta::Options,
    #[command(flatten)]
    setting: protocol::engine_server::Setting,
    #[command(subcommand)]
    command: Option<cli::Command>,
}

fn main() -> ExitCode {
    let cli = Cli::parse_from(cli::words());
    let done = match cli.command {
        Some(command) => command.run(),
        None => play(&cli.options, &cli.setting),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.message.is_empty() {
                // If the message cannot be written, only the exit code remains.
                let _ = writeln!(io::stderr(), "alphabeta: {}", failure.message);
            }
            ExitCode::from(failure.code)
        }
    }
}

fn play(
    options: &alphabeta::Options,
    setting: &protocol::engine_server::Setting,
) -> Result<(), cli::Failure> {
    let mut bot = alphabeta::bot(options).map_err(cli::Failure::input)?;
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    protocol::engine_server::speak(&mut *bot, setting, input, output).map_err(|error| match error {
        NotSpoken::Setting(bad) => cli::Failure::input(bad),
        NotSpoken::Io(failed) => cli::Failure::own(failed),
    })
}
