//! `arena run`.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use games::formats::text;

use super::CliError;
use super::options::{GameCount, GameOptions};
use super::play::{Output, play_new};
use crate::tournament::{Problem, TournamentFile, given};
use referee::problem::File;

/// Play a tournament file
#[derive(Debug, Args)]
pub struct Run {
    /// The file, such as tournaments/quick.toml
    file: PathBuf,
    #[command(flatten)]
    games: GameCount,
    #[command(flatten)]
    options: GameOptions,
    #[command(flatten)]
    output: Output,
}

impl Run {
    pub fn run(self) -> Result<(), CliError> {
        let shown = self.file.display().to_string();
        let bytes = fs::read(&self.file).map_err(|error| {
            Problem::new(format!("cannot read the tournament {shown}: {error}"))
                .help("example tournaments are in tournaments/")
        })?;
        let text = text::decode(&bytes).map_err(|why| Problem::not_text(&shown, why))?;
        let in_file = |mut problem: Problem| {
            let (name, text) = (shown.clone(), text.clone());
            // A problem that knows its file, such as a bot.toml, is in that file.
            problem
                .file
                .get_or_insert_with(|| File { name, text }.into());
            CliError::from(problem)
        };
        let mut file = TournamentFile::parse(&text).map_err(in_file)?;
        if file.is_suite() {
            let problem = Problem::new(format!(
                "{shown} is a suite: it has opponents, but no bot to grade"
            ))
            .help(format!("arena grade BOT --suite {shown}"));
            return Err(problem.into());
        }
        if file.name.is_none() {
            let stem = self.file.file_stem().map(|stem| stem.to_string_lossy());
            file.name = given(stem.map(Cow::into_owned));
        }
        self.games.apply(&mut file);
        self.options.apply(&mut file);
        // The parent of a bare name is the empty path, which is not a folder.
        let parent = self.file.parent().filter(|&parent| parent != Path::new(""));
        let folder = parent.unwrap_or(Path::new("."));
        play_new(&file, folder, &self.output, in_file)
    }
}
