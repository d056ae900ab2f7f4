//! `arena match`.

use std::path::Path;

use clap::Args;
use toml::Spanned;

use super::CliError;
use super::options::{GameCount, GameOptions};
use super::play::{Output, play_new};
use crate::tournament::{BotFile, TournamentFile, given};

/// Play two bots against each other
///
/// A bot is a name of `arena bots` (with options: minimax:depth=3), a folder with bot.toml, a
/// program, a .py or .js file, or a command in quotes ("python3 bot.py --fast"). NAME=BOT gives it
/// another name.
#[derive(Debug, Args)]
pub struct Match {
    /// The first bot
    a: String,
    /// The second bot
    b: String,
    /// othello or gomoku
    #[arg(long, default_value = games::names()[0])]
    game: String,
    /// Side of the board; gomoku: 5 to 22
    #[arg(long, value_name = "N")]
    size: Option<i64>,
    /// Gomoku: freestyle, standard or renju
    #[arg(long)]
    rules: Option<String>,
    #[command(flatten)]
    games: GameCount,
    #[command(flatten)]
    options: GameOptions,
    #[command(flatten)]
    output: Output,
}

impl Match {
    /// Runs the command.
    pub fn run(self) -> Result<(), CliError> {
        let bot = |word: &str| BotFile::from_word(word).map(|bot| Spanned::new(0..0, bot));
        let mut file = TournamentFile {
            game: given(Some(self.game)),
            size: given(self.size),
            rules: given(self.rules),
            format: given(Some("match".to_owned())),
            bot: vec![bot(&self.a)?, bot(&self.b)?],
            ..TournamentFile::default()
        };
        self.games.apply(&mut file);
        self.options.apply(&mut file);
        play_new(&file, Path::new("."), &self.output, CliError::from)
    }
}
