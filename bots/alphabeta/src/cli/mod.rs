//! What the binary does beside being a bot, a file a command. What they print is data, on stdout. The
//! arena has some of these commands, too.

use std::env;
use std::ffi::OsString;

use games::othello::obf;

pub mod analyze;
pub mod bench;
pub mod book;
pub mod compare;
mod failure;
mod position;
mod saved;
pub mod solve;
mod work;

pub use failure::Failure;

/// What to do instead of being a bot. The help of each is the comment on its arguments.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Analyze(analyze::Arguments),
    Compare(compare::Arguments),
    Bench(bench::Arguments),
    Solve(solve::Arguments),
    Book(book::Arguments),
}

impl Command {
    /// Does it.
    pub fn run(&self) -> Result<(), Failure> {
        match self {
            Command::Analyze(arguments) => analyze::run(arguments),
            Command::Compare(arguments) => compare::run(arguments),
            Command::Bench(arguments) => bench::run(arguments),
            Command::Solve(arguments) => solve::run(arguments),
            Command::Book(arguments) => book::run(arguments),
        }
    }
}

/// The words of the command line. A position may begin with an empty square: written as a dot
/// instead of a dash, it cannot be mistaken for an option, nor a mistyped option for it.
pub fn words() -> impl Iterator<Item = OsString> {
    env::args_os().map(|word| match word.to_str() {
        Some(text) if text.starts_with('-') && obf::looks_like(text) => {
            text.replacen('-', ".", 1).into()
        }
        _ => word,
    })
}
