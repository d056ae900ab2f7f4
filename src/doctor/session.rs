//! One process of the subject: started, greeted, asked and ended. If it is silent, the cause is
//! looked for. The process layer does all waiting, with a deadline.

mod silence;

use std::time::{Duration, Instant};

use games::{Board, Ending, Move, Rules, Side};
use protocol::{GameResult, Over, Start};

use super::evidence::{Evidence, Moment, Silence, exchange};
use super::later::{Later, News};
use super::scene::Scene;
use super::slip::Slip;
use super::subject::{Subject, Waits};
use super::witness::Witness;
use referee::Limits;
use referee::bot::{Allowance, ArenaError, BotProcess, Failure, Hold, Identity, Parting};
use referee::dialect::{Protocol, Question};
use referee::record::{Fault, excerpt};

/// What ended a scene early.
#[derive(Debug)]
pub enum Trouble {
    /// A move that is not legal. The process can go on.
    Illegal(Box<Slip>),
    /// A fault. The process must not be used again.
    Wrong(Box<Evidence>),
    /// A failure of the arena or the machine.
    Arena(ArenaError),
}

impl From<ArenaError> for Trouble {
    fn from(error: ArenaError) -> Trouble {
        Trouble::Arena(error)
    }
}

/// What was measured over all questions.
#[derive(Debug, Default)]
pub struct Measured {
    /// The number of answered questions.
    pub questions: u32,
    /// The longest time of an answer.
    pub worst: Duration,
    /// The messages of the slowest answer, if it exceeded the limit.
    pub slow: Vec<String>,
    /// The messages of a game that it resigned.
    pub resigned: Vec<String>,
    /// Whether its lines ended with CR LF.
    pub carriage_return: bool,
    /// Whether its output began with a byte-order mark.
    pub mark: bool,
}

/// A process of the subject.
#[derive(Debug)]
pub struct Session<'a> {
    subject: &'a Subject,
    waits: Waits,
    witness: &'a dyn Witness,
    process: BotProcess,
    /// The number of games that it was greeted for.
    pub games: u32,
    /// The number of questions in this game.
    asked: u32,
}

impl<'a> Session<'a> {
    /// Starts a process and greets it for its first game. Returns the name it gives and how long it
    /// took.
    ///
    /// The first process gets a short time. If it has then read the greeting, is idle and has not
    /// answered, it will never answer. If it is still starting, or did not get its core, a second
    /// process gets the full time.
    pub fn start(
        subject: &'a Subject,
        waits: Waits,
        witness: &'a dyn Witness,
        news: Option<News>,
        scene: &Scene,
    ) -> Result<(Session<'a>, Identity, Duration), Trouble> {
        witness.waits("waiting for its first answer, ready");
        let short = waits.silence.min(waits.start);
        let mut allowed = short;
        loop {
            let began = Instant::now();
            let mut session = Session::open(subject, waits, witness, news, allowed)?;
            let greeted = session
                .process
                .greet(&start(subject, waits, scene), allowed);
            let may_be_slow = allowed < waits.start;
            match greeted {
                Ok(identity) => {
                    session.games = 1;
                    return Ok((session, identity, began.elapsed()));
                }
                Err(Failure::Arena(ArenaError::Starved(_) | ArenaError::Stalled(_)))
                    if may_be_slow => {}
                Err(Failure::Fault(Fault::HandshakeTimeout { .. }))
                    if may_be_slow && !session.is_silent_for_good()? => {}
                Err(failure) => {
                    let moment = if session.process.is_refused() {
                        Moment::Launch
                    } else {
                        Moment::Start
                    };
                    return Err(session.failed(failure, moment, allowed));
                }
            }
            allowed = waits.start;
            witness.waits(&format!(
                "waiting for ready in a new process, at most {} s",
                allowed.as_secs()
            ));
        }
    }

    fn open(
        subject: &'a Subject,
        waits: Waits,
        witness: &'a dyn Witness,
        news: Option<News>,
        allowed: Duration,
    ) -> Result<Session<'a>, Trouble> {
        let process = match news {
            Some(news) => BotProcess::start_speaking(&subject.launch, Box::new(Later::new(news))),
            None => BotProcess::start(&subject.launch),
        };
        match process {
            Ok(process) => Ok(Session {
                subject,
                waits,
                witness,
                process,
                games: 0,
                asked: 0,
            }),
            Err(Failure::Arena(error)) => Err(error.into()),
            Err(Failure::Fault(fault)) => Err(Trouble::Wrong(Box::new(Evidence {
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

    /// Greets the process for another game.
    pub fn greet(&mut self, scene: &Scene) -> Result<(), Trouble> {
        self.games += 1;
        self.asked = 0;
        self.witness.waits("waiting for ready for another game");
        let allowed = self.waits.start.min(self.waits.silence * 2);
        let start = start(self.subject, self.waits, scene);
        match self.process.greet(&start, allowed) {
            Ok(_) => Ok(()),
            Err(failure) => Err(self.failed(failure, Moment::Again, allowed)),
        }
    }

    /// Plays a scene for which the process has been greeted, and sends `over`.
    pub fn play(&mut self, scene: &Scene, measured: &mut Measured) -> Result<(), Trouble> {
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
                    self.say_over(&board, scene.you(), measured);
                    let slip = Slip::new(board, excerpt(answer.as_bytes()));
                    return Err(Trouble::Illegal(Box::new(slip)));
                }
            }
        }
        if self.games == 1 {
            // A second answer may come a little later.
            self.process.listen(Instant::now() + self.waits.settle)?;
        }
        self.see_that_it_waits()?;
        self.say_over(&board, scene.you(), measured);
        Ok(())
    }

    fn ask(
        &mut self,
        board: &Board,
        legal: &[games::Square],
        moves: &[Move],
        measured: &mut Measured,
    ) -> Result<String, Trouble> {
        let left_ms = [self.waits.move_time.as_millis() as u64; 2];
        let question = Question {
            board,
            legal,
            moves,
            left_ms,
            moves_to_go: None,
        };
        // It may think longer than the limit, to measure how long it takes.
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
        self.witness.waits(&format!(
            "{}: waiting for the answer to question {}",
            board.game(),
            self.asked
        ));
        let reply = self.process.ask(&question, allowance, Hold::NONE);
        let reply = reply.map_err(|failure| match failure {
            // The limit is long: the time that the machine took does not explain the silence.
            Failure::Arena(ArenaError::Starved(_) | ArenaError::Stalled(_)) => {
                let (used, allowed) = (given, given);
                self.wrong(Fault::OutOfTime { used, allowed }, moment, given)
            }
            failure => self.failed(failure, moment, given),
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

    /// Checks that it has written nothing since its answer and is still running.
    fn see_that_it_waits(&mut self) -> Result<(), Trouble> {
        if self.process.is_fit() {
            return Ok(());
        }
        let text = excerpt(self.process.unread());
        let fault = match self.process.exit() {
            Some(status) => Fault::Crashed { status },
            None if self.process.is_quiet() => Fault::ClosedOutput,
            None => Fault::UnaskedOutput { text },
        };
        Err(self.wrong(fault, Moment::Waiting, Duration::ZERO))
    }

    fn say_over(&mut self, board: &Board, you: Side, measured: &mut Measured) {
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

    /// Whether the process exits by itself within `wait`.
    pub fn has_left(&mut self, wait: Duration) -> Result<Option<Evidence>, ArenaError> {
        self.process.listen(Instant::now() + wait)?;
        Ok(self.process.exit().map(|status| {
            self.evidence(Fault::Crashed { status }, Moment::Waiting, Duration::ZERO)
        }))
    }

    /// Ends the process, with `quit` or by closing its input. Returns how it exited, and what it
    /// wrote to its standard error.
    pub fn part(mut self, with_quit: bool) -> Result<(Parting, String), ArenaError> {
        self.witness.waits("waiting for it to exit");
        if with_quit {
            self.process.say_quit();
        }
        self.process.close_input();
        let parting = self.process.leave(Instant::now() + self.waits.parting)?;
        Ok((parting, self.process.drained_stderr()))
    }

    fn failed(&mut self, failure: Failure, moment: Moment, given: Duration) -> Trouble {
        match failure {
            Failure::Arena(error) => error.into(),
            Failure::Fault(fault) => self.wrong(fault, moment, given),
        }
    }

    fn wrong(&mut self, fault: Fault, moment: Moment, given: Duration) -> Trouble {
        let mut evidence = self.evidence(fault, moment, given);
        let is_silence = matches!(
            evidence.fault,
            Fault::HandshakeTimeout { .. } | Fault::OutOfTime { .. }
        );
        if is_silence {
            self.witness.waits("it is silent: finding out why");
            let loading = match moment {
                Moment::Start => self.loads_on(given),
                _ => Ok(None),
            };
            let silence = match loading {
                Ok(None) => self.look_into_silence(),
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
        Trouble::Wrong(Box::new(evidence))
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
}

fn start(subject: &Subject, waits: Waits, scene: &Scene) -> Start {
    let limits = Limits {
        move_time: waits.move_time,
        ..Limits::default()
    };
    limits.start(scene.game, scene.you(), subject.memory_mib, 1)
}

/// Plays for the opponent until the bot is to move; false if the game has ended.
fn advance(board: &mut Board, moves: &mut Vec<Move>, you: Side) -> bool {
    while board.ending().is_none() {
        let played = if board.must_pass() {
            Move::Pass
        } else if board.side_to_move() == you {
            return true;
        } else {
            // Any legal move is good, but not always in the same corner.
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
