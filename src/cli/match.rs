//! `arena match`.

use std::path::Path;

use clap::Args;

use super::CliError;
use super::options::{BoardOptions, GameCount, GameOptions};
use super::play::{Output, play_new};

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
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    games: GameCount,
    #[command(flatten)]
    options: GameOptions,
    #[command(flatten)]
    output: Output,
}

impl Match {
    pub fn run(self) -> Result<(), CliError> {
        let mut file = self.board.bout(self.game, [&self.a, &self.b])?;
        self.games.apply(&mut file);
        self.options.apply(&mut file);
        play_new(&file, Path::new("."), &self.output, CliError::from)
    }
}
