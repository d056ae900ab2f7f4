use std::path::{Path, PathBuf};

use clap::Args;
use referee::problem;
use toml::Spanned;

use super::CliError;
use super::bots::YARDSTICKS;
use super::new_run::NewRun;
use super::tournament_file::Written;
use tournament::{BotFile, Problem, TournamentFile, given};

/// Find the rating of a bot, on a scale that is the same everywhere
///
/// Plays pairs of games against bots of known ratings, most of them against bots of about the same strength, until the
/// rating is known to ± 50 Elo at 95 %. The known bots search a fixed depth or number of nodes, so the rating does not
/// depend on the machine, apart from the bot's own time. Exit code 1: `--max-games` games did not reach the precision.
/// docs/rating.md has the ratings and how they were measured.
#[derive(Debug, Args)]
pub struct Rate {
    /// A name of `arena bots` (with options: minimax:depth=3), a folder with bot.toml, a program, a script, or
    /// a command in quotes; NAME=BOT gives it another name
    bot: String,
    /// othello or gomoku
    #[arg(long, default_value = games::names()[0])]
    game: String,
    /// Play until the rating is known to ± this
    #[arg(long, value_name = "ELO")]
    until: Option<f64>,
    /// The most games; a pair against each known bot is always played [default: 2000]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_games: Option<i64>,
    /// A tournament file of the format "rating" with other known bots; a first bot without a rating is left out
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    yardstick: Option<PathBuf>,
    #[command(flatten)]
    options: NewRun,
}

impl Rate {
    pub fn run(self) -> Result<(), CliError> {
        let bot = BotFile::from_word(&self.bot)?;
        if let Some(path) = &self.yardstick {
            let written = Written::read(path)?;
            let explain = |problem| written.explain(problem);
            return self.play(written.file.clone(), bot, &written.folder, explain);
        }
        let files = YARDSTICKS
            .iter()
            .map(|text| TournamentFile::parse(text).expect("a built-in file"));
        let is_of_game = |file: &TournamentFile| {
            file.game
                .as_ref()
                .is_some_and(|game| *game.get_ref() == self.game)
        };
        let Some(file) = files.into_iter().find(is_of_game) else {
            return Err(
                problem!("there are no bots of known ratings for {:?}", self.game)
                    .did_you_mean(&self.game, games::names().into_iter())
                    .into(),
            );
        };
        self.play(file, bot, Path::new("."), CliError::from)
    }

    fn play(
        &self,
        mut file: TournamentFile,
        bot: BotFile,
        folder: &Path,
        explain: impl Fn(Problem) -> CliError,
    ) -> Result<(), CliError> {
        // The run is named after the bot.
        file.name = None;
        if file
            .bot
            .first()
            .is_some_and(|first| first.get_ref().rating.is_none())
        {
            file.bot.remove(0);
        }
        file.bot.insert(0, Spanned::new(0..0, bot));
        if self.until.is_some() {
            file.until_elo = given(self.until);
        }
        if self.max_games.is_some() {
            file.games = given(self.max_games);
        }
        self.options.play(file, folder, explain)
    }
}
