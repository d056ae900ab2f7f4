use std::path::Path;

use clap::{Args, ValueEnum};

use super::new_run::NewRun;
use super::options::BoardOptions;
use super::output::json_text;
use super::{CliError, print};
use message::message;
use message::number::about;
use message::spoken;
use referee::problem;
use serde_json::json;
use stats::{Forecast, Model, Sprt};
use tournament::{MOST_GAMES, Problem, SprtFile, TournamentFile, given};

/// Test whether a new version of a bot is stronger than the old one
///
/// Plays colour-swapped pairs of games until one of two hypotheses is accepted: the new bot is stronger by only elo0
/// (H0) or by elo1 (H1). The verdict depends only on the pairs in the order of their numbers, so neither fast games nor
/// the number of workers bias it. Exit codes: 0 H1 is accepted, 1 H0 is accepted or the games were not enough. --plan
/// prints how many games that takes, and plays none.
///
/// A bot is a name of `arena bots` (with options: minimax:depth=3), a folder with bot.toml, a
/// program, a .py or .js file, or a command in quotes; NAME=BOT gives it another name.
#[derive(Debug, Args)]
#[command(name = "sprt")]
pub struct SprtCommand {
    /// The bot that may be stronger
    #[arg(long, value_name = "BOT", required_unless_present = "plan")]
    new: Option<String>,
    /// The bot to compare with
    #[arg(long, value_name = "BOT", required_unless_present = "plan")]
    base: Option<String>,
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
    #[arg(long, value_enum, default_value_t = EloModel::Logistic)]
    model: EloModel,
    /// The most games; even
    #[arg(long, value_name = "N", default_value_t = MOST_GAMES, allow_negative_numbers = true)]
    max_games: i64,
    /// Print how many games a test with these hypotheses needs, by simulation, and play none
    #[arg(long)]
    plan: bool,
    /// With --plan: the share of draws, from 0 to below 1; the plan assumes that the two games of a pair are
    /// independent
    #[arg(long, value_name = "SHARE", requires = "plan", default_value_t = Forecast::USUAL_DRAWS)]
    draws: f64,
    /// othello or gomoku
    #[arg(long, default_value = games::names()[0])]
    game: String,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    options: NewRun,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EloModel {
    Logistic,
    #[value(alias = "normalized")]
    Normalised,
}

impl SprtCommand {
    pub fn run(self) -> Result<(), CliError> {
        let (Some(new), Some(base), false) = (&self.new, &self.base, self.plan) else {
            return self.print_plan();
        };
        let model = match self.model {
            EloModel::Logistic => "logistic",
            EloModel::Normalised => "normalised",
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
            ..self.board.tournament(self.game, &[new, base])?
        };
        self.options.play(file, Path::new("."), CliError::from)
    }

    /// Prints how many games the test takes for five true differences: elo0, elo1, their middle, and half their
    /// distance below elo0 and above elo1.
    fn print_plan(&self) -> Result<(), CliError> {
        self.options.speak()?;
        let (model, unit) = match self.model {
            EloModel::Logistic => (Model::Logistic, "Elo"),
            EloModel::Normalised => (Model::Normalised, "nElo"),
        };
        let test = Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, model);
        let test = test.map_err(|error| Problem::new(&error))?;
        if !(0.0..1.0).contains(&self.draws) {
            return Err(problem!("--draws {} is out of range", self.draws)
                .help("choose a share from 0 to 1, such as 0.3")
                .into());
        }
        let half = (self.elo1 - self.elo0) / 2.0;
        let plans = (-1..=3).map(|halves| {
            let elo = self.elo0 + half * f64::from(halves);
            (elo, test.plan(elo, self.draws))
        });
        if self.options.is_json() {
            let plans = plans.map(|(elo, plan)| {
                json!({
                    "elo": elo,
                    "games": plan.games,
                    "games_80": [plan.low, plan.high],
                    "accepts_h1": plan.accepts_h1,
                })
            });
            let plans: Vec<_> = plans.collect();
            return print(&json_text(&json!({ "draws": self.draws, "plan": plans })));
        }
        let (elo0, elo1, draws) = (self.elo0, self.elo1, 100.0 * self.draws);
        let mut lines = vec![message!(
            "H0 {elo0} {unit}, H1 {elo1} {unit}, {draws:.0} % draws; games until the decision:"
        )];
        lines.extend(plans.map(|(elo, plan)| {
            let [games, low, high] = [plan.games, plan.low, plan.high].map(about);
            let share = 100.0 * plan.accepts_h1;
            message!(
                "{elo} {unit}: {games} on average, {low} to {high} with 80 %; H1 is accepted in {share:.1} % \
                 of the tests"
            )
        }));
        let lines = lines.iter().map(|line| spoken().render(line) + "\n");
        print(&lines.collect::<String>())
    }
}
