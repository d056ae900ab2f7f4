//! What fits where somebody types, for a shell that asks: bots and their options, games, suites, formats,
//! files.

use std::any::TypeId;
use std::ffi::OsStr;

use clap::builder::StyledStr;
use clap::{Arg, Command};
use clap_complete::CompleteEnv;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};

use super::bots::{catalogue, known};
use crate::grade::Suite;
use tournament::Format;

/// The variable by which the script of a shell asks.
pub const ASKS: &str = "ARENA_COMPLETE";

/// Ends the process with what fits at the cursor, if a shell asks for that.
pub fn answer_the_shell(command: fn() -> Command) {
    CompleteEnv::with_factory(|| completing(command()))
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
