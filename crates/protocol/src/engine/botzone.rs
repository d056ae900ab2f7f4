//! Botzone's JSON, for its games Gomoku (15×15, freestyle) and Reversi.
//!
//! A process is started for every turn and told all requests and responses so far, or it asks to be
//! kept and is told one request at a time from then on. A request is the opponent's move, a
//! response the bot's own: `{"x": column, "y": row}`, counted from 0 at the top left. −1 and −1 is no
//! move: black's first request, a pass in Reversi, a swap of colours in Gomoku. After a swap the other
//! colour is still to move, so that a swap changes nothing here; this bot asks for none.
//!
//! Source: wiki.botzone.org.cn, the pages Bot, Gomoku, and the sample programs of Gomoku and Reversi.

use std::time::Duration;

use games::{Board, Game, MAX_SIZE, Move, Rules, Square};
use serde::{Deserialize, Serialize};

use crate::{Info, Start};

use super::dialect::{Action, Answer, Ask, Dialect, Introduction, over};

/// The games that are played in it.
pub(super) const GAMES: [&str; 2] = ["othello", "gomoku"];

/// The line that asks Botzone to keep the process.
const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// Botzone allows a second a turn, the start of the process included.
const MOVE_TIME: Duration = Duration::from_millis(800);

/// A bot, as the platform sees it.
pub(super) struct Botzone {
    game: Game,
    keeps_running: bool,
    board: Board,
    moves: Vec<Move>,
    /// Whether this process has been told of the game.
    knows_the_game: bool,
}

/// A line of input. Botzone's own fields (`data`, `time_limit` …) are ignored.
#[derive(Deserialize)]
struct Input {
    requests: Option<Vec<Point>>,
    #[serde(default)]
    responses: Vec<Point>,
    request: Option<Point>,
    x: Option<i64>,
    y: Option<i64>,
}

#[derive(Serialize)]
struct Output {
    response: Point,
    #[serde(skip_serializing_if = "Option::is_none")]
    debug: Option<String>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Point {
    x: i64,
    y: i64,
}

impl Point {
    /// No move.
    const NONE: Point = Point { x: -1, y: -1 };

    fn of(played: Move) -> Point {
        played.square().map_or(Point::NONE, |square| Point {
            x: square.column().into(),
            y: square.row().into(),
        })
    }

    /// The square, or `None` for no move.
    fn square(self) -> Result<Option<Square>, String> {
        if self.x < 0 && self.y < 0 {
            return Ok(None);
        }
        let number = |n: i64| u8::try_from(n).ok().filter(|&n| n < MAX_SIZE);
        match (number(self.x), number(self.y)) {
            (Some(column), Some(row)) => Ok(Some(Square::new(column, row))),
            _ => Err(format!("x {} y {} is on no board", self.x, self.y)),
        }
    }
}

impl Botzone {
    pub(super) fn new(introduction: &Introduction, keeps_running: bool) -> Botzone {
        let game = introduction.games[0];
        Botzone {
            game,
            keeps_running,
            board: game.start(),
            moves: Vec::new(),
            knows_the_game: false,
        }
    }

    fn turn(&mut self, line: &str) -> Result<Vec<Action>, String> {
        let input: Input = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let mut actions = Vec::new();
        if let Some(requests) = input.requests {
            self.board = self.game.start();
            self.moves.clear();
            if self.knows_the_game {
                actions.push(Action::Start(self.terms()));
            }
            let mut responses = input.responses.into_iter();
            for request in requests {
                self.play(request)?;
                if let Some(response) = responses.next() {
                    self.play(response)?;
                }
            }
        } else {
            let bare = input.x.zip(input.y).map(|(x, y)| Point { x, y });
            let request = input.request.or(bare);
            self.play(request.ok_or("neither requests nor x and y")?)?;
        }
        self.knows_the_game = true;
        if let Some(ending) = self.board.ending() {
            return Err(over(ending));
        }
        if self.board.must_pass() {
            self.play(Point::NONE)?;
            return Ok(self.respond(Point::NONE, None));
        }
        actions.push(Action::Ask(Box::new(Ask {
            start: self.terms(),
            board: self.board.clone(),
            moves: self.moves.clone(),
            left: Some(MOVE_TIME),
            opponent_left: None,
        })));
        Ok(actions)
    }

    fn terms(&self) -> Start {
        Start {
            move_time: Some(MOVE_TIME),
            ..Start::untimed(self.game, self.board.side_to_move())
        }
    }

    fn play(&mut self, point: Point) -> Result<(), String> {
        let square = point.square()?;
        // A pass need not be told.
        if self.board.must_pass() {
            self.make(Move::Pass)?;
        }
        match square {
            Some(square) => self.make(Move::Place(square)),
            None => Ok(()),
        }
    }

    fn make(&mut self, played: Move) -> Result<(), String> {
        self.board.play(played).map_err(|bad| bad.to_string())?;
        self.moves.push(played);
        Ok(())
    }

    fn respond(&self, response: Point, debug: Option<String>) -> Vec<Action> {
        let output = Output { response, debug };
        let line = serde_json::to_string(&output).expect("numbers and text are JSON");
        let last = if self.keeps_running {
            Action::Say(KEEP_RUNNING.to_owned())
        } else {
            Action::Quit
        };
        vec![Action::Say(line), last]
    }
}

impl Dialect for Botzone {
    fn hear(&mut self, line: &str) -> Vec<Action> {
        // Botzone waits for an answer in any case; the log shows its author what was wrong.
        self.turn(line)
            .unwrap_or_else(|why| self.respond(Point::NONE, Some(why)))
    }

    fn answer(&mut self, answer: &Answer) -> Vec<Action> {
        match self.make(answer.played) {
            Ok(()) => self.respond(Point::of(answer.played), answer.thought.as_ref().map(debug)),
            Err(why) => self.respond(Point::NONE, Some(why)),
        }
    }

    fn refused(&mut self, why: &str) -> Vec<Action> {
        self.respond(Point::NONE, Some(why.to_owned()))
    }
}

/// What the bot thought, for Botzone's log; that keeps 1 KiB.
fn debug(info: &Info) -> String {
    let mut text = serde_json::to_string(info).unwrap_or_default();
    let end = (0..=text.len().min(1000))
        .rev()
        .find(|&end| text.is_char_boundary(end));
    text.truncate(end.unwrap_or(0));
    text
}
