//! `arena run`.

use std::path::PathBuf;

use clap::Args;

use super::CliError;
use super::conditions::MatchOptions;
use super::options::{GameCount, GameOptions};
use super::play::{Output, play_new};
use super::tournament_file::Written;

/// Play a tournament file, or the tournament of a run again
#[derive(Debug, Args)]
pub struct Run {
    /// The file, such as tournaments/quick.toml or results/quick/run.toml
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
        let written = Written::read(&self.file)?;
        let mut file = written.file.clone();
        self.games.apply(&mut file);
        self.options.apply(&mut file);
        self.conditions.apply(&mut file)?;
        let explain = |problem| written.explain(problem);
        play_new(&file, &written.folder, &self.output, explain)
    }
}
