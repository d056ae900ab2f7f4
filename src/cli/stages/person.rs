//! A person who defends stages: prints the board on standard error, and reads squares from standard input.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use games::{Board, Move, Rules};
use message::{Message, message};
use protocol::{Over, Start};

use crate::cli::CliError;
use crate::stages::{Attempt, Stage};
use referee::bot::{ArenaError, Failure, Hold};
use referee::record::Verdict;
use referee::{Answer, Player, Turn};
use run::{RunError, Stop};

/// Delays a person's next stage until the end of the previous stage has been shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Handoff(Arc<(Mutex<Passed>, Condvar)>);

#[derive(Debug, Default)]
struct Passed {
    ended: usize,
    shown: usize,
}

impl Handoff {
    pub fn open(&self, shown: usize) {
        let mut passed = self.passed();
        passed.shown = shown;
        // Stages that were played before a resume count as shown.
        passed.ended = passed.ended.max(shown);
        self.0.1.notify_all();
    }

    fn passed(&self) -> MutexGuard<'_, Passed> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self) {
        self.passed().ended += 1;
    }

    fn wait(&self, stop: &Stop) {
        let mut passed = self.passed();
        while passed.shown < passed.ended && !stop.is_requested() {
            let woken = self.0.1.wait_timeout(passed, POLL);
            passed = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

struct Person {
    stop: Stop,
    handoff: Handoff,
}

pub(super) fn new(stop: &Stop, handoff: &Handoff) -> Box<dyn Player> {
    Box::new(Person {
        stop: stop.clone(),
        handoff: handoff.clone(),
    })
}

impl Player for Person {
    fn start(&mut self, start: &Start, _: Hold<'_>) -> Result<(), Failure> {
        self.handoff.wait(&self.stop);
        say!(
            "\nyou play {} ({}); q gives up\n",
            start.you,
            start.you.symbol()
        );
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let asked_at = Instant::now();
        say!("{}", turn.board);
        if let Some(played) = turn.moves.last() {
            let other = !turn.board.side_to_move();
            say!("{other} played {played}");
        }
        echo!("");
        Ok(Answer {
            played: ask(turn, &self.stop)?,
            used: asked_at.elapsed(),
            ..Answer::default()
        })
    }

    // Prints nothing: the last board is not known here, so `show_end` prints it.
    fn over(&mut self, over: &Over) {
        if over.result != protocol::GameResult::Void {
            self.handoff.ended();
        }
    }
}

/// Prints the last board and how the stage ended. `attacks`: whether the person had to solve the stage.
pub(super) fn show_end(stage: &Stage, attempt: &Attempt, attacks: bool) {
    let ending = if attacks {
        solved(stage, attempt)
    } else {
        ending(stage, attempt)
    };
    say!("{}\n{ending}\n", attempt.board(stage));
}

fn solved(stage: &Stage, attempt: &Attempt) -> Message {
    match attempt.remark(stage) {
        Some(why) if attempt.is_void() => message!("this stage does not count: {why}"),
        Some(why) if !attempt.is_passed() => message!("you did not solve this stage: {why}"),
        _ => "you solved this stage".into(),
    }
}

fn ending(stage: &Stage, attempt: &Attempt) -> Message {
    match attempt.remark(stage) {
        None if !matches!(stage.board, Board::Gomoku(_)) => "you lost this stage".into(),
        None => {
            let five = attempt.plies.last().map(|ply| ply.played.to_string());
            let five = five.unwrap_or_default();
            let side = stage.attacker();
            message!("{side} made five with {five}: you lost this stage")
        }
        Some(why) if attempt.is_void() => message!("this stage does not count: {why}"),
        Some(_) if attempt.verdict == Verdict::Resigned(!stage.attacker()) => {
            "you gave this stage up".into()
        }
        Some(why) if attempt.is_passed() => message!("you lost this stage: {why}"),
        Some(why) => message!("you defended this stage: {why}"),
    }
}

const POLL: Duration = Duration::from_millis(50);

/// The lines of the input. A separate thread reads them, because a read cannot be interrupted.
static LINES: OnceLock<Mutex<Receiver<String>>> = OnceLock::new();

/// Starts the thread that reads the input. Call it before a person plays: `line` panics without it.
pub(super) fn listen() -> Result<(), CliError> {
    let (sender, lines) = channel();
    let started = thread::Builder::new().spawn(move || {
        let typed = io::stdin().lines().map_while(Result::ok);
        for line in typed {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let what = "cannot start a thread for the keyboard";
    started.map_err(RunError::system(what))?;
    let _ = LINES.set(Mutex::new(lines));
    Ok(())
}

enum Typed {
    Line(String),
    End,
}

fn line(stop: &Stop) -> Result<Typed, ArenaError> {
    let lines = LINES.get().expect("the input is read");
    let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        match lines.recv_timeout(POLL) {
            Ok(line) => return Ok(Typed::Line(line)),
            Err(RecvTimeoutError::Disconnected) => return Ok(Typed::End),
            Err(RecvTimeoutError::Timeout) if stop.is_requested() => {
                return Err(ArenaError::Aborted);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Asks until the answer is a legal square or the person resigns. The end of the input counts as resigning.
fn ask(turn: &Turn<'_>, stop: &Stop) -> Result<String, ArenaError> {
    loop {
        say!("your move, such as h8:");
        let Typed::Line(line) = line(stop)? else {
            return Ok("resign".to_owned());
        };
        match line.trim() {
            "" => {}
            "q" | "quit" | "resign" => return Ok("resign".to_owned()),
            text => match text.to_lowercase().parse::<Move>() {
                Ok(Move::Place(square)) if turn.legal.contains(&square) => {
                    return Ok(square.to_string());
                }
                Ok(played) => say!("{played} cannot be played here"),
                Err(error) => say!("{error}"),
            },
        }
    }
}
