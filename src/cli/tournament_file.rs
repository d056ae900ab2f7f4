//! Reads the tournament file that a command line names.

use std::path::{Path, PathBuf};

use games::formats::text;
use message::message;
use referee::bot::read_named;
use referee::problem;
use referee::problem::ProblemFile;
use run::RunFile;
use tournament::people::people;
use tournament::{Problem, TournamentFile, folder_of, given, stem};

use super::CliError;

/// A tournament file as it was written.
pub struct Written {
    /// The tournament. If the file gives no name, the tournament has the file's name.
    pub file: TournamentFile,
    /// The folder in which relative paths start.
    pub folder: PathBuf,
    shown: String,
    text: String,
}

impl Written {
    /// Reads a tournament file or a run's `run.toml`. Fails for a suite, and for a run with stages or a person.
    pub fn read(path: &Path) -> Result<Written, CliError> {
        let shown = path.display().to_string();
        let bytes = read_named(path).map_err(|error| {
            problem!("cannot read the tournament {shown}: {error}")
                .help("example tournaments are in tournaments/")
        })?;
        let text = text::decode(&bytes).map_err(|why| Problem::not_text(&shown, why))?;
        let parsed = TournamentFile::parse(&text);
        let mut written = Written {
            file: TournamentFile::default(),
            folder: folder_of(path).to_owned(),
            shown,
            text,
        };
        match (parsed, RunFile::parse(&written.text)) {
            (Ok(file), _) => written.file = file,
            (Err(problem), Err(_)) => return Err(written.explain(problem)),
            (Err(_), Ok(run)) if run.stages.is_none() && people(&run.tournament).is_none() => {
                (written.file, written.folder) = (run.tournament, run.folder);
            }
            (Err(_), Ok(_)) => {
                let shown = &written.shown;
                let problem =
                    problem!("{shown} is not a run of a tournament: it has stages or a person")
                        .help("arena stages and arena play begin such runs");
                return Err(problem.into());
            }
        }
        if written.file.is_suite() {
            let shown = &written.shown;
            let problem = problem!("{shown} is a suite: it has opponents, but no bot to grade")
                .help(message!("arena grade BOT --suite {shown}"));
            return Err(problem.into());
        }
        if written.file.name.is_none() {
            written.file.name = given(Some(stem(path)));
        }
        Ok(written)
    }

    /// Adds the file to a problem, unless the problem names another file.
    pub fn explain(&self, mut problem: Problem) -> CliError {
        let here = || {
            let (name, text) = (self.shown.clone(), self.text.clone());
            ProblemFile { name, text }.into()
        };
        problem.file.get_or_insert_with(here);
        for more in &mut problem.more {
            more.file.get_or_insert_with(here);
        }
        CliError::from(problem)
    }
}
