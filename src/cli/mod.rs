//! The command line: one file per subcommand. A subcommand's doc comment is its help text.
//!
//! [`main`] parses, runs and turns the result into an exit code. Only this module links
//! the bots' libraries.

/// A line on standard error, like `eprintln!`, but a closed pipe is not an error.
macro_rules! echo {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

/// The same for a sentence, in the language that is spoken.
macro_rules! say {
    ($($text:tt)*) => {
        echo!("{}", crate::cli::output::for_terminals(&message::spoken().say_lines(&format!($($text)*))))
    };
}

mod advice;
mod analyze;
mod ask;
mod bot;
mod bots;
mod boxes;
mod check;
mod cluster;
mod complete;
mod completions;
mod conditions;
mod engine;
mod error;
mod export;
mod grade;
mod interrupt;
mod language;
mod lesson;
mod r#match;
mod new_bot;
mod one_bot;
mod openings;
mod options;
mod output;
mod page;
mod perft;
mod play;
mod play_person;
mod replay;
mod report;
mod resume;
mod run;
mod sandbox;
mod schema;
mod sprt;
mod stages;
mod time_control;
mod tournament_file;
mod usage;
mod version;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

pub use error::CliError;
use output::{print, print_said, width};

/// Starts Othello and Gomoku bots, referees their games, and turns the results into tables.
///
/// Exit codes: 0 done and passed, 1 done but not passed, 2 usage or input, 3 a bot could not be
/// used, 4 the arena or the machine failed, 130 interrupted (the run can be resumed).
#[derive(Debug, Parser)]
#[command(name = "arena", version, long_version = version::text(), propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

macro_rules! commands {
    ($($name:ident($type:ty),)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name($type),)*
        }

        impl Command {
            fn run(self) -> Result<(), CliError> {
                match self {
                    $(Command::$name(command) => command.run(),)*
                }
            }
        }
    };
}

commands! {
    NewBot(new_bot::NewBot),
    Check(check::Check),
    Match(r#match::Match),
    Run(run::Run),
    Grade(grade::Grade),
    Sprt(sprt::SprtCommand),
    Stages(stages::Stages),
    Plan(cluster::Plan),
    Shard(cluster::Shard),
    Merge(cluster::Merge),
    Status(cluster::Status),
    Submit(cluster::Submit),
    Resume(resume::Resume),
    Report(report::Report),
    Watch(watch::Watch),
    Replay(replay::Replay),
    Serve(page::Serve),
    Play(page::Play),
    Analyze(analyze::Analyze),
    Export(export::Export),
    Ask(ask::Ask),
    Bots(bots::Bots),
    Sandbox(sandbox::Sandbox),
    Bot(bot::Bot),
    Openings(openings::Openings),
    Compare(engine::Compare),
    Solve(engine::Solve),
    Perft(perft::Perft),
    Schema(schema::Schema),
    Completions(completions::Completions),
    Man(completions::Man),
}

/// Parses the command line, runs the command, and returns the exit status.
pub fn main() -> ExitCode {
    host::take_role_if_asked();
    complete::answer_the_shell(Cli::command);
    // What the system is set to is always known; --lang may change it.
    let _ = language::Language::default().speak();
    let cli: Cli = usage::parse();
    match cli.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let code = error.exit_code();
            error.print();
            ExitCode::from(code)
        }
    }
}
