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
mod lanes;
mod locked;
mod pool;
mod prepare;
mod stop;
mod watch;
mod workers;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use crate::report::{Placing, Standings, Summary, TestLine, tables};
use crate::store::Store;
use crate::tournament::{Agenda, Problem, Tournament};
use referee::record::GameRecord;

pub use error::RunError;
pub use event::Event;
pub use file::{RunFile, StagesFile};
pub use folder::{create_folder, exists};
pub use lanes::Lanes;
pub use pool::{Evidence, NewGuest};
pub use prepare::{Unusable, build, build_all, probe, probe_all};
pub use stop::Stop;
pub use watch::Watcher;

use locked::lock;
use watch::Watchers;
use workers::Heard;

/// Games that are played and recorded in one folder.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    tournament: Tournament,
    store: Store,
    agenda: Mutex<Agenda>,
    standings: Standings,
    lanes: Lanes,
    stop: Stop,
    watchers: Watchers,
    /// Guests that play instead of a bot, by the bot's number.
    guests: Vec<Option<NewGuest>>,
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
        let store = Store::open(folder)?;
        Run::of(tournament, folder, store, stop, host::room_for_processes())
    }

    /// The same, read-only: its tables can be made, but no game can be played.
    pub fn read(tournament: Tournament, folder: &Path) -> Result<Run, RunError> {
        let store = Store::read(folder)?;
        store.check()?;
        Run::of(tournament, folder, store, Stop::new(), None)
    }

    fn of(
        mut tournament: Tournament,
        folder: &Path,
        store: Store,
        stop: Stop,
        room: Option<usize>,
    ) -> Result<Run, RunError> {
        let (wanted, bots) = (tournament.concurrency, tournament.contestants.len());
        let lanes = Lanes::of(wanted, bots, room);
        let cores = tournament.pin.then(|| tournament.cores_a_game());
        for bot in &mut tournament.contestants {
            bot.launch.crew = stop.bots();
            bot.launch.hide(folder);
            bot.launch.cores = cores;
        }
        let mut agenda = Agenda::new(&tournament);
        let mut standings = Standings::new(tournament.names());
        store.each(|record| -> Result<(), RunError> {
            let outcome = record.verdict.outcome();
            agenda
                .restore(record.id, &record.players, outcome, record.fingerprint())
                .map_err(Problem::new)?;
            if agenda.result(record.id).is_some() {
                standings.add(&record);
            }
            Ok(())
        })?;
        Ok(Run {
            folder: folder.to_owned(),
            guests: tournament.contestants.iter().map(|_| None).collect(),
            tournament,
            store,
            agenda: Mutex::new(agenda),
            standings,
            lanes,
            stop,
            watchers: Watchers::of(lanes.count),
        })
    }

    /// Limits it to these pairs, counted from 0: a block of a run that several machines share.
    ///
    /// # Errors
    /// If the next games depend on earlier results.
    pub fn only(&mut self, pairs: Range<u64>) -> Result<(), RunError> {
        Ok(self.agenda().keep_to(pairs)?)
    }

    /// Lets a guest play instead of bot number `bot`: a person, a script.
    pub fn seat(&mut self, bot: usize, guest: NewGuest) {
        self.guests[bot] = Some(guest);
    }

    /// The stop request of this run.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// A second listener, which gets all events from now on.
    pub fn watch(&mut self) -> Watcher {
        self.watchers.add()
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The tournament.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// The games so far.
    pub fn status(&self) -> Status<'_> {
        Status {
            tournament: &self.tournament,
            standings: &self.standings,
            agenda: &self.agenda,
        }
    }

    /// Every game of the record, in the order of their numbers.
    pub fn each(&self, mut take: impl FnMut(&GameRecord)) -> Result<(), RunError> {
        self.store.each(|record| {
            take(&record);
            Ok(())
        })
    }

    /// Plays until no game is left, a stop is requested, or the record fails, and calls `on` with each
    /// [`Event::Finished`] and [`Event::Tick`]. A game is saved before its event.
    pub fn play(&mut self, mut on: impl FnMut(&Event, &Status<'_>)) -> Result<(), RunError> {
        let Run {
            folder,
            tournament,
            store,
            agenda,
            standings,
            lanes,
            stop,
            watchers,
            guests,
        } = self;
        workers::play(
            tournament,
            agenda,
            *lanes,
            stop,
            watchers,
            guests,
            |heard| {
                let event = match heard {
                    Heard::Nothing => {
                        store.commit_if_due(Instant::now())?;
                        Event::Tick
                    }
                    Heard::Finished { record, evidence } => {
                        let evidence = evidence.as_deref();
                        evidence::keep(store, folder, tournament.seed, &record, evidence)?;
                        standings.add(&record);
                        let event = Event::Finished { record };
                        watchers.tell(&event);
                        event
                    }
                };
                let status = Status {
                    tournament,
                    standings,
                    agenda,
                };
                on(&event, &status);
                Ok(())
            },
        )?;
        Ok(self.store.commit()?)
    }

    /// Notes about the record and the machine from opening it, one sentence each.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let lanes = self.lanes.note(self.tournament.concurrency);
        let lanes = lanes.map(|note| format!("games are played {note}"));
        self.store
            .notes()
            .iter()
            .map(ToString::to_string)
            .chain(lanes)
    }

    /// Writes the tables, and returns the summary of the run.
    pub fn tables(&self) -> Result<Summary, RunError> {
        let (names, placing) = (self.names(), self.placing());
        let standings = tables::write(&self.folder, &self.store, &names, placing)?;
        Ok(self.summary_of(standings))
    }

    /// The summary of the run, without writing tables.
    pub fn summary(&self) -> Result<Summary, RunError> {
        let (names, placing) = (self.names(), self.placing());
        let standings = tables::count(&self.store, &names, placing)?;
        Ok(self.summary_of(standings))
    }

    fn summary_of(&self, standings: Standings) -> Summary {
        let test = self.status().test();
        Summary { standings, test }
    }

    fn names(&self) -> Vec<String> {
        self.tournament.names().map(str::to_owned).collect()
    }

    fn placing(&self) -> Option<Placing> {
        self.agenda().places().map(|places| Placing {
            order: places.order,
            points: places.points,
            buchholz: places.buchholz,
        })
    }

    /// Its state.
    pub fn state(&self) -> State {
        let void = self.standings.void();
        match (self.agenda().is_over(), void) {
            (true, _) => State::Over,
            (false, 0) => State::Unfinished,
            (false, games) => State::Void { games },
        }
    }

    fn agenda(&self) -> MutexGuard<'_, Agenda> {
        lock(&self.agenda)
    }
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
    tournament: &'a Tournament,
    /// The standings.
    pub standings: &'a Standings,
    agenda: &'a Mutex<Agenda>,
}

impl Status<'_> {
    /// The number of games, as far as it is known.
    pub fn games(&self) -> u64 {
        lock(self.agenda).games()
    }

    /// Games played so far.
    pub fn played(&self) -> u64 {
        lock(self.agenda).played()
    }

    /// Whether a sequential test may end it before the last game.
    pub fn may_end_early(&self) -> bool {
        lock(self.agenda).stopping().is_some()
    }

    /// Begins no further game of these two bots, because their result is decided.
    pub fn skip(&self, bots: [usize; 2]) {
        lock(self.agenda).pass_over(bots);
    }

    /// The current result of the sequential test, if there is one.
    pub fn test(&self) -> Option<TestLine> {
        let agenda = lock(self.agenda);
        let stopping = agenda.stopping()?;
        let name = |bot: usize| self.tournament.contestants[bot].name.clone();
        let beyond = if stopping.is_over() {
            agenda.played().saturating_sub(stopping.games())
        } else {
            0
        };
        let laps = self.tournament.openings_a_lap();
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
}
