//! Help and errors of the command-line parser, in plain words and in the user's language.

use std::error::Error as _;
use std::ffi::OsString;
use std::io;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory, FromArgMatches};
use textwrap::core::display_width;

use super::CliError;
use super::output::{print, width};
use message::width::lines;
use message::{Lang, Message, message, speak, spoken};

/// The texts that the parser adds to help. A text comes before the texts that it contains.
const HEADINGS: [&str; 11] = [
    "Print this message or the help of the given subcommand(s)",
    "Print help (see more with '--help')",
    "Print help (see a summary with '-h')",
    "Print help",
    "Print version",
    "Possible values:",
    "[possible values: ",
    "[default: ",
    "Arguments:",
    "Commands:",
    "Options:",
];

/// The width of help if the output is not a terminal.
const USUAL_WIDTH: usize = 100;

/// Parses the command line. If it is wrong or asks for help, prints the error or the help, and ends the process.
pub fn parse<Line: CommandFactory + FromArgMatches>() -> Line {
    let words: Vec<OsString> = alphabeta::cli::words().collect();
    speak(asked(&words).unwrap_or_else(spoken));
    read(Line::command(), &words).unwrap_or_else(|error| explain::<Line, _>(&words, &error))
}

fn read<Line: FromArgMatches, Word: Into<OsString> + Clone>(
    command: Command,
    words: &[Word],
) -> Result<Line, clap::Error> {
    let matches = command.try_get_matches_from(words.iter().cloned());
    matches.and_then(|matches| Line::from_arg_matches(&matches))
}

/// Prints the help or the parser's `error` for these words in the user's language, and ends the process.
pub fn explain<Line: CommandFactory + FromArgMatches, Word: Into<OsString> + Clone>(
    words: &[Word],
    error: &clap::Error,
) -> ! {
    let lang = spoken();
    let is_english = lang.code == Lang::usual().code;
    let text = match error.kind() {
        ErrorKind::DisplayVersion => error.exit(),
        // For a bad value, the parser's message is written for programmers, so it is replaced.
        kind if is_english && kind != ErrorKind::ValueValidation => error.exit(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let error_in_lang = read::<Line, _>(described(Line::command(), lang), words).err();
            help(
                &error_in_lang.as_ref().unwrap_or(error).render().to_string(),
                lang,
            )
        }
        _ => report(error, lang),
    };
    if error.use_stderr() {
        echo!("{}", text.trim_end());
        std::process::exit(2)
    }
    let _ = print(&text);
    std::process::exit(0)
}

fn report(error: &clap::Error, lang: &Lang) -> String {
    let what = message!("error: {error}", error = mistake(error));
    let lines = |messages: Vec<Message>| {
        let lines = messages.iter().map(|message| lang.render(message));
        lines.collect::<Vec<_>>().join("\n")
    };
    let usage = strings(error, ContextKind::Usage).into_iter().map(|usage| {
        let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
        message!("Usage: {usage}")
    });
    let help = "For more information, try '--help'.".into();
    let paragraphs = [
        std::iter::once(what).chain(listed(error)).collect(),
        tips(error),
        usage.collect(),
        vec![help],
    ];
    let paragraphs = paragraphs.map(lines);
    let paragraphs: Vec<String> = paragraphs.into_iter().filter(|it| !it.is_empty()).collect();
    paragraphs.join("\n\n")
}

fn strings(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
        Some(ContextValue::StyledStrs(texts)) => texts.iter().map(StyledStr::to_string).collect(),
        _ => Vec::new(),
    }
}

pub fn mistake(error: &clap::Error) -> Message {
    let text = |kind| strings(error, kind).into_iter().next().unwrap_or_default();
    let (arg, value) = (
        text(ContextKind::InvalidArg),
        text(ContextKind::InvalidValue),
    );
    match error.kind() {
        ErrorKind::UnknownArgument => message!("unexpected argument '{arg}' found"),
        ErrorKind::InvalidSubcommand => {
            let name = text(ContextKind::InvalidSubcommand);
            message!("unrecognized subcommand '{name}'")
        }
        ErrorKind::MissingSubcommand => {
            let name = text(ContextKind::InvalidSubcommand);
            message!("'{name}' requires a subcommand but one was not provided")
        }
        ErrorKind::MissingRequiredArgument => {
            "the following required arguments were not provided:".into()
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            message!("a value is required for '{arg}' but none was supplied")
        }
        ErrorKind::InvalidValue => message!("invalid value '{value}' for '{arg}'"),
        ErrorKind::ValueValidation => {
            let why = refusal(error);
            message!("invalid value '{value}' for '{arg}': {why}")
        }
        ErrorKind::TooManyValues => {
            message!("unexpected value '{value}' for '{arg}' found; no more were expected")
        }
        ErrorKind::ArgumentConflict => match strings(error, ContextKind::PriorArg).as_slice() {
            [other] if *other == arg => {
                message!("the argument '{arg}' cannot be used multiple times")
            }
            [other] => message!("the argument '{arg}' cannot be used with '{other}'"),
            _ => message!("the argument '{arg}' cannot be used with:"),
        },
        _ => {
            let text = error.render().to_string();
            let what = text.lines().next().unwrap_or_default();
            Message::quote(what.strip_prefix("error: ").unwrap_or(what))
        }
    }
}

fn refusal(error: &clap::Error) -> Message {
    let Some(why) = error.source() else {
        return "".into();
    };
    if let Some(why) = why.downcast_ref::<ParseIntError>() {
        return match why.kind() {
            IntErrorKind::PosOverflow => "the number is too large",
            IntErrorKind::NegOverflow => "the number is too small",
            _ => "expected a whole number",
        }
        .into();
    }
    if why.is::<ParseFloatError>() {
        return "expected a number".into();
    }
    let why = why.to_string();
    range(&why).unwrap_or_else(|| Message::whole(why))
}

/// Returns the valid range from the parser's error, which has it only as text: `0 is not in 1..=60`.
fn range(text: &str) -> Option<Message> {
    let (_, range) = text.split_once(" is not in ")?;
    let (first, last) = range.split_once("..")?;
    let whole: Option<u64> = last.trim_start_matches('=').parse().ok();
    Some(match whole.filter(|&last| last < u64::from(u32::MAX)) {
        Some(end) => {
            let last = end.saturating_sub(u64::from(!last.starts_with('=')));
            message!("choose {first} to {last}")
        }
        None => message!("choose {first} or more"),
    })
}

fn listed(error: &clap::Error) -> Vec<Message> {
    let kind = match error.kind() {
        ErrorKind::MissingRequiredArgument => ContextKind::InvalidArg,
        ErrorKind::ArgumentConflict => ContextKind::PriorArg,
        ErrorKind::InvalidValue => ContextKind::ValidValue,
        ErrorKind::MissingSubcommand => ContextKind::ValidSubcommand,
        _ => return Vec::new(),
    };
    let texts = strings(error, kind);
    let values = &texts;
    match kind {
        _ if texts.is_empty() => Vec::new(),
        ContextKind::PriorArg if texts.len() == 1 => Vec::new(),
        ContextKind::ValidValue => vec![message!("  [possible values: {values}]")],
        ContextKind::ValidSubcommand => vec![message!("  [subcommands: {values}]")],
        _ => {
            let line = |text: &String| Message::quote(format!("  {text}"));
            texts.iter().map(line).collect()
        }
    }
}

fn tips(error: &clap::Error) -> Vec<Message> {
    let near = |kind| {
        let near = strings(error, kind).into_iter();
        let near: Vec<String> = near.map(|one| format!("'{one}'")).collect();
        (near.len(), near)
    };
    let mut tips = Vec::new();
    match near(ContextKind::SuggestedSubcommand) {
        (0, _) => {}
        (1, near) => tips.push(message!("a similar subcommand exists: {near}")),
        (_, near) => tips.push(message!("some similar subcommands exist: {near}")),
    }
    match near(ContextKind::SuggestedArg) {
        (0, _) => {}
        (1, near) => tips.push(message!("a similar argument exists: {near}")),
        (_, near) => tips.push(message!("some similar arguments exist: {near}")),
    }
    match near(ContextKind::SuggestedValue) {
        (0, _) => {}
        (1, near) => tips.push(message!("a similar value exists: {near}")),
        (_, near) => tips.push(message!("some similar values exist: {near}")),
    }
    let arg = strings(error, ContextKind::InvalidArg).concat();
    let as_value = format!("to pass '{arg}' as a value, use '-- {arg}'");
    for tip in strings(error, ContextKind::Suggested) {
        tips.push(if tip == as_value {
            message!("to pass '{arg}' as a value, use '-- {arg}'")
        } else {
            Message::quote(tip)
        });
    }
    tips.into_iter()
        .map(|tip| message!("  tip: {tip}"))
        .collect()
}

/// Translates the descriptions of a command, of its subcommands and of their options.
fn described(command: Command, lang: &Lang) -> Command {
    if lang.code == Lang::usual().code {
        return command;
    }
    // The long text begins with the short text.
    let translated = |short: &StyledStr, long: Option<&StyledStr>| {
        let short = short.to_string();
        let paragraph = |text: &str| match text.strip_prefix(&short) {
            Some(rest) => format!("{}{}", lang.fixed(&short), rest.replacen('.', "。", 1)),
            None => lang.fixed(text).into_owned(),
        };
        let long = long.map(|long| {
            let paragraphs: Vec<_> = long.to_string().split("\n\n").map(paragraph).collect();
            StyledStr::from(paragraphs.join("\n\n"))
        });
        (lang.fixed(&short).into_owned(), Resettable::from(long))
    };
    let of_arg = |arg: Arg| {
        let Some(help) = arg.get_help() else {
            return arg;
        };
        let (short, long) = translated(help, arg.get_long_help());
        arg.help(short).long_help(long)
    };
    let of_command = |command: Command| {
        // The parser wraps only at blanks, and Chinese text has few. So `wrapped` wraps, and the parser does not.
        let command = command.term_width(0).mut_args(of_arg);
        let Some(about) = command.get_about() else {
            return command;
        };
        let (short, long) = translated(about, command.get_long_about());
        command.about(short).long_about(long)
    };
    of_command(command.mut_subcommands(|inner| described(inner, lang)))
}

pub fn print_help(mut command: Command) -> Result<(), CliError> {
    let lang = spoken();
    if lang.code != Lang::usual().code {
        let text = described(command, lang).render_help().to_string();
        return print(&help(&text, lang));
    }
    match command.print_help() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Returns the language of `--lang` in a command line that has not been parsed yet.
fn asked(words: &[OsString]) -> Option<&'static Lang> {
    let words = || words.iter().map(|word| word.to_str().unwrap_or_default());
    let all = words().zip(words().skip(1).chain([""]));
    let mut wanted = all.filter_map(|(word, next)| match word.strip_prefix("--lang")? {
        "" => Lang::of(next),
        rest => Lang::of(rest.strip_prefix('=')?),
    });
    wanted.next()
}

fn help(text: &str, lang: &Lang) -> String {
    if lang.code == Lang::usual().code {
        return text.to_owned();
    }
    let line = |line: &str| {
        if let Some(usage) = line.strip_prefix("Usage: ") {
            return lang.render(&message!("Usage: {usage}"));
        }
        if line.trim_start().starts_with("- ")
            && let Some((_, about)) = line.split_once(": ")
        {
            let about = about.trim_start();
            let before = &line[..line.len() - about.len()];
            return format!("{before}{}", lang.fixed(about));
        }
        let put = |line: String, piece: &&str| line.replace(piece, &lang.fixed(piece));
        HEADINGS.iter().fold(line.to_owned(), put)
    };
    let width = width().unwrap_or(USUAL_WIDTH);
    let lines = text.split('\n').map(|text| wrapped(&line(text), width));
    lines.collect::<Vec<_>>().join("\n")
}

/// Wraps a line. Text beside an option, or after leading blanks, continues below its own first column.
fn wrapped(line: &str, width: usize) -> String {
    let body = line.trim_start();
    let beside = body
        .split_once("  ")
        .map_or(body, |(_, rest)| rest.trim_start());
    let (before, text) = line.split_at(line.len() - beside.len());
    let begin = display_width(before);
    let lines = lines(text, width.saturating_sub(begin).max(20));
    format!("{before}{}", lines.join(&format!("\n{:begin$}", "")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use crate::cli::bot::CommandLine;

    fn zh() -> &'static Lang {
        Lang::of("zh").expect("Chinese")
    }

    fn of_bots() -> [Command; 2] {
        let bots = [
            CommandLine::<alphabeta::Options>::command(),
            CommandLine::<reference::Options>::command(),
        ];
        bots.map(|command| described(command, zh()))
    }

    #[test]
    fn the_headings_of_a_help_are_in_the_language() {
        let text = described(Cli::command(), zh()).render_help().to_string();
        let translated = help(&text, zh());
        for heading in ["用法：arena", "\n命令：\n", "\n选项：\n", "显示版本"] {
            assert!(translated.contains(heading), "{translated}");
        }
        let words = translated.split(|c: char| !c.is_ascii_alphabetic());
        let english = words.filter(|word| ["the", "of", "a", "or", "what"].contains(word));
        assert_eq!(english.count(), 0, "{translated}");
        assert_eq!(help(&text, Lang::usual()), text);
    }

    #[test]
    fn every_paragraph_and_every_option_is_described_in_the_language() {
        let all = described(Cli::command(), zh());
        let bots = of_bots();
        let below = all.get_subcommands().flat_map(Command::get_subcommands);
        for command in all
            .get_subcommands()
            .chain(below)
            .chain([&all])
            .chain(&bots)
        {
            let name = command.get_name();
            let about = command.get_about().expect("a description").to_string();
            let long = command.get_long_about().map(ToString::to_string);
            for paragraph in long
                .iter()
                .chain([&about])
                .flat_map(|text| text.split("\n\n"))
            {
                assert!(!paragraph.is_ascii(), "{name}: {paragraph}");
            }
            for arg in command.get_arguments() {
                let help = arg.get_help().expect("a description").to_string();
                assert!(!help.is_ascii(), "{name}: {}: {help}", arg.get_id());
                let long = arg.get_long_help().map(ToString::to_string);
                assert!(long.is_none_or(|text| !text.is_ascii()), "{name}: {help}");
                for value in arg.get_possible_values() {
                    let help = value.get_help().map(ToString::to_string);
                    let translated = help.map(|help| zh().fixed(&help).into_owned());
                    assert!(
                        translated.is_none_or(|translated| !translated.is_ascii()),
                        "{name}: {value:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn no_line_of_a_help_is_wider_than_the_screen() {
        let mut all = described(Cli::command(), zh());
        let mut bots = of_bots();
        for command in all.get_subcommands_mut().chain(&mut bots) {
            for text in [command.render_help(), command.render_long_help()] {
                for line in help(&text.to_string(), zh()).lines() {
                    assert!(display_width(line) <= USUAL_WIDTH, "{line}");
                }
            }
        }
        let option = "  -n, --games <N>  每对程序的局数；偶数，因为每个开局";
        let below = "  -n, --games <N>  每对程序的局数；偶数，\n                   因为每个开局";
        assert_eq!(wrapped(option, 41), below);
    }
}
