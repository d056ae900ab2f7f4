//! The `NBoard` protocol, version 2, for Othello.
//!
//! The manager tells the whole game as GGF and then each move; `go` asks for a move under the game's
//! clock, `hint` for the best moves and `analyze` for every position of the game, both without a
//! clock. Evaluations are in discs: of `hint` and `go` from the side to move, of `analyze` from
//! black's side, as `NBoard` draws its graph. What is not understood is ignored, as the protocol
//! asks; a game that cannot be read is named in the status line.
//!
//! The bot does not hear of anything while it thinks: a `ping` is answered once it has its move.
//!
//! Sources: C. Welty, "`NBoard` Protocol"; the programs `NBoard` and `NTest`.

mod judging;
mod words;

use std::time::Duration;

use games::formats::{SavedGame, SavedMove, ggf};
use games::{Board, Game, Move, Rules, Side};

use crate::{Info, Start};

use super::dialect::{Action, Answer, Ask, Dialect, Introduction, over, say};
use judging::{Judging, unhurried};

/// The games that are played in it.
pub(super) const GAMES: [&str; 1] = ["othello"];

/// An engine, as the board's window sees it.
pub(super) struct Nboard {
    introduction: Introduction,
    game: SavedGame,
    job: Job,
}

/// What the bot is being asked for.
enum Job {
    Go,
    /// Of the position itself, and then of so many other moves.
    Hint(usize),
    Judging(Judging),
}

impl Nboard {
    pub(super) fn new(introduction: Introduction) -> Nboard {
        Nboard {
            introduction,
            game: SavedGame::new(Game::OTHELLO.start()),
            job: Job::Go,
        }
    }

    fn command(&mut self, name: &str, argument: &str) -> Result<Vec<Action>, String> {
        match name {
            "nboard" => Ok(say(format!("set myname {}", self.introduction.name))),
            "set" => {
                let (what, value) = argument.split_once(' ').unwrap_or((argument, ""));
                self.set(what, value.trim())
            }
            "move" => self.play(argument).map(|()| Vec::new()),
            "go" => self.go(),
            "hint" => self.hint(argument.parse().unwrap_or(1)),
            "analyze" => {
                self.job = Job::Judging(Judging::of_game(&self.game));
                Ok(self.think(Vec::new()))
            }
            "ping" => Ok(say(format!("pong {argument}"))),
            // There is no book to learn a game into.
            "learn" => Ok(say("learned")),
            "quit" => Ok(vec![Action::Quit]),
            _ => Ok(Vec::new()),
        }
    }

    fn set(&mut self, what: &str, value: &str) -> Result<Vec<Action>, String> {
        match what {
            "game" => {
                let game =
                    ggf::parse(value).map_err(|bad| format!("cannot read the game: {bad}"))?;
                let goes_on = game.start == self.game.start
                    && game.plies().zip(self.game.plies()).all(|(a, b)| a == b)
                    && game.moves.len() >= self.game.moves.len();
                self.game = game;
                let start = Action::Start(self.terms());
                Ok((!goes_on).then_some(start).into_iter().collect())
            }
            "depth" => {
                let plies = value.parse().ok().filter(|&plies| plies > 0);
                Ok(plies.map(Action::Depth).into_iter().collect())
            }
            // `contempt` is about a book.
            _ => Ok(Vec::new()),
        }
    }

    /// `F5/eval/seconds`, the last two where they are known. The other side passes where it must.
    fn play(&mut self, text: &str) -> Result<(), String> {
        let mut parts = text.split('/');
        let played = match parts.next().unwrap_or_default() {
            pass if pass.len() >= 2 && "PASS".starts_with(&pass.to_ascii_uppercase()) => Move::Pass,
            square => square.parse().map_err(|bad| format!("{bad}"))?,
        };
        let mut number = || {
            parts
                .next()
                .and_then(|text| text.trim().parse::<f64>().ok())
        };
        let (evaluation, time) = (number(), number());
        if played != Move::Pass && self.game.board().must_pass() {
            self.game.push(Move::Pass).map_err(|bad| bad.to_string())?;
        }
        self.game.push(played).map_err(|bad| bad.to_string())?;
        if let Some(last) = self.game.moves.last_mut() {
            let time = time.and_then(|time| Duration::try_from_secs_f64(time).ok());
            *last = SavedMove {
                evaluation,
                time,
                ..last.clone()
            };
        }
        Ok(())
    }

    fn go(&mut self) -> Result<Vec<Action>, String> {
        let board = self.open_board()?;
        if board.must_pass() {
            return Ok(say("=== PA"));
        }
        self.job = Job::Go;
        let side = board.side_to_move();
        let ask = Ask {
            start: self.terms(),
            board,
            moves: self.game.plies().collect(),
            left: self.left(side),
            opponent_left: self.left(!side),
        };
        Ok(self.thinking(ask))
    }

    fn hint(&mut self, moves: usize) -> Result<Vec<Action>, String> {
        let board = self.open_board()?;
        if board.must_pass() {
            return Ok(say("search PA 0.00 0 0"));
        }
        self.job = Job::Hint(moves.saturating_sub(1));
        let ask = unhurried(board, self.game.plies().collect());
        Ok(self.thinking(ask))
    }

    fn open_board(&self) -> Result<Board, String> {
        let board = self.game.board();
        match board.ending() {
            Some(ending) => Err(over(ending)),
            None => Ok(board),
        }
    }

    /// Whatever is left to judge, after saying `first`.
    fn think(&mut self, mut first: Vec<Action>) -> Vec<Action> {
        let Job::Judging(judging) = &mut self.job else {
            return first;
        };
        if let Some(ask) = judging.next() {
            first.push(Action::Ask(Box::new(ask)));
        } else {
            first.extend(judging.verdicts().into_iter().map(Action::Say));
            first.extend(say("status"));
        }
        first
    }

    fn thinking(&self, ask: Ask) -> Vec<Action> {
        let status = format!("status {} is thinking", self.introduction.name);
        vec![Action::Say(status), Action::Ask(Box::new(ask))]
    }

    /// The terms of the game for the side to move.
    fn terms(&self) -> Start {
        let board = self.game.board();
        let side = board.side_to_move();
        let clock = self.game.clocks[side.index()];
        let clock = clock.filter(|clock| !clock.main.is_zero());
        Start {
            game_time: clock.map(|clock| clock.main),
            increment: clock.map_or(Duration::ZERO, |clock| clock.increment),
            ..Start::untimed(board.game(), side)
        }
    }

    /// What is left of a side's clock, by the times of its moves.
    fn left(&self, side: Side) -> Option<Duration> {
        let clock = self.game.clocks[side.index()].filter(|clock| !clock.main.is_zero())?;
        let mut left = clock.main;
        let mut mover = self.game.start.side_to_move();
        for saved in &self.game.moves {
            if mover == side {
                let used = saved.time.unwrap_or_default();
                left = (left + clock.increment).saturating_sub(used);
            }
            mover = !mover;
        }
        Some(left)
    }
}

impl Dialect for Nboard {
    fn hear(&mut self, line: &str) -> Vec<Action> {
        let (name, argument) = line.split_once(' ').unwrap_or((line, ""));
        self.command(name, argument.trim())
            .unwrap_or_else(|why| say(format!("status {why}")))
    }

    fn thought(&mut self, info: &Info) -> Option<String> {
        let shown = matches!(self.job, Job::Go | Job::Hint(_)) && !info.pv.is_empty();
        shown.then(|| words::search(&info.pv, info.score, info.depth))
    }

    fn answer(&mut self, answer: &Answer) -> Vec<Action> {
        let mut said = say(words::node_stats(answer));
        match &mut self.job {
            Job::Go => {
                said.extend(say(words::go(answer)).into_iter().chain(say("status")));
                said
            }
            &mut Job::Hint(more) => {
                let info = answer.thought.clone().unwrap_or_default();
                let line = words::search(&[answer.played.to_string()], info.score, info.depth);
                // A bot that said its line has said this already.
                said.extend(info.pv.is_empty().then_some(Action::Say(line)));
                let judging = Judging::of_moves(&self.game, answer.played, more);
                self.job = Job::Judging(judging);
                self.think(said)
            }
            Job::Judging(judging) => {
                judging.answer(answer);
                self.think(Vec::new())
            }
        }
    }

    fn refused(&mut self, why: &str) -> Vec<Action> {
        say(format!("status {why}"))
    }
}
