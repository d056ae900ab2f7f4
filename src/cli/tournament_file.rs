//! A tournament file from the command line, and where its problems are shown.

use std::fs;
use std::path::Path;

use games::formats::text;

use super::CliError;
use crate::tournament::{Problem, TournamentFile, given, stem};
use referee::problem::File;

/// A tournament file that has been read.
pub struct Written {
    /// What it says; a file without a name has that of the file.
    pub file: TournamentFile,
    shown: String,
    text: String,
}

impl Written {
    /// Reads the tournament at `path`, which is not a suite.
    pub fn read(path: &Path) -> Result<Written, CliError> {
        let shown = path.display().to_string();
        let bytes = fs::read(path).map_err(|error| {
            problem!("cannot read the tournament {shown}: {error}")
                .help("example tournaments are in tournaments/")
        })?;
        let text = text::decode(&bytes).map_err(|why| Problem::not_text(&shown, why))?;
        let parsed = TournamentFile::parse(&text);
        let mut written = Written {
            file: TournamentFile::default(),
            shown,
            text,
        };
        written.file = parsed.map_err(|problem| written.explain(problem))?;
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
        let (name, text) = (self.shown.clone(), self.text.clone());
        problem
            .file
            .get_or_insert_with(|| File { name, text }.into());
        CliError::from(problem)
    }
}
