//! A bot on botzone.org.cn. A swap of colours needs no action: the same colour stays to move, and our bot now has this
//! colour. Our bots request no swap.

use std::time::Duration;

use games::{Board, Game, Move, Rules};

use super::{Action, Answer, Ask, EngineServer, Introduction, over, say};
use crate::codec::botzone::{BotzoneInput, KEEP_RUNNING, Point, Response};
use crate::{Info, Start};

/// Botzone allows one second per turn, process start included.
const MOVE_TIME: Duration = Duration::from_millis(800);

pub(super) struct BotzoneServer {
    game: Game,
    keeps_running: bool,
    board: Board,
    moves: Vec<Move>,
    knows_the_game: bool,
}

impl BotzoneServer {
    pub(super) fn new(introduction: &Introduction, keeps_running: bool) -> BotzoneServer {
        let game = introduction.games[0];
        BotzoneServer {
            game,
            keeps_running,
            board: game.start(),
            moves: Vec::new(),
            knows_the_game: false,
        }
    }

    fn turn(&mut self, line: &str) -> Result<Vec<Action>, String> {
        let mut actions = Vec::new();
        match BotzoneInput::parse(line)? {
            BotzoneInput::Next(request) => self.play(request)?,
            BotzoneInput::Whole {
                requests,
                responses,
            } => {
                self.board = self.game.start();
                self.moves.clear();
                if self.knows_the_game {
                    actions.push(Action::Start(self.terms()));
                }
                let mut responses = responses.into_iter();
                for request in requests {
                    self.play(request)?;
                    if let Some(response) = responses.next() {
                        self.play(response)?;
                    }
                }
            }
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

    fn respond(&self, response: Point, debug: Option<&str>) -> Vec<Action> {
        let mut actions = say(Response::write(response, debug));
        actions.push(if self.keeps_running {
            Action::Say(KEEP_RUNNING.to_owned())
        } else {
            Action::Quit
        });
        actions
    }
}

impl EngineServer for BotzoneServer {
    fn on_line(&mut self, line: &str) -> Vec<Action> {
        // Botzone waits for an answer even after an error; the debug text shows the reason in the log.
        self.turn(line).unwrap_or_else(|why| self.on_refusal(&why))
    }

    fn on_answer(&mut self, answer: &Answer) -> Vec<Action> {
        match self.make(answer.played) {
            Ok(()) => {
                let debug = answer.thought.as_ref().map(debug);
                self.respond(answer.played.into(), debug.as_deref())
            }
            Err(why) => self.on_refusal(&why),
        }
    }

    fn on_refusal(&mut self, why: &str) -> Vec<Action> {
        self.respond(Point::NONE, Some(why))
    }
}

/// Writes the bot's information for Botzone's log, which keeps 1 KiB.
fn debug(info: &Info) -> String {
    let mut text = serde_json::to_string(info).unwrap_or_default();
    let end = (0..=text.len().min(1000))
        .rev()
        .find(|&end| text.is_char_boundary(end));
    text.truncate(end.unwrap_or(0));
    text
}
