//! A single bot from an argument, for commands that play no tournament with it.

use std::path::Path;

use games::Game;

use super::CliError;
use super::bots::catalogue;
use tournament::{BotFile, Contestant, TournamentFile, given};

/// The bot that `word` names, as in `arena match`, ready to play `game`. Its name is `word`. Relative
/// paths start in `folder`; `conditions` say in which box it is started.
pub fn one_bot(
    word: &str,
    game: Game,
    folder: &Path,
    conditions: &TournamentFile,
) -> Result<Contestant, CliError> {
    let mut file = BotFile::from_word(word)?;
    // The word may be no name that a table could hold, and need not be.
    file.name = given(Some("alone".to_owned()));
    let mut bot = file.alone(game, &catalogue()?, folder, conditions)?;
    word.clone_into(&mut bot.name);
    Ok(bot)
}
