//! One process of the bot: started, greeted, asked and ended. Diagnoses silence.
//!
//! The process layer does all waiting, with a deadline.

use std::time::{Duration, Instant};

use games::{Board, Ending, Game, Move, Rules, Side, Square, Theme};
use message::{Message, message};
use protocol::{GameResult, Over, Start};

use super::evidence::{Evidence, Moment, Silence, exchange, shortened};
use super::future_version::{LaterDialect, Novelty};
use super::illegal_move::IllegalMove;
use super::{Observer, Subject, Waits};
use referee::Limits;
use referee::bot::{Allowance, ArenaError, BotProcess, Failure, Hold, Identity, Parting};
use referee::dialect::{Protocol, Question};
use referee::record::{Exit, Fault, excerpt};

/// The interval between two observations of a process that is loading.
const LOOK: Duration = Duration::from_millis(100);
/// The number of observations before a process counts as computing.
const LOOKS: usize = 8;

/// A game from a given position.
#[derive(Clone, Debug)]
pub struct Scene {
    pub theme: Theme,
    pub game: Game,
    pub moves: Vec<Move>,
    /// The position, with the bot to move.
    pub board: Board,
    pub questions: u32,
}

impl Scene {
    fn new(game: Game, scene: games::Scene) -> Scene {
        let mut board = game.start();
        for &played in &scene.moves {
            board
                .play(played)
                .expect("a prepared position is reached by legal moves");
        }
        Scene {
            theme: scene.theme,
            game,
            moves: scene.moves,
            board,
            questions: scene.questions,
        }
    }

    pub fn you(&self) -> Side {
        self.board.side_to_move()
    }
}

/// Returns the scenes of a game. With `all`: also on other boards and with other rules.
pub fn scenes(game: Game, all: bool) -> Vec<Scene> {
    let scenes = game.family().scenes(game, all).into_iter();
    scenes
        .map(|(game, scene)| Scene::new(game, scene))
        .collect()
}

#[derive(Debug)]
pub enum SceneError {
    /// An illegal move. The process can continue.
    IllegalMove(Box<IllegalMove>),
    /// A fault. The process must not be used again.
    Fault(Box<Evidence>),
    Arena(ArenaError),
}

impl From<ArenaError> for SceneError {
    fn from(error: ArenaError) -> SceneError {
        SceneError::Arena(error)
    }
}

#[derive(Debug, Default)]
pub struct Measured {
    pub questions: u32,
    pub worst: Duration,
    /// The messages of the slowest answer, if it was too slow.
    pub slow: Vec<Message>,
    /// The messages of a resigned game.
    pub resigned: Vec<Message>,
    pub carriage_return: bool,
    /// The output began with a byte-order mark.
    pub mark: bool,
}

#[derive(Debug)]
pub struct Session<'a> {
    subject: &'a Subject,
    waits: Waits,
    observer: &'a dyn Observer,
    process: BotProcess,
    pub games: u32,
    asked: u32,
}

impl<'a> Session<'a> {
    /// Starts a process and greets it for its first game. Returns its name and its start time.
    ///
    /// The first process gets a short time. If it has read the greeting, is idle and has not answered, it will never
    /// answer. If it is still starting, or did not get its core, a second process gets the full time.
    pub fn start(
        subject: &'a Subject,
        waits: Waits,
        observer: &'a dyn Observer,
        novelty: Option<Novelty>,
        scene: &Scene,
    ) -> Result<(Session<'a>, Identity, Duration), SceneError> {
        observer.waits("waiting for its first answer, ready".into());
        let short = waits.silence.min(waits.start);
        let mut allowed = short;
        loop {
            let began = Instant::now();
            let mut session = Session::open(subject, waits, observer, novelty, allowed)?;
            let greeted = session
                .process
                .greet(&start_message(subject, waits, scene), allowed);
            let may_be_slow = allowed < waits.start;
            match greeted {
                Ok(identity) => {
                    session.games = 1;
                    return Ok((session, identity, began.elapsed()));
                }
                Err(Failure::Arena(ArenaError::Starved(_) | ArenaError::Stalled(_)))
                    if may_be_slow => {}
                Err(Failure::Fault(Fault::HandshakeTimeout { .. }))
                    if may_be_slow && !session.will_not_answer()? => {}
                Err(failure) => {
                    let moment = if session.process.is_refused() {
                        Moment::Launch
                    } else {
                        Moment::Start
                    };
                    return Err(session.failure(failure, moment, allowed));
                }
            }
            allowed = waits.start;
            observer.waits(message!(
                "waiting for ready in a new process, at most {} s",
                allowed.as_secs()
            ));
        }
    }

    fn open(
        subject: &'a Subject,
        waits: Waits,
        observer: &'a dyn Observer,
        novelty: Option<Novelty>,
        allowed: Duration,
    ) -> Result<Session<'a>, SceneError> {
        let process = match novelty {
            Some(novelty) => {
                BotProcess::start_speaking(&subject.launch, Box::new(LaterDialect::new(novelty)))
            }
            None => BotProcess::start(&subject.launch),
        };
        match process {
            Ok(process) => Ok(Session {
                subject,
                waits,
                observer,
                process,
                games: 0,
                asked: 0,
            }),
            Err(Failure::Arena(error)) => Err(error.into()),
            Err(Failure::Fault(fault)) => Err(SceneError::Fault(Box::new(Evidence {
                fault,
                moment: Moment::Launch,
                silence: None,
                exit: None,
                exchange: Vec::new(),
                stderr: String::new(),
                given: allowed,
            }))),
        }
    }

    pub fn greet(&mut self, scene: &Scene) -> Result<(), SceneError> {
        self.games += 1;
        self.asked = 0;
        self.observer
            .waits("waiting for ready for another game".into());
        let allowed = self.waits.start.min(self.waits.silence * 2);
        let start = start_message(self.subject, self.waits, scene);
        match self.process.greet(&start, allowed) {
            Ok(_) => Ok(()),
            Err(failure) => Err(self.failure(failure, Moment::Again, allowed)),
        }
    }

    /// Plays a scene after the greeting, and sends `over`.
    pub fn play(&mut self, scene: &Scene, measured: &mut Measured) -> Result<(), SceneError> {
        self.asked = 0;
        let (mut board, mut moves) = (scene.board.clone(), scene.moves.clone());
        while self.asked < scene.questions && advance(&mut board, &mut moves, scene.you()) {
            let legal = board.legal_squares();
            let answer = self.ask(&board, &legal, &moves, measured)?;
            if answer == "resign" {
                measured.resigned = exchange(self.process.log.bytes());
                break;
            }
            match answer.parse::<Move>() {
                Ok(Move::Place(square)) if legal.contains(&square) => {
                    let played = Move::Place(square);
                    board.play(played).expect("a legal move");
                    moves.push(played);
                }
                _ => {
                    self.send_over(&board, scene.you(), measured);
                    let answer = excerpt(answer.as_bytes());
                    let illegal = IllegalMove::new(board, answer, scene.theme);
                    return Err(SceneError::IllegalMove(Box::new(illegal)));
                }
            }
        }
        if self.games == 1 {
            // A second answer may follow a little later.
            self.process.listen(Instant::now() + self.waits.settle)?;
        }
        self.check_quiet()?;
        self.send_over(&board, scene.you(), measured);
        Ok(())
    }

    fn ask(
        &mut self,
        board: &Board,
        legal: &[Square],
        moves: &[Move],
        measured: &mut Measured,
    ) -> Result<String, SceneError> {
        let left_ms = [self.waits.move_time.as_millis() as u64; 2];
        let question = Question {
            board,
            legal,
            moves,
            left_ms,
            moves_to_go: None,
        };
        // The bot may exceed the limit, so that its time can be measured.
        let given = self.waits.move_time + self.waits.silence;
        let allowance = Allowance {
            limit: Some(given),
            margin: Duration::ZERO,
        };
        let moment = if self.asked == 0 {
            Moment::FirstQuestion
        } else {
            Moment::Question
        };
        self.asked += 1;
        self.observer.waits(message!(
            "{}: waiting for the answer to question {}",
            board.game(),
            self.asked
        ));
        let reply = self.process.ask(&question, allowance, Hold::NONE);
        let reply = reply.map_err(|failure| match failure {
            // The limit is long, so a busy machine does not explain the silence.
            Failure::Arena(ArenaError::Starved(_) | ArenaError::Stalled(_)) => {
                let (used, allowed) = (given, given);
                self.fault(Fault::OutOfTime { used, allowed }, moment, given)
            }
            failure => self.failure(failure, moment, given),
        })?;
        measured.questions += 1;
        if reply.used > measured.worst {
            measured.worst = reply.used;
            if reply.used > self.waits.move_time + self.waits.margin {
                measured.slow = exchange(self.process.log.bytes());
            }
        }
        Ok(reply.played)
    }

    /// Checks that the process is running and has written nothing since its answer.
    fn check_quiet(&mut self) -> Result<(), SceneError> {
        if self.process.is_fit() {
            return Ok(());
        }
        let text = excerpt(self.process.unread());
        let fault = match self.process.exit() {
            Some(status) => Fault::Crashed { status },
            None if self.process.is_quiet() => Fault::ClosedOutput,
            None => Fault::UnaskedOutput { text },
        };
        Err(self.fault(fault, Moment::Waiting, Duration::ZERO))
    }

    fn send_over(&mut self, board: &Board, you: Side, measured: &mut Measured) {
        self.process.tell_over(&over(board, you));
        if self.subject.launch.protocol == Protocol::Arena {
            let log = self.process.log.bytes();
            let heard = || {
                log.split(|&byte| byte == b'\n')
                    .filter_map(|l| l.strip_prefix(b"< "))
            };
            measured.carriage_return |= heard().any(|line| line.ends_with(b"\r"));
            measured.mark |= heard().any(|line| line.starts_with(b"\xef\xbb\xbf"));
        }
    }

    /// Waits for the process to exit by itself.
    pub fn exits_within(&mut self, wait: Duration) -> Result<Option<(Exit, Evidence)>, ArenaError> {
        self.process.listen(Instant::now() + wait)?;
        Ok(self.process.exit().map(|status| {
            let fault = Fault::Crashed { status };
            (
                status,
                self.evidence(fault, Moment::Waiting, Duration::ZERO),
            )
        }))
    }

    /// Ends the process, with `quit` or by closing its input. Returns its exit and its standard error.
    pub fn end(mut self, with_quit: bool) -> Result<(Parting, String), ArenaError> {
        self.observer.waits("waiting for it to exit".into());
        if with_quit {
            self.process.say_quit();
        }
        self.process.close_input();
        let parting = self.process.leave(Instant::now() + self.waits.parting)?;
        Ok((parting, self.process.drained_stderr()))
    }

    fn failure(&mut self, failure: Failure, moment: Moment, given: Duration) -> SceneError {
        match failure {
            Failure::Arena(error) => error.into(),
            Failure::Fault(fault) => self.fault(fault, moment, given),
        }
    }

    fn fault(&mut self, fault: Fault, moment: Moment, given: Duration) -> SceneError {
        let mut evidence = self.evidence(fault, moment, given);
        let is_silence = matches!(
            evidence.fault,
            Fault::HandshakeTimeout { .. } | Fault::OutOfTime { .. }
        );
        if is_silence {
            self.observer.waits("it is silent: finding out why".into());
            let loading = match moment {
                Moment::Start => self.loading_time(given),
                _ => Ok(None),
            };
            let silence = match loading {
                Ok(None) => self.diagnose_silence(),
                Ok(Some(after)) => Ok(Silence::Loading(after)),
                Err(error) => Err(error),
            };
            match silence {
                Ok(silence) => evidence.silence = Some(silence),
                Err(error) => return error.into(),
            }
            evidence.exchange = exchange(self.process.log.bytes());
            evidence.stderr = self.process.drained_stderr();
        }
        SceneError::Fault(Box::new(evidence))
    }

    fn evidence(&mut self, fault: Fault, moment: Moment, given: Duration) -> Evidence {
        Evidence {
            fault,
            moment,
            silence: None,
            exit: self.process.exit(),
            exchange: exchange(self.process.log.bytes()),
            stderr: self.process.drained_stderr(),
            given,
        }
    }

    /// Returns whether a process will never answer: it has read its input and is idle, or has begun a line without
    /// ending it. A process that answers or exits just after its limit only needed more time.
    fn will_not_answer(&mut self) -> Result<bool, ArenaError> {
        let has_begun = !self.process.unread().trim_ascii().is_empty();
        let is_quiet = has_begun
            || self.process.has_read_everything() && self.process.is_idle(self.waits.settle)?;
        let is_late = self.process.exit().is_some() || self.process.unread().contains(&b'\n');
        Ok(is_quiet && !is_late)
    }

    /// Waits again for a process that had not read the greeting in time. Returns the time from its start to its answer;
    /// `None` without an answer.
    fn loading_time(&mut self, given: Duration) -> Result<Option<Duration>, ArenaError> {
        if given < self.waits.start || self.process.has_read_everything() {
            return Ok(None);
        }
        let began = Instant::now();
        let end = began + given;
        while self.process.unread().is_empty() && self.process.exit().is_none() {
            let now = Instant::now();
            if now >= end {
                return Ok(None);
            }
            self.process.listen(end.min(now + LOOK))?;
        }
        let has_answered = !self.process.unread().trim_ascii().is_empty();
        Ok(has_answered.then(|| given + began.elapsed()))
    }

    /// Returns whether the process is idle in one of a few observations: the threads of a runtime, such as Java's, work
    /// now and then, but a computing program never rests.
    fn is_idle_soon(&mut self) -> Result<bool, ArenaError> {
        for _ in 0..LOOKS {
            if self.process.is_idle(self.waits.settle)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Diagnoses silence by the input, the CPU clock and the last output of the process. Closes its input.
    fn diagnose_silence(&mut self) -> Result<Silence, ArenaError> {
        let unread = self.process.unread();
        let begun = unread.trim_ascii();
        if !begun.is_empty() {
            let text = shortened(&excerpt(begun));
            let is_whole = unread.contains(&b'\n');
            return Ok(if is_whole {
                Silence::Late(text)
            } else {
                Silence::Unended(text)
            });
        }
        let is_idle = self.is_idle_soon()?;
        let has_read = self.process.has_read_everything();
        let before = self.process.log.bytes().len();
        self.process.close_input();
        self.process.leave(Instant::now() + self.waits.parting)?;
        let log = self.process.log.bytes();
        let last_words = log[before.min(log.len())..].trim_ascii();
        let last_words = last_words.strip_prefix(b"< ").unwrap_or(last_words);
        let line = last_words
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        let text = || excerpt(line.trim_ascii());
        Ok(match (line.is_empty(), is_idle) {
            (false, true) => Silence::Held(text()),
            (false, false) => Silence::Late(text()),
            (true, false) => Silence::Busy,
            (true, true) if !has_read => Silence::NotReading,
            (true, true) => Silence::Idle,
        })
    }
}

fn start_message(subject: &Subject, waits: Waits, scene: &Scene) -> Start {
    let limits = Limits {
        move_time: waits.move_time,
        ..Limits::default()
    };
    limits.start(scene.game, scene.you(), subject.memory_mib, 1)
}

/// Plays the opponent's moves until the bot is to move. Returns false if the game has ended.
fn advance(board: &mut Board, moves: &mut Vec<Move>, you: Side) -> bool {
    while board.ending().is_none() {
        let played = if board.must_pass() {
            Move::Pass
        } else if board.side_to_move() == you {
            return true;
        } else {
            // Any legal move is good, but they should not all be in the same corner.
            let legal = board.legal_squares();
            Move::Place(legal[(7 * moves.len() + 3) % legal.len()])
        };
        board.play(played).expect("a legal move");
        moves.push(played);
    }
    false
}

fn over(board: &Board, you: Side) -> Over {
    let [black, white] = board.counts();
    let (result, reason) = match board.ending() {
        None => (GameResult::Void, "void"),
        Some(Ending { winner, reason }) => {
            let result = match winner {
                None => GameResult::Draw,
                Some(side) if side == you => GameResult::Win,
                Some(_) => GameResult::Loss,
            };
            (result, reason.word())
        }
    };
    Over {
        result,
        reason: reason.to_owned(),
        black,
        white,
    }
}
