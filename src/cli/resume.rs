use message::message;
use referee::problem;
use std::path::PathBuf;

use clap::Args;

use super::bots::catalogue;
use super::new_run::{announce_build, play};
use super::options::LanguageOption;
use super::play::{needs_terminal, play_in_terminal};
use super::speed::scale_here;
use super::stages::tournament_of;
use super::{CliError, grade, sandbox, serve, stages, stop_on_ctrl_c};
use run::{Run, RunFile, Stop, build_all, introduce};
use tournament::{Format, Problem, TournamentFile, given, people};

/// Play the missing games of a run that was stopped
#[derive(Debug, Args)]
pub struct Resume {
    /// The folder of the run, such as results/quick
    run: PathBuf,
    /// Play up to this many games (an even number, not below the run's maximum): for a sequential test, a match with
    /// --until-elo, or arena rate
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_games: Option<i64>,
    /// Print the results as JSON; arena schema run describes them
    #[arg(long)]
    json: bool,
    /// Show the running games in a browser; prints the address, and serves the page until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// A game in which a person plays: continue in the terminal, not on the page
    #[arg(long)]
    terminal: bool,
    #[command(flatten)]
    language: LanguageOption,
}

impl Resume {
    pub fn run(self) -> Result<(), CliError> {
        self.language.speak()?;
        let mut file = RunFile::read(&self.run)?;
        if let Some(games) = self.max_games {
            extend(&mut file.tournament, games)?;
        }
        for changed in file.changed_files() {
            let changed = message!("{} has changed since the run began", changed.display());
            say!("warning: {changed}; its games are no longer comparable");
        }
        sandbox::check(&file.tournament)?;
        if let Some(people) = people::people(&file.tournament) {
            return self.continue_with_person(&file, people);
        }
        if file.stages.is_some() {
            return stages::resume(&self.run, &file, self.json);
        }
        let catalogue = catalogue()?;
        let mut tournament = file.tournament.validate(&catalogue, &file.folder)?;
        for changed in file.changed_commands(&tournament, &catalogue.program) {
            say!("warning: {changed}; its games are no longer comparable");
        }
        // The run may come from another machine, so the bots may need a build here.
        build_all(&tournament.contestants, announce_build)?;
        if file.tournament.is_suite() {
            return grade::resume(&self.run, file, self.json);
        }
        let time_scale = scale_here(&mut tournament)?;
        file.time_scales.extend(time_scale);
        let run = Run::resume(tournament, &self.run, stop_on_ctrl_c()?)?;
        if self.max_games.is_some() || time_scale.is_some() {
            file.write(&self.run)?;
        }
        play(run, self.json, self.watch.then_some(&self.language), None)
    }

    fn continue_with_person(&self, file: &RunFile, people: [bool; 2]) -> Result<(), CliError> {
        if !self.terminal {
            return serve::go_on(&self.run, &self.language);
        }
        needs_terminal()?;
        let catalogue = catalogue()?;
        let tournament = tournament_of(file, &catalogue)?;
        introduce(&tournament, people, announce_build)?;
        let run = Run::resume(tournament, &self.run, Stop::new())?;
        if run.status().played() > 0 {
            let shown = self.run.display();
            return Err(problem!("the game in {shown} is over")
                .help(message!("arena replay {shown}/0 shows the game"))
                .into());
        }
        play_in_terminal(run, people, self.language.texts()?)
    }
}

/// Raises the largest number of games of a run with a goal. Fails if `games` is smaller, or if the run has no goal.
fn extend(file: &mut TournamentFile, games: i64) -> Result<(), Problem> {
    let before = file.games.as_ref().map(|games| *games.get_ref());
    let before = before.unwrap_or_else(|| file.usual_games());
    let is_rating = file
        .format
        .as_ref()
        .is_some_and(|format| format.get_ref() == Format::Rating.name());
    if file.sprt.is_none() && file.until_elo.is_none() && !is_rating {
        return Err(Problem::new(
            "--max-games needs a sequential test, --until-elo or arena rate; this run has none of them",
        )
        .help("arena resume without it plays the missing games"));
    }
    if games < before {
        return Err(problem!(
            "--max-games {games} is less than the {before} games that the run has"
        )
        .help("write a larger number"));
    }
    file.games = given(Some(games));
    Ok(())
}
