//! A single bot from an argument, for commands that play no tournament with it.

use std::path::Path;

use games::Game;

use super::CliError;
use super::bots::catalogue;
use crate::tournament::{BotFile, Contestant, TournamentFile, given};

/// The bot that `word` names, as in `arena match`, ready to play `game`. Its name is `word`. Relative
/// paths start in `folder`.
pub fn one_bot(word: &str, game: Game, folder: &Path) -> Result<Contestant, CliError> {
    let mut file = TournamentFile {
        game: given(Some(game.name().to_owned())),
        rules: given(Some(game.rules().to_owned())),
        size: given(Some(i64::from(game.size()))),
        ..TournamentFile::default()
    };
    // What is found is validated as a tournament is, and one has two bots.
    for (name, word) in [("alone", word), ("other", "random")] {
        let mut bot = BotFile::from_word(word)?;
        bot.name = given(Some(name.to_owned()));
        file.bot.push(toml::Spanned::new(0..0, bot));
    }
    let mut found = file.validate(&catalogue()?, folder)?.contestants;
    let mut bot = found.swap_remove(0);
    word.clone_into(&mut bot.name);
    Ok(bot)
}
