//! Plays a run from its first game to its tables, for `match`, `run`, `sprt`, `rate`, `tune` and `resume`.

use std::path::{Path, PathBuf};

use clap::Args;
use referee::problem;

use super::bots::catalogue;
use super::error::Ending;
use super::options::{GameOptions, LanguageOption, MatchOptions};
use super::output::json_text;
use super::sandbox::{self, Refusal};
use super::speed::scale_here;
use super::{CliError, print, serve, stop_on_ctrl_c, width};
use message::{Message, message, spoken};
use run::report::{Progress, Summary, plan_text, standings_table};
use run::{Event, Run, RunFile, RunState, Unusable};
use stats::Forecast;
use tournament::{Contestant, Problem, SandboxChoice, Tournament, TournamentFile, given};

/// The conditions, the folder and the output of a new run.
#[derive(Clone, Debug, Args)]
pub struct NewRun {
    #[command(flatten)]
    options: GameOptions,
    #[command(flatten)]
    conditions: MatchOptions,
    /// The folder of this run; by default results/NAME, or results/NAME-2 and so on
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print the results as JSON; arena schema run describes them
    #[arg(long)]
    json: bool,
    /// Show the running games in a browser; prints the address, and serves the page until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Print the standings every N games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    table_every: Option<u64>,
    #[command(flatten)]
    language: LanguageOption,
}

impl NewRun {
    pub fn is_json(&self) -> bool {
        self.json
    }

    pub fn speak(&self) -> Result<(), Problem> {
        self.language.speak().map(drop)
    }

    /// Plays a new tournament with the options. Paths are relative to `folder`. `explain` adds the file to a problem.
    pub fn play(
        &self,
        mut file: TournamentFile,
        folder: &Path,
        explain: impl Fn(Problem) -> CliError,
    ) -> Result<(), CliError> {
        self.options.apply(&mut file);
        self.conditions.apply(&mut file)?;
        self.language.speak()?;
        sandbox::settle(&mut file, SandboxChoice::Off).map_err(|refusal| match refusal {
            Refusal::Problem(problem) => explain(problem),
            Refusal::Machine(problem) => problem.into(),
        })?;
        let catalogue = catalogue()?;
        run::settle(&mut file, &catalogue, folder);
        let mut tournament = file.validate(&catalogue, folder).map_err(&explain)?;
        check_cores(&tournament).map_err(&explain)?;
        if let Some(out) = self.out.as_ref().filter(|out| out.exists()) {
            return Err(run::exists(out).into());
        }
        for contestant in &tournament.contestants {
            if let Some(taken_for) = &contestant.taken_for {
                say!("{name}: {what}", name = contestant.name, what = taken_for);
            }
        }
        run::build_all(&tournament.contestants, announce_build)?;
        sandbox::say_shared_users(tournament.contestants.iter());
        let mut identities = run::probe_all(&tournament.contestants, &tournament);
        if let (Err(Unusable::StartOnly { name }), None) = (&identities, &file.openings) {
            say!(
                "{name} keeps its own board: all games begin at the start position (openings = \"none\")"
            );
            file.openings = given(Some("none".to_owned()));
            tournament = file.validate(&catalogue, folder).map_err(&explain)?;
            identities = run::probe_all(&tournament.contestants, &tournament);
        }
        let identities = identities?;
        for contestant in &tournament.contestants {
            if let Some(greeting) = contestant.launch.known_greeting.other() {
                say!("{name}: {what}", name = contestant.name, what = greeting);
            }
        }
        let time_scale = scale_here(&mut tournament)?;
        let out = run::create_folder(&tournament.name, self.out.as_deref())?;
        let mut file = RunFile::new(&tournament, &file, folder, &identities);
        file.time_scales.extend(time_scale);
        let run = Run::begin(tournament, &file, &out, stop_on_ctrl_c()?)?;
        out.keep();
        let watch = self.watch.then_some(&self.language);
        play(run, self.json, watch, self.table_every)
    }
}

/// Fails if the machine lacks a listed core, or if the list is too short for the games played at a time.
fn check_cores(tournament: &Tournament) -> Result<(), Problem> {
    let (there, listed) = (host::allowed_cores(), &tournament.core_list);
    if let Some(missing) = listed.iter().find(|core| !there.contains(core)) {
        return Err(problem!("there is no core {missing} for games")
            .help(message!("valid values: {}", there)));
    }
    let wanted = tournament.concurrency.saturating_mul(tournament.thinkers());
    if !listed.is_empty() && listed.len() < wanted {
        let listed = listed.len();
        return Err(problem!(
            "the list has {listed} cores, but the concurrent games need {wanted}"
        )
        .help("list more cores, or play fewer games at a time (-j)"));
    }
    Ok(())
}

/// Plays the missing games of a run, and prints the results; with `watch`, also serves a page.
pub fn play(
    mut run: Run,
    json: bool,
    watch: Option<&LanguageOption>,
    table_every: Option<u64>,
) -> Result<(), CliError> {
    say_notes(&run);
    announce(&run);
    let page = watch.map(|language| serve::watch(&mut run, language));
    let page = page.transpose()?;
    let stop = run.stop();
    let progress = Progress::new(
        run.status().games(),
        run.status().played(),
        run.status().has_goal(),
    );
    let mut heard = false;
    let played = run.play(|event, status| match event {
        Event::Finished { .. } => {
            progress.game(status.played(), status.games(), || status.headline());
            if table_every.is_some_and(|every| status.played().is_multiple_of(every)) {
                let table = standings_table(&status.standings.results(), width(), spoken());
                table.lines().for_each(|line| progress.say(line));
            }
        }
        _ => {
            if stop.is_requested() && !std::mem::replace(&mut heard, true) {
                let what = "finishing the games in progress; press Ctrl-C again to stop them";
                progress.say(&spoken().fixed(what));
            }
        }
    });
    progress.finish();
    played?;
    for warning in run.warnings() {
        say!("warning: {warning}");
    }
    let summary = run.tables()?;
    let shown = show(&run, &summary, json);
    let ended = how_it_ended(&run, &summary);
    if let (Some(page), RunState::Over) = (&page, run.state()) {
        // Closes the run, so that another arena can open it while this one still serves the page.
        drop(run);
        page.stay(&stop);
    }
    // Reports the interruption first, because printing fails if the terminal was closed.
    ended?;
    shown
}

pub fn show(run: &Run, summary: &Summary, json: bool) -> Result<(), CliError> {
    print(&if json {
        json_text(&summary.results(&run.tournament().name, run.folder()))
    } else {
        summary.text(run.folder(), width(), spoken())
    })
}

pub fn say_notes(run: &Run) {
    for &lack in host::lacks() {
        say!("note: {note}", note = Message::from(lack));
    }
    for note in run.notes() {
        say!("note: {note}");
    }
}

fn announce(run: &Run) {
    let status = run.status();
    let (name, game) = (&run.tournament().name, run.tournament().game);
    let (games, folder) = (status.games(), run.folder().display());
    if status.may_end_early() {
        say!("{name}: at most {games} {games|game|games} of {game}, kept in {folder}");
    } else {
        say!("{name}: {games} {games|game|games} of {game}, kept in {folder}");
    }
    let Some(goal) = run.tournament().goal.filter(|_| status.played() == 0) else {
        return;
    };
    if RunFile::read(run.folder()).is_ok_and(|file| file.has_equal_builds()) {
        say!(
            "note: the files of both bots are equal, byte for byte: was one of them not built again?"
        );
    }
    let openings = run.tournament().openings_a_lap();
    for line in plan_text(&goal, Forecast::USUAL_DRAWS, openings) {
        say!("{line}");
    }
}

fn how_it_ended(run: &Run, summary: &Summary) -> Result<(), CliError> {
    let folder = run.folder().display();
    match run.state() {
        RunState::Over if summary.is_passed() => Ok(()),
        RunState::Over => Err(Ending::NotPassed.printed()),
        RunState::Unfinished => Err(Ending::Interrupted.because(message!(
            "interrupted: {} of {} games are played; `arena resume {folder}` plays the rest",
            run.status().played(),
            run.status().games(),
        ))),
        RunState::Void { games } => Err(Ending::ArenaFailed.because(message!(
            "error: {games} {games|game is|games are} void: the arena or the machine failed; \
             `arena resume {folder}` plays {games|it|them}",
        ))),
    }
}

pub(super) fn announce_build(contestant: &Contestant) {
    if let Some(build) = &contestant.build {
        say!("building {}: {}", contestant.name, build.display());
    }
}
