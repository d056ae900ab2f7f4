//! A run: games of a tournament, played and recorded.
//!
//! [`Run::begin`] starts a new run in its own folder, [`Run::resume`] continues a stopped run, and [`Run::only`] limits
//! a run to a block of pairs. [`Run::play`] plays the remaining games: workers play, one loop saves and counts, and the
//! caller receives every finished game. [`Run::watch`] returns a watcher, for a page or a screen, which receives every
//! [`Event`] without delaying a game. [`Run::stop`] returns the [`Stop`] of this run, which stops no other run.

pub mod failures;
// Both this package and the server compile the templates of pages, which call functions by `run::`.
extern crate self as run;

mod file;
mod human;
mod live;
mod lock;
mod pool;
mod prepare;
pub mod report;
mod shared_state;
mod slots;
mod stop;
pub mod store;
mod workers;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime};

use crate::report::page::About;
use crate::report::{GoalLine, Standings, Summary, TuningLine, tables, tuning};
use crate::store::{Store, StoreError};
use message::number::rounded;
use message::{Message, ToValue, message};
use referee::Limits;
use referee::record::{GameId, GameRecord, Outcome};
use tournament::{Agenda, Places, Problem, Stopping, Tournament, Yardstick};

pub use file::{NewFolder, RunFile, StagesFile, create_folder, exists, free_folder};
pub use human::{GameState, HumanGame, Illegal, NotTakenBack, introduce};
pub use live::{Event, Watcher};
pub use prepare::{
    Unusable, build, build_all, probe, probe_all, probe_planned, settle, settled, shared_users,
};
pub use shared_state::{Concurrency, NewStandIn};
pub use stop::Stop;
pub use workers::cores;

use live::Watchers;
use lock::lock;
use shared_state::Shared;
use stop::Gate;

#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    store: Store,
    standings: Standings,
    shared: Shared,
    followed: Followed,
}

#[derive(Debug, Default)]
struct Followed {
    state: Option<i64>,
    /// The reported void games with the checksums of their records. If a checksum changes, the game was played again.
    void: BTreeMap<GameId, i64>,
}

pub fn conditions(tournament: &Tournament) -> Message {
    let conditions = tournament.conditions();
    if conditions.is_empty() {
        return message!("{}.", tournament.game);
    }
    message!("{}, {}.", tournament.game, Message::enumeration(conditions))
}

impl Run {
    pub fn begin(
        tournament: Tournament,
        file: &RunFile,
        folder: &Path,
        stop: Stop,
    ) -> Result<Run, RunError> {
        file.write(folder)?;
        Run::resume(tournament, folder, stop)
    }

    pub fn resume(tournament: Tournament, folder: &Path, stop: Stop) -> Result<Run, RunError> {
        Run::with(tournament, folder, Store::open(folder)?, stop)
    }

    /// Opens a run whose record is `store`. The messages of failed games are written to `folder`.
    pub fn with(
        mut tournament: Tournament,
        folder: &Path,
        store: Store,
        stop: Stop,
    ) -> Result<Run, RunError> {
        keep_folders(&mut tournament, folder)
            .map_err(RunError::system("a bot's folder cannot be made"))?;
        let room = host::room_for_processes();
        Run::of(tournament, folder, store, stop, room, check)
    }

    fn into_store(self) -> Store {
        self.store
    }

    /// Opens a run for reading: the run can make tables, but play no game.
    pub fn read(tournament: Tournament, folder: &Path) -> Result<Run, RunError> {
        let store = Store::read(folder)?;
        store.check()?;
        Run::of(tournament, folder, store, Stop::new(), None, check)
    }

    /// Opens a run for reading and writes its tables. Does not check the record, which this process has just written.
    pub fn read_new(tournament: Tournament, folder: &Path) -> Result<(Run, Summary), RunError> {
        let (store, stop) = (Store::read(folder)?, Stop::new());
        let (empty, limits) = (standings_of(&tournament), limits_of(&tournament));
        let mut tables = tables::Tables::begin(folder, empty, limits)?;
        let see = |_: &_, _: &_, record| Ok(tables.add(record)?);
        let run = Run::of(tournament, folder, store, stop, None, see)?;
        let standings = tables.end(run.placing(), run.status().goal().as_ref(), |standings| {
            run.about(standings)
        })?;
        let summary = run.summary_of(standings);
        Ok((run, summary))
    }

    /// Opens a run. Calls `see` with every recorded game, the tournament, and the agenda with the games up to this one.
    fn of(
        mut tournament: Tournament,
        folder: &Path,
        store: Store,
        stop: Stop,
        room: Option<usize>,
        mut see: impl FnMut(&Tournament, &Agenda, GameRecord) -> Result<(), RunError>,
    ) -> Result<Run, RunError> {
        let (wanted, bots) = (tournament.concurrency, tournament.contestants.len());
        let concurrency = Concurrency::of(wanted, bots, room);
        let free_mib = room.and_then(|_| host::free_memory_mib());
        let untrusted = tournament
            .contestants
            .iter()
            .filter(|bot| !bot.is_reference);
        let concurrency = concurrency.within(untrusted, free_mib);
        let there = match tournament.core_list.len() {
            0 => host::allowed_cores().len(),
            listed => listed,
        };
        // Limits the cores of each bot, because a bot that requests many cores would leave none for other games.
        let most = (there / (concurrency.workers * tournament.thinkers())).max(1);
        for bot in &mut tournament.contestants {
            bot.cores = bot.cores.min(most);
        }
        let cores = tournament.pin.then(|| tournament.cores_a_bot());
        for bot in &mut tournament.contestants {
            bot.launch.process_group = stop.bots();
            bot.launch.hide(folder);
            bot.launch.cores = cores;
        }
        let mut agenda = Agenda::new(&tournament);
        let mut standings = standings_of(&tournament);
        let mut interrupted = BTreeMap::new();
        store.each(|record| -> Result<(), RunError> {
            let (players, outcome) = record.scheduled();
            agenda.restore(record.id, players, outcome, record.fingerprint())?;
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
        let price = standings.price();
        Ok(Run {
            followed: Followed::default(),
            folder: folder.to_owned(),
            store,
            standings,
            shared: Shared {
                stand_ins: tournament.contestants.iter().map(|_| None).collect(),
                tournament,
                agenda: Mutex::new(agenda),
                concurrency,
                stop,
                has_panicked: AtomicBool::new(false),
                watchers: Watchers::of(concurrency.workers),
                interrupted,
                gate: Gate::default(),
                warnings: Mutex::default(),
                price: Mutex::new(price),
                text_left: Mutex::new(shared_state::MOST_BYTES),
                evidence_left: Mutex::new(shared_state::MOST_BYTES),
            },
        })
    }

    /// Limits the run to these pairs, counted from 0: a block of a plan. Fails if pairings depend on results.
    pub fn only(&mut self, pairs: Range<u64>) -> Result<(), RunError> {
        Ok(self.shared.agenda().keep_to(pairs)?)
    }

    pub fn choose(&mut self, games: BTreeSet<GameId>) -> Result<(), RunError> {
        Ok(self.shared.agenda().choose(games)?)
    }

    /// Withdraws the games of these bots that have not been played.
    pub fn withdraw(&mut self, bots: &BTreeSet<usize>) -> Result<(), RunError> {
        Ok(self.shared.agenda().withdraw(bots)?)
    }

    /// Calls `may` before the first game of each pair, perhaps from several workers at once. False stops the run.
    pub fn ask_before_pairs(&mut self, may: impl Fn() -> bool + Send + Sync + 'static) {
        self.shared.gate = Gate::new(may);
    }

    pub fn seat(&mut self, bot: usize, stand_in: NewStandIn) {
        self.shared.stand_ins[bot] = Some(stand_in);
    }

    pub fn stop(&self) -> Stop {
        self.shared.stop.clone()
    }

    pub fn watch(&mut self) -> Watcher {
        self.shared.watchers.add()
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn tournament(&self) -> &Tournament {
        &self.shared.tournament
    }

    pub fn status(&self) -> Status<'_> {
        Status {
            standings: &self.standings,
            shared: &self.shared,
        }
    }

    /// Calls `take` with every game of the record, in the order of their numbers.
    pub fn each(&self, mut take: impl FnMut(&GameRecord)) -> Result<(), RunError> {
        self.store.each(|record| {
            take(&record);
            Ok(())
        })
    }

    /// Reads and counts the games that another arena has committed since the last call, in the order of their numbers.
    /// Void games are not counted. Calls `on` with each game that was read. Returns whether the record has changed.
    pub fn catch_up(&mut self, mut on: impl FnMut(&GameRecord)) -> Result<bool, RunError> {
        let state = Some(self.store.state()?);
        if state == self.followed.state {
            return Ok(false);
        }
        for (id, sum) in self.store.sums(GameId(0), usize::MAX)? {
            let is_counted = self.shared.agenda().result(id).is_some();
            if is_counted || self.followed.void.get(&id) == Some(&sum) {
                continue;
            }
            let Some(record) = self.store.game(id)? else {
                continue;
            };
            let (players, outcome) = record.scheduled();
            if outcome == Outcome::Void {
                self.followed.void.insert(id, sum);
            } else {
                let mut agenda = self.shared.agenda();
                agenda.restore(id, players, outcome, record.fingerprint())?;
                drop(agenda);
                self.standings.add(&record);
            }
            on(&record);
        }
        self.followed.state = state;
        Ok(true)
    }

    /// Plays until no game is left, a stop is requested, or the record fails. Saves each game before calling `on`.
    pub fn play(&mut self, mut on: impl FnMut(&Event, &Status<'_>)) -> Result<(), RunError> {
        let Run {
            folder,
            store,
            standings,
            shared,
            ..
        } = self;
        // An earlier session may have spent the budget already.
        shared.pay(0.0);
        let mut without = Vec::new();
        let played = workers::play(shared, |heard| {
            let (event, saved) = match heard {
                None => (Event::Tick, store.commit_if_due(Instant::now())),
                Some(finished) => {
                    // If the disk is full, the game counts without its messages.
                    let kept = finished.keep(folder, &shared.tournament);
                    let record = Arc::clone(&finished.record);
                    let saved = store.save(&record, Instant::now());
                    standings.add(&record);
                    let event = Event::Finished { record };
                    shared.watchers.send(&event);
                    if kept.is_err() {
                        without.push(finished);
                        kept?;
                    }
                    (event, saved)
                }
            };
            saved?;
            on(&event, &Status { standings, shared });
            Ok(())
        });
        // The bots have ended. If they had filled the disk, the games and messages that had no room have room now:
        // otherwise, a bot could have each game that it loses played again.
        let committed = self.store.commit();
        for finished in without {
            let _ = finished.keep(&self.folder, &self.shared.tournament);
        }
        played?;
        Ok(committed?)
    }

    pub fn notes(&self) -> impl Iterator<Item = Message> {
        let fewer = self.shared.concurrency.note(self.tournament().concurrency);
        let fewer = fewer.map(|note| message!("games are played {note}"));
        self.store
            .notes()
            .iter()
            .map(ToValue::to_message)
            .chain(fewer)
    }

    /// Returns the warnings after a run: bots that ended badly, files of bots that have changed, and a spent budget.
    pub fn warnings(&self) -> Vec<Message> {
        let warnings = lock(&self.shared.warnings).clone();
        let file = RunFile::read(&self.folder);
        let changed = file.iter().flat_map(RunFile::changed_files);
        let changed = changed.map(|file| {
            let file = file.display();
            message!("{file} has changed since the run began: its games are not comparable")
        });
        let (budget, price) = (self.tournament().budget, self.standings.price());
        let spent = budget.filter(|&budget| price >= budget && self.state() != RunState::Over);
        let spent = spent.map(|budget| {
            let (price, file) = (rounded(price, 6), self.folder.join("run.toml"));
            let file = file.display();
            message!(
                "the bots have spent {price} of the budget of {budget}, so no further game begins; to continue, \
                 write a larger budget in {file} and resume the run"
            )
        });
        warnings.into_iter().chain(changed).chain(spent).collect()
    }

    pub fn tables(&self) -> Result<Summary, RunError> {
        let (empty, placing) = (standings_of(self.tournament()), self.placing());
        let (folder, goal) = (&self.folder, self.status().goal());
        let about = |standings: &Standings| self.about(standings);
        let mut tables = tables::Tables::begin(folder, empty, limits_of(self.tournament()))?;
        self.store.each(|record| tables.add(record))?;
        let standings = tables.end(placing, goal.as_ref(), about)?;
        if let Some(tuning) = self.tuning(&standings) {
            tuning.write(&self.folder)?;
        }
        Ok(self.summary_of(standings))
    }

    pub fn summary(&self) -> Result<Summary, RunError> {
        let (empty, placing) = (standings_of(self.tournament()), self.placing());
        let goal = self.status().goal();
        let standings = tables::count(&self.store, empty, placing, goal.as_ref())?;
        Ok(self.summary_of(standings))
    }

    fn summary_of(&self, standings: Standings) -> Summary {
        Summary {
            goal: self.status().goal(),
            tuning: self.tuning(&standings),
            until: self.tournament().yardstick.as_ref().map(Yardstick::until),
            ponder: self.tournament().ponder,
            standings,
        }
    }

    fn tuning(&self, standings: &Standings) -> Option<TuningLine> {
        let tuner = self.shared.agenda().tuner().cloned()?;
        Some(TuningLine::new(tuner, standings))
    }

    fn about(&self, standings: &Standings) -> About {
        let tournament = self.tournament();
        About {
            title: tournament.name.clone(),
            conditions: conditions(tournament),
            goal: self.status().goal(),
            tuning: self.tuning(standings),
        }
    }

    fn placing(&self) -> Option<Places> {
        self.shared.agenda().places()
    }

    pub fn state(&self) -> RunState {
        let void = self.standings.void();
        match (self.shared.agenda().is_over(), void) {
            (true, _) => RunState::Over,
            // Games that a stop interrupted are no failure.
            (false, _) if self.shared.stop.is_requested() => RunState::Unfinished,
            (false, 0) => RunState::Unfinished,
            (false, games) => RunState::Void { games },
        }
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "`Run::of` gives every game away"
)]
fn check(tournament: &Tournament, agenda: &Agenda, record: GameRecord) -> Result<(), RunError> {
    let checked = agenda.check(tournament, &record);
    let help =
        "restore the tournament, its openings and the record as they were, or begin a new run";
    Ok(checked.map_err(|problem| problem.help(help))?)
}

fn keep_folders(tournament: &mut Tournament, run: &Path) -> io::Result<()> {
    let bots = tournament.contestants.iter_mut();
    for bot in bots.filter(|bot| bot.launch.asks.keep_folder) {
        let folder = std::path::absolute(run.join("kept").join(&bot.name))?;
        fs::create_dir_all(&folder)?;
        bot.launch.keep(folder);
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    Over,
    Unfinished,
    /// Only void games are left: the arena or the machine failed.
    Void {
        games: u64,
    },
}

#[derive(Debug)]
pub struct Status<'a> {
    pub standings: &'a Standings,
    shared: &'a Shared,
}

impl Status<'_> {
    pub fn games(&self) -> u64 {
        self.shared.agenda().games()
    }

    pub fn played(&self) -> u64 {
        self.shared.agenda().played()
    }

    pub fn may_end_early(&self) -> bool {
        let agenda = self.shared.agenda();
        agenda.stopping().is_some() || agenda.is_rating()
    }

    pub fn has_decided(&self) -> bool {
        let agenda = self.shared.agenda();
        agenda.stopping().is_some_and(Stopping::is_over)
    }

    pub fn skip(&self, bots: [usize; 2]) {
        self.shared.agenda().pass_over(bots);
    }

    pub fn headline(&self) -> String {
        let tuning = self.shared.agenda().tuner().map(tuning::headline);
        let goal = || self.goal().map(|goal| goal.headline());
        let result = tuning.or_else(goal);
        result.unwrap_or_else(|| report::headline(self.standings))
    }

    pub fn has_goal(&self) -> bool {
        self.shared.tournament.goal.is_some()
    }

    pub fn goal(&self) -> Option<GoalLine> {
        goal_of(&self.shared.tournament, &self.shared.agenda())
    }
}

pub fn goal_of(tournament: &Tournament, agenda: &Agenda) -> Option<GoalLine> {
    let stopping = agenda.stopping()?;
    let name = |bot: usize| tournament.contestants[bot].name.clone();
    let beyond = if stopping.is_over() {
        agenda.played().saturating_sub(stopping.games())
    } else {
        0
    };
    let laps = tournament.openings_a_lap();
    Some(GoalLine {
        names: [name(0), name(1)],
        goal: *stopping.goal(),
        pairs: stopping.pairs(),
        left: agenda.games().saturating_sub(stopping.games()),
        beyond,
        unscored: stopping.unscored(),
        repeated: stopping.repeated(),
        exhausted: stopping.is_exhausted().then_some(laps),
    })
}

fn limits_of(tournament: &Tournament) -> HashMap<String, Limits> {
    let bots = tournament.contestants.iter();
    bots.map(|bot| (bot.name.clone(), bot.limits)).collect()
}

fn standings_of(tournament: &Tournament) -> Standings {
    let mut standings = Standings::new(tournament.names());
    standings.anchor(&tournament.anchors);
    standings
}

#[derive(Debug, thiserror::Error, message::Message)]
pub enum RunError {
    #[error("{}", .0.what)]
    Input(Box<Problem>),
    #[error(transparent)]
    Bot(Box<Unusable>),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Table(#[from] tables::TableError),
    #[error("{what}: {source}")]
    System { what: Message, source: io::Error },
    /// A thread that plays games panicked, which is a defect of the arena.
    #[error(
        "the arena failed in a game, which is a defect of the arena: {what}; all finished games are saved, \
         and arena resume plays the others"
    )]
    Panic { what: String },
}

impl RunError {
    pub fn system(what: impl Into<Message>) -> impl FnOnce(io::Error) -> RunError {
        let what = what.into();
        |source| RunError::System { what, source }
    }

    pub fn panic(panic: &(dyn Any + Send)) -> RunError {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref().copied());
        RunError::Panic {
            what: text.unwrap_or("a panic without a message").to_owned(),
        }
    }
}

impl From<Problem> for RunError {
    fn from(problem: Problem) -> RunError {
        RunError::Input(Box::new(problem))
    }
}

impl From<Unusable> for RunError {
    fn from(error: Unusable) -> RunError {
        RunError::Bot(Box::new(error))
    }
}

pub fn unix_ms() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |time| time.as_millis() as u64)
}
