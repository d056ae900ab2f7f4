//! The ways in which a command can end: their messages and exit statuses.

use std::fmt;
use std::io;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::report::tables::TableError;
use crate::run::{RunError, Unusable};
use crate::store::StoreError;
use crate::tournament::Problem;
use referee::bot::BuildError;
use referee::record::harmless;

/// Why a command did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// An error in the user's input; status 2.
    #[error(transparent)]
    Input(Box<InputError>),
    /// A bot cannot be used; status 3.
    #[error(transparent)]
    Bot(Box<Unusable>),
    /// The record failed; status 4, or 2 if there is no such run.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A table failed; status 4.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system failed; status 4.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// The command finished, but without success.
    #[error("{what}")]
    Ended {
        /// Its exit status.
        how: Ending,
        /// The message for standard error; empty if everything has been printed.
        what: String,
    },
}

/// The meaning of the exit status of a command that finished without success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// The answer is "no": not passed, or not stronger.
    NotPassed = 1,
    /// A bot could not be used, or has problems.
    BotProblem = 3,
    /// The arena or the machine failed.
    ArenaFailed = 4,
    /// Stopped by the user; the missing games can be played later.
    Interrupted = 130,
}

impl Ending {
    /// As an error with the message `what`.
    pub fn because(self, what: impl Into<String>) -> CliError {
        let what = what.into();
        CliError::Ended { how: self, what }
    }

    /// As an error whose message has been printed.
    pub fn printed(self) -> CliError {
        self.because("")
    }
}

/// A problem and its source text, for display.
#[derive(Debug)]
pub struct InputError {
    problem: Problem,
    source: Option<NamedSource<String>>,
}

impl InputError {
    /// A problem in the text of a file.
    pub fn in_file(problem: Problem, name: &str, text: String) -> InputError {
        // A problem that knows its file, such as a bot.toml, is in that file.
        let source = own_file(&problem).unwrap_or_else(|| toml_source(name, text));
        InputError {
            problem,
            source: Some(source),
        }
    }
}

fn own_file(problem: &Problem) -> Option<NamedSource<String>> {
    let file = problem.file.as_ref()?;
    Some(toml_source(&file.name, file.text.clone()))
}

fn toml_source(name: &str, text: String) -> NamedSource<String> {
    NamedSource::new(name, text).with_language("toml")
}

impl From<Problem> for CliError {
    fn from(problem: Problem) -> CliError {
        CliError::Input(Box::new(InputError {
            source: own_file(&problem),
            problem,
        }))
    }
}

impl From<InputError> for CliError {
    fn from(error: InputError) -> CliError {
        CliError::Input(Box::new(error))
    }
}

impl From<Unusable> for CliError {
    fn from(error: Unusable) -> CliError {
        CliError::Bot(Box::new(error))
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> CliError {
        match error {
            RunError::Input(problem) => CliError::from(*problem),
            RunError::Bot(error) => CliError::Bot(error),
            RunError::Store(error) => CliError::Store(error),
            RunError::Table(error) => CliError::Table(error),
            RunError::System { what, source } => CliError::System { what, source },
        }
    }
}

impl From<io::Error> for CliError {
    fn from(source: io::Error) -> CliError {
        CliError::System {
            what: "the arena could not continue".to_owned(),
            source,
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.what)
    }
}

impl std::error::Error for InputError {}

impl Diagnostic for InputError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.problem.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.problem.at.as_ref()?;
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let at = self.problem.at.clone()?;
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(
            Some("here".to_owned()),
            at,
        ))))
    }
}

impl CliError {
    /// The status the process ends with.
    pub fn exit_code(&self) -> u8 {
        match self {
            CliError::Input(_) | CliError::Store(StoreError::Missing { .. }) => 2,
            CliError::Bot(error) => match **error {
                Unusable::Bot { .. }
                | Unusable::Unbuilt {
                    error: BuildError::Failed { .. },
                    ..
                } => 3,
                Unusable::Unbuilt { .. } | Unusable::Arena(_) => 4,
            },
            CliError::Store(_) | CliError::Table(_) | CliError::System { .. } => 4,
            CliError::Ended { how, .. } => *how as u8,
        }
    }

    /// Prints the error on standard error.
    pub fn print(self) {
        match self {
            CliError::Input(error) => say!("{:?}", miette::Report::new(*error)),
            CliError::Bot(error) => {
                say!("error: {error}");
                match *error {
                    Unusable::Bot {
                        command, stderr, ..
                    } => {
                        say!("  it was started as: {command}");
                        quote("it wrote to its standard error:", &stderr);
                        say!("  help: arena check BOT shows what is wrong and how to fix it");
                    }
                    Unusable::Unbuilt {
                        error:
                            BuildError::Failed {
                                command, output, ..
                            },
                        ..
                    } => {
                        say!("  build command: {command}");
                        quote("output of the build:", &output);
                    }
                    Unusable::Unbuilt { .. } | Unusable::Arena(_) => {}
                }
            }
            CliError::Ended { what, .. } => {
                for line in what.lines() {
                    say!("{}", harmless(line));
                }
            }
            error => say!("error: {error}"),
        }
    }
}

/// Shows the output of a program, if there is any.
fn quote(head: &str, text: &str) {
    if !text.trim().is_empty() {
        say!("  {head}");
        text.lines().for_each(|line| say!("    {}", harmless(line)));
    }
}
