//! `arena run`.

use std::path::PathBuf;

use clap::Args;

use super::CliError;
use super::new_run::NewRun;
use super::options::GameCount;
use super::tournament_file::Written;

/// Play a tournament file, or the tournament of a run again
#[derive(Debug, Args)]
pub struct Run {
    /// The file, such as tournaments/quick.toml or results/quick/run.toml
    file: PathBuf,
    #[command(flatten)]
    games: GameCount,
    #[command(flatten)]
    options: NewRun,
}

impl Run {
    pub fn run(self) -> Result<(), CliError> {
        let written = Written::read(&self.file)?;
        let mut file = written.file.clone();
        self.games.apply(&mut file);
        let explain = |problem| written.explain(problem);
        self.options.play(file, &written.folder, explain)
    }
}
