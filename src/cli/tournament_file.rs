//! A tournament file from the command line, and where its problems are shown.

use referee::problem;
use std::path::{Path, PathBuf};

use games::formats::text;

use super::CliError;
use referee::bot::read_named;
use referee::problem::File;
use run::RunFile;
use tournament::people::people;
use tournament::{Problem, TournamentFile, folder_of, given, stem};

/// A tournament file that has been read.
pub struct Written {
    /// What it says; a file without a name has that of the file.
    pub file: TournamentFile,
    /// The folder for its relative paths.
    pub folder: PathBuf,
    shown: String,
    text: String,
}

impl Written {
    /// Reads the tournament at `path`, which is not a suite: that of a tournament file or of the file of a run.
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
            // The file of a run has its tournament.
            (Err(_), Ok(run)) if run.stages.is_none() && people(&run.tournament).is_none() => {
                (written.file, written.folder) = (run.tournament, run.folder);
            }
            (Err(_), Ok(_)) => {
                let shown = &written.shown;
                let problem =
                    problem!("{shown} is no run of a tournament: it has stages, or a person plays")
                        .help("arena stages and arena play begin such runs");
                return Err(problem.into());
            }
        }
        if written.file.is_suite() {
            let shown = &written.shown;
            let problem = problem!("{shown} is a suite: it has opponents, but no bot to grade")
                .help(format!("arena grade BOT --suite {shown}"));
            return Err(problem.into());
        }
        if written.file.name.is_none() {
            written.file.name = given(Some(stem(path)));
        }
        Ok(written)
    }

    /// A problem in it. One that knows its file, such as a bot.toml, is in that file.
    pub fn explain(&self, mut problem: Problem) -> CliError {
        let here = || {
            let (name, text) = (self.shown.clone(), self.text.clone());
            File { name, text }.into()
        };
        problem.file.get_or_insert_with(here);
        for more in &mut problem.more {
            more.file.get_or_insert_with(here);
        }
        CliError::from(problem)
    }
}
