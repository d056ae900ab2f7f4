//! A run: games of a tournament, played and recorded. Whoever wants games played opens one.
//!
//! [`Run::begin`] starts a new run in a folder of its own, [`Run::resume`] goes on with one that was
//! stopped, [`Run::only`] keeps it to a block of pairs. [`Run::play`] plays what is left: workers play, one
//! loop saves and counts, and the caller hears of every [`Event`]. [`Run::watch`] gives a second
//! listener, such as a page, a copy of the same events that never holds a game up. [`Run::stop`]
//! ends this run and no other. How a run is asked for and shown is not known here.

mod backlog;
mod error;
mod event;
mod evidence;
mod file;
mod folder;
mod lanes;
mod pool;
mod prepare;
mod stop;
mod workers;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::report::{Placing, Standings, Summary, TestLine, tables};
use crate::store::Store;
use crate::tournament::{Agenda, Problem, Tournament};
use referee::record::GameRecord;

pub use error::RunError;
pub use event::{Event, Watcher};
pub use file::{RunFile, StagesFile};
pub use folder::{create_folder, exists};
pub use lanes::Lanes;
pub use pool::{Evidence, NewGuest};
pub use prepare::{Unusable, build, build_all, probe, probe_all};
pub use stop::Stop;

use event::Watchers;
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
    watchers: Arc<Watchers>,
    /// Who sits in the place of a bot, by the bot's number.
    guests: Vec<Option<NewGuest>>,
}

impl Run {
    /// A run without a game in `folder`, which holds nothing yet.
    pub fn begin(
        tournament: Tournament,
        file: &RunFile,
        folder: &Path,
        stop: Stop,
    ) -> Result<Run, RunError> {
        file.write(folder)?;
        Run::resume(tournament, folder, stop)
    }

    /// A run as far as its record goes.
    pub fn resume(tournament: Tournament, folder: &Path, stop: Stop) -> Result<Run, RunError> {
        let store = Store::open(folder)?;
        Run::of(tournament, folder, store, stop, host::room_for_processes())
    }

    /// The same for reading alone: its tables can be made, and nothing can be played.
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
        for bot in &mut tournament.contestants {
            bot.launch.family = stop.bots();
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
            watchers: Arc::default(),
        })
    }

    /// Keeps it to these pairs, counted from 0: a block of a run that several machines share.
    ///
    /// # Errors
    /// Where what is played next depends on what was played before.
    pub fn only(&mut self, pairs: Range<u64>) -> Result<(), RunError> {
        Ok(self.agenda().keep_to(pairs)?)
    }

    /// Lets someone else play in the place of bot number `bot`: a person, a script.
    pub fn seat(&mut self, bot: usize, guest: NewGuest) {
        self.guests[bot] = Some(guest);
    }

    /// Ends this run when it is asked to.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// A copy of all events from now on.
    pub fn watch(&self) -> Watcher {
        self.watchers.add()
    }

    /// Where it is kept.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is played.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// What has been played so far.
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

    /// Plays until nothing is left, a stop is requested, or the record fails, and tells `on` what
    /// happens. A game is saved before it is told of.
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

    /// What was found out when it was opened, about the record and the machine, a sentence each.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let lanes = self.lanes.note(self.tournament.concurrency);
        let lanes = lanes.map(|note| format!("games are played {note}"));
        self.store
            .notes()
            .iter()
            .map(ToString::to_string)
            .chain(lanes)
    }

    /// Writes the tables, and says what the run has come to.
    pub fn tables(&self) -> Result<Summary, RunError> {
        let (names, placing) = (self.names(), self.placing());
        let standings = tables::write(&self.folder, &self.store, &names, placing)?;
        Ok(self.summary_of(standings))
    }

    /// What the run has come to; nothing is written.
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

    /// How far it has come.
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

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing is left to play.
    Over,
    /// It was stopped.
    Unfinished,
    /// Games are left that the arena or the machine voided.
    Void {
        /// How many.
        games: u64,
    },
}

/// What a client may ask while a run goes on.
#[derive(Debug)]
pub struct Status<'a> {
    tournament: &'a Tournament,
    /// What was counted.
    pub standings: &'a Standings,
    agenda: &'a Mutex<Agenda>,
}

impl Status<'_> {
    /// Games there will be, as far as that is known.
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

    /// No further game of these two bots is begun: what they are played for is decided.
    pub fn skip(&self, bots: [usize; 2]) {
        lock(self.agenda).pass_over(bots);
    }

    /// What the sequential test says so far, if there is one.
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

fn lock(agenda: &Mutex<Agenda>) -> MutexGuard<'_, Agenda> {
    agenda.lock().unwrap_or_else(PoisonError::into_inner)
}
