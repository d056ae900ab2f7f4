//! A person who defends: the board on standard error, a square from standard input.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use games::{Move, Side};
use protocol::{Over, Start};

use crate::cli::play::STOP;
use crate::stages::{Attempt, Stage};
use referee::bot::Failure;
use referee::record::{Verdict, harmless};
use referee::{Answer, Player, Turn};

/// Whoever sits at the terminal.
struct Person;

/// A person for one stage.
pub(super) fn new() -> Box<dyn Player> {
    Box::new(Person)
}

impl Player for Person {
    fn start(&mut self, start: &Start) -> Result<(), Failure> {
        say!(
            "\nyou play {} ({}); q gives up\n",
            start.you,
            start.you.symbol()
        );
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let asked_at = Instant::now();
        say!("{}\n", drawn(turn));
        let played = ask(turn);
        Ok(Answer {
            played,
            used: asked_at.elapsed(),
            ..Answer::default()
        })
    }

    fn thinks(&self) -> bool {
        true
    }

    fn pause(&mut self) {}

    /// The last board is not known here: [`farewell`] shows it.
    fn over(&mut self, _: &Over) {}

    fn cpu_time(&self) -> Option<Duration> {
        None
    }
}

/// The last board of a stage, and how it ended for whoever defended.
pub(super) fn farewell(stage: &Stage, attempt: &Attempt) {
    say!("{}\n{}\n", attempt.board(stage), ending(stage, attempt));
}

fn ending(stage: &Stage, attempt: &Attempt) -> String {
    let why = attempt.remark(stage).map(|remark| harmless(&remark));
    match why {
        None => {
            let five = attempt.plies.last().map(|ply| ply.played.to_string());
            let five = five.unwrap_or_default();
            format!("black made five with {five}: you lost this stage")
        }
        Some(why) if attempt.is_void() => format!("this stage does not count: {why}"),
        Some(_) if attempt.verdict == Verdict::Resigned(Side::White) => {
            "you gave this stage up".to_owned()
        }
        Some(why) if attempt.is_passed() => format!("you lost this stage: {why}"),
        Some(why) => format!("you held this stage: {why}"),
    }
}

/// The board, and black's move, which led to it.
fn drawn(turn: &Turn<'_>) -> String {
    let last = turn.moves.last();
    let last = last.map_or(String::new(), |played| format!("\nblack played {played}"));
    format!("{}{last}", turn.board)
}

/// Between two looks at whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(50);

/// What is typed, line by line. A thread of its own waits for it, since nothing interrupts a read.
static LINES: LazyLock<Mutex<Receiver<String>>> = LazyLock::new(|| {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let typed = io::stdin().lines().map_while(Result::ok);
        for line in typed {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    Mutex::new(lines)
});

/// The next line; `None` at the end of the input and after Ctrl-C.
fn line() -> Option<String> {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        match lines.recv_timeout(LOOK) {
            Ok(line) => return Some(line),
            Err(RecvTimeoutError::Timeout) if !STOP.is_requested() => {}
            Err(_) => return None,
        }
    }
}

/// A legal square, asked for until one is given; the end of the input gives up.
fn ask(turn: &Turn<'_>) -> String {
    loop {
        say!("your move, such as h8:");
        let Some(line) = line() else {
            return "resign".to_owned();
        };
        match line.trim() {
            "" => {}
            "q" | "quit" | "resign" => return "resign".to_owned(),
            text => match text.to_lowercase().parse::<Move>() {
                Ok(Move::Place(square)) if turn.legal.contains(&square) => {
                    return square.to_string();
                }
                Ok(played) => say!("{played} cannot be played here"),
                Err(error) => say!("{error}"),
            },
        }
    }
}
