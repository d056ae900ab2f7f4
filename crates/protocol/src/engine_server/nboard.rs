//! A bot as an engine of `NBoard` and other boards of its protocol.
//!
//! The manager sends the whole game as GGF and then each move. `go` asks for a move under the game's clock; `hint` asks
//! for the best moves and `analyze` for the values of all positions of the game, both without a clock. Evaluations of
//! `hint` and `go` are for the side to move, those of `analyze` for black. Errors are reported in the status line.

use std::time::Duration;

use games::formats::{SavedGame, SavedMove, ggf};
use games::{Board, Game, Move, Rules, Side};

use super::{Action, Answer, Ask, EngineServer, Introduction, over, say};
use crate::codec::nboard::{EvaluatedMove, NboardCommand, Reply, write_move};
use crate::{Info, Start};

pub(super) struct NboardServer {
    introduction: Introduction,
    game: SavedGame,
    job: SearchTask,
}

enum SearchTask {
    Go,
    /// Search the position, then evaluate all other moves and report this number of them, best first.
    Hint(usize),
    Judging(Judging),
}

impl NboardServer {
    pub(super) fn new(introduction: Introduction) -> NboardServer {
        NboardServer {
            introduction,
            game: SavedGame::new(Game::OTHELLO.start()),
            job: SearchTask::Go,
        }
    }

    fn command(&mut self, command: NboardCommand) -> Result<Vec<Action>, String> {
        match command {
            NboardCommand::Nboard => Ok(say(Reply::SetMyName(self.introduction.name.clone()))),
            NboardCommand::SetGame(text) => {
                let game =
                    ggf::parse(&text).map_err(|bad| format!("cannot read the game: {bad}"))?;
                let goes_on = game.start == self.game.start
                    && game.plies().zip(self.game.plies()).all(|(a, b)| a == b)
                    && game.moves.len() >= self.game.moves.len();
                self.game = game;
                let start = Action::Start(self.terms());
                Ok((!goes_on).then_some(start).into_iter().collect())
            }
            NboardCommand::SetDepth(plies) => Ok(vec![Action::Depth(plies)]),
            NboardCommand::Move(played) => self.play(&played).map(|()| Vec::new()),
            NboardCommand::Go => self.go(),
            NboardCommand::Hint(moves) => self.hint(moves),
            NboardCommand::Analyze => {
                self.job = SearchTask::Judging(Judging::of_game(&self.game));
                Ok(self.think(Vec::new()))
            }
            NboardCommand::Ping(text) => Ok(say(Reply::Pong(text))),
            // The bot has no opening book that could learn a game.
            NboardCommand::Learn => Ok(say(Reply::Learned)),
            NboardCommand::Quit => Ok(vec![Action::Quit]),
        }
    }

    /// Plays the manager's move. Adds a forced pass before it.
    fn play(&mut self, evaluated: &EvaluatedMove) -> Result<(), String> {
        let text = evaluated.text.as_str();
        let is_pass = text.len() >= 2 && "PASS".starts_with(&text.to_ascii_uppercase());
        let played = if is_pass {
            Move::Pass
        } else {
            text.parse().map_err(|bad| format!("{bad}"))?
        };
        if played != Move::Pass && self.game.board().must_pass() {
            self.game.push(Move::Pass).map_err(|bad| bad.to_string())?;
        }
        self.game.push(played).map_err(|bad| bad.to_string())?;
        if let Some(last) = self.game.moves.last_mut() {
            *last = SavedMove {
                evaluation: evaluated.evaluation,
                time: evaluated.time,
                ..last.clone()
            };
        }
        Ok(())
    }

    fn go(&mut self) -> Result<Vec<Action>, String> {
        let board = self.open_board()?;
        if board.must_pass() {
            return Ok(say(Reply::Move(EvaluatedMove {
                text: write_move("pass"),
                ..EvaluatedMove::default()
            })));
        }
        self.job = SearchTask::Go;
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
            return Ok(say(Reply::search(&["pass".to_owned()], None, None)));
        }
        self.job = SearchTask::Hint(moves.saturating_sub(1));
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

    /// Continues the analysis: adds the next question to the actions `first`, or the results if no question is left.
    fn think(&mut self, mut first: Vec<Action>) -> Vec<Action> {
        let SearchTask::Judging(judging) = &mut self.job else {
            return first;
        };
        if let Some(ask) = judging.next() {
            first.push(Action::Ask(Box::new(ask)));
        } else {
            first.extend(judging.verdicts().iter().flat_map(say));
            first.extend(status(""));
        }
        first
    }

    fn thinking(&self, ask: Ask) -> Vec<Action> {
        let mut actions = status(format!("{} is thinking", self.introduction.name));
        actions.push(Action::Ask(Box::new(ask)));
        actions
    }

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

fn status(text: impl Into<String>) -> Vec<Action> {
    say(Reply::Status(text.into()))
}

impl EngineServer for NboardServer {
    fn on_line(&mut self, line: &str) -> Vec<Action> {
        let done =
            NboardCommand::parse(line).map_or(Ok(Vec::new()), |command| self.command(command));
        done.unwrap_or_else(status)
    }

    fn on_thought(&mut self, info: &Info) -> Option<String> {
        let shown = matches!(self.job, SearchTask::Go | SearchTask::Hint(_)) && !info.pv.is_empty();
        shown.then(|| Reply::search(&info.pv, info.score, info.depth).to_string())
    }

    fn on_answer(&mut self, answer: &Answer) -> Vec<Action> {
        let mut replies = say(Reply::NodeStats {
            nodes: answer.thought.as_ref().and_then(|thought| thought.nodes),
            time: Some(answer.used),
        });
        let played = answer.played.to_string();
        match &mut self.job {
            SearchTask::Go => {
                replies.extend(say(Reply::Move(EvaluatedMove {
                    text: write_move(&played),
                    evaluation: answer.thought.as_ref().and_then(|thought| thought.score),
                    time: Some(answer.used),
                })));
                replies.extend(status(""));
                replies
            }
            &mut SearchTask::Hint(more) => {
                let info = answer.thought.clone().unwrap_or_default();
                // If the bot reported a line of moves, `on_thought` has written it already.
                if info.pv.is_empty() {
                    replies.extend(say(Reply::search(&[played], info.score, info.depth)));
                }
                let judging = Judging::of_moves(&self.game, answer.played, more);
                self.job = SearchTask::Judging(judging);
                self.think(replies)
            }
            SearchTask::Judging(judging) => {
                judging.answer(answer);
                self.think(Vec::new())
            }
        }
    }

    fn on_refusal(&mut self, why: &str) -> Vec<Action> {
        status(why)
    }
}

/// The evaluation of several positions: those after each move for `hint`, all of a game for `analyze`. A position gets
/// the score of the bot's answer; the end of a game gets its result.
struct Judging {
    /// The positions still to evaluate, the next one last.
    left: Vec<Subject>,
    /// The current position, and the bot's side in it.
    asked: Option<(Subject, Side)>,
    judged: Vec<JudgedMove>,
    wanted: usize,
}

struct Subject {
    of: Of,
    board: Board,
    moves: Vec<Move>,
}

#[derive(Clone, Copy)]
enum Of {
    Hint(Move, Side),
    /// The position after this number of moves.
    Game(usize),
}

struct JudgedMove {
    of: Of,
    /// In discs for black.
    worth: f64,
    depth: u32,
    line: Vec<String>,
}

impl Judging {
    /// Prepares the evaluation of all moves but `best`. [`Judging::verdicts`] then returns the best `wanted` of them.
    fn of_moves(game: &SavedGame, best: Move, wanted: usize) -> Judging {
        let board = game.board();
        let side = board.side_to_move();
        let others = board.legal_moves().into_iter();
        let after = |played| {
            let (mut board, mut moves) = (board.clone(), game.plies().collect::<Vec<_>>());
            board.play(played).ok()?;
            moves.push(played);
            let of = Of::Hint(played, side);
            Some(Subject { of, board, moves })
        };
        let left = others.filter(|&played| played != best && wanted > 0);
        Judging::new(left.filter_map(after).collect(), wanted)
    }

    /// Prepares the evaluation of every position of a game, last position first.
    fn of_game(game: &SavedGame) -> Judging {
        let mut board = game.start.clone();
        let mut subjects = Vec::new();
        let plies: Vec<_> = game.plies().collect();
        for number in 0..=plies.len() {
            subjects.push(Subject {
                of: Of::Game(number),
                board: board.clone(),
                moves: plies[..number].to_vec(),
            });
            if let Some(&played) = plies.get(number) {
                board.play(played).expect("a saved game is legal");
            }
        }
        let wanted = subjects.len();
        Judging::new(subjects, wanted)
    }

    fn new(left: Vec<Subject>, wanted: usize) -> Judging {
        Judging {
            left,
            asked: None,
            judged: Vec::new(),
            wanted,
        }
    }

    fn next(&mut self) -> Option<Ask> {
        while let Some(mut subject) = self.left.pop() {
            if let Some(ending) = subject.board.ending() {
                let board = &subject.board;
                let margin = board.game().margin(board.counts(), ending.winner);
                let worth = margin.unwrap_or_default().into();
                self.judged.push(JudgedMove {
                    of: subject.of,
                    worth,
                    depth: 0,
                    line: Vec::new(),
                });
                continue;
            }
            if subject.board.must_pass() {
                subject.board.play(Move::Pass).expect("it is forced");
                subject.moves.push(Move::Pass);
            }
            let ask = unhurried(subject.board.clone(), subject.moves.clone());
            self.asked = Some((subject, ask.start.you));
            return Some(ask);
        }
        None
    }

    fn answer(&mut self, answer: &Answer) {
        let Some((subject, side)) = self.asked.take() else {
            return;
        };
        let thought = answer.thought.clone().unwrap_or_default();
        self.judged.push(JudgedMove {
            of: subject.of,
            worth: for_black(side, thought.score.unwrap_or_default()),
            depth: thought.depth.unwrap_or_default(),
            line: thought.pv,
        });
    }

    /// Returns the results: for `hint`, the best moves first; for `analyze`, the last position first.
    fn verdicts(&mut self) -> Vec<Reply> {
        let worth = |judged: &JudgedMove| match judged.of {
            Of::Hint(_, side) => for_black(side, judged.worth),
            Of::Game(number) => number as f64,
        };
        self.judged.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        let shown = self.judged.iter().take(self.wanted);
        shown
            .map(|judged| match judged.of {
                Of::Hint(played, side) => {
                    let mut line = vec![played.to_string()];
                    line.extend(judged.line.iter().cloned());
                    let score = for_black(side, judged.worth);
                    Reply::search(&line, Some(score), Some(judged.depth + 1))
                }
                Of::Game(moves) => Reply::Analysis {
                    moves,
                    worth: judged.worth,
                },
            })
            .collect()
    }
}

fn for_black(side: Side, score: f64) -> f64 {
    match side {
        Side::Black => score,
        // Avoids −0.
        Side::White => 0.0 - score,
    }
}

fn unhurried(board: Board, moves: Vec<Move>) -> Ask {
    Ask {
        start: Start::untimed(board.game(), board.side_to_move()),
        board,
        moves,
        left: None,
        opponent_left: None,
    }
}
