//! Stages from the games that a bot did not win.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use ::games::canonical_hash;
use message::message;
use referee::problem;
use run::RunError;

use super::SourceGame;
use crate::analysis::summary::AnalysedGame;
use crate::cli::CliError;
use crate::stages::Stage;

/// A new folder for stages, and the bot that will practise them.
pub(super) struct StageMaker<'a> {
    folder: &'a Path,
    bot: String,
}

impl StageMaker<'_> {
    /// Creates the folder. Without `bot`, the games must have exactly one player, as when a bot plays itself.
    pub fn new<'a>(
        folder: &'a Path,
        bot: Option<&str>,
        games: &[SourceGame],
    ) -> Result<StageMaker<'a>, CliError> {
        let names: BTreeSet<&String> = games.iter().flat_map(|game| &game.players).collect();
        let bot = match bot {
            Some(bot) => bot.to_owned(),
            None if names.len() == 1 => games[0].players[0].clone(),
            None => {
                let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
                let names = names.join(", ");
                return Err(problem!("--stages needs the bot whose games become stages")
                    .help(message!("add --bot NAME: one of {names}"))
                    .into());
            }
        };
        fs::create_dir(folder).map_err(|error| {
            problem!("cannot create the folder {}: {error}", folder.display())
                .help("choose a new folder in an existing folder")
        })?;
        Ok(StageMaker { folder, bot })
    }

    /// Writes a stage for each position in which the bot gave a proven result away, in games that it did not win.
    /// Positions that are equal by symmetry give only one stage. If there is no stage, removes the folder.
    pub fn write<'g>(
        &self,
        games: impl Iterator<Item = (&'g SourceGame, &'g AnalysedGame)>,
    ) -> Result<(), CliError> {
        let games: Vec<_> = games.collect();
        let labels: Vec<_> = games.iter().map(|(source, _)| &source.label).collect();
        let is_one_run = labels.iter().all(|label| label.0 == labels[0].0);
        let (mut seen, mut count) = (HashSet::new(), 0);
        for (source, game) in games {
            let is_own = |side: ::games::Side| source.players[side.index()] == self.bot;
            if source.winner.is_some_and(is_own) {
                continue;
            }
            for judged in game.analysis.plies.iter().filter(|ply| is_own(ply.side)) {
                let (run, number) = &source.label;
                let run = if is_one_run { "game" } else { run };
                let name = format!("{run}-{number}-{}", judged.ply);
                let place = source.name.to_string();
                let stage = Stage::of_lapse(name, &place, &source.played, judged);
                if let Some(stage) = stage.filter(|stage| seen.insert(canonical_hash(&stage.board)))
                {
                    let path = self.folder.join(format!("{}.txt", stage.name));
                    let cannot = RunError::system(message!("cannot write {}", path.display()));
                    fs::write(&path, stage.to_string()).map_err(cannot)?;
                    count += 1;
                }
            }
        }
        let folder = self.folder.display();
        if count == 0 {
            let _ = fs::remove_dir(self.folder);
            say!(
                "no stages: in these games, {} gave no proven result away",
                self.bot
            );
        } else {
            say!("stages in {folder}: {count}; a bot plays them: arena stages BOT {folder}");
            say!("you play them: arena stages human {folder}");
        }
        Ok(())
    }
}
