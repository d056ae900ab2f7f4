//! A game in which people play. It is a run of its own, recorded like any other run.
//!
//! One thread plays the run, and a second thread copies the events into a [`GameState`] for a page or a screen. To take
//! back a move, the run is aborted, the game up to the move is recorded as interrupted, and the run continues from this
//! record, as after a failure of the machine. A game that a person left continues in the same way.

use std::fmt;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use games::{Board, Move, Rules, Side, is_swapped, retrace};
use message::{Message, ToValue};
use protocol::{GameResult, Over, Start};
use referee::bot::{Allowance, ArenaError, Failure, Hold, Identity};
use referee::record::{Fault, GameId, GameRecord, Ply, Verdict};
use referee::{Answer, Player, Turn};
use tournament::{Contestant, Tournament};

use super::live::{Event, Watcher};
use super::lock::lock;
use super::shared_state::NewStandIn;
use super::stop::Stop;
use super::{Run, RunError, Unusable, prepare};
use crate::store::Store;

const GAME: GameId = GameId(0);
/// The longest time that the listener waits for an event.
const WAIT: Duration = Duration::from_millis(50);
/// The time between two checks for a stop request while a person thinks.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub struct HumanGame {
    folder: PathBuf,
    tournament: Tournament,
    opening: Vec<Move>,
    people: [bool; 2],
    link: Arc<Link>,
    playing: Mutex<Option<Playing>>,
}

#[derive(Debug)]
struct Playing {
    stop: Stop,
    /// The thread returns the run if the game has not ended. Its record then stays locked until the game is written.
    thread: JoinHandle<Option<Run>>,
}

#[derive(Clone, Debug)]
pub struct GameState {
    /// The half-moves after the opening.
    pub plies: Vec<Ply>,
    /// The side to move, if a person plays it.
    pub asked: Option<Side>,
    answer: Option<String>,
    pub since: Instant,
    pub over: Option<Arc<GameRecord>>,
    pub failed: Option<Message>,
    left: bool,
}

impl GameState {
    fn new() -> GameState {
        GameState {
            plies: Vec::new(),
            asked: None,
            answer: None,
            since: Instant::now(),
            over: None,
            failed: None,
            left: false,
        }
    }

    /// Changes a pair from the order of the players to the order of their current colours, black's first.
    fn by_side<T>(&self, [first, second]: [T; 2]) -> [T; 2] {
        if is_swapped(self.plies.iter().map(|ply| &ply.played)) {
            [second, first]
        } else {
            [first, second]
        }
    }

    pub fn has_ended(&self) -> bool {
        self.over.is_some() || self.failed.is_some() || self.left
    }
}

struct Link {
    state: Mutex<GameState>,
    answered: Condvar,
    changed: Box<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl Link {
    fn change(&self, change: impl FnOnce(&mut GameState)) {
        change(&mut lock(&self.state));
        (self.changed)();
    }

    /// Asks the person who plays this side for a move; with `None`, stops asking.
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

/// A person as a player. The run stops after each game, because the second game of the pair is played only on request.
#[derive(Debug)]
struct Person {
    link: Arc<Link>,
    stop: Stop,
}

impl Player for Person {
    fn start(&mut self, _: &Start, _: Hold<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let asked_at = Instant::now();
        let answer = |played| Answer {
            played,
            used: asked_at.elapsed(),
            ..Answer::default()
        };
        self.link.ask(Some(turn.board.side_to_move()));
        let Allowance { limit, margin } = turn.allowance;
        loop {
            if let Some(played) = self.link.answer(LOOK) {
                return Ok(answer(played));
            }
            if self.stop.is_requested() {
                return Err(Failure::Arena(ArenaError::Aborted));
            }
            let used = asked_at.elapsed();
            if let Some(allowed) = limit.filter(|&limit| used > limit + margin) {
                self.link.ask(None);
                return Err(Failure::Fault(Fault::OutOfTime { used, allowed }));
            }
        }
    }

    fn over(&mut self, over: &Over) {
        // If a stop is requested already, another request would abort the game before it is recorded.
        if over.result != GameResult::Void && !self.stop.is_requested() {
            self.stop.request();
        }
    }
}

pub fn introduce(
    tournament: &Tournament,
    people: [bool; 2],
    mut announce: impl FnMut(&Contestant),
) -> Result<[Identity; 2], Unusable> {
    let mut identities = [0, 1].map(|_| Identity {
        name: "a person".to_owned(),
        ..Identity::default()
    });
    for bot in (0..2).filter(|&bot| !people[bot]) {
        let contestant = &tournament.contestants[bot];
        prepare::build_all(std::slice::from_ref(contestant), &mut announce)?;
        identities[bot] = prepare::probe(contestant, tournament)?;
    }
    Ok(identities)
}

impl HumanGame {
    /// Plays the first game of `run`, or continues it. Calls `changed` after every change of the state.
    pub fn begin(
        run: Run,
        people: [bool; 2],
        changed: impl Fn() + Send + Sync + 'static,
    ) -> Result<HumanGame, RunError> {
        let tournament = run.tournament().clone();
        let game = HumanGame {
            opening: tournament.openings[0].moves.clone(),
            folder: run.folder().to_owned(),
            tournament,
            people,
            link: Arc::new(Link {
                state: Mutex::new(GameState::new()),
                answered: Condvar::new(),
                changed: Box::new(changed),
            }),
            playing: Mutex::default(),
        };
        *lock(&game.playing) = Some(game.play(run)?);
        Ok(game)
    }

    fn play(&self, mut run: Run) -> Result<Playing, RunError> {
        let stop = run.stop();
        for bot in (0..2).filter(|&bot| self.people[bot]) {
            let link = Arc::clone(&self.link);
            let person = move |stop: &Stop| -> Box<dyn Player> {
                let (link, stop) = (Arc::clone(&link), stop.clone());
                Box::new(Person { link, stop })
            };
            run.seat(bot, NewStandIn::new(person));
        }
        let (watcher, link) = (run.watch(), Arc::clone(&self.link));
        let play = move || {
            let (listening, done) = (Arc::clone(&link), run.stop());
            thread::scope(|scope| {
                scope.spawn(move || listen(&listening, watcher, &done));
                let played = run.play(|_, _| {});
                // The request to abort also ends the listener.
                run.stop().give_up();
                if let Err(error) = played.and_then(|()| run.tables().map(|_| ())) {
                    link.change(|state| state.failed = Some(error.to_message()));
                }
            });
            (!lock(&link.state).has_ended()).then_some(run)
        };
        let thread = thread::Builder::new().name("plays with a person".to_owned());
        let thread = thread.spawn(play);
        let thread = thread.map_err(RunError::system("cannot start a thread for the game"))?;
        Ok(Playing { stop, thread })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Returns the names of the players, the current black player first.
    pub fn names(&self, state: &GameState) -> [&str; 2] {
        let bots = &self.tournament.contestants;
        state.by_side([0, 1].map(|bot| bots[bot].name.as_str()))
    }

    /// Returns for each player whether it is a person, the current black player first.
    pub fn people(&self, state: &GameState) -> [bool; 2] {
        state.by_side(self.people)
    }

    pub fn opening(&self) -> &[Move] {
        &self.opening
    }

    pub fn state(&self) -> GameState {
        self.locked().clone()
    }

    fn locked(&self) -> MutexGuard<'_, GameState> {
        lock(&self.link.state)
    }

    fn moves(&self, state: &GameState) -> Vec<Move> {
        let plies = state.plies.iter().map(|ply| ply.played);
        self.opening.iter().copied().chain(plies).collect()
    }

    pub fn position(&self, state: &GameState) -> (Vec<Move>, Board) {
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

    /// Plays a move, or `resign`, for the person to move.
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
            // The bot's last half-move is not in the state yet.
            return Err(Illegal::NotAsked);
        }
        if played != "resign" {
            may_be_played(&board, played)?;
        }
        state.answer = Some(played.to_owned());
        drop(state);
        self.link.answered.notify_all();
        Ok(())
    }

    /// Returns the number of half-moves that remain after taking back a person's last move; `None`: no such move.
    pub fn taken_back(&self, state: &GameState) -> Option<usize> {
        if state.has_ended() {
            return None;
        }
        let movers = retrace(&self.tournament.game.start(), &self.moves(state)).movers;
        let (movers, people) = (&movers[self.opening.len()..], self.people(state));
        let is_theirs =
            |&ply: &usize| state.plies[ply].effort.is_some() && people[movers[ply].index()];
        (0..state.plies.len()).rev().find(is_theirs)
    }

    pub fn take_back(&self) -> Result<(), NotTakenBack> {
        // Holds the lock to the end: other requests to take back a move or to leave wait until the game continues.
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
        self.link.change(|state| {
            *state = GameState {
                plies,
                ..GameState::new()
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
                let why = error.to_message();
                self.link.change(|state| state.failed = Some(why.clone()));
                Err(NotTakenBack::Failed(why))
            }
        }
    }

    /// Ends the game; records it as interrupted if it is unfinished.
    pub fn leave(&self) -> Result<(), RunError> {
        let mut playing = lock(&self.playing);
        let run = end(playing.take());
        let state = self.state();
        if state.has_ended() {
            return Ok(());
        }
        self.link.change(|state| state.left = true);
        self.keep(run, &state.plies, "the person left").map(drop)
    }

    /// Returns the record of the game; an unfinished game is recorded as interrupted.
    pub fn record(&self) -> GameRecord {
        let state = self.locked();
        match &state.over {
            Some(record) => GameRecord::clone(record),
            None => self.interrupted(&state.plies, "it is being played"),
        }
    }

    fn interrupted(&self, plies: &[Ply], why: &'static str) -> GameRecord {
        let state = GameState {
            plies: plies.to_vec(),
            ..GameState::new()
        };
        let (why, names) = (why.into(), self.names(&state));
        GameRecord {
            opening: self.opening.clone(),
            counts: self.position(&state).1.counts(),
            plies: state.plies,
            started_unix_ms: super::unix_ms(),
            ..GameRecord::new(GAME, self.tournament.game, names, Verdict::Void { why })
        }
    }

    fn keep(&self, run: Option<Run>, plies: &[Ply], why: &'static str) -> Result<Store, RunError> {
        let store = run.map_or_else(|| Store::open(&self.folder), |run| Ok(run.into_store()));
        let mut store = store?;
        store.save(&self.interrupted(plies, why), Instant::now())?;
        store.commit()?;
        Ok(store)
    }
}

/// Aborts a run and waits for its end. Returns the run if its game has not ended.
fn end(playing: Option<Playing>) -> Option<Run> {
    let Playing { stop, thread } = playing?;
    stop.give_up();
    thread.join().ok().flatten()
}

fn listen(link: &Link, mut watcher: Watcher, done: &Stop) {
    let mut wait = WAIT;
    loop {
        match watcher.next(wait) {
            Event::Ply {
                game: GAME,
                number,
                ply,
                ..
            } => link.change(|state| {
                // A resumed game sends its earlier half-moves again.
                if number == state.plies.len() {
                    state.plies.push(ply);
                    state.since = Instant::now();
                }
            }),
            Event::Finished { record } if record.id == GAME => link.change(|state| {
                state.plies.clone_from(&record.plies);
                state.asked = None;
                state.over = Some(record);
            }),
            // Events up to the end of the run are still handled.
            Event::Tick if wait.is_zero() => return,
            Event::Tick if done.is_abort() => wait = Duration::ZERO,
            _ => {}
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    Over,
    NotAsked,
    NoSquare,
    /// The rules do not allow the move, for this reason.
    Rules(&'static str),
    /// The move loses at once, by this rule.
    Forbidden(&'static str),
}

impl Illegal {
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

fn may_be_played(board: &Board, played: &str) -> Result<(), Illegal> {
    let played: Move = played.parse().map_err(|_| Illegal::NoSquare)?;
    let (mover, mut after) = (board.side_to_move(), board.clone());
    let tried = after.play(played);
    tried.map_err(|error| Illegal::Rules(error.why))?;
    // A bot that plays a forbidden point loses at once. A person gets an error instead.
    match after.ending().filter(|end| end.winner == Some(!mover)) {
        Some(ending) if !board.legal_moves().contains(&played) => {
            Err(Illegal::Forbidden(ending.reason.word()))
        }
        _ => Ok(()),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotTakenBack {
    Nothing,
    Ended,
    Failed(Message),
}

impl NotTakenBack {
    pub fn key(&self) -> (&'static str, Option<&Message>) {
        match self {
            NotTakenBack::Nothing => ("back.nothing", None),
            NotTakenBack::Ended => ("illegal.over", None),
            NotTakenBack::Failed(why) => ("said.failed", Some(why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use games::Game;

    use super::*;

    #[test]
    fn a_refused_move_has_a_reason() {
        let board = Game::OTHELLO.start();
        assert_eq!(may_be_played(&board, "f5"), Ok(()));
        assert_eq!(may_be_played(&board, "z9"), Err(Illegal::NoSquare));
        let why = may_be_played(&board, "a1");
        assert_eq!(why, Err(Illegal::Rules("it turns over no disc")));
        // A move to h8 makes two open threes, so renju forbids it to black.
        let renju = Game::new("gomoku", Some("renju"), Some(15)).expect("a game");
        let mut rows = vec![".".repeat(15); 15];
        rows[7] = ".....XX........".to_owned();
        for row in [5, 6] {
            rows[row] = ".......X.......".to_owned();
        }
        rows[0] = "O.O.O.O........".to_owned();
        let board = renju.position(&rows, Side::Black).expect("a position");
        let why = may_be_played(&board, "h8");
        assert_eq!(why, Err(Illegal::Forbidden("double-three")));
    }
}
