//! The command line: a file has one subcommand, or a few related subcommands. A subcommand's doc comment is its help
//! text. Start with [`main`]. Only this module and [`analysis`](crate::analysis) use the bots' libraries.

/// Prints a line on standard error, like `eprintln!`, but ignores a closed pipe.
macro_rules! echo {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

/// Prints a translated message on standard error, with the syntax of `format!`.
macro_rules! say {
    ($($text:tt)*) => {
        echo!("{}", message::spoken().render(&message::message!($($text)*)))
    };
}

mod advice;
mod alphabeta_commands;
mod analyze;
mod ask;
mod bot;
mod bots;
mod check;
mod cluster;
mod completions;
mod error;
mod export;
mod grade;
mod league;
mod league_serve;
mod r#match;
mod new_bot;
mod new_run;
mod openings;
mod options;
mod output;
mod perft;
mod play;
mod rate;
mod replay;
mod report;
mod resume;
mod run;
mod sandbox;
mod schema;
mod serve;
mod speed;
mod sprt;
mod stages;
mod tournament_file;
mod tune;
mod usage;
mod watch;

use std::env::consts::{ARCH, OS};
use std::io;
use std::process::ExitCode;
use std::sync::LazyLock;

use ::run::{RunError, Stop};
use clap::{CommandFactory, Parser, Subcommand};

pub use error::CliError;
use output::{print, print_said, width};

/// Starts Othello and Gomoku bots, referees their games, and turns the results into tables.
///
/// Exit codes: 0 done and passed, 1 done but not passed, 2 usage or input, 3 a bot could not be
/// used, 4 the arena or the machine failed, 130 interrupted (the run can be resumed).
#[derive(Debug, Parser)]
#[command(name = "arena", version, long_version = version(), propagate_version = true)]
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
    Rate(rate::Rate),
    Tune(tune::Tune),
    Stages(stages::Stages),
    League(league::LeagueCommand),
    Plan(cluster::PlanCommand),
    Shard(cluster::Shard),
    Merge(cluster::Merge),
    Status(cluster::Status),
    Submit(cluster::Submit),
    Resume(resume::Resume),
    Report(report::Report),
    Watch(watch::Watch),
    Replay(replay::Replay),
    Serve(serve::Serve),
    Play(play::Play),
    Analyze(analyze::Analyze),
    Export(export::Export),
    Ask(ask::Ask),
    Bots(bots::Bots),
    Sandbox(sandbox::Sandbox),
    Bot(bot::Bot),
    Openings(openings::Openings),
    Compare(alphabeta_commands::Compare),
    Solve(alphabeta_commands::Solve),
    Speed(speed::Speed),
    Perft(perft::Perft),
    Schema(schema::Schema),
    Completions(completions::Completions),
    Man(completions::Man),
}

pub fn main() -> ExitCode {
    host::take_role_if_asked();
    crate::grade::read_if_asked(|| bots::catalogue().map_err(io::Error::other));
    completions::answer_the_shell(Cli::command);
    // The language is the system's, until `--lang` changes it.
    let _ = options::LanguageOption::default().speak();
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

/// Returns version, commit, day and system: `0.1.0 (3f2c1ab579 2026-11-22, x86_64-linux-musl)`.
///
/// `cargo run -p xtask -- dist` sets `ARENA_BUILD` to the commit and its day. Other builds do not ask git for them,
/// because otherwise every commit would rebuild the arena.
fn version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let build = option_env!("ARENA_BUILD").unwrap_or("built from source");
        let library = if cfg!(target_env = "musl") {
            "-musl"
        } else if cfg!(target_env = "msvc") {
            "-msvc"
        } else if cfg!(target_env = "gnu") {
            "-gnu"
        } else {
            ""
        };
        let version = env!("CARGO_PKG_VERSION");
        format!("{version} ({build}, {ARCH}-{OS}{library})")
    });
    &TEXT
}

/// Returns a stop request that Ctrl-C triggers. Must be called at most once per process.
fn stop_on_ctrl_c() -> Result<Stop, CliError> {
    let stop = Stop::of_process();
    let heard = stop.clone();
    host::on_interrupt(move || heard.request())
        .map_err(RunError::system("cannot start a thread for Ctrl-C"))?;
    Ok(stop)
}
