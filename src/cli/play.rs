//! Playing a run from its first game to its tables: what `match`, `run` and `resume` share.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use clap::Args;

use super::bots::catalogue;
use super::keep::keep;
use super::outcome::{Outcome, restored, test_line};
use super::run_file::RunFile;
use super::{CliError, print};
use crate::report::Progress;
use crate::store::Store;
use crate::tournament::{
    self, Agenda, Contestant, Event, Problem, Stop, Tournament, TournamentFile, Unusable, probe,
};
use referee::bot::Identity;

/// Where a run goes and how it is shown.
#[derive(Clone, Debug, Args)]
pub struct Output {
    /// The folder of this run; by default results/NAME, or results/NAME-2 and so on
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print the standings as JSON
    #[arg(long)]
    json: bool,
}

/// Ctrl-C, from the handler's thread to the run.
pub(super) static STOP: Stop = Stop::new();

/// Plays a tournament that has not begun. `folder` is where its relative paths start, `explain`
/// puts a problem into the text it came from.
pub fn play_new(
    file: &TournamentFile,
    folder: &Path,
    output: &Output,
    explain: impl Fn(Problem) -> CliError,
) -> Result<(), CliError> {
    let tournament = file.validate(&catalogue()?, folder).map_err(explain)?;
    if let Some(out) = output.out.as_ref().filter(|out| out.exists()) {
        return Err(exists(out).into());
    }
    let identities = probe_all(&tournament)?;
    let run = create_folder(&tournament, output.out.as_deref())?;
    RunFile::new(&tournament, file, folder, &identities).write(&run)?;
    let store = Store::open(&run)?;
    play(&tournament, &run, store, output.json)
}

/// Plays what is missing of a tournament in the folder `run`.
pub fn play(
    tournament: &Tournament,
    run: &Path,
    mut store: Store,
    json: bool,
) -> Result<(), CliError> {
    // Only the first run of a process sets the handler, and there is only one.
    let _ = ctrlc::set_handler(|| STOP.request());
    for note in store.notes() {
        say!("note: {note}");
    }
    let (agenda, mut standings) = restored(tournament, &store)?;
    announce(tournament, &agenda, run);
    let progress = Progress::new(agenda.games(), agenda.played());
    let agenda = Mutex::new(agenda);
    let mut heard = false;
    let result = tournament::run::<CliError>(tournament, &agenda, &STOP, |event| match event {
        Event::Tick => {
            if STOP.is_requested() && !std::mem::replace(&mut heard, true) {
                progress.say("finishing the games that are on; Ctrl-C again gives them up");
            }
            Ok(store.commit_if_due(Instant::now())?)
        }
        Event::Finished { record, evidence } => {
            keep(
                &mut store,
                run,
                tournament.seed,
                &record,
                evidence.as_deref(),
            )?;
            standings.add(&record);
            let (games, test) = {
                let agenda = agenda.lock().unwrap_or_else(PoisonError::into_inner);
                (agenda.games(), test_line(&agenda, tournament))
            };
            progress.game(&standings, games, test.as_ref());
            Ok(())
        }
    });
    progress.finish();
    result?;
    store.commit()?;
    let agenda = agenda.into_inner().unwrap_or_else(PoisonError::into_inner);
    let outcome = Outcome::write(tournament, &agenda, run, &store)?;
    print(&if json {
        outcome.json(&tournament.name, run)
    } else {
        outcome.text(run)
    })?;
    how_it_ended(&agenda, &outcome, run)
}

fn announce(tournament: &Tournament, agenda: &Agenda, run: &Path) {
    let most = if agenda.stopping().is_some() {
        "at most "
    } else {
        ""
    };
    say!(
        "{}: {most}{} games of {}, kept in {}",
        tournament.name,
        agenda.games(),
        tournament.game,
        run.display()
    );
}

/// What the exit status is to say of a run.
fn how_it_ended(agenda: &Agenda, outcome: &Outcome, run: &Path) -> Result<(), CliError> {
    let void = outcome.standings.void();
    if !agenda.is_over() && void == 0 {
        return Err(CliError::Interrupted {
            played: agenda.played(),
            games: agenda.games(),
            run: run.to_owned(),
        });
    }
    if !agenda.is_over() {
        return Err(CliError::Void {
            games: void,
            run: run.to_owned(),
        });
    }
    if outcome.is_passed() {
        Ok(())
    } else {
        Err(CliError::NotPassed)
    }
}

/// The bots' names in the tournament's order.
pub fn names(tournament: &Tournament) -> Vec<String> {
    tournament
        .contestants
        .iter()
        .map(|contestant| contestant.name.clone())
        .collect()
}

/// Bots started side by side before a run: a class of hundreds would be out of descriptors.
const PROBED_AT_ONCE: usize = 16;

/// Starts every bot once, some side by side, so that a wrong path is found before the first game.
fn probe_all(tournament: &Tournament) -> Result<Vec<Identity>, CliError> {
    let game = tournament.game;
    for contestant in &tournament.contestants {
        announce_build(contestant);
    }
    let mut identities = Vec::new();
    for some in tournament.contestants.chunks(PROBED_AT_ONCE) {
        let results = thread::scope(|scope| {
            let probes: Vec<_> = some
                .iter()
                .map(|contestant| scope.spawn(move || probe(contestant, game)))
                .collect();
            let results = probes
                .into_iter()
                .map(|probe| probe.join().expect("a probe does not panic"));
            results.collect::<Result<Vec<Identity>, Unusable>>()
        });
        identities.extend(results?);
    }
    Ok(identities)
}

/// Says that a bot is going to be built, which may take a while.
pub(super) fn announce_build(contestant: &Contestant) {
    if let Some(build) = contestant.build.as_ref().filter(|build| build.is_due()) {
        say!("building {}: {}", contestant.name, build.display());
    }
}

fn exists(folder: &Path) -> Problem {
    Problem::new(format!(
        "{} exists already, and a run overwrites nothing",
        folder.display()
    ))
    .help(format!(
        "choose another --out, or go on with arena resume {}",
        folder.display()
    ))
}

/// A new folder: the one asked for, or the first free one named after the tournament.
pub(super) fn create_folder(
    tournament: &Tournament,
    out: Option<&Path>,
) -> Result<PathBuf, CliError> {
    let failed = |folder: &Path, source: io::Error| {
        let shown = folder.display();
        CliError::from(
            Problem::new(format!("cannot create the folder {shown}: {source}"))
                .help("choose another with --out"),
        )
    };
    if let Some(out) = out {
        if let Some(parent) = out.parent() {
            fs::create_dir_all(parent).map_err(|source| failed(parent, source))?;
        }
        return match fs::create_dir(out) {
            Ok(()) => Ok(out.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(out).into()),
            Err(source) => Err(failed(out, source)),
        };
    }
    let results = Path::new("results");
    fs::create_dir_all(results).map_err(|source| failed(results, source))?;
    let first = std::iter::once(tournament.name.clone());
    let further = (2..).map(|number| format!("{}-{number}", tournament.name));
    for name in first.chain(further) {
        let folder = results.join(name);
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(failed(&folder, source)),
        }
    }
    unreachable!("there is always a further number")
}
