//! A bot as an engine (a "brain") of Gomocup's managers.
//!
//! Stones are stored as the manager sends them: by owner, not by colour, and in any order. When a move is requested,
//! the colours follow from the numbers of stones. A command that fails is answered with `ERROR` and the reason, and
//! changes nothing. An unsupported rule is an exception: it is stored, so that no game is played by a wrong rule.

use std::time::Duration;

use games::gomoku::{Choice, OpeningRule, Rule};
use games::{Board, Game, MAX_SIZE, Move, Rules, Side, Square};

use super::{Action, Answer, Ask, EngineServer, Introduction, over, say};
use crate::codec::gomocup::{
    About, BadLine, DONE, GomocupCommand, InfoKey, NO_LIMIT, Reply, Stone, StoneOwner,
    numbered_rule, parse_square, write_square,
};
use crate::{Info, Start};

pub(super) struct GomocupServer {
    introduction: Introduction,
    /// The rule; an error has the number of an unsupported rule.
    rule: Result<Rule, i64>,
    size: Option<u8>,
    stones: StoneList,
    limits: InfoLimits,
    reading: Reading,
    opened: Option<Opened>,
}

enum Reading {
    Commands,
    /// Stones up to `DONE`, and the first error in them.
    Board(StoneList, Result<(), String>),
    Swap2(Vec<Square>, Result<(), String>),
}

/// A swap2 opening in which the bot has a decision to make.
struct Opened {
    game: Game,
    board: Board,
    you: Side,
    stones: Vec<Move>,
    opening_squares: Vec<Square>,
}

impl GomocupServer {
    pub(super) fn new(introduction: Introduction) -> GomocupServer {
        let rule = introduction.games.first().copied().and_then(Rule::of);
        GomocupServer {
            introduction,
            rule: Ok(rule.unwrap_or(Rule::Freestyle)),
            size: None,
            stones: StoneList::default(),
            limits: InfoLimits::default(),
            reading: Reading::Commands,
            opened: None,
        }
    }

    fn line(&mut self, line: &str) -> Result<Vec<Action>, String> {
        let size = self.size.unwrap_or(MAX_SIZE);
        let is_done = line.eq_ignore_ascii_case(DONE);
        match &mut self.reading {
            Reading::Commands => return self.command(line),
            Reading::Board(stones, wrong) if !is_done => {
                if wrong.is_ok() {
                    let stone = Stone::parse(line, size).map_err(|bad| bad.to_string());
                    *wrong = stone.and_then(|stone| stones.put(stone));
                }
                return Ok(Vec::new());
            }
            Reading::Swap2(squares, wrong) if !is_done => {
                if wrong.is_ok() {
                    let square = parse_square(line, size).map_err(|bad| bad.to_string());
                    *wrong = square.map(|square| squares.push(square));
                }
                return Ok(Vec::new());
            }
            Reading::Board(..) | Reading::Swap2(..) => {}
        }
        match std::mem::replace(&mut self.reading, Reading::Commands) {
            Reading::Board(stones, wrong) => {
                wrong?;
                let before = std::mem::replace(&mut self.stones, stones);
                self.ask().inspect_err(|_| self.stones = before)
            }
            Reading::Swap2(squares, wrong) => {
                wrong?;
                self.swap2(&squares)
            }
            Reading::Commands => Ok(Vec::new()),
        }
    }

    fn command(&mut self, line: &str) -> Result<Vec<Action>, String> {
        let command = match GomocupCommand::parse(line, self.size.unwrap_or(MAX_SIZE)) {
            Ok(command) => command,
            Err(bad @ BadLine::Unknown(_)) => return Ok(say(Reply::Unknown(bad.to_string()))),
            Err(bad) => {
                if matches!(bad, BadLine::Square(_)) {
                    // A missing board or an unsupported rule is reported instead of the bad square.
                    self.game()?;
                }
                return Err(bad.to_string());
            }
        };
        match command {
            GomocupCommand::Start(size) => {
                let game = Game::new("gomoku", None, Some(size)).map_err(|bad| bad.to_string())?;
                self.size = Some(game.size());
                self.restart()
            }
            GomocupCommand::Restart => self.restart(),
            GomocupCommand::Begin if !self.stones.0.is_empty() => {
                Err("BEGIN is for an empty board: send RESTART, or TURN or BOARD".to_owned())
            }
            GomocupCommand::Begin => self.ask(),
            GomocupCommand::Turn(square) => {
                self.game()?;
                let owner = StoneOwner::Opponent;
                self.stones.put(Stone { square, owner })?;
                self.ask().inspect_err(|_| {
                    let _ = self.stones.take_back(square);
                })
            }
            // An error is reported only after `DONE`, because the stones must not be read as commands.
            GomocupCommand::Board => {
                self.reading = Reading::Board(StoneList::default(), self.game().map(drop));
                Ok(Vec::new())
            }
            GomocupCommand::Swap2Board => {
                self.reading = Reading::Swap2(Vec::new(), self.game().map(drop));
                Ok(Vec::new())
            }
            GomocupCommand::TakeBack(square) => {
                self.game()?;
                self.stones.take_back(square)?;
                Ok(say(Reply::Ok))
            }
            GomocupCommand::Play(square) => {
                self.game()?;
                let owner = StoneOwner::Own;
                self.stones.put(Stone { square, owner })?;
                Ok(say(Reply::square(square)))
            }
            GomocupCommand::Info(InfoKey::Rule, number) => {
                self.rule = numbered_rule(number).ok_or(number);
                self.rule().map(|_| Vec::new())
            }
            GomocupCommand::Info(InfoKey::MaxDepth, plies) => {
                let plies = u32::try_from(plies).ok().filter(|&plies| plies > 0);
                Ok(plies.map(Action::Depth).into_iter().collect())
            }
            GomocupCommand::Info(key, value) => {
                self.limits.set(key, value);
                Ok(Vec::new())
            }
            GomocupCommand::OtherInfo(_) => Ok(Vec::new()),
            GomocupCommand::About => Ok(say(About {
                name: self.introduction.name.clone(),
                version: self.introduction.version.clone(),
            })),
            GomocupCommand::End => Ok(vec![Action::Quit]),
        }
    }

    fn restart(&mut self) -> Result<Vec<Action>, String> {
        self.size.ok_or("START comes first")?;
        self.stones = StoneList::default();
        self.limits.left = None;
        // With an unsupported rule, this still succeeds, because a supported rule may follow before the first move.
        let start = self.game().map(|game| self.limits.start(game, Side::Black));
        let start = start.map(Action::Start).into_iter();
        Ok(start.chain(say(Reply::Ok)).collect())
    }

    fn rule(&self) -> Result<Rule, String> {
        self.rule.map_err(|number| {
            format!("rule {number} is not supported; supported rules: 0 (freestyle), 1 (exactly five), 4 (renju), \
                     8 (caro)")
        })
    }

    fn game(&self) -> Result<Game, String> {
        let size = self.size.ok_or("START comes first")?;
        let rule = self.rule()?;
        Ok(Game::gomoku(size, rule))
    }

    fn ask(&mut self) -> Result<Vec<Action>, String> {
        self.opened = None;
        let (board, moves) = self.stones.position(self.game()?)?;
        self.question(board, moves)
    }

    fn swap2(&mut self, squares: &[Square]) -> Result<Vec<Action>, String> {
        let game = self.game()?.with_opening(Some(OpeningRule::Swap2.name()));
        let game = game.map_err(|bad| bad.to_string())?;
        if !self.introduction.openings.contains(&OpeningRule::Swap2) {
            let name = &self.introduction.name;
            return Ok(say(Reply::Unknown(format!("{name} does not know swap2"))));
        }
        if ![0, 3, 5].contains(&squares.len()) {
            let count = squares.len();
            return Err(format!(
                "SWAP2BOARD has {count} stones instead of 0, 3 or 5"
            ));
        }
        let mut board = game.start();
        for (number, &square) in squares.iter().enumerate() {
            if number == 3 {
                let two_more = Move::Choose(Choice::TwoMore);
                board.play(two_more).map_err(|bad| bad.to_string())?;
            }
            let put = board.play(Move::Place(square));
            put.map_err(|bad| bad.to_string())?;
        }
        let you = board.side_to_move();
        let opened = Opened {
            game,
            board,
            you,
            stones: squares.iter().copied().map(Move::Place).collect(),
            opening_squares: Vec::new(),
        };
        Ok(self.ask_in_opening(opened))
    }

    fn ask_in_opening(&mut self, opened: Opened) -> Vec<Action> {
        // The manager gives one time limit for an answer that may take two searches: one for a word, one for a stone.
        let limits = InfoLimits {
            turn: self.limits.turn.map(|turn| turn / 2),
            ..self.limits.clone()
        };
        let ask = Ask {
            start: limits.start(opened.game, opened.you),
            board: opened.board.clone(),
            moves: opened.stones.clone(),
            left: limits.left(),
            opponent_left: None,
        };
        self.opened = Some(opened);
        vec![Action::Ask(Box::new(ask))]
    }

    /// Applies a decision of the bot in a swap2 opening, then asks for the next decision or replies with all squares
    /// that the bot named. If it named no square, the bot takes black, and the reply is `SWAP`.
    fn opened(&mut self, mut opened: Opened, played: Move) -> Result<Vec<Action>, String> {
        opened.board.play(played).map_err(|bad| bad.to_string())?;
        match played {
            Move::Place(square) => {
                opened.opening_squares.push(square);
                opened.stones.push(played);
            }
            Move::Choose(Choice::Swap) => opened.you = !opened.you,
            _ => {}
        }
        if opened.board.side_to_move() == opened.you {
            return Ok(self.ask_in_opening(opened));
        }
        let mut squares = opened.opening_squares.into_iter();
        Ok(say(match squares.next() {
            None => Reply::Swap,
            Some(first) => Reply::Move {
                square: Ok(first),
                rest: squares.map(write_square).collect::<Vec<_>>().join(" "),
            },
        }))
    }

    fn question(&self, board: Board, moves: Vec<Move>) -> Result<Vec<Action>, String> {
        if let Some(ending) = board.ending() {
            return Err(over(ending));
        }
        if board.legal_squares().is_empty() {
            return Err("there is no square left to play".to_owned());
        }
        Ok(vec![Action::Ask(Box::new(Ask {
            start: self.limits.start(self.game()?, board.side_to_move()),
            board,
            moves,
            left: self.limits.left(),
            opponent_left: None,
        }))])
    }
}

fn error(why: impl Into<String>) -> Vec<Action> {
    say(Reply::Error(why.into()))
}

impl EngineServer for GomocupServer {
    fn on_line(&mut self, line: &str) -> Vec<Action> {
        self.line(line).unwrap_or_else(error)
    }

    fn on_thought(&mut self, info: &Info) -> Option<String> {
        Some(Reply::Message(described(info)).to_string())
    }

    fn on_answer(&mut self, answer: &Answer) -> Vec<Action> {
        self.limits.spend(answer.used);
        if let Some(opened) = self.opened.take() {
            return self.opened(opened, answer.played).unwrap_or_else(error);
        }
        let square = answer.played.square();
        let Some(square) = square else {
            return error("the bot has no move");
        };
        let owner = StoneOwner::Own;
        match self.stones.put(Stone { square, owner }) {
            Ok(()) => say(Reply::square(square)),
            Err(why) => error(why),
        }
    }

    fn on_refusal(&mut self, why: &str) -> Vec<Action> {
        error(why)
    }
}

fn described(info: &Info) -> String {
    let line = info.pv.iter().map(|square| {
        let parsed = square.parse();
        parsed.map_or_else(|_| square.clone(), write_square)
    });
    let line = line.collect::<Vec<_>>().join(" ");
    let words = [
        info.depth.map(|depth| format!("depth {depth}")),
        info.score.map(|score| format!("score {score}")),
        info.nodes.map(|nodes| format!("nodes {nodes}")),
        info.time_ms.map(|ms| format!("time {ms} ms")),
        (!line.is_empty()).then(|| format!("pv {line}")),
        info.text.clone(),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct StoneList(Vec<Stone>);

impl StoneList {
    fn put(&mut self, stone: Stone) -> Result<(), String> {
        if stone.owner == StoneOwner::Line {
            return Ok(());
        }
        if self.0.iter().any(|taken| taken.square == stone.square) {
            let square = write_square(stone.square);
            return Err(format!("there is a stone on {square} already"));
        }
        self.0.push(stone);
        Ok(())
    }

    fn take_back(&mut self, square: Square) -> Result<(), String> {
        let Some(at) = self.0.iter().rposition(|taken| taken.square == square) else {
            let square = write_square(square);
            return Err(format!("there is no stone on {square} to take back"));
        };
        self.0.remove(at);
        Ok(())
    }

    /// Returns the position with the bot to move, and moves that lead to it: each side's stones in the order received.
    fn position(&self, game: Game) -> Result<(Board, Vec<Move>), String> {
        let of = |owner| {
            let stones = self.0.iter().filter(move |stone| stone.owner == owner);
            stones.map(|stone| stone.square).collect::<Vec<_>>()
        };
        let (own, theirs) = (of(StoneOwner::Own), of(StoneOwner::Opponent));
        let (you, black, white) = match theirs.len().checked_sub(own.len()) {
            Some(0) => (Side::Black, own, theirs),
            Some(1) => (Side::White, theirs, own),
            _ => {
                return Err(format!(
                    "{} own stones and {} of the opponent's: it cannot be the brain's turn",
                    own.len(),
                    theirs.len()
                ));
            }
        };
        let size = usize::from(game.size());
        let mut rows = vec![vec![b'.'; size]; size];
        for (stones, symbol) in [(&black, b'X'), (&white, b'O')] {
            for square in stones {
                rows[usize::from(square.row())][usize::from(square.column())] = symbol;
            }
        }
        let rows = rows.iter().map(|row| String::from_utf8_lossy(row));
        let board = game.position(&rows.collect::<Vec<_>>(), you);
        let board = board.map_err(|bad| bad.to_string())?;
        if let Board::Gomoku(board) = &board
            && let Some(winner) = board.winner()
        {
            return Err(format!("the game is over: {winner} has won"));
        }
        let mut white = white.into_iter();
        let moves = black
            .into_iter()
            .flat_map(|square| [Some(square), white.next()])
            .flatten()
            .map(Move::Place)
            .collect();
        Ok((board, moves))
    }
}

#[derive(Clone, Debug, Default)]
struct InfoLimits {
    turn: Option<Duration>,
    whole: Option<Duration>,
    /// The time in the last `time_left`, minus the time used since then.
    left: Option<Duration>,
    memory: u64,
}

impl InfoLimits {
    /// The time for a move if the manager allows 0 ms.
    const AS_FAST_AS_YOU_CAN: Duration = Duration::from_millis(1);

    fn set(&mut self, key: InfoKey, value: i64) {
        let limit = (value < NO_LIMIT).then(|| Duration::from_millis(value.max(0) as u64));
        match key {
            InfoKey::TimeoutTurn => {
                self.turn = limit.map(|turn| turn.max(InfoLimits::AS_FAST_AS_YOU_CAN));
            }
            InfoKey::TimeoutMatch => self.whole = limit.filter(|whole| !whole.is_zero()),
            InfoKey::TimeLeft => self.left = limit,
            InfoKey::MaxMemory => self.memory = value.max(0) as u64,
            InfoKey::MaxDepth | InfoKey::Rule => {}
        }
    }

    fn start(&self, game: Game, you: Side) -> Start {
        // A limit below 1 MiB is still a limit.
        let mib = (self.memory > 0).then(|| (self.memory >> 20).max(1));
        Start {
            move_time: self.turn,
            game_time: self.whole,
            memory_mib: mib,
            ..Start::untimed(game, you)
        }
    }

    /// Returns the time left on the game's clock, or for the move if there is no game clock.
    fn left(&self) -> Option<Duration> {
        match self.whole {
            Some(whole) => Some(self.left.unwrap_or(whole)),
            None => self.turn,
        }
    }

    /// Subtracts the time of a move. A later `time_left` replaces the result.
    fn spend(&mut self, used: Duration) {
        if let Some(whole) = self.whole {
            self.left = Some(self.left.unwrap_or(whole).saturating_sub(used));
        }
    }
}
