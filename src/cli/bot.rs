//! `arena bot`.

use std::io;

use clap::{Args, CommandFactory, Parser};

use super::CliError;
use crate::tournament::Problem;

/// The name of the flagship.
pub const ALPHABETA: &str = "alphabeta";

/// Be a bot of the house: speak the protocol on standard input and output
#[derive(Debug, Args)]
pub struct Bot {
    /// Its name: see arena bots
    name: String,
    /// Its options, such as --depth 3; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

/// A command line that takes nothing but the options of one bot.
#[derive(Debug, Parser)]
#[command(name = "arena bot", no_binary_name = true)]
struct OptionsOf<T: Args> {
    #[command(flatten)]
    options: T,
}

/// The names of the options that a bot with these options takes.
pub fn option_names<T: Args>() -> Vec<String> {
    let command = OptionsOf::<T>::command();
    command
        .get_arguments()
        .filter_map(|option| option.get_long().map(str::to_owned))
        .collect()
}

impl Bot {
    /// Runs the command.
    pub fn run(self) -> Result<(), CliError> {
        let mut bot = if self.name == ALPHABETA {
            alphabeta::bot(&self.parse()?).map_err(Problem::new)?
        } else {
            reference::bot(&self.name, &self.parse()?).map_err(Problem::new)?
        };
        protocol::serve(&mut *bot, io::stdin().lock(), io::stdout().lock())?;
        Ok(())
    }

    fn parse<T: Args>(&self) -> Result<T, CliError> {
        match OptionsOf::<T>::try_parse_from(&self.options) {
            Ok(parsed) => Ok(parsed.options),
            Err(error) if !error.use_stderr() => error.exit(),
            Err(error) => {
                let text = error.render().to_string();
                let what = text.lines().next().unwrap_or_default();
                let what = what.strip_prefix("error: ").unwrap_or(what);
                Err(Problem::new(format!("{}: {what}", self.name))
                    .help(format!("arena bot {} --help lists its options", self.name))
                    .into())
            }
        }
    }
}
