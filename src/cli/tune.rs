use std::path::PathBuf;

use clap::Args;
use message::message;
use referee::problem;

use super::CliError;
use super::new_run::NewRun;
use super::tournament_file::Written;

/// Tune the options of a bot by its games against itself
///
/// The file is a tournament file with one [[bot]], a [tune] and a [[parameter]] for each option. Each iteration plays
/// pairs of games between the bot with perturbed values and the bot with the opposite perturbations, and moves the
/// values by the results (SPSA, as fishtest does). At the end, the tuned values play a match against the initial
/// values. `arena resume` continues a stopped tuning to the same values. docs/tuning.md explains the file.
#[derive(Debug, Args)]
pub struct Tune {
    /// The file, such as tournaments/tune-gomoku.toml
    file: PathBuf,
    #[command(flatten)]
    options: NewRun,
}

impl Tune {
    pub fn run(self) -> Result<(), CliError> {
        let written = Written::read(&self.file)?;
        if !written.file.is_tuning() {
            let file = self.file.display();
            return Err(problem!("{file} is not a tuning file: it has no [tune]")
                .help(message!(
                    "arena run {file} plays this file; docs/tuning.md has an example"
                ))
                .into());
        }
        let explain = |problem| written.explain(problem);
        self.options
            .play(written.file.clone(), &written.folder, explain)
    }
}
