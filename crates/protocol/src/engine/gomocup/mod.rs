//! The Gomocup protocol: the manager's `START`, `TURN`, `BOARD` …, the brain's `x,y`.
//!
//! Stones are kept by owner and not by colour, as the manager tells them, and in no order that
//! matters: who is black follows from their numbers when a move is asked for. A command that cannot
//! be followed is answered with `ERROR` and the reason, and changes nothing. There is one exception:
//! a rule that is not played is remembered, so that no game is played by another rule than the
//! manager's.
//!
//! Sources: P. Laštovička and M. Petříček, "Gomoku AI protocol"; `SWAP2BOARD`: gomocup.org, rules of
//! the experimental tournament of 2020.

mod limits;
mod message;
mod stones;
mod swap2;

use games::gomoku::Rule;
use games::{Board, Game, Move, Rules, Side, Square};

use crate::Info;
use crate::notation::gomocup::{read_on, write};

use super::dialect::{Action, Answer, Ask, Dialect, Introduction, over, say};
use limits::Limits;
use stones::{Owner, Stones};
use swap2::Choice;

/// The games that are played in it.
pub(super) const GAMES: [&str; 1] = ["gomoku"];

/// A brain, as the manager sees it.
pub(super) struct Gomocup {
    introduction: Introduction,
    /// The rule by which lines win, or the number of one that is not played here.
    rule: Result<Rule, i64>,
    /// Side of the board; `None` before `START`.
    size: Option<u8>,
    stones: Stones,
    limits: Limits,
    reading: Reading,
    asked: Asked,
}

/// What the next line belongs to.
enum Reading {
    Commands,
    /// Stones up to `DONE`, and the first thing that is wrong with them.
    Board(Stones, Result<(), String>),
    /// Squares up to `DONE`.
    Swap2(Vec<Square>, Result<(), String>),
}

/// What the bot was asked.
enum Asked {
    Move,
    Swap2,
}

impl Gomocup {
    pub(super) fn new(introduction: Introduction) -> Gomocup {
        let rule = introduction.games.first().copied().and_then(Rule::of);
        Gomocup {
            introduction,
            rule: Ok(rule.unwrap_or(Rule::Freestyle)),
            size: None,
            stones: Stones::default(),
            limits: Limits::default(),
            reading: Reading::Commands,
            asked: Asked::Move,
        }
    }

    fn command(&mut self, line: &str) -> Result<Vec<Action>, String> {
        let (name, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let argument = argument.trim();
        match name.to_ascii_uppercase().as_str() {
            "START" => self.start(argument),
            "RECTSTART" => self.rectangle(argument),
            "RESTART" => self.restart(),
            "BEGIN" => self.begin(),
            "TURN" => self.turn(argument),
            "BOARD" => {
                // What is wrong is said at the end, and the stones are not taken for commands.
                self.reading = Reading::Board(Stones::default(), self.game().map(drop));
                Ok(Vec::new())
            }
            "SWAP2BOARD" => {
                self.reading = Reading::Swap2(Vec::new(), self.game().map(drop));
                Ok(Vec::new())
            }
            "TAKEBACK" => {
                let square = self.square(argument)?;
                self.stones.take_back(square)?;
                Ok(say("OK"))
            }
            "PLAY" => {
                let square = self.square(argument)?;
                self.stones.put(square, Owner::Own)?;
                Ok(say(write(square)))
            }
            "INFO" => self.info(argument),
            "ABOUT" => Ok(say(format!(
                "name=\"{}\", version=\"{}\"",
                self.introduction.name, self.introduction.version
            ))),
            "END" => Ok(vec![Action::Quit]),
            _ => Ok(say(format!("UNKNOWN there is no command {name:?} here"))),
        }
    }

    fn start(&mut self, argument: &str) -> Result<Vec<Action>, String> {
        let size = argument.parse().map_err(|_| {
            format!("{argument:?} is not a size: send START and a number, such as START 15")
        })?;
        let game = Game::new("gomoku", None, Some(size)).map_err(|bad| bad.to_string())?;
        self.size = Some(game.size());
        self.restart()
    }

    fn rectangle(&mut self, argument: &str) -> Result<Vec<Action>, String> {
        match argument.split_once(',') {
            Some((width, height)) if width.trim() == height.trim() => self.start(width.trim()),
            _ => Err(format!(
                "a board of {argument}: only square boards are played here"
            )),
        }
    }

    fn restart(&mut self) -> Result<Vec<Action>, String> {
        self.size.ok_or("START comes first")?;
        self.stones = Stones::default();
        self.limits.new_game();
        // A rule that is not played may yet be followed by another: it is refused when it matters.
        let start = self.game().map(|game| self.limits.start(game, Side::Black));
        Ok(start
            .map(Action::Start)
            .into_iter()
            .chain(say("OK"))
            .collect())
    }

    fn begin(&mut self) -> Result<Vec<Action>, String> {
        if !self.stones.is_empty() {
            return Err("BEGIN is for an empty board: send RESTART, or TURN or BOARD".to_owned());
        }
        self.ask()
    }

    fn turn(&mut self, argument: &str) -> Result<Vec<Action>, String> {
        let square = self.square(argument)?;
        self.stones.put(square, Owner::Opponent)?;
        self.ask().inspect_err(|_| {
            let _ = self.stones.take_back(square);
        })
    }

    fn info(&mut self, argument: &str) -> Result<Vec<Action>, String> {
        let (key, value) = argument
            .split_once(char::is_whitespace)
            .unwrap_or((argument, ""));
        let value = value.trim();
        let number = || {
            value
                .parse::<i64>()
                .map_err(|_| format!("INFO {key} {value}: {value:?} is not a number"))
        };
        match key.to_ascii_lowercase().as_str() {
            "rule" => {
                let number = number()?;
                self.rule = match number {
                    0 => Ok(Rule::Freestyle),
                    1 => Ok(Rule::Standard),
                    4 => Ok(Rule::Renju),
                    _ => Err(number),
                };
                self.rule().map(|_| Vec::new())
            }
            "max_depth" => {
                let plies = u32::try_from(number()?).unwrap_or(0);
                Ok((plies > 0)
                    .then_some(Action::Depth(plies))
                    .into_iter()
                    .collect())
            }
            key => {
                if Limits::KEYS.contains(&key) {
                    self.limits.set(key, number()?);
                }
                // What is not known is ignored: that is how the protocol grows.
                Ok(Vec::new())
            }
        }
    }

    fn rule(&self) -> Result<Rule, String> {
        self.rule.map_err(|number| {
            format!("rule {number} is not played here: there are 0 (freestyle), 1 (exactly five), 4 (renju)")
        })
    }

    fn game(&self) -> Result<Game, String> {
        let size = self.size.ok_or("START comes first")?;
        let rule = self.rule()?;
        Ok(Game::gomoku(size, rule))
    }

    fn square(&self, argument: &str) -> Result<Square, String> {
        read_on(argument, self.game()?.size()).map_err(|bad| bad.to_string())
    }

    fn ask(&mut self) -> Result<Vec<Action>, String> {
        self.asked = Asked::Move;
        let (board, moves) = self.stones.position(self.game()?)?;
        self.question(board, moves).map(|ask| vec![ask])
    }

    fn swap2(&mut self, squares: &[Square]) -> Result<Vec<Action>, String> {
        match swap2::choice(self.game()?, squares)? {
            Choice::Open(squares) => Ok(say(squares)),
            Choice::Judge(board, moves) => {
                self.asked = Asked::Swap2;
                self.question(board, moves).map(|ask| vec![ask])
            }
        }
    }

    fn question(&self, board: Board, moves: Vec<Move>) -> Result<Action, String> {
        if let Some(ending) = board.ending() {
            return Err(over(ending));
        }
        if board.legal_squares().is_empty() {
            return Err("there is no square left to play".to_owned());
        }
        Ok(Action::Ask(Box::new(Ask {
            start: self.limits.start(self.game()?, board.side_to_move()),
            board,
            moves,
            left: self.limits.left(),
            opponent_left: None,
        })))
    }

    fn line_of_board(&mut self, line: &str) -> Result<Vec<Action>, String> {
        let size = self.size.unwrap_or_default();
        match &mut self.reading {
            Reading::Board(stones, wrong) if !line.eq_ignore_ascii_case("DONE") => {
                if wrong.is_ok() {
                    *wrong = stones.read_line(line, size);
                }
                Ok(Vec::new())
            }
            Reading::Swap2(squares, wrong) if !line.eq_ignore_ascii_case("DONE") => {
                if wrong.is_ok() {
                    match read_on(line, size) {
                        Ok(square) => squares.push(square),
                        Err(bad) => *wrong = Err(bad.to_string()),
                    }
                }
                Ok(Vec::new())
            }
            reading => match std::mem::replace(reading, Reading::Commands) {
                Reading::Board(stones, wrong) => {
                    wrong?;
                    let before = std::mem::replace(&mut self.stones, stones);
                    self.ask().inspect_err(|_| self.stones = before)
                }
                Reading::Swap2(squares, wrong) => {
                    wrong?;
                    self.swap2(&squares)
                }
                Reading::Commands => self.command(line),
            },
        }
    }
}

impl Dialect for Gomocup {
    fn hear(&mut self, line: &str) -> Vec<Action> {
        self.line_of_board(line)
            .unwrap_or_else(|why| say(format!("ERROR {why}")))
    }

    fn thought(&mut self, info: &Info) -> Option<String> {
        Some(format!("MESSAGE {}", message::of(info)))
    }

    fn answer(&mut self, answer: &Answer) -> Vec<Action> {
        self.limits.spend(answer.used);
        if matches!(self.asked, Asked::Swap2) {
            return say(swap2::decide(answer));
        }
        let Some(square) = answer.played.square() else {
            return say("ERROR the bot has no move");
        };
        match self.stones.put(square, Owner::Own) {
            Ok(()) => say(write(square)),
            Err(why) => say(format!("ERROR {why}")),
        }
    }

    fn refused(&mut self, why: &str) -> Vec<Action> {
        say(format!("ERROR {why}"))
    }
}
