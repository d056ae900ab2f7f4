//! `arena plan`.

use std::path::PathBuf;

use clap::Args;

use super::super::bots::catalogue;
use super::super::boxes;
use super::super::options::{GameCount, GameOptions};
use super::super::play::announce_build;
use super::super::tournament_file::Written;
use super::super::{CliError, print_said};
use super::calibrate::calibrate;
use crate::shard::{Bots, New};
use run;
use tournament::{Boxes, folder_of};

/// Cut a tournament into blocks that other machines play
///
/// The folder gets everything that is needed to play: share it with the other machines, or copy it.
/// docs/cluster.md has the whole way, from a tournament file to the tables.
#[derive(Debug, Args)]
pub struct Plan {
    /// The tournament file
    file: PathBuf,
    /// The folder of the plan; by default results/NAME
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Pairs of games per block; a block should last minutes
    #[arg(long, value_name = "PAIRS", default_value = "25", value_parser = clap::value_parser!(u64).range(1..))]
    block: u64,
    /// Leave bots and openings where they are: every machine sees them at the same place
    #[arg(long)]
    in_place: bool,
    /// Let other builds of this version of the arena play
    #[arg(long)]
    any_build: bool,
    /// Give slower machines more time, by a calibration: for bots that play by the clock
    #[arg(long)]
    scale_time: bool,
    #[command(flatten)]
    games: GameCount,
    #[command(flatten)]
    options: GameOptions,
}

impl Plan {
    pub fn run(self) -> Result<(), CliError> {
        let written = Written::read(&self.file)?;
        let mut file = written.file.clone();
        self.games.apply(&mut file);
        self.options.apply(&mut file);
        boxes::settle(&mut file, Boxes::Off)?;
        let (catalogue, folder) = (catalogue()?, folder_of(&self.file));
        let tournament = file.validate(&catalogue, folder);
        let tournament = tournament.map_err(|problem| written.explain(problem))?;
        if let Some(out) = self.out.as_ref().filter(|out| out.exists()) {
            return Err(run::exists(out).into());
        }
        let new = New {
            file: &file,
            folder,
            catalogue: &catalogue,
            out: self.out.as_deref(),
            block: self.block,
            bots: if self.in_place {
                Bots::InPlace
            } else {
                Bots::Copied
            },
            any_build: self.any_build,
            scale_time: self.scale_time,
            nodes_per_s: calibrate(),
        };
        let (plan, out) = new.write(&tournament, announce_build)?;
        let (folder, games, blocks) = (out.display(), plan.games(), plan.blocks);
        print_said(&format!(
            "{games} games in {blocks} blocks, planned in {folder}\n\
             arena submit {folder} --on slurm|kubernetes|parallel|ssh:HOSTS plays them\n"
        ))
    }
}
