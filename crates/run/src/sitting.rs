//! A game with people at the board, from its start to its end: a run of its own, recorded like any other.
//!
//! One thread plays the run, another brings its events to the table, at which a page or a screen looks. A
//! move that is taken back gives the run up; the record keeps the game up to there as an interrupted
//! one, and the run goes on from it, as after a failure of the machine. So does a game that was left.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use games::{Board, Move, Rules, Side};

use super::illegal::{Illegal, may_be_played};
use super::locked::lock;
use super::person::{Person, Seat};
use super::{Event, NewGuest, Run, RunError, Stop, Unusable, Watcher, prepare};
use crate::store::Store;
use referee::bot::Identity;
use referee::record::{GameId, GameRecord, Ply, Verdict};
use tournament::{Contestant, Tournament};

/// The game of the run that is played: the first one of its only pair.
const GAME: GameId = GameId(0);
/// How long the listener waits for an event.
const WAIT: Duration = Duration::from_millis(50);

/// A game with people.
#[derive(Debug)]
pub struct Sitting {
    folder: PathBuf,
    tournament: Tournament,
    opening: Vec<Move>,
    people: [bool; 2],
    table: Arc<Table>,
    playing: Mutex<Option<Playing>>,
}

#[derive(Debug)]
struct Playing {
    stop: Stop,
    /// Returns the run if its game has not ended, so that the run stays locked until its record is written.
    thread: JoinHandle<Option<Run>>,
}

/// What the players and whoever looks share.
struct Table {
    state: Mutex<AtTable>,
    answered: Condvar,
    changed: Box<dyn Fn() + Send + Sync>,
}

/// A game at a moment.
#[derive(Clone, Debug)]
pub struct AtTable {
    /// Half-moves after the opening.
    pub plies: Vec<Ply>,
    /// The person who is to move.
    pub asked: Option<Side>,
    answer: Option<String>,
    /// Whoever is to move has been since then.
    pub since: Instant,
    /// The record, once it is over.
    pub over: Option<Arc<GameRecord>>,
    /// Why it cannot go on.
    pub failed: Option<String>,
    /// Whether the people have left.
    left: bool,
}

impl AtTable {
    fn new() -> AtTable {
        AtTable {
            plies: Vec::new(),
            asked: None,
            answer: None,
            since: Instant::now(),
            over: None,
            failed: None,
            left: false,
        }
    }

    /// Whether nothing more happens in it.
    pub fn has_ended(&self) -> bool {
        self.over.is_some() || self.failed.is_some() || self.left
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl Table {
    fn change(&self, change: impl FnOnce(&mut AtTable)) {
        change(&mut lock(&self.state));
        (self.changed)();
    }
}

impl Seat for Table {
    fn ask(&self, side: Option<Side>) {
        self.change(|state| {
            state.asked = side;
            state.answer = None;
        });
    }

    fn answer(&self, most: Duration) -> Option<String> {
        let state = lock(&self.state);
        let waited = (self.answered).wait_timeout_while(state, most, |at| at.answer.is_none());
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        let answer = state.answer.take()?;
        state.asked = None;
        Some(answer)
    }
}

/// Builds and greets those of the two that are bots; a person is taken as they come.
pub fn introduce(
    tournament: &Tournament,
    people: [bool; 2],
    mut announce: impl FnMut(&Contestant),
) -> Result<[Identity; 2], Unusable> {
    let mut identities = [0, 1].map(|_| Identity {
        name: "a person".to_owned(),
        version: String::new(),
    });
    for bot in (0..2).filter(|&bot| !people[bot]) {
        let contestant = &tournament.contestants[bot];
        prepare::build_all(std::slice::from_ref(contestant), &mut announce)?;
        identities[bot] = prepare::probe(contestant, tournament.game)?;
    }
    Ok(identities)
}

impl Sitting {
    /// Plays the first game of `run`, or goes on with it. `people` says which colours people have;
    /// `changed` is called after every change.
    pub fn begin(
        run: Run,
        people: [bool; 2],
        changed: impl Fn() + Send + Sync + 'static,
    ) -> Result<Sitting, RunError> {
        let tournament = run.tournament().clone();
        let sitting = Sitting {
            opening: tournament.openings[0].moves.clone(),
            folder: run.folder().to_owned(),
            tournament,
            people,
            table: Arc::new(Table {
                state: Mutex::new(AtTable::new()),
                answered: Condvar::new(),
                changed: Box::new(changed),
            }),
            playing: Mutex::default(),
        };
        *lock(&sitting.playing) = Some(sitting.play(run)?);
        Ok(sitting)
    }

    /// Plays the run in a thread of its own.
    fn play(&self, mut run: Run) -> Result<Playing, RunError> {
        let stop = run.stop();
        for bot in (0..2).filter(|&bot| self.people[bot]) {
            let table = Arc::clone(&self.table);
            let guest = move |stop: &Stop| {
                let person = Person {
                    seat: Arc::clone(&table) as Arc<dyn Seat>,
                    stop: stop.clone(),
                };
                Box::new(person) as Box<dyn referee::Player>
            };
            run.seat(bot, NewGuest::new(guest));
        }
        let (watcher, table) = (run.watch(), Arc::clone(&self.table));
        let play = move || {
            let (listening, done) = (Arc::clone(&table), run.stop());
            thread::scope(|scope| {
                scope.spawn(move || listen(&listening, watcher, &done));
                let played = run.play(|_, _| {});
                // The listener ends with the run.
                run.stop().give_up();
                if let Err(error) = played.and_then(|()| run.tables().map(|_| ())) {
                    table.change(|state| state.failed = Some(error.to_string()));
                }
            });
            (!lock(&table.state).has_ended()).then_some(run)
        };
        let thread = thread::Builder::new().name("plays with a person".to_owned());
        let thread = thread.spawn(play);
        let thread = thread.map_err(RunError::system("the system gave no thread to play in"))?;
        Ok(Playing { stop, thread })
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Who plays what.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// The names, black's first.
    pub fn names(&self) -> [&str; 2] {
        [0, 1].map(|bot| self.tournament.contestants[bot].name.as_str())
    }

    /// Which colours people have.
    pub fn people(&self) -> [bool; 2] {
        self.people
    }

    /// The moves that were given, not chosen.
    pub fn opening(&self) -> &[Move] {
        &self.opening
    }

    /// The game now.
    pub fn state(&self) -> AtTable {
        self.locked().clone()
    }

    fn locked(&self) -> MutexGuard<'_, AtTable> {
        lock(&self.table.state)
    }

    /// All moves so far, the opening's included, and the position.
    pub fn position(&self, state: &AtTable) -> (Vec<Move>, Board) {
        let mut board = self.tournament.game.start();
        let given = self.opening.iter().map(|&played| (played, true));
        let played = state.plies.iter().map(|ply| (ply.played, false));
        let put = |&(played, is_given): &(Move, bool)| {
            let put = if is_given { Board::give } else { Board::play };
            put(&mut board, played).is_ok()
        };
        let moves = given.chain(played).take_while(put);
        let moves = moves.map(|(played, _)| played).collect();
        (moves, board)
    }

    /// Plays a move, or `resign`, for the person who is asked; the error says why it cannot be played.
    pub fn put(&self, played: &str) -> Result<(), Illegal> {
        let mut state = self.locked();
        if state.has_ended() {
            return Err(Illegal::Over);
        }
        if state.asked.is_none() || state.answer.is_some() {
            return Err(Illegal::NotAsked);
        }
        let board = self.position(&state).1;
        if state.asked != Some(board.side_to_move()) {
            // The last half-move has not been heard of yet.
            return Err(Illegal::NotAsked);
        }
        if played != "resign" {
            may_be_played(&board, played)?;
        }
        state.answer = Some(played.to_owned());
        drop(state);
        self.table.answered.notify_all();
        Ok(())
    }

    /// How many half-moves are left when the last one of a person is taken back; `None`: there is none.
    pub fn taken_back(&self, state: &AtTable) -> Option<usize> {
        if state.has_ended() {
            return None;
        }
        let first = self.opening.len();
        let is_theirs =
            |&ply: &usize| state.plies[ply].effort.is_some() && self.people[(first + ply) % 2];
        (0..state.plies.len()).rev().find(is_theirs)
    }

    /// Takes back the last move of a person, and what came after it.
    pub fn take_back(&self) -> Result<(), NotTakenBack> {
        // Held to the end: another request to take back or to leave waits until the game goes on.
        let mut playing = lock(&self.playing);
        let kept = self.taken_back(&self.locked());
        let kept = kept.ok_or(NotTakenBack::Nothing)?;
        let run = end(playing.take());
        let plies = {
            let state = self.locked();
            if state.has_ended() {
                return Err(NotTakenBack::Ended);
            }
            state.plies[..kept].to_vec()
        };
        let kept = self.keep(run, &plies, "a move was taken back");
        self.table.change(|state| {
            *state = AtTable {
                plies,
                ..AtTable::new()
            };
        });
        let again = kept.and_then(|store| {
            let run = Run::with(self.tournament.clone(), &self.folder, store, Stop::new())?;
            self.play(run)
        });
        match again {
            Ok(again) => {
                *playing = Some(again);
                Ok(())
            }
            Err(error) => {
                let why = error.to_string();
                self.table.change(|state| state.failed = Some(why.clone()));
                Err(NotTakenBack::Failed(why))
            }
        }
    }

    /// Ends it; what was played of an unfinished game is kept as an interrupted one.
    pub fn leave(&self) -> Result<(), RunError> {
        let mut playing = lock(&self.playing);
        let run = end(playing.take());
        let state = self.state();
        if state.has_ended() {
            return Ok(());
        }
        self.table.change(|state| state.left = true);
        self.keep(run, &state.plies, "the person left").map(drop)
    }

    /// The game as a record: how it ended, or what has been played so far as an interrupted game.
    pub fn record(&self) -> GameRecord {
        let state = self.locked();
        match &state.over {
            Some(record) => GameRecord::clone(record),
            None => self.interrupted(&state.plies, "it is being played"),
        }
    }

    fn interrupted(&self, plies: &[Ply], why: &str) -> GameRecord {
        let state = AtTable {
            plies: plies.to_vec(),
            ..AtTable::new()
        };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let why = why.to_owned();
        GameRecord {
            opening: self.opening.clone(),
            counts: self.position(&state).1.counts(),
            plies: state.plies,
            started_unix_ms: now.map_or(0, |time| time.as_millis() as u64),
            ..GameRecord::new(
                GAME,
                self.tournament.game,
                self.names(),
                Verdict::Void { why },
            )
        }
    }

    /// Records the game up to here as one that was interrupted; returns the record of the run.
    fn keep(&self, run: Option<Run>, plies: &[Ply], why: &str) -> Result<Store, RunError> {
        let store = run.map_or_else(|| Store::open(&self.folder), |run| Ok(run.into_store()));
        let mut store = store?;
        store.save(&self.interrupted(plies, why), Instant::now())?;
        store.commit()?;
        Ok(store)
    }
}

/// Gives a run up and waits for its end; returns it if its game has not ended.
fn end(playing: Option<Playing>) -> Option<Run> {
    let Playing { stop, thread } = playing?;
    stop.give_up();
    thread.join().ok().flatten()
}

/// Brings what happens in a run to the table, until the run has ended.
fn listen(table: &Table, mut watcher: Watcher, done: &Stop) {
    let mut wait = WAIT;
    loop {
        match watcher.next(wait) {
            Event::Ply {
                game: GAME,
                number,
                ply,
                ..
            } => table.change(|state| {
                // A resumed game tells its earlier half-moves again.
                if number == state.plies.len() {
                    state.plies.push(ply);
                    state.since = Instant::now();
                }
            }),
            Event::Finished { record } if record.id == GAME => table.change(|state| {
                state.plies.clone_from(&record.plies);
                state.asked = None;
                state.over = Some(record);
            }),
            // What happened between that tick and the end of the run is heard, too.
            Event::Tick if wait.is_zero() => return,
            Event::Tick if done.is_abort() => wait = Duration::ZERO,
            _ => {}
        }
    }
}

/// Why nothing is taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotTakenBack {
    /// No person has moved.
    Nothing,
    /// The game has ended.
    Ended,
    /// The run cannot go on.
    Failed(String),
}

impl NotTakenBack {
    /// Its key among the texts, and what failed.
    pub fn key(&self) -> (&'static str, &str) {
        match self {
            NotTakenBack::Nothing => ("back.nothing", ""),
            NotTakenBack::Ended => ("illegal.over", ""),
            NotTakenBack::Failed(why) => ("said.failed", why),
        }
    }
}
