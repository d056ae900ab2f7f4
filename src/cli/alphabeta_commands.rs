//! The commands `arena compare` and `arena solve`, which alphabeta's own binary also has.

use alphabeta::cli::{Failure, compare, solve};
use clap::Args;
use message::Message;

use super::CliError;
use super::error::Ending;
use tournament::Problem;

macro_rules! commands_of_alphabeta {
    ($($name:ident: $module:ident;)*) => {$(
        #[derive(Debug, Args)]
        pub struct $name {
            #[command(flatten)]
            arguments: $module::Arguments,
        }

        impl $name {
            pub fn run(self) -> Result<(), CliError> {
                $module::run(&self.arguments).or_else(ended)
            }
        }
    )*};
}

commands_of_alphabeta! {
    Compare: compare;
    Solve: solve;
}

fn ended(failure: Failure) -> Result<(), CliError> {
    let Failure { code, message } = failure;
    match code {
        0 => Ok(()),
        1 => Err(Ending::NotPassed.because(Message::quote(message))),
        2 => Err(Problem::new(Message::quote(message)).into()),
        _ => Err(Ending::ArenaFailed.because(Message::quote(message))),
    }
}
