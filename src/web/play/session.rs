//! A game in the page, from its start to its end: a run with people at the table.
//!
//! One thread plays the run, another listens to it; the page looks at the [`Table`]. A move that is
//! taken back ends the run without a result; the record keeps the game up to there as an interrupted
//! one, and the run goes on from it, as after a failure of the machine.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use games::{Board, Game, Move, Rules, Side};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::run::{Event, NewGuest, Person, Run, RunError, Seat, Stop, Watcher};
use crate::store::Store;
use crate::tournament::Tournament;
use crate::web::locked::lock;
use crate::web::view::GameView;
use referee::record::{GameId, GameRecord, Ply, Verdict};

/// The game of the run that is played: the first one of its only pair.
const GAME: GameId = GameId(0);
/// How long the listener waits for an event.
const WAIT: Duration = Duration::from_millis(100);

/// A game with people.
#[derive(Debug)]
pub struct Session {
    /// The name of its run's folder.
    pub id: String,
    /// The folder.
    pub folder: PathBuf,
    /// When it began here.
    pub begun: Instant,
    /// What it was begun with, for another game of the same kind.
    pub wanted: super::Wanted,
    tournament: Tournament,
    people: [bool; 2],
    opening: Vec<Move>,
    table: Arc<Table>,
    playing: Mutex<Option<Playing>>,
}

#[derive(Debug)]
struct Playing {
    stop: Stop,
    thread: JoinHandle<()>,
}

/// What the players and the page share.
#[derive(Debug)]
pub(super) struct Table {
    state: Mutex<State>,
    answered: Condvar,
    changed: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    view: GameView,
    plies: Vec<Ply>,
    /// The person who is asked.
    asked: Option<Side>,
    answer: Option<String>,
    /// Whoever is to move has been since then.
    since: Instant,
    phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    Playing,
    Over,
    /// It cannot go on.
    Failed(String),
}

impl Table {
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut lock(&self.state));
        self.changed.send_modify(|version| *version += 1);
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
        let waited = self
            .answered
            .wait_timeout_while(state, most, |state| state.answer.is_none());
        let mut state = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        let answer = state.answer.take()?;
        state.asked = None;
        Some(answer)
    }
}

impl Session {
    /// Begins to play the first game of `run`. `people` says which colours people have.
    pub(super) fn start(
        id: String,
        wanted: super::Wanted,
        run: Run,
        people: [bool; 2],
    ) -> Result<Arc<Session>, RunError> {
        let tournament = run.tournament().clone();
        let opening = tournament.openings[0].moves.clone();
        let view = view(&tournament, &opening, &[]);
        let session = Arc::new(Session {
            id,
            folder: run.folder().to_owned(),
            begun: Instant::now(),
            wanted,
            people,
            opening,
            table: Arc::new(Table {
                state: Mutex::new(State {
                    view,
                    plies: Vec::new(),
                    asked: None,
                    answer: None,
                    since: Instant::now(),
                    phase: Phase::Playing,
                }),
                answered: Condvar::new(),
                changed: watch::Sender::new(0),
            }),
            tournament,
            playing: Mutex::new(None),
        });
        session.play(run)?;
        Ok(session)
    }

    fn play(&self, mut run: Run) -> Result<(), RunError> {
        let stop = run.stop();
        for bot in (0..2).filter(|&bot| self.people[bot]) {
            let table = Arc::clone(&self.table);
            run.seat(
                bot,
                NewGuest::new(move |stop| {
                    Box::new(Person {
                        seat: Arc::clone(&table) as Arc<dyn Seat>,
                        stop: stop.clone(),
                    })
                }),
            );
        }
        let (watcher, table) = (run.watch(), Arc::clone(&self.table));
        let thread = thread::Builder::new()
            .name("plays with a person".to_owned())
            .spawn(move || {
                let listening = Arc::clone(&table);
                let done = run.stop();
                thread::scope(|scope| {
                    scope.spawn(move || listen(&listening, watcher, &done));
                    let played = run.play(|_, _| {});
                    // The listener ends with the run.
                    run.stop().give_up();
                    let failed = match played {
                        Err(error) => Some(error.to_string()),
                        Ok(()) => run.tables().err().map(|error| error.to_string()),
                    };
                    if let Some(why) = failed {
                        table.change(|state| state.phase = Phase::Failed(why));
                    }
                });
            })
            .map_err(RunError::system("the system gave no thread to play in"))?;
        *lock(&self.playing) = Some(Playing { stop, thread });
        Ok(())
    }

    /// Hears of every change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.table.changed.subscribe()
    }

    /// Whether nothing more happens in it.
    pub fn is_over(&self) -> bool {
        lock(&self.table.state).phase != Phase::Playing
    }

    /// The position now, if a person is to move in it or it is over.
    pub fn position(&self) -> Option<Board> {
        let state = lock(&self.table.state);
        let idle = state.asked.is_some() || state.phase != Phase::Playing;
        idle.then(|| state.view.board().clone())
    }

    /// All moves so far, the opening's included.
    pub fn moves(&self) -> Vec<Move> {
        let state = lock(&self.table.state);
        let played = state.plies.iter().map(|ply| ply.played);
        self.opening.iter().copied().chain(played).collect()
    }

    /// What the page shows.
    pub fn shown(&self) -> Value {
        let state = lock(&self.table.state);
        json!({
            "view": state.view,
            "people": self.people,
            "asked": state.asked.map(Side::index),
            "since_ms": state.since.elapsed().as_millis() as u64,
            "over": state.phase != Phase::Playing,
            "failed": match &state.phase {
                Phase::Failed(why) => Some(why),
                _ => None,
            },
            "can_take_back": self.taken_back(&state).is_some(),
        })
    }

    /// Plays a move for the person who is asked; the error says why it cannot be played.
    pub fn put(&self, played: &str) -> Result<(), Illegal> {
        let mut state = lock(&self.table.state);
        if state.phase != Phase::Playing {
            return Err(Illegal::Over);
        }
        if state.asked.is_none() || state.answer.is_some() {
            return Err(Illegal::NotAsked);
        }
        if played != "resign" {
            let played: Move = played.parse().map_err(|_| Illegal::NoSquare)?;
            let mut after = state.view.board().clone();
            let mover = after.side_to_move();
            after
                .play(played)
                .map_err(|error| Illegal::Rules(error.why))?;
            // A forbidden point may be played, and loses: a person is told instead.
            if let Some(ending) = after.ending().filter(|end| end.winner == Some(!mover))
                && !state.view.board().legal_moves().contains(&played)
            {
                return Err(Illegal::Forbidden(ending.reason.word()));
            }
        }
        state.answer = Some(played.to_owned());
        drop(state);
        self.table.answered.notify_all();
        Ok(())
    }

    /// How many half-moves are left when the last one of a person is taken back.
    fn taken_back(&self, state: &State) -> Option<usize> {
        if state.phase != Phase::Playing {
            return None;
        }
        let first = self.opening.len();
        let is_asked = |ply: &usize| {
            let played = state.plies[*ply].effort.is_some();
            played && self.people[(first + ply) % 2]
        };
        (0..state.plies.len()).rev().find(is_asked)
    }

    /// Takes back the last move of a person, and what came after it.
    pub fn take_back(&self) -> Result<(), String> {
        let mut playing = lock(&self.playing);
        let kept = self.taken_back(&lock(&self.table.state));
        let kept = kept.ok_or("there is nothing to take back")?;
        end(playing.take());
        let plies = {
            let state = lock(&self.table.state);
            if state.phase != Phase::Playing {
                return Err("the game has ended meanwhile".to_owned());
            }
            state.plies[..kept].to_vec()
        };
        drop(playing);
        let run = self
            .keep(&plies, "a move was taken back")
            .and_then(|()| Run::resume(self.tournament.clone(), &self.folder, Stop::new()));
        let view = view(&self.tournament, &self.opening, &plies);
        self.table.change(|state| {
            state.view = view;
            state.plies = plies;
            state.asked = None;
            state.answer = None;
            state.since = Instant::now();
        });
        let played = run.and_then(|run| self.play(run));
        played.map_err(|error| {
            let why = error.to_string();
            self.table
                .change(|state| state.phase = Phase::Failed(why.clone()));
            why
        })
    }

    /// Ends it; what was played is kept as an interrupted game.
    pub fn leave(&self) {
        end(lock(&self.playing).take());
        let plies = {
            let state = lock(&self.table.state);
            (state.phase == Phase::Playing).then(|| state.plies.clone())
        };
        if let Some(plies) = plies {
            // There is nobody left who could be told.
            let _ = self.keep(&plies, "the person left");
            self.table.change(|state| state.phase = Phase::Over);
        }
    }

    /// Records the game up to here as one that was interrupted.
    fn keep(&self, plies: &[Ply], why: &str) -> Result<(), RunError> {
        let mut board = self
            .tournament
            .game
            .after(&self.opening)
            .unwrap_or_else(|_| self.tournament.game.start());
        for ply in plies {
            let _ = board.play(ply.played);
        }
        let names: Vec<&str> = self.tournament.names().collect();
        let why = why.to_owned();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let record = GameRecord {
            opening: self.opening.clone(),
            plies: plies.to_vec(),
            counts: board.counts(),
            started_unix_ms: now.map_or(0, |time| time.as_millis() as u64),
            ..GameRecord::new(
                GAME,
                self.tournament.game,
                [names[0], names[1]],
                Verdict::Void { why },
            )
        };
        let mut store = Store::open(&self.folder)?;
        store.save(&record, Instant::now())?;
        Ok(store.commit()?)
    }
}

/// Gives a run up and waits for its end.
fn end(playing: Option<Playing>) {
    if let Some(Playing { stop, thread }) = playing {
        stop.give_up();
        let _ = thread.join();
    }
}

/// The game so far.
fn view(tournament: &Tournament, opening: &[Move], plies: &[Ply]) -> GameView {
    let bots = [0, 1].map(|bot| &tournament.contestants[bot]);
    let (names, limits) = (bots.map(|bot| bot.name.clone()), bots.map(|bot| bot.limits));
    let game: Game = tournament.game;
    let mut view = GameView::begin(GAME.0, game, names, opening, Some(limits));
    for ply in plies {
        view.add(ply, None);
    }
    view
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
                left,
            } => table.change(|state| {
                // A resumed game tells its earlier half-moves again.
                if number == state.plies.len() {
                    state.view.add(&ply, Some(left));
                    state.plies.push(ply);
                    state.since = Instant::now();
                }
            }),
            Event::Finished { record } if record.id == GAME => table.change(|state| {
                state.phase = Phase::Over;
                state.asked = None;
                state.plies.clone_from(&record.plies);
                state.view = GameView::of(&record, None);
            }),
            // What happened between that tick and the end of the run is heard, too.
            Event::Tick if wait.is_zero() => return,
            Event::Tick if done.is_abort() => wait = Duration::ZERO,
            _ => {}
        }
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The game has ended.
    Over,
    /// It is not a person's turn.
    NotAsked,
    /// There is no such square.
    NoSquare,
    /// The rules do not allow it; how they say it.
    Rules(&'static str),
    /// It would lose at once, by this rule.
    Forbidden(&'static str),
}

impl Illegal {
    /// Its key among the texts, and the rule.
    pub const fn key(self) -> (&'static str, &'static str) {
        match self {
            Illegal::Over => ("illegal.over", ""),
            Illegal::NotAsked => ("illegal.not-asked", ""),
            Illegal::NoSquare => ("illegal.no-square", ""),
            Illegal::Rules(why) => ("illegal.rules", why),
            Illegal::Forbidden(reason) => ("illegal.forbidden", reason),
        }
    }
}
