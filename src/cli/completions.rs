//! `arena completions` and `arena man`, which clap generates from the commands. The script calls the arena for the
//! words that fit at the cursor: see [`answer_the_shell`].

use std::any::TypeId;
use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::StyledStr;
use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};
use referee::problem;

use super::bots::{catalogue, known};
use super::{Cli, CliError, print};
use crate::grade::Suite;
use tournament::Format;

/// Print a completion script for a shell
///
/// For bash: source <(arena completions bash), in ~/.bashrc. It completes the names of bots and their
/// options, games, suites, runs and files.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell that reads the script
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<(), CliError> {
        let shells = Shells::builtins();
        let shell = shells
            .completer(&self.shell.to_string())
            .ok_or_else(|| problem!("there is no completion for {}", self.shell))?;
        // If this command was started by a path, the script calls that path; otherwise it calls `arena`.
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

/// Print the manual page, or write one page per subcommand into a folder
#[derive(Debug, Args)]
pub struct Man {
    /// Write arena.1, arena-match.1, … into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
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

const ASKS: &str = "ARENA_COMPLETE";

/// If a shell asks for completions, prints them and ends the process.
pub fn answer_the_shell(command: fn() -> Command) {
    CompleteEnv::with_factory(|| completing(command()))
        .var(ASKS)
        .complete();
}

/// Adds completions to the arguments of a command and its subcommands. The name of an argument's value in the help
/// determines its completer.
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

fn words(list: fn() -> Vec<&'static str>) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| {
        let list = list().into_iter();
        let fitting =
            list.filter(|word| typed.to_str().is_some_and(|typed| word.starts_with(typed)));
        fitting.map(CompletionCandidate::new).collect::<Vec<_>>()
    })
}

/// Returns the bots whose names begin with the typed text (after a colon, their options), then files and folders.
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
