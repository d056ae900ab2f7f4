//! The line protocol of the Othello courses at Columbia and Toronto.
//!
//! A program first writes its name, and gets its colour: `1` is dark, `2` light. Toronto's game managers append
//! options, as in `1,5,0,1,1`: depth limit, minimax, caching, ordering. The arena appends the text of the bot's
//! `setup`. Before each move the program gets `SCORE dark light` and the board as a Python tuple of rows of 0, 1 and 2;
//! it answers with column and row, from 0. `FINAL dark light` ends the game and the program.
//!
//! Source: the courses' `othello_game.py`, as published with students' programs.

use games::{Board, Rules, Side, Square};
use protocol::codec::botzone::Point;
use protocol::{Over, Start};

use super::{Due, EngineAdapter, Heard, Protocol, Question, fix, send, wrong};
use crate::record::Thought;

pub(super) const GAMES: [&str; 1] = ["othello"];

#[derive(Debug)]
pub struct ColumbiaAdapter {
    further: String,
    asked: &'static str,
}

impl ColumbiaAdapter {
    pub fn new(setup: &[String]) -> ColumbiaAdapter {
        ColumbiaAdapter {
            further: setup.concat(),
            asked: "",
        }
    }
}

fn drawn(board: &Board) -> (usize, usize, String) {
    let size = usize::from(board.size());
    let stones = board.stones();
    let mut cells = vec!["0"; size * size];
    for &(square, side) in &stones {
        cells[square.index(board.size())] = if side == Side::Black { "1" } else { "2" };
    }
    let row = |row: &[&str]| format!("({})", row.join(", "));
    let rows: Vec<String> = cells.chunks(size).map(row).collect();
    let dark = stones.iter().filter(|(_, side)| *side == Side::Black);
    let dark = dark.count();
    let board = format!("({})", rows.join(", "));
    (dark, stones.len() - dark, board)
}

impl EngineAdapter for ColumbiaAdapter {
    fn hello(&mut self, start: &Start, out: &mut Vec<u8>) {
        let color = 1 + start.you.index();
        send(out, format_args!("{color}{}", self.further));
        self.asked = "the colour";
    }

    fn turn(&mut self, _: u64, question: &Question<'_>, out: &mut Vec<u8>) {
        let (dark, light, board) = drawn(question.board);
        send(out, format_args!("SCORE {dark} {light}\n{board}"));
        self.asked = "SCORE and the board";
    }

    fn over(&mut self, over: &Over, out: &mut Vec<u8>) {
        send(out, format_args!("FINAL {} {}", over.black, over.white));
    }

    fn quit(&self, _: &mut Vec<u8>) {}

    fn hear(&mut self, line: &[u8], due: Due) -> Heard {
        let reply = String::from_utf8_lossy(line);
        match due {
            Due::Ready => match fix(line, Protocol::Columbia) {
                None => Heard::Ready {
                    name: reply.into_owned(),
                    version: String::new(),
                },
                Some(_) => wrong("in the place of its name".into(), line, Protocol::Columbia),
            },
            Due::Move => match square(&reply) {
                Some(played) => Heard::Move {
                    id: None,
                    played,
                    thought: Thought::default(),
                },
                None => Heard::Nothing,
            },
            Due::Nothing => Heard::Nothing,
        }
    }

    fn is_talkative(&self) -> bool {
        true
    }

    fn unanswered(&self) -> String {
        self.asked.to_owned()
    }
}

/// Parses `2 3`, column and row from 0. Numbers off the board stay as they are.
fn square(reply: &str) -> Option<String> {
    let Point { x, y } = Point::parse(reply)?;
    let on_board = |number| u8::try_from(number).ok().filter(|&number| number < 8);
    Some(match (on_board(x), on_board(y)) {
        (Some(column), Some(row)) => Square::new(column, row).to_string(),
        _ => reply.to_owned(),
    })
}
