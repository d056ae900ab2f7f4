//! A run: games of a tournament, played and recorded.
//!
//! [`Run::begin`] starts a new run in its own folder, [`Run::resume`] continues a stopped run,
//! [`Run::only`] limits it to a block of pairs. [`Run::play`] plays the remaining games: workers play, one
//! loop saves and counts, and the caller hears of every finished game. [`Run::watch`] gives a second
//! listener, such as a page, every [`Event`], and never delays a game. [`Run::stop`] ends only this run.
//! This module does not know how a run is requested or shown.

mod backlog;
mod error;
mod event;
mod evidence;
mod file;
mod folder;
mod follow;
mod gate;
mod illegal;
mod lanes;
mod locked;
mod person;
mod pool;
mod prepare;
pub mod report;
mod shared;
mod sitting;
mod slots;
mod stop;
pub mod store;
mod watch;
mod workers;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::report::page::About;
use crate::report::{Placing, Standings, Summary, TestLine, tables};
use crate::store::Store;
use referee::record::GameRecord;
use tournament::{Agenda, Stopping, Tournament};

pub use error::RunError;
pub use event::Event;
pub use file::{RunFile, StagesFile};
pub use folder::{NewFolder, create_folder, exists, free_folder};
pub use illegal::Illegal;
pub use lanes::Lanes;
pub use prepare::{Unusable, build, build_all, probe, probe_all, shared_users};
pub use shared::NewGuest;
pub use sitting::{AtTable, NotTakenBack, Sitting, introduce};
pub use stop::Stop;
pub use watch::Watcher;

use gate::Gate;
use locked::lock;
use shared::Shared;
use watch::Watchers;
use workers::Finished;
pub use workers::cores;

/// Games that are played and recorded in one folder.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    store: Store,
    standings: Standings,
    shared: Shared,
    followed: follow::Followed,
}

impl Run {
    /// A run without a game, in the empty folder `folder`.
    pub fn begin(
        tournament: Tournament,
        file: &RunFile,
        folder: &Path,
        stop: Stop,
    ) -> Result<Run, RunError> {
        file.write(folder)?;
        Run::resume(tournament, folder, stop)
    }

    /// A run, up to the last game of its record.
    pub fn resume(tournament: Tournament, folder: &Path, stop: Stop) -> Result<Run, RunError> {
        Run::with(tournament, folder, Store::open(folder)?, stop)
    }

    /// The same with this record. `folder` is for the messages of games that fail.
    pub fn with(
        mut tournament: Tournament,
        folder: &Path,
        store: Store,
        stop: Stop,
    ) -> Result<Run, RunError> {
        keep_folders(&mut tournament, folder)
            .map_err(RunError::system("a bot's folder cannot be made"))?;
        let room = host::room_for_processes();
        Run::of(
            tournament,
            folder,
            store,
            stop,
            room,
            |tournament, agenda, record| check(tournament, agenda, &record),
        )
    }

    /// Closes the run; its record stays open, and locked.
    fn into_store(self) -> Store {
        self.store
    }

    /// The same, read-only: its tables can be made, but no game can be played.
    pub fn read(tournament: Tournament, folder: &Path) -> Result<Run, RunError> {
        let store = Store::read(folder)?;
        store.check()?;
        Run::of(
            tournament,
            folder,
            store,
            Stop::new(),
            None,
            |tournament, agenda, record| check(tournament, agenda, &record),
        )
    }

    /// The same, of a record that was just made of games whose checksums held. Its tables are written
    /// while it is read.
    pub fn read_new(tournament: Tournament, folder: &Path) -> Result<(Run, Summary), RunError> {
        let (store, stop) = (Store::read(folder)?, Stop::new());
        let mut tables = tables::Tables::begin(folder, standings_of(&tournament))?;
        let see = |_: &_, _: &_, record| Ok(tables.add(record)?);
        let run = Run::of(tournament, folder, store, stop, None, see)?;
        let standings = tables.end(run.placing(), |standings| run.about(standings))?;
        let summary = run.summary_of(standings);
        Ok((run, summary))
    }

    /// `see` gets every game, with the tournament and what is known of it up to this game.
    fn of(
        mut tournament: Tournament,
        folder: &Path,
        store: Store,
        stop: Stop,
        room: Option<usize>,
        mut see: impl FnMut(&Tournament, &Agenda, GameRecord) -> Result<(), RunError>,
    ) -> Result<Run, RunError> {
        let (wanted, bots) = (tournament.concurrency, tournament.contestants.len());
        let lanes = Lanes::of(wanted, bots, room);
        let there = match tournament.core_list.len() {
            0 => host::allowed_cores().len(),
            listed => listed,
        };
        // A bot that asks for many cores would leave none to itself alone, and none to other games.
        let most = (there / (lanes.count * tournament.thinkers())).max(1);
        for bot in &mut tournament.contestants {
            bot.cores = bot.cores.min(most);
        }
        let cores = tournament.pin.then(|| tournament.cores_a_bot());
        for bot in &mut tournament.contestants {
            bot.launch.crew = stop.bots();
            bot.launch.hide(folder);
            bot.launch.cores = cores;
        }
        let mut agenda = Agenda::new(&tournament);
        let mut standings = standings_of(&tournament);
        let mut interrupted = BTreeMap::new();
        store.each(|record| -> Result<(), RunError> {
            let outcome = record.verdict.outcome();
            agenda.restore(record.id, &record.players, outcome, record.fingerprint())?;
            if agenda.result(record.id).is_some() {
                standings.add(&record);
            } else {
                interrupted.insert(
                    record.id,
                    referee::void::InterruptedGame::resumed(record.clone()),
                );
            }
            see(&tournament, &agenda, record)
        })?;
        Ok(Run {
            followed: follow::Followed::default(),
            folder: folder.to_owned(),
            store,
            standings,
            shared: Shared {
                guests: tournament.contestants.iter().map(|_| None).collect(),
                tournament,
                agenda: Mutex::new(agenda),
                lanes,
                stop,
                has_panicked: AtomicBool::new(false),
                watchers: Watchers::of(lanes.count),
                interrupted,
                gate: Gate::default(),
                warnings: Mutex::default(),
            },
        })
    }

    /// Limits it to these pairs, counted from 0: a block of a run that several machines share.
    ///
    /// # Errors
    /// If the next games depend on earlier results.
    pub fn only(&mut self, pairs: Range<u64>) -> Result<(), RunError> {
        Ok(self.shared.agenda().keep_to(pairs)?)
    }

    /// Asks `may` before the first game of every pair; the run stops where it says no. It is asked by
    /// the workers, several at a time.
    pub fn ask_before_pairs(&mut self, may: impl Fn() -> bool + Send + Sync + 'static) {
        self.shared.gate = Gate::new(may);
    }

    /// Lets a guest play instead of bot number `bot`: a person, a script.
    pub fn seat(&mut self, bot: usize, guest: NewGuest) {
        self.shared.guests[bot] = Some(guest);
    }

    /// The stop request of this run.
    pub fn stop(&self) -> Stop {
        self.shared.stop.clone()
    }

    /// A second listener, which gets all events from now on.
    pub fn watch(&mut self) -> Watcher {
        self.shared.watchers.add()
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The tournament.
    pub fn tournament(&self) -> &Tournament {
        &self.shared.tournament
    }

    /// The games so far.
    pub fn status(&self) -> Status<'_> {
        Status {
            standings: &self.standings,
            shared: &self.shared,
        }
    }

    /// Every game of the record, in the order of their numbers.
    pub fn each(&self, mut take: impl FnMut(&GameRecord)) -> Result<(), RunError> {
        self.store.each(|record| {
            take(&record);
            Ok(())
        })
    }

    /// Reads the games that another arena has committed since the run was opened or last caught up, in the
    /// order of their numbers, and counts them; [`Run::status`] and [`Run::state`] know them then. Returns
    /// whether the record has changed. Void games are told, but not counted.
    pub fn catch_up(&mut self, on: impl FnMut(&GameRecord)) -> Result<bool, RunError> {
        let Run {
            store,
            standings,
            shared,
            followed,
            ..
        } = self;
        followed.catch_up(store, shared, standings, on)
    }

    /// Plays until no game is left, a stop is requested, or the record fails, and calls `on` with each
    /// [`Event::Finished`] and [`Event::Tick`]. A game is saved before its event.
    pub fn play(&mut self, mut on: impl FnMut(&Event, &Status<'_>)) -> Result<(), RunError> {
        let Run {
            folder,
            store,
            standings,
            shared,
            ..
        } = self;
        let played = workers::play(shared, |heard| {
            let event = match heard {
                None => {
                    store.commit_if_due(Instant::now())?;
                    Event::Tick
                }
                Some(Finished { record, evidence }) => {
                    let (tournament, evidence) = (&shared.tournament, evidence.as_deref());
                    evidence::keep(store, folder, tournament, &record, evidence)?;
                    standings.add(&record);
                    let event = Event::Finished { record };
                    shared.watchers.tell(&event);
                    event
                }
            };
            on(&event, &Status { standings, shared });
            Ok(())
        });
        match played {
            // A record that failed is not written to again.
            Err(RunError::Store(_)) => {}
            _ => self.store.commit()?,
        }
        played
    }

    /// Notes about the record and the machine from opening it, one sentence each.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let lanes = self.shared.lanes.note(self.tournament().concurrency);
        let lanes = lanes.map(|note| format!("games are played {note}"));
        self.store
            .notes()
            .iter()
            .map(ToString::to_string)
            .chain(lanes)
    }

    /// Warnings that a played run ends with, one sentence each: how bots left after their last games,
    /// and files of bots that have changed since the run began.
    pub fn warnings(&self) -> Vec<String> {
        let warnings = lock(&self.shared.warnings).clone();
        let file = RunFile::read(&self.folder);
        let changed = file.iter().flat_map(RunFile::changed_files);
        let changed = changed.map(|file| {
            let file = file.display();
            format!("{file} has changed since the run began: its games are not comparable")
        });
        warnings.into_iter().chain(changed).collect()
    }

    /// Writes the tables, and returns the summary of the run.
    pub fn tables(&self) -> Result<Summary, RunError> {
        let (empty, placing) = (standings_of(self.tournament()), self.placing());
        let standings = tables::write(&self.folder, &self.store, empty, placing, |standings| {
            self.about(standings)
        })?;
        Ok(self.summary_of(standings))
    }

    /// The summary of the run, without writing tables.
    pub fn summary(&self) -> Result<Summary, RunError> {
        let (empty, placing) = (standings_of(self.tournament()), self.placing());
        let standings = tables::count(&self.store, empty, placing)?;
        Ok(self.summary_of(standings))
    }

    fn summary_of(&self, standings: Standings) -> Summary {
        let test = self.status().test();
        Summary { standings, test }
    }

    /// What its page tells of it.
    fn about(&self, standings: &Standings) -> About {
        let tournament = self.tournament();
        let result = match (self.status().test(), standings.head_to_head()) {
            (Some(test), _) => test.text(),
            (None, Some(line)) => line.text(),
            (None, None) => String::new(),
        };
        let mut words = vec![tournament.game.to_string()];
        words.extend(tournament.conditions());
        About {
            title: tournament.name.clone(),
            lines: vec![words.join(", ") + "."],
            result,
        }
    }

    fn placing(&self) -> Option<Placing> {
        self.shared.agenda().places().map(|places| Placing {
            order: places.order,
            points: places.points,
            buchholz: places.buchholz,
        })
    }

    /// Its state.
    pub fn state(&self) -> State {
        let void = self.standings.void();
        match (self.shared.agenda().is_over(), void) {
            (true, _) => State::Over,
            (false, 0) => State::Unfinished,
            (false, games) => State::Void { games },
        }
    }
}

/// Checks a game of a record: see [`Agenda::check`].
fn check(tournament: &Tournament, agenda: &Agenda, record: &GameRecord) -> Result<(), RunError> {
    let checked = agenda.check(tournament, record);
    let help =
        "make the tournament, its openings and the record what they were, or begin a new run";
    Ok(checked.map_err(|problem| problem.help(help))?)
}

/// Makes the folders that stay from game to game, for the bots that ask for one.
fn keep_folders(tournament: &mut Tournament, run: &Path) -> io::Result<()> {
    let bots = tournament.contestants.iter_mut();
    for bot in bots.filter(|bot| bot.launch.asks.keep_folder) {
        let folder = std::path::absolute(run.join("kept").join(&bot.name))?;
        fs::create_dir_all(&folder)?;
        bot.launch.keep(folder);
    }
    Ok(())
}

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No game is left.
    Over,
    /// It was stopped.
    Unfinished,
    /// Only void games are left: the arena or the machine failed.
    Void {
        /// How many.
        games: u64,
    },
}

/// What a client can read during a run.
#[derive(Debug)]
pub struct Status<'a> {
    /// The standings.
    pub standings: &'a Standings,
    shared: &'a Shared,
}

impl Status<'_> {
    /// The number of games, as far as it is known.
    pub fn games(&self) -> u64 {
        self.shared.agenda().games()
    }

    /// Games played so far.
    pub fn played(&self) -> u64 {
        self.shared.agenda().played()
    }

    /// Whether a sequential test may end it before the last game.
    pub fn may_end_early(&self) -> bool {
        self.shared.agenda().stopping().is_some()
    }

    /// Whether a sequential test has ended, so that more games change nothing.
    pub fn has_decided(&self) -> bool {
        let agenda = self.shared.agenda();
        agenda.stopping().is_some_and(Stopping::is_over)
    }

    /// Begins no further game of these two bots, because their result is decided.
    pub fn skip(&self, bots: [usize; 2]) {
        self.shared.agenda().pass_over(bots);
    }

    /// The current result of the sequential test, if there is one.
    pub fn test(&self) -> Option<TestLine> {
        test_of(&self.shared.tournament, &self.shared.agenda())
    }
}

/// The result of the sequential test of a tournament after the games of `agenda`, if there is a test.
pub fn test_of(tournament: &Tournament, agenda: &Agenda) -> Option<TestLine> {
    let stopping = agenda.stopping()?;
    let name = |bot: usize| tournament.contestants[bot].name.clone();
    let beyond = if stopping.is_over() {
        agenda.played().saturating_sub(stopping.games())
    } else {
        0
    };
    let laps = tournament.openings_a_lap();
    Some(TestLine {
        names: [name(0), name(1)],
        test: *stopping.test(),
        pairs: stopping.pairs(),
        beyond,
        unscored: stopping.unscored(),
        repeated: stopping.repeated(),
        exhausted: stopping.is_exhausted().then_some(laps),
    })
}

/// Standings without a game.
fn standings_of(tournament: &Tournament) -> Standings {
    let mut standings = Standings::new(tournament.names());
    if let Some((name, elo)) = &tournament.anchor {
        standings.anchor(name, *elo);
    }
    standings
}
