//! `arena completions` and `arena man`, both made by clap from the commands themselves.
//!
//! The script that a shell gets asks this program for what fits at the cursor, by the environment
//! variable [`ASKS`]: [`answer_the_shell`] knows the bots, games and suites.

use std::any::TypeId;
use std::ffi::OsStr;

use clap::builder::StyledStr;
use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};

use super::bots::{catalogue, known};
use super::output::print;
use super::{Cli, CliError};
use crate::grade::Suite;
use crate::tournament::Format;

/// The variable by which the script of a shell asks.
const ASKS: &str = "ARENA_COMPLETE";

/// Print a completion script for a shell
///
/// For bash: source <(arena completions bash), in ~/.bashrc. It completes the names of bots and their
/// options, games, suites, runs and files.
#[derive(Debug, Args)]
pub struct Completions {
    /// For this shell
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<(), CliError> {
        let shells = Shells::builtins();
        let shell = shells
            .completer(&self.shell.to_string())
            .ok_or_else(|| problem!("there is no completion for {}", self.shell))?;
        // In a shell, arena is found again in the way in which it was found now.
        let program = std::env::args().next().unwrap_or_default();
        let program = match std::path::absolute(&program) {
            Ok(path) if path.is_file() && program.contains(std::path::is_separator) => {
                path.display().to_string()
            }
            _ => "arena".to_owned(),
        };
        let mut script = Vec::new();
        shell.write_registration(ASKS, "arena", "arena", &program, &mut script)?;
        print(&String::from_utf8_lossy(&script))
    }
}

/// Ends the process with what fits at the cursor, if a shell asks for that.
pub fn answer_the_shell() {
    CompleteEnv::with_factory(|| completing(Cli::command()))
        .var(ASKS)
        .complete();
}

/// The command with the values that its arguments may have, by what these are called in its help.
fn completing(command: Command) -> Command {
    let command = command.mut_subcommands(completing);
    command.mut_args(|arg| match fits(&arg) {
        Some(completer) => arg.add(completer),
        None => arg,
    })
}

fn fits(arg: &Arg) -> Option<ArgValueCompleter> {
    let is_text = arg.get_value_parser().type_id() == TypeId::of::<String>();
    let name = arg.get_value_names().and_then(|names| names.first());
    let name = name.map_or_else(|| arg.get_id().as_str().to_uppercase(), ToString::to_string);
    match name.as_str() {
        "BOT" if is_text => Some(ArgValueCompleter::new(bots)),
        "GAME" if is_text => Some(words(games::names)),
        "NAME|FILE" => Some(words(Suite::names)),
        "FORMAT" if is_text => Some(words(|| Format::NAMES.to_vec())),
        _ => None,
    }
}

/// The words of a list that begin like the one at the cursor, and files where there are none.
fn words(list: fn() -> Vec<&'static str>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| {
        let list = list().into_iter();
        let fitting =
            list.filter(|word| typed.to_str().is_some_and(|typed| word.starts_with(typed)));
        fitting.map(CompletionCandidate::new).collect::<Vec<_>>()
    })
}

/// Bots by name, with their options once there is a colon; then files and folders.
fn bots(typed: &OsStr) -> Vec<CompletionCandidate> {
    let text = typed.to_string_lossy();
    let bots = catalogue().map(known).unwrap_or_default();
    let named = bots.iter().flat_map(|bot| {
        let options = bot.options.iter();
        let whole = options.map(|option| (format!("{}:{option}=", bot.name), ""));
        std::iter::once((bot.name.to_owned(), bot.about)).chain(whole)
    });
    let has_options = text.contains(':');
    let fitting = named
        .filter(|(word, _)| word.contains(':') == has_options && word.starts_with(text.as_ref()));
    let mut found: Vec<CompletionCandidate> = fitting
        .map(|(word, about)| {
            let about = (!about.is_empty()).then(|| StyledStr::from(about));
            CompletionCandidate::new(word).help(about)
        })
        .collect();
    found.extend(PathCompleter::any().complete(typed));
    found
}

/// Print the manual page, or write one page per subcommand into a folder
#[derive(Debug, Args)]
pub struct Man {
    /// Write arena.1, arena-match.1, … into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<std::path::PathBuf>,
}

impl Man {
    pub fn run(self) -> Result<(), CliError> {
        let arena = Cli::command();
        if let Some(folder) = self.out {
            std::fs::create_dir_all(&folder)?;
            return Ok(clap_mangen::generate_to(arena, &folder)?);
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(arena).render(&mut page)?;
        print(&String::from_utf8_lossy(&page))
    }
}
