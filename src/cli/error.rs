//! What a command can end with, how it is shown, and which exit status it means.

use std::fmt;
use std::io;
use std::path::PathBuf;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::report::tables::TableError;
use crate::store::StoreError;
use crate::tournament::{Problem, Unusable};
use referee::bot::BuildError;
use referee::record::harmless;

/// Why a command did not end well.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// What a person wrote is wrong; status 2.
    #[error(transparent)]
    Input(Box<InputError>),
    /// A bot cannot be used; status 3.
    #[error(transparent)]
    Bot(Box<Unusable>),
    /// The record failed; status 4, or 2 where there is no such run.
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
        /// The system's words.
        source: io::Error,
    },
    /// Games that do not count remain; status 4.
    #[error("{games} games are void: the arena or the machine failed; `arena resume {}` plays them", run.display())]
    Void {
        /// How many.
        games: u64,
        /// The run.
        run: PathBuf,
    },
    /// What was asked is answered, and the answer, which has been printed, is no; status 1.
    #[error("not passed")]
    NotPassed,
    /// Something is wrong with a bot, and that has been printed; status 3.
    #[error("has problems")]
    Ill,
    /// A grade that is no pass; its status says why.
    #[error("{what}")]
    Grade {
        /// 1: below the bar, 3: the bot could not be used, 4: not graded, 130: interrupted.
        exit: u8,
        /// The mark, or why there is none.
        what: String,
    },
    /// Ctrl-C; status 130.
    #[error("interrupted: {played} of {games} games are played; `arena resume {}` plays the rest", run.display())]
    Interrupted {
        /// Games played so far.
        played: u64,
        /// Games there are.
        games: u64,
        /// The run.
        run: PathBuf,
    },
}

/// A problem with the text it stands in, for a reader.
#[derive(Debug)]
pub struct InputError {
    problem: Problem,
    source: Option<NamedSource<String>>,
}

impl InputError {
    /// A problem in the text of a file.
    pub fn in_file(problem: Problem, name: &str, text: String) -> InputError {
        // A problem that knows its file, such as a bot.toml, stands there.
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

impl From<io::Error> for CliError {
    fn from(source: io::Error) -> CliError {
        CliError::System {
            what: "the arena could not go on".to_owned(),
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
            CliError::NotPassed => 1,
            CliError::Ill => 3,
            CliError::Input(_) | CliError::Store(StoreError::Missing { .. }) => 2,
            CliError::Bot(error) => match **error {
                Unusable::Bot { .. }
                | Unusable::Unbuilt {
                    error: BuildError::Failed { .. },
                    ..
                } => 3,
                Unusable::Unbuilt { .. } | Unusable::Arena(_) => 4,
            },
            CliError::Store(_)
            | CliError::Table(_)
            | CliError::System { .. }
            | CliError::Void { .. } => 4,
            CliError::Grade { exit, .. } => *exit,
            CliError::Interrupted { .. } => 130,
        }
    }

    /// Says what went wrong on standard error.
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
                        say!("  help: arena check looks a bot over and says how to mend it");
                    }
                    Unusable::Unbuilt {
                        error:
                            BuildError::Failed {
                                command, output, ..
                            },
                        ..
                    } => {
                        say!("  it was built with: {command}");
                        quote("which said:", &output);
                    }
                    Unusable::Unbuilt { .. } | Unusable::Arena(_) => {}
                }
            }
            CliError::NotPassed | CliError::Ill => {}
            CliError::Grade { what, .. } => {
                for line in what.lines() {
                    say!("{}", harmless(line));
                }
            }
            error => say!("error: {error}"),
        }
    }
}

/// Shows what a program wrote, if anything.
fn quote(head: &str, text: &str) {
    if !text.trim().is_empty() {
        say!("  {head}");
        text.lines().for_each(|line| say!("    {}", harmless(line)));
    }
}
