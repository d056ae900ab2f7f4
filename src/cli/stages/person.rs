//! A person who defends: the board on standard error, a square from standard input.

use std::io::{self, BufRead};
use std::time::{Duration, Instant};

use games::Move;
use protocol::{Over, Start};

use crate::bot::Failure;
use crate::referee::{Answer, Player, Turn};

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

    fn over(&mut self, over: &Over) {
        say!(
            "this stage is over: {:?} for you ({})\n",
            over.result,
            over.reason
        );
    }

    fn cpu_time(&self) -> Option<Duration> {
        None
    }
}

/// The board, and black's move, which led to it.
fn drawn(turn: &Turn<'_>) -> String {
    let last = turn.moves.last();
    let last = last.map_or(String::new(), |played| format!("\nblack played {played}"));
    format!("{}{last}", turn.board)
}

/// A legal square, asked for until one is given; the end of the input gives up.
fn ask(turn: &Turn<'_>) -> String {
    let mut lines = io::stdin().lock().lines();
    loop {
        say!("your move, such as h8:");
        let Some(Ok(line)) = lines.next() else {
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
