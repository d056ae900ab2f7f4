//! `arena run`.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use games::formats::text;

use super::CliError;
use super::conditions::MatchOptions;
use super::options::{GameCount, GameOptions};
use super::play::{Output, play_new};
use crate::tournament::{Problem, TournamentFile, folder_of, given, stem};
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
    conditions: MatchOptions,
    #[command(flatten)]
    output: Output,
}

impl Run {
    pub fn run(self) -> Result<(), CliError> {
        let shown = self.file.display().to_string();
        let bytes = fs::read(&self.file).map_err(|error| {
            problem!("cannot read the tournament {shown}: {error}")
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
            let problem = problem!("{shown} is a suite: it has opponents, but no bot to grade")
                .help(format!("arena grade BOT --suite {shown}"));
            return Err(problem.into());
        }
        if file.name.is_none() {
            file.name = given(Some(stem(&self.file)));
        }
        self.games.apply(&mut file);
        self.options.apply(&mut file);
        self.conditions.apply(&mut file)?;
        play_new(&file, folder_of(&self.file), &self.output, in_file)
    }
}
