//! `arena sprt`.

use std::path::Path;

use clap::{Args, ValueEnum};

use super::CliError;
use super::options::BoardOptions;
use super::play_run::NewRun;
use tournament::{SprtFile, TournamentFile, given};

/// The default limit of games: smaller differences hardly matter.
const MOST_GAMES: i64 = 100_000;

/// Test whether a new version of a bot is stronger than the old one
///
/// Plays colour-swapped pairs of games until one of two hypotheses is accepted: H0, the new bot is
/// stronger by elo0, or H1, it is stronger by elo1. The verdict depends only on the pairs in the order of
/// their numbers, so neither fast games nor the number of workers bias it. Exit codes: 0 H1 is accepted,
/// 1 H0 is accepted or the games were not enough.
///
/// A bot is a name of `arena bots` (with options: minimax:depth=3), a folder with bot.toml, a
/// program, a .py or .js file, or a command in quotes; NAME=BOT gives it another name.
#[derive(Debug, Args)]
#[command(name = "sprt")]
pub struct SprtCommand {
    /// The bot that may be stronger
    #[arg(long, value_name = "BOT")]
    new: String,
    /// The bot to compare with
    #[arg(long, value_name = "BOT")]
    base: String,
    /// H0: the new bot is stronger by this
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    elo0: f64,
    /// H1: the new bot is stronger by this
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 10.0,
        allow_negative_numbers = true
    )]
    elo1: f64,
    /// Rate of accepting H1 although H0 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    alpha: f64,
    /// Rate of accepting H0 although H1 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    beta: f64,
    /// The Elo model: logistic (of the score), or normalised (in standard deviations of a game)
    #[arg(long, value_enum, default_value_t = Scale::Logistic)]
    model: Scale,
    /// The most games; even
    #[arg(long, value_name = "N", default_value_t = MOST_GAMES, allow_negative_numbers = true)]
    max_games: i64,
    /// othello or gomoku
    #[arg(long, default_value = games::names()[0])]
    game: String,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    options: NewRun,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Scale {
    Logistic,
    #[value(alias = "normalized")]
    Normalised,
}

impl SprtCommand {
    pub fn run(self) -> Result<(), CliError> {
        let model = match self.model {
            Scale::Logistic => "logistic",
            Scale::Normalised => "normalised",
        };
        let file = TournamentFile {
            games: given(Some(self.max_games)),
            sprt: given(Some(SprtFile {
                elo0: given(Some(self.elo0)),
                elo1: given(Some(self.elo1)),
                alpha: given(Some(self.alpha)),
                beta: given(Some(self.beta)),
                model: given(Some(model.to_owned())),
            })),
            ..self.board.tournament(self.game, &[&self.new, &self.base])?
        };
        self.options.play(file, Path::new("."), CliError::from)
    }
}
