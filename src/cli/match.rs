use message::message;
use referee::problem;
use std::path::Path;

use clap::Args;

use super::CliError;
use super::new_run::NewRun;
use super::options::{BoardOptions, GameCount};
use tournament::given;

/// Play two or more bots against each other
///
/// Two bots play a match, and more than two a round-robin, unless --format says otherwise.
///
/// A bot is a name of `arena bots` (with options: minimax:depth=3), a folder with bot.toml, a program, a .py or .js
/// file, or a command in quotes ("python3 bot.py --fast"). NAME=BOT gives it another name.
#[derive(Debug, Args)]
pub struct Match {
    /// The bots
    // Not `2..`, which would require two bots in a row: options can come between two bots.
    #[arg(required = true, num_args = 1.., value_name = "BOT")]
    bots: Vec<String>,
    /// round-robin, gauntlet (the first against all others), swiss, knockout or ladder; default: match for
    /// two bots, else round-robin
    #[arg(long)]
    format: Option<String>,
    /// othello or gomoku
    #[arg(long, default_value = games::names()[0])]
    game: String,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    games: GameCount,
    /// Two bots: play until their difference is known to ± ELO with 95 % confidence; --games is the limit
    /// (default: 100000)
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    until_elo: Option<f64>,
    #[command(flatten)]
    options: NewRun,
}

impl Match {
    pub fn run(self) -> Result<(), CliError> {
        if let [only] = self.bots.as_slice() {
            return Err(
                problem!("{only} has no opponent: a match is between two bots or more")
                    .help(message!("write arena match {only} random"))
                    .into(),
            );
        }
        let mut file = self.board.tournament(self.game, &self.bots)?;
        file.format = given(self.format);
        file.until_elo = given(self.until_elo);
        self.games.apply(&mut file);
        self.options.play(file, Path::new("."), CliError::from)
    }
}
