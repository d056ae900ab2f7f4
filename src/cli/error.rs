//! The errors of a command: their messages and exit statuses.

use std::io;

use host::Tier;
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};

use message::{Message, message, spoken};
use referee::bot::BuildError;
use referee::record::{SafeText, error_lines, harmless};
use run::report::tables::TableError;
use run::store::StoreError;
use run::{RunError, Unusable};
use tournament::Problem;

#[derive(Debug, thiserror::Error, message::Message)]
pub enum CliError {
    /// The command could not finish. The status is 2, 3 or 4.
    #[error(transparent)]
    Run(RunError),
    #[error("{what}")]
    Ended {
        how: Ending,
        /// The message for standard error; empty if everything has been printed.
        what: Message,
    },
}

/// The exit status of a command that finished without success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// The answer is "no": not passed, or not stronger.
    NotPassed = 1,
    BotProblem = 3,
    ArenaFailed = 4,
    /// A block is incomplete: the scheduler should run it again (`EX_TEMPFAIL` of sysexits.h).
    TryAgain = 75,
    /// The user stopped the command; the missing games can be played later.
    Interrupted = 130,
}

impl Ending {
    pub fn because(self, what: impl Into<Message>) -> CliError {
        let what = what.into();
        CliError::Ended { how: self, what }
    }

    /// Returns an error whose message has been printed already.
    pub fn printed(self) -> CliError {
        self.because("")
    }
}

macro_rules! from_errors_of_a_run {
    ($($error:ty),*) => {
        $(impl From<$error> for CliError {
            fn from(error: $error) -> CliError {
                CliError::Run(error.into())
            }
        })*
    };
}

from_errors_of_a_run!(RunError, Problem, StoreError, TableError, Unusable);

impl From<io::Error> for CliError {
    fn from(source: io::Error) -> CliError {
        CliError::Run(RunError::system("the arena could not continue")(source))
    }
}

impl CliError {
    /// Converts this error to an error of a run, for code that does not know commands.
    pub fn into_run(self) -> RunError {
        match self {
            CliError::Run(error) => error,
            CliError::Ended { what, .. } => Problem::new(what).of_machine().into(),
        }
    }

    pub fn exit_code(&self) -> u8 {
        let error = match self {
            CliError::Ended { how, .. } => return *how as u8,
            CliError::Run(error) => error,
        };
        match error {
            RunError::Input(problem) if problem.is_machine => 4,
            RunError::Input(_) | RunError::Store(StoreError::Missing { .. }) => 2,
            RunError::Bot(error) => match **error {
                Unusable::Bot { .. }
                | Unusable::Opening { .. }
                | Unusable::StartOnly { .. }
                | Unusable::Unbuilt {
                    error: BuildError::Failed { .. },
                    ..
                } => 3,
                Unusable::Unbuilt { .. } | Unusable::Arena(_) => 4,
            },
            RunError::Store(_)
            | RunError::Table(_)
            | RunError::System { .. }
            | RunError::Panic { .. } => 4,
        }
    }

    pub fn print(self) {
        let error = match self {
            CliError::Ended { what, .. } if what == "" => return,
            CliError::Ended { what, .. } => return say_first(&what),
            CliError::Run(RunError::Input(mut problem)) => {
                let more = std::mem::take(&mut problem.more);
                for problem in std::iter::once(*problem).chain(more) {
                    echo!("{}", shown(problem));
                }
                return;
            }
            CliError::Run(error) => error,
        };
        say_first(&message!("error: {error}"));
        let RunError::Bot(error) = error else {
            return;
        };
        let (word, tier) = match *error {
            Unusable::Bot {
                word,
                command,
                stderr,
                tier,
                ..
            } => {
                say!("  it was started as: {command}");
                say_quoted("it wrote to its standard error:", &stderr);
                (word, tier)
            }
            Unusable::Unbuilt {
                word,
                error:
                    BuildError::Failed {
                        command, output, ..
                    },
                tier,
                ..
            } => {
                say!("  build command: {command}");
                say_quoted("output of the build:", &error_lines(&output).join("\n"));
                (word, tier)
            }
            Unusable::Opening { .. } => {
                say!(
                    "  help: docs/protocol.md describes the opening rules; the built-in bots know all of them"
                );
                return;
            }
            Unusable::StartOnly { .. } | Unusable::Unbuilt { .. } | Unusable::Arena(_) => return,
        };
        let words = match tier.map(Tier::word) {
            None => word,
            Some(tier) => format!("--sandbox {tier} {word}"),
        };
        say!("  help: arena check {words} shows what is wrong and how to fix it");
    }
}

fn say_first(what: &Message) {
    let text = spoken().render(what);
    let (ours, theirs) = text.split_once('\n').unwrap_or((&text, ""));
    echo!("{ours}");
    quote("  ", theirs);
}

/// Formats a problem, and translates `help: `. The translation has the same width, so further lines stay aligned.
fn shown(problem: Problem) -> String {
    let text = format!("{:?}", report(problem));
    let rendered = |line: &str| match line.strip_prefix("  help: ") {
        Some(rest) => format!("  {}{rest}", spoken().get("error.help")),
        None => line.to_owned(),
    };
    text.lines().map(rendered).collect::<Vec<_>>().join("\n")
}

/// Translates a problem. Adds the place of the problem, and the text of its file, if they are known.
fn report(problem: Problem) -> Report {
    let rendered = |message: &Message| spoken().render(message);
    let mut shown = MietteDiagnostic::new(rendered(&problem.what));
    shown.help = problem.help.as_ref().map(rendered);
    let Some(at) = problem.at else {
        return Report::new(shown);
    };
    let label = LabeledSpan::new_with_span(Some(spoken().get("error.here").to_owned()), at);
    let shown = Report::new(shown.with_label(label));
    match problem.file {
        None => shown,
        Some(file) => {
            let text = NamedSource::new(harmless(&file.name), printable(&file.text));
            shown.with_source_code(text.with_language("toml"))
        }
    }
}

/// Replaces control characters with others of the same number of bytes, so that offsets in the text stay valid.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match (c, c.len_utf8()) {
            ('\n' | '\t', _) => c,
            (c, 1) if c.is_control() => '?',
            (c, 2) if c.is_control() => '¿',
            // These marks change the direction of text.
            ('\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}', _) => {
                char::REPLACEMENT_CHARACTER
            }
            (c, _) => c,
        })
        .collect()
}

fn say_quoted(head: &str, text: &str) {
    if !text.trim().is_empty() {
        echo!("  {}", spoken().fixed(head));
        quote("    ", text);
    }
}

/// Prints text that a bot or its build wrote, each line after the margin and a bar.
fn quote(margin: &str, text: &str) {
    let text = SafeText::from(text);
    text.quoted().for_each(|line| echo!("{margin}{line}"));
}
