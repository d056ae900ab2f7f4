//! A game with a person, from its start to its end.
//!
//! One thread plays the run, another brings its events to the [`Table`], at which the screen looks. A
//! move that is taken back gives the run up; the record keeps the game up to there as an interrupted
//! one, and the run goes on from it, as after a failure of the machine.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use games::{Board, Move, Rules, Side};

use crate::run::{Event, NewGuest, Person, Run, RunError, Seat, Stop, Watcher};
use crate::store::Store;
use crate::tournament::Tournament;
use referee::record::{GameId, GameRecord, Ply, Verdict};

/// The game of the run that is played: the first one of its only pair.
const GAME: GameId = GameId(0);
/// How long the listener waits for an event.
const WAIT: Duration = Duration::from_millis(50);

/// What the players and the screen share.
#[derive(Debug)]
pub(super) struct Table {
    state: Mutex<State>,
    answered: Condvar,
}

/// A game at a moment.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Half-moves after the opening.
    pub plies: Vec<Ply>,
    /// Whether the person is to move.
    pub asked: bool,
    answer: Option<String>,
    /// Whoever is to move has been since then.
    pub since: Instant,
    /// The record, once it is over.
    pub over: Option<Arc<GameRecord>>,
    /// What the arena failed of.
    pub failed: Option<String>,
}

impl Table {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat for Table {
    fn ask(&self, side: Option<Side>) {
        let mut state = self.state();
        state.asked = side.is_some();
        state.answer = None;
    }

    fn answer(&self, most: Duration) -> Option<String> {
        let waited =
            (self.answered).wait_timeout_while(self.state(), most, |state| state.answer.is_none());
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        let answer = state.answer.take()?;
        state.asked = false;
        state.since = Instant::now();
        Some(answer)
    }
}

/// A game with a person.
#[derive(Debug)]
pub struct Session {
    tournament: Tournament,
    folder: std::path::PathBuf,
    /// The bot's number that is a person.
    person: usize,
    opening: Vec<Move>,
    table: Arc<Table>,
    playing: Option<(Stop, JoinHandle<()>)>,
}

impl Session {
    /// Begins the first game of `run`, in which a person plays instead of bot number `person`.
    pub fn begin(run: Run, person: usize) -> Result<Session, RunError> {
        let tournament = run.tournament().clone();
        let state = State {
            plies: Vec::new(),
            asked: false,
            answer: None,
            since: Instant::now(),
            over: None,
            failed: None,
        };
        let mut session = Session {
            opening: tournament.openings[0].moves.clone(),
            folder: run.folder().to_owned(),
            tournament,
            person,
            table: Arc::new(Table {
                state: Mutex::new(state),
                answered: Condvar::new(),
            }),
            playing: None,
        };
        session.play(run)?;
        Ok(session)
    }

    fn play(&mut self, mut run: Run) -> Result<(), RunError> {
        let stop = run.stop();
        let table = Arc::clone(&self.table);
        let guest = move |stop: &Stop| {
            let person = Person {
                seat: Arc::clone(&table) as Arc<dyn Seat>,
                stop: stop.clone(),
            };
            Box::new(person) as Box<dyn referee::Player>
        };
        run.seat(self.person, NewGuest::new(guest));
        let (watcher, table) = (run.watch(), Arc::clone(&self.table));
        let play = move || {
            let (listening, done) = (Arc::clone(&table), run.stop());
            thread::scope(|scope| {
                scope.spawn(move || listen(&listening, watcher, &done));
                let played = run.play(|_, _| {}).and_then(|()| {
                    let over = table.state().over.is_some();
                    if over {
                        run.tables().map(|_| ())
                    } else {
                        Ok(())
                    }
                });
                if let Err(error) = played {
                    table.state().failed = Some(error.to_string());
                }
                // The listener ends with the run.
                run.stop().give_up();
            });
        };
        let thread = thread::Builder::new().name("plays with a person".to_owned());
        let thread = thread.spawn(play);
        let thread = thread.map_err(RunError::system("the system gave no thread to play in"))?;
        self.playing = Some((stop, thread));
        Ok(())
    }

    /// The names, black's first.
    pub(super) fn names(&self) -> [&str; 2] {
        [0, 1].map(|bot| self.tournament.contestants[bot].name.as_str())
    }

    /// The person's side.
    pub(super) fn side(&self) -> Side {
        Side::BOTH[self.person]
    }

    /// The game now.
    pub(super) fn state(&self) -> State {
        self.table.state().clone()
    }

    /// All moves so far, the opening's included, and the position.
    pub(super) fn position(&self, state: &State) -> (Vec<Move>, Board) {
        let played = state.plies.iter().map(|ply| ply.played);
        let moves: Vec<Move> = self.opening.iter().copied().chain(played).collect();
        let mut board = self.tournament.game.start();
        for (index, &played) in moves.iter().enumerate() {
            let put = if index < self.opening.len() {
                Board::give
            } else {
                Board::play
            };
            if put(&mut board, played).is_err() {
                break;
            }
        }
        (moves, board)
    }

    /// The folder of the run.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    /// The record, if the game is over.
    pub fn record(&self) -> Option<Arc<GameRecord>> {
        self.table.state().over.clone()
    }

    /// Sends the person's move, or `resign`.
    pub(super) fn answer(&self, played: &str) {
        let mut state = self.table.state();
        if state.asked && state.over.is_none() {
            state.answer = Some(played.to_owned());
            self.table.answered.notify_all();
        }
    }

    /// Takes back the last move of the person, and what came after it; the error says why not.
    pub(super) fn take_back(&mut self) -> Result<(), String> {
        let kept = {
            let state = self.table.state();
            if state.over.is_some() {
                return Err("the game is over".to_owned());
            }
            let first = self.opening.len();
            let is_theirs = |ply: &usize| {
                state.plies[*ply].effort.is_some() && (first + ply) % 2 == self.person
            };
            let last = (0..state.plies.len()).rev().find(is_theirs);
            last.ok_or("there is no move of yours to take back")?
        };
        self.end();
        let plies = {
            let mut state = self.table.state();
            if state.over.is_some() {
                return Err("the game has ended meanwhile".to_owned());
            }
            state.plies.truncate(kept);
            state.asked = false;
            state.answer = None;
            state.since = Instant::now();
            state.plies.clone()
        };
        let again = self.keep(&plies, "a move was taken back").and_then(|()| {
            let run = Run::resume(self.tournament.clone(), &self.folder, Stop::new())?;
            self.play(run)
        });
        again.map_err(|error| {
            let why = error.to_string();
            self.table.state().failed = Some(why.clone());
            why
        })
    }

    /// Ends it. What was played of an unfinished game is kept as an interrupted one.
    pub fn leave(mut self) -> Result<(), RunError> {
        self.end();
        let state = self.state();
        if state.over.is_none() {
            self.keep(&state.plies, "the person left")?;
        }
        Ok(())
    }

    fn end(&mut self) {
        if let Some((stop, thread)) = self.playing.take() {
            stop.give_up();
            let _ = thread.join();
        }
    }

    /// Records the game up to here as one that was interrupted.
    fn keep(&self, plies: &[Ply], why: &str) -> Result<(), RunError> {
        let state = State {
            plies: plies.to_vec(),
            ..self.state()
        };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let verdict = Verdict::Void {
            why: why.to_owned(),
        };
        let record = GameRecord {
            opening: self.opening.clone(),
            counts: self.position(&state).1.counts(),
            plies: state.plies,
            started_unix_ms: now.map_or(0, |time| time.as_millis() as u64),
            ..GameRecord::new(GAME, self.tournament.game, self.names(), verdict)
        };
        let mut store = Store::open(&self.folder)?;
        store.save(&record, Instant::now())?;
        Ok(store.commit()?)
    }
}

/// Brings what happens in a run to the table, until the run has ended.
fn listen(table: &Table, mut watcher: Watcher, done: &Stop) {
    loop {
        match watcher.next(WAIT) {
            Event::Ply {
                game: GAME,
                number,
                ply,
                ..
            } => {
                let mut state = table.state();
                // A resumed game tells its earlier half-moves again.
                if number == state.plies.len() {
                    state.plies.push(ply);
                    state.since = Instant::now();
                }
            }
            Event::Finished { record } if record.id == GAME => {
                let mut state = table.state();
                if !matches!(record.verdict, Verdict::Void { .. }) {
                    state.plies.clone_from(&record.plies);
                    state.asked = false;
                    state.over = Some(record);
                }
            }
            Event::Tick if done.is_abort() => return,
            _ => {}
        }
    }
}

#[cfg(test)]
impl State {
    /// A game before its first move.
    pub fn for_tests(asked: bool) -> State {
        State {
            plies: Vec::new(),
            asked,
            answer: None,
            since: Instant::now(),
            over: None,
            failed: None,
        }
    }
}
