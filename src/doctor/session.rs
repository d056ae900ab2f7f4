//! Runs one process of the bot: starts, greets, asks and ends it. Every wait has a deadline.

mod silence;

use std::time::{Duration, Instant};

use games::{Board, Ending, Game, Move, Opening, Rules, Side, Square, Theme};
use message::{Message, message};
use protocol::{GameResult, Over, Start};

use super::changed::{Change, ChangedAdapter, Notes};
use super::evidence::{Evidence, Moment, Silence, exchange};
use super::illegal_move::IllegalMove;
use super::{Observer, Subject, Waits};
use referee::Limits;
use referee::bot::{Allowance, Answer, ArenaError, BotProcess, Failure, Hold, Identity, Parting};
use referee::dialect::{Protocol, Question};
use referee::record::{Exit, Fault, excerpt};

/// The interval between two observations of a process that is loading.
const LOOK: Duration = Duration::from_millis(100);
/// A bot that used less CPU time than this between two observations was idle.
const WORK: Duration = Duration::from_millis(3);
const IDLE_LOOKS: u32 = 5;

/// A game from a given position.
#[derive(Clone, Debug)]
pub struct Scene {
    pub theme: Theme,
    pub game: Game,
    pub moves: Vec<Move>,
    pub board: Board,
    /// The bot's colour at the start of the scene; an opening by a rule may change it.
    pub you: Side,
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
            you: board.side_to_move(),
            board,
            questions: scene.questions,
        }
    }

    fn you_after(&self, moves: &[Move]) -> Side {
        if games::is_swapped(moves) {
            !self.you
        } else {
            self.you
        }
    }
}

/// The number of questions of a whole game, unless it ends earlier.
const WHOLE: u32 = 70;

/// Returns the scenes of a game; the first one is a whole game. `all`: also other boards and other rules.
pub fn scenes(game: Game, all: bool) -> Vec<Scene> {
    let scenes = game.family().scenes(game, all).into_iter();
    let mut scenes: Vec<Scene> = scenes
        .map(|(game, scene)| Scene::new(game, scene))
        .collect();
    if let Some(first) = scenes.first_mut().filter(|first| first.moves.is_empty()) {
        first.questions = WHOLE;
    }
    scenes
}

/// Returns two scenes that begin with this opening rule: the bot begins in the first, its opponent in the second.
pub fn openings(game: Game, rule: &str) -> Option<[Scene; 2]> {
    let game = game.with_opening(Some(rule)).ok()?;
    Some(Side::BOTH.map(|you| Scene {
        theme: Theme::Opening,
        game,
        moves: Vec::new(),
        board: game.start(),
        you,
        questions: 10,
    }))
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
    /// The time that may be spent on whole games. When it is used up, games are cut.
    pub budget: Duration,
    pub cut: Option<Cut>,
    pub peak_memory_kib: u64,
    pub worst: Duration,
    /// The longest time for which other processes delayed an answer. `worst` does not include it.
    pub kept: Duration,
    pub slow: Vec<Message>,
    pub resigned: Vec<Message>,
    pub carriage_return: bool,
    /// Whether the output began with a byte-order mark.
    pub mark: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Cut {
    pub turns: u32,
    pub time: Duration,
    /// The number of turns if the game continues until the board is full.
    pub whole: u32,
}

/// The data that all sessions of an examination share.
#[derive(Clone, Debug)]
pub struct Bench<'a> {
    pub subject: &'a Subject,
    pub waits: Waits,
    pub observer: &'a dyn Observer,
    pub notes: Notes,
    /// Whether a silent bot gets one more line before its input is closed.
    pub nudges: bool,
}

#[derive(Debug)]
pub struct Session<'a> {
    bench: Bench<'a>,
    process: BotProcess,
    pub games: u32,
    asked: u32,
    pub turns: u32,
    /// The position of the last question, and the moves that led to it.
    position: Option<(Board, Vec<Move>)>,
    /// The number of notes that there were before the last question.
    noted: usize,
}

impl<'a> Session<'a> {
    /// Starts a process and greets it for its first game. Returns the session, the bot's identity and the time that its
    /// start took. The first process gets only a short time. If it has read the greeting and is idle, it will never
    /// answer, and that is a fault. If it is still starting, or had no CPU core, a second process gets the full time.
    pub fn start(
        bench: &Bench<'a>,
        change: Option<Change>,
        scene: &Scene,
    ) -> Result<(Session<'a>, Identity, Duration), SceneError> {
        let (waits, observer) = (bench.waits, bench.observer);
        observer.waits("waiting for the answer to hello".into());
        let short = waits.silence.min(waits.start);
        let mut allowed = short;
        loop {
            let began = Instant::now();
            let mut session = Session::open(bench, change, allowed)?;
            let start = start_message(bench.subject, waits, scene);
            let greeted = session.process.greet(&start, allowed);
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
                    let failure = session.failure(failure, moment, allowed);
                    let is_late = matches!(&failure, SceneError::Fault(evidence)
                        if matches!(evidence.silence, Some(Silence::Late(_))));
                    if !(may_be_slow && is_late) {
                        return Err(failure);
                    }
                }
            }
            allowed = waits.start;
            observer.waits(message!(
                "waiting for the answer to hello in a new process, at most {} s",
                allowed.as_secs()
            ));
        }
    }

    fn open(
        bench: &Bench<'a>,
        change: Option<Change>,
        allowed: Duration,
    ) -> Result<Session<'a>, SceneError> {
        let launch = &bench.subject.launch;
        let process = if launch.protocol == Protocol::Arena {
            let adapter = ChangedAdapter::new(change, bench.notes.clone());
            BotProcess::start_speaking(launch, Box::new(adapter))
        } else {
            BotProcess::start(launch)
        };
        match process {
            Ok(process) => Ok(Session {
                bench: bench.clone(),
                process,
                games: 0,
                asked: 0,
                turns: 0,
                position: None,
                noted: bench.notes.len(),
            }),
            Err(Failure::Arena(error)) => Err(error.into()),
            Err(Failure::Fault(fault)) => Err(SceneError::Fault(Box::new(Evidence {
                fault,
                moment: Moment::Launch,
                asked: 0,
                position: None,
                silence: None,
                exit: None,
                exchange: Vec::new(),
                stderr: String::new(),
                given: allowed,
            }))),
        }
    }

    /// Greets a process so often that its answers overflow its output buffer. Returns whether an answer comes.
    pub fn overflows(bench: &Bench<'a>, scene: &Scene) -> bool {
        let allowed = bench.waits.silence / 2;
        let noted = bench.notes.len();
        let opened = Session::open(bench, Some(Change::Greetings), allowed);
        let Ok(mut session) = opened else {
            return false;
        };
        let start = start_message(bench.subject, bench.waits, scene);
        let greeted = session.process.greet(&start, allowed);
        // On a busy machine, the process may still be starting.
        let overflows = match greeted {
            Ok(_) => true,
            Err(_) => matches!(session.prompt_message(0, Moment::Start), Ok(Some(_))),
        };
        bench.notes.take(noted);
        overflows
    }

    pub fn greet(&mut self, scene: &Scene) -> Result<(), SceneError> {
        self.games += 1;
        self.asked = 0;
        self.noted = self.bench.notes.len();
        let (waits, observer) = (self.bench.waits, self.bench.observer);
        observer.waits("waiting for the answer to hello for another game".into());
        let allowed = waits.start.min(waits.silence * 2);
        let start = start_message(self.bench.subject, waits, scene);
        match self.process.greet(&start, allowed) {
            Ok(_) => Ok(()),
            Err(failure) => Err(self.failure(failure, Moment::Again, allowed)),
        }
    }

    /// Plays a scene after the greeting, and sends `over`.
    pub fn play(&mut self, scene: &Scene, measured: &mut Measured) -> Result<(), SceneError> {
        self.asked = 0;
        let began = Instant::now();
        let (mut board, mut moves) = (scene.board.clone(), scene.moves.clone());
        while self.asked < scene.questions && advance(&mut board, &mut moves, scene) {
            let used = began.elapsed();
            if scene.questions == WHOLE && used >= measured.budget {
                let empty: usize = board
                    .rows()
                    .iter()
                    .map(|row| row.matches('.').count())
                    .sum();
                let whole = self.asked + empty.div_ceil(2) as u32;
                let (turns, time) = (self.asked, used);
                measured.cut = measured.cut.or(Some(Cut { turns, time, whole }));
                break;
            }
            let legal = board.legal_squares();
            let counted = games::counted(scene.game, &moves);
            self.position = Some((board.clone(), counted.clone()));
            let answer = self.ask(&board, &legal, &counted, measured)?;
            if answer == "resign" {
                measured.resigned = exchange(self.process.log.bytes());
                break;
            }
            for word in referee::words(&board, &answer) {
                let played = word.parse::<Move>().ok();
                let is_asked = scene.you_after(&moves) == board.side_to_move();
                let legal = played.filter(|&played| is_asked && board.play(played).is_ok());
                let Some(played) = legal else {
                    self.send_over(&board, scene.you_after(&moves), measured);
                    let answer = excerpt(answer.as_bytes());
                    let illegal = IllegalMove::new(board, answer, scene.theme);
                    return Err(SceneError::IllegalMove(Box::new(illegal)));
                };
                moves.push(played);
            }
        }
        if scene.questions == WHOLE {
            measured.budget = measured.budget.saturating_sub(began.elapsed());
        }
        if self.games == 1 {
            // A second answer may follow a little later.
            self.process
                .listen(Instant::now() + self.bench.waits.settle)?;
        }
        self.check_quiet()?;
        self.send_over(&board, scene.you_after(&moves), measured);
        Ok(())
    }

    fn ask(
        &mut self,
        board: &Board,
        legal: &[Square],
        moves: &[Move],
        measured: &mut Measured,
    ) -> Result<String, SceneError> {
        let waits = self.bench.waits;
        let left_ms = [waits.move_time.as_millis() as u64; 2];
        let question = Question {
            board,
            legal,
            moves,
            left_ms,
            moves_to_go: None,
        };
        // The bot may exceed the limit here, so that its time can be measured.
        let given = waits.move_time + waits.silence;
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
        self.turns += 1;
        self.noted = self.bench.notes.len();
        self.bench.observer.waits(message!(
            "{}: waiting for the answer to turn {}",
            board.game(),
            self.asked
        ));
        let began = Instant::now();
        let mut reply = self.process.ask(&question, allowance, Hold::NONE);
        let waits_longer = is_late(&reply) && !self.bench.nudges;
        if waits_longer {
            reply = self.wait_while_it_computes(measured.budget.saturating_sub(given))?;
        }
        let reply = reply.map_err(|failure| {
            let given = began.elapsed();
            match failure {
                // After such a long wait, a busy machine does not explain the silence.
                Failure::Arena(ArenaError::Starved(_) | ArenaError::Stalled(_)) => {
                    let (used, allowed) = (given, given);
                    self.fault(Fault::OutOfTime { used, allowed }, moment, given)
                }
                failure => self.failure(failure, moment, given),
            }
        })?;
        // `reply.used` does not include the longer wait.
        let mut used = if waits_longer {
            began.elapsed()
        } else {
            reply.used
        };
        if used > waits.move_time + waits.margin
            && let Some(kept) = self.process.excuse(used, waits.move_time)
        {
            used = used.saturating_sub(kept);
            measured.kept = measured.kept.max(kept);
        }
        measured.questions += 1;
        let peak = self.process.peak_memory_kib().unwrap_or_default();
        measured.peak_memory_kib = measured.peak_memory_kib.max(peak);
        if used > measured.worst {
            measured.worst = used;
            if used > waits.move_time + waits.margin {
                measured.slow = exchange(self.process.log.bytes());
            }
        }
        Ok(reply.played)
    }

    /// Waits for a late answer while the process computes, for at most `most`: such a bot is slow, not silent.
    fn wait_while_it_computes(
        &mut self,
        most: Duration,
    ) -> Result<Result<Answer, Failure>, SceneError> {
        let (end, mut idle) = (Instant::now() + most, 0);
        loop {
            let before = self.process.work();
            let reply = self.process.wait_longer(LOOK);
            if !is_late(&reply) {
                return Ok(reply);
            }
            let has_worked = self.process.work().saturating_sub(before) >= WORK;
            idle = if has_worked { 0 } else { idle + 1 };
            if idle == IDLE_LOOKS || Instant::now() >= end {
                return Ok(reply);
            }
        }
    }

    /// Checks that the process is running and has written nothing since its answer.
    fn check_quiet(&mut self) -> Result<(), SceneError> {
        match self.process.why_unfit() {
            None => Ok(()),
            Some(fault) => Err(self.fault(fault, Moment::Waiting, Duration::ZERO)),
        }
    }

    fn send_over(&mut self, board: &Board, you: Side, measured: &mut Measured) {
        self.process.send_over(&over(board, you));
        if self.bench.subject.launch.protocol == Protocol::Arena {
            let log = self.process.log.bytes();
            let heard = || {
                log.split(|&byte| byte == b'\n')
                    .filter_map(|l| l.strip_prefix(b"< "))
            };
            measured.carriage_return |= heard().any(|line| line.ends_with(b"\r"));
            measured.mark |= heard().any(|line| line.starts_with(b"\xef\xbb\xbf"));
        }
    }

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
        self.bench.observer.waits("waiting for it to exit".into());
        if with_quit {
            self.process.send_quit();
        }
        self.process.close_input();
        let parting = self
            .process
            .leave(Instant::now() + self.bench.waits.parting)?;
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
            self.bench
                .observer
                .waits("it is silent: finding out why".into());
            let examined = Instant::now();
            let loading = match moment {
                Moment::Start => self.loading_time(given),
                _ => Ok(None),
            };
            let silence = match loading {
                Ok(None) => self.diagnose_silence(moment),
                Ok(Some(after)) => Ok(Silence::Loading(after)),
                Err(error) => Err(error),
            };
            match silence {
                Ok(silence) => {
                    if let Silence::Late(_) = silence {
                        evidence.given += examined.elapsed();
                    }
                    evidence.silence = Some(silence);
                }
                Err(error) => return error.into(),
            }
            let is_idle = evidence.silence.as_ref().is_some_and(Silence::is_idle);
            let instead = is_idle.then(|| self.bench.notes.take(self.noted));
            if let Some(note) = instead.unwrap_or_default().into_iter().next() {
                // The bot has answered, but not with a message.
                let (line, why) = (note.line, note.why);
                evidence.fault = Fault::BadMessage { line, why };
            }
            evidence.exchange = exchange(self.process.log.bytes());
            // Later output of an idle program is an effect of the experiments, such as an error when its input ends.
            if !is_idle {
                evidence.stderr = self.process.drained_stderr();
            }
        }
        SceneError::Fault(Box::new(evidence))
    }

    fn evidence(&mut self, fault: Fault, moment: Moment, given: Duration) -> Evidence {
        Evidence {
            fault,
            moment,
            asked: self.asked,
            position: self.position.clone().filter(|_| self.asked > 0),
            silence: None,
            exit: self.process.exit(),
            exchange: exchange(self.process.log.bytes()),
            stderr: self.process.drained_stderr(),
            given,
        }
    }
}

fn is_late(reply: &Result<Answer, Failure>) -> bool {
    matches!(reply, Err(Failure::Fault(Fault::OutOfTime { .. })))
}

fn start_message(subject: &Subject, waits: Waits, scene: &Scene) -> Start {
    let limits = Limits {
        move_time: waits.move_time,
        ..Limits::default()
    };
    limits.start(scene.game, scene.you, subject.memory_mib, 1)
}

/// Plays the opponent's moves until the bot is to move. Returns false if the game has ended.
fn advance(board: &mut Board, moves: &mut Vec<Move>, scene: &Scene) -> bool {
    while board.ending().is_none() {
        let choices = board.opening().map_or(&[][..], Opening::choices);
        let played = if board.must_pass() {
            Move::Pass
        } else if board.side_to_move() == scene.you_after(moves) {
            return true;
        } else if let Some(&choice) = choices.last() {
            // The last choice leads to the most questions: it may ask for two more stones, or for ten fifth moves.
            Move::Choose(choice)
        } else {
            // Any legal move will do, but the moves should not all be in the same corner.
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
