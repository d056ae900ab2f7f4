//! Help and errors of the command line's parser, in plain words and in the user's language.

use std::ffi::OsString;
use std::io;

use clap::builder::{Resettable, StyledStr};
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory, FromArgMatches};
use textwrap::core::display_width;

use super::CliError;
use super::output::{print, width};
use message::width::lines;
use message::{Lang, speak, spoken};

/// The reasons for which the parser refuses a value, and plain words for each.
const REASONS: [(&str, &str); 6] = [
    ("invalid digit found in string", "expected a whole number"),
    ("invalid float literal", "expected a number"),
    (
        "cannot parse integer from empty string",
        "expected a whole number",
    ),
    ("cannot parse float from empty string", "expected a number"),
    (
        "number too large to fit in target type",
        "the number is too large",
    ),
    (
        "number too small to fit in target type",
        "the number is too small",
    ),
];

/// The texts that the parser adds to every help; the longest first.
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

/// The parser's width of a help that is not printed on a terminal.
const USUAL_WIDTH: usize = 100;

/// Parses the command line. After an error, or if help was asked for, prints it and ends the process.
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

/// Prints the help or the error for these words in the language of the user, and ends the process. `error`
/// is the parser's answer in English: the phrases of another language are read only now.
pub fn explain<Line: CommandFactory + FromArgMatches, Word: Into<OsString> + Clone>(
    words: &[Word],
    error: &clap::Error,
) -> ! {
    let lang = spoken();
    let said = read::<Line, _>(described(Line::command(), lang), words).err();
    let error = said.as_ref().unwrap_or(error);
    let text = error.render().to_string();
    let plain = match error.kind() {
        ErrorKind::DisplayVersion => error.exit(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            help(&text, lang)
        }
        _ => lang.say_lines(&in_words(&text)),
    };
    if plain == text {
        error.exit()
    }
    if error.use_stderr() {
        echo!("{}", plain.trim_end());
        std::process::exit(2)
    }
    let _ = print(&plain);
    std::process::exit(0)
}

/// Translates the descriptions of a command, of its subcommands and of their options, as far as they are
/// known.
fn described(command: Command, lang: &Lang) -> Command {
    if lang.code == Lang::usual().code {
        return command;
    }
    // A long text begins with the short one.
    let said = |short: &StyledStr, long: Option<&StyledStr>| {
        let short = short.to_string();
        let paragraph = |text: &str| match text.strip_prefix(&short) {
            Some(rest) => format!("{}{}", lang.say(&short), rest.replacen('.', "。", 1)),
            None => lang.say(text).into_owned(),
        };
        let long = long.map(|long| {
            let paragraphs: Vec<_> = long.to_string().split("\n\n").map(paragraph).collect();
            StyledStr::from(paragraphs.join("\n\n"))
        });
        (lang.say(&short).into_owned(), Resettable::from(long))
    };
    let of_arg = |arg: Arg| {
        let Some(help) = arg.get_help() else {
            return arg;
        };
        let (short, long) = said(help, arg.get_long_help());
        arg.help(short).long_help(long)
    };
    let of_command = |command: Command| {
        // The parser wraps at blanks alone, of which Chinese has few: `wrapped` does it.
        let command = command.term_width(0).mut_args(of_arg);
        let Some(about) = command.get_about() else {
            return command;
        };
        let (short, long) = said(about, command.get_long_about());
        command.about(short).long_about(long)
    };
    of_command(command.mut_subcommands(of_command))
}

/// Prints the help of `command` in the language of the user.
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

/// Finds `--lang` in a command line that is not parsed yet.
fn asked(words: &[OsString]) -> Option<&'static Lang> {
    let words = || words.iter().map(|word| word.to_str().unwrap_or_default());
    let all = words().zip(words().skip(1).chain([""]));
    let mut wanted = all.filter_map(|(word, next)| match word.strip_prefix("--lang")? {
        "" => Lang::of(next),
        rest => Lang::of(rest.strip_prefix('=')?),
    });
    wanted.next()
}

/// Translates the headings of a help, and wraps its lines.
fn help(text: &str, lang: &Lang) -> String {
    if lang.code == Lang::usual().code {
        return text.to_owned();
    }
    let line = |line: &str| {
        if line.starts_with("Usage: ") {
            return lang.say(line).into_owned();
        }
        // A possible value of an option.
        if line.trim_start().starts_with("- ")
            && let Some((_, about)) = line.split_once(": ")
        {
            let about = about.trim_start();
            let before = &line[..line.len() - about.len()];
            return format!("{before}{}", lang.say(about));
        }
        let put = |line: String, piece: &&str| line.replace(piece, &lang.say(piece));
        HEADINGS.iter().fold(line.to_owned(), put)
    };
    let width = width().unwrap_or(USUAL_WIDTH);
    let lines = text.split('\n').map(|text| wrapped(&line(text), width));
    lines.collect::<Vec<_>>().join("\n")
}

/// Wraps a line at this width: the text beside an option, or after blanks, continues below its beginning.
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

/// Replaces the parser's reasons for which a value is refused by plain words, such as `0 is not in 1..=60` by
/// `choose 1 to 60`.
fn in_words(text: &str) -> String {
    let of_range = |line: &str| {
        let (before, range) = line.split_once(" is not in ")?;
        let (first, last) = range.trim_end().split_once("..")?;
        let before = before.rsplit_once(": ")?.0;
        let whole: Option<u64> = last.trim_start_matches('=').parse().ok();
        Some(match whole.filter(|&last| last < u64::from(u32::MAX)) {
            Some(_) if last.starts_with('=') => {
                format!("{before}: choose {first} to {}", &last[1..])
            }
            Some(last) => format!("{before}: choose {first} to {}", last.saturating_sub(1)),
            None => format!("{before}: choose {first} or more"),
        })
    };
    let put = |line: String, (said, words): &(&str, &str)| line.replace(said, words);
    let plain =
        |line| of_range(line).unwrap_or_else(|| REASONS.iter().fold(String::from(line), put));
    text.split('\n').map(plain).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use crate::cli::bot::CommandLine;

    fn zh() -> &'static Lang {
        Lang::of("zh").expect("Chinese")
    }

    /// Returns the commands behind `arena bot NAME --help`.
    fn of_bots() -> [Command; 2] {
        let bots = [
            CommandLine::<alphabeta::Options>::command(),
            CommandLine::<reference::Options>::command(),
        ];
        bots.map(|command| described(command, zh()))
    }

    #[test]
    fn the_headings_of_a_help_are_in_the_language() {
        let mut command = Cli::command();
        let text = command.render_help().to_string();
        let said = help(&text, zh());
        for heading in ["用法：arena", "\n命令：\n", "\n选项：\n", "显示版本"] {
            assert!(said.contains(heading), "{said}");
        }
        assert_eq!(help(&text, Lang::usual()), text);
    }

    /// The command `help` is the parser's own.
    #[test]
    fn every_command_is_described_in_the_language() {
        let mut command = described(Cli::command(), zh());
        let list = help(&command.render_help().to_string(), zh());
        for command in command
            .get_subcommands()
            .filter(|it| it.get_name() != "help")
        {
            let about = command.get_about().expect("a description").to_string();
            assert!(!about.is_ascii(), "{}: {about}", command.get_name());
        }
        let words = list.split(|c: char| !c.is_ascii_alphabetic());
        let english = words.filter(|word| ["the", "of", "a", "or", "what"].contains(word));
        assert_eq!(english.count(), 0, "{list}");
    }

    /// `help` and its options are the parser's own.
    #[test]
    fn every_paragraph_and_every_option_is_described_in_the_language() {
        let all = described(Cli::command(), zh());
        let bots = of_bots();
        for command in all.get_subcommands().chain([&all]).chain(&bots) {
            let name = command.get_name();
            let long = command.get_long_about().or(command.get_about());
            let long = long.map(ToString::to_string);
            for paragraph in long.iter().flat_map(|text| text.split("\n\n")) {
                assert!(!paragraph.is_ascii(), "{name}: {paragraph}");
            }
            for arg in command.get_arguments() {
                let help = arg.get_help().expect("a description").to_string();
                assert!(!help.is_ascii(), "{name}: {}: {help}", arg.get_id());
                let long = arg.get_long_help().map(ToString::to_string);
                assert!(long.is_none_or(|text| !text.is_ascii()), "{name}: {help}");
                for value in arg.get_possible_values() {
                    let help = value.get_help().map(ToString::to_string);
                    let said = help.map(|help| zh().say(&help).into_owned());
                    assert!(
                        said.is_none_or(|said| !said.is_ascii()),
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
