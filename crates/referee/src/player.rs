//! The players of a game: processes, scripts and people.

use std::time::{Duration, Instant};

use games::{Board, Move, Rules, Square};
use message::{Message, ToValue, message};
use protocol::{Over, Start};

use crate::bot::{Allowance, Answer, BotProcess, Hold, Identity, Launch};
use crate::dialect::Question;
use crate::record::{Fault, Spent, excerpt};
use crate::void::Failure;

/// The time that a bot has to start and to send `ready`. It does not count as move time.
pub const HANDSHAKE: Duration = Duration::from_secs(10);

/// One side of a game. A call may fail by a fault of the player or a failure of the arena.
pub trait Player {
    /// Greets the player. A process player calls `hold_opponent` before the first wait for its answer.
    fn start(&mut self, start: &Start, hold_opponent: Hold<'_>) -> Result<(), Failure>;
    /// Returns the move for a position with at least one legal move. Fails with
    /// [`ArenaError::Aborted`](crate::void::ArenaError::Aborted) if the wait for a person was cancelled.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure>;
    fn over(&mut self, over: &Over);
    /// Returns this player if it is a process; `None` for a person or a script.
    fn computing(&mut self) -> Option<&mut dyn Computing> {
        None
    }
}

/// A player whose CPU time the referee measures, and which the referee stops in its opponent's turns.
pub trait Computing {
    /// Returns false if the player's last answer, in any game, came at once.
    fn thinks(&self) -> bool;
    fn pause(&mut self);
    /// Charges CPU time that the player used outside its turns to its next move.
    fn charge(&mut self, idle: Duration);
    /// Returns whether other processes of the player must be stopped before its opponent is asked.
    fn has_other_processes(&self) -> bool {
        false
    }
    fn cpu_time(&self) -> Option<Duration>;
}

#[derive(Debug)]
pub struct Turn<'a> {
    pub board: &'a Board,
    pub legal: &'a [Square],
    pub moves: &'a [Move],
    pub allowance: Allowance,
    pub left_ms: [u64; 2],
    /// The number of moves, including this one, that the player's time is for; `None`: the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Stops the opponent. A process player calls this before the first wait for its answer.
    pub hold_opponent: Hold<'a>,
}

/// A bot process as a player. The process starts with the player's first game. A failure to start is a fault.
#[derive(Debug)]
pub struct ProcessPlayer {
    launch: Launch,
    process: Option<BotProcess>,
    /// Whether the process has played a game and has not been greeted for the next one yet.
    used: bool,
    replaced: bool,
}

impl ProcessPlayer {
    pub fn new(launch: Launch) -> ProcessPlayer {
        ProcessPlayer {
            launch,
            process: None,
            used: false,
            replaced: false,
        }
    }

    #[must_use]
    pub fn with_process(self, process: BotProcess) -> ProcessPlayer {
        ProcessPlayer {
            process: Some(process),
            used: true,
            ..self
        }
    }

    pub fn process(&mut self) -> Option<&mut BotProcess> {
        self.process.as_mut()
    }

    pub fn into_process(self) -> Option<BotProcess> {
        self.process
    }

    pub fn was_replaced(&self) -> bool {
        self.replaced
    }

    /// Greets the process, or starts and greets a new one. A process that has played before may have ended unnoticed.
    /// This is no failure to start, so a new process then gets the time that is left.
    pub fn introduce(&mut self, start: &Start, hold: Hold<'_>) -> Result<Identity, Failure> {
        let mut left = HANDSHAKE;
        if let (Some(process), true) = (&mut self.process, std::mem::take(&mut self.used)) {
            let began = Instant::now();
            match process.greet_once(start, HANDSHAKE, hold) {
                // The fault may also be output that the bot wrote after the last game and that arrives only now.
                Err(Failure::Fault(fault)) if !matches!(fault, Fault::HandshakeTimeout { .. }) => {
                    left = HANDSHAKE.saturating_sub(began.elapsed());
                    if left.is_zero() {
                        return Err(fault.into());
                    }
                    self.process = None;
                    self.replaced = true;
                }
                result => return result,
            }
        }
        hold.0();
        let process = match &mut self.process {
            Some(process) => process,
            None => self.process.insert(BotProcess::start(&self.launch)?),
        };
        process.greet(start, left)
    }
}

impl Player for ProcessPlayer {
    fn start(&mut self, start: &Start, hold_opponent: Hold<'_>) -> Result<(), Failure> {
        self.introduce(start, hold_opponent).map(|_| ())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        let process = self
            .process
            .as_mut()
            .expect("a player is started before it is asked");
        let question = Question {
            board: turn.board,
            legal: turn.legal,
            moves: turn.moves,
            left_ms: turn.left_ms,
            moves_to_go: turn.moves_to_go,
        };
        process.ask(&question, turn.allowance, turn.hold_opponent)
    }

    fn over(&mut self, over: &Over) {
        if let Some(process) = &mut self.process {
            process.send_over(over);
        }
    }

    fn computing(&mut self) -> Option<&mut dyn Computing> {
        Some(self)
    }
}

impl Computing for ProcessPlayer {
    fn thinks(&self) -> bool {
        !self.process.as_ref().is_some_and(BotProcess::is_quick)
    }

    fn pause(&mut self) {
        if let Some(process) = &mut self.process {
            process.freeze();
        }
    }

    fn charge(&mut self, idle: Duration) {
        if let Some(process) = &mut self.process {
            process.charge(idle);
        }
    }

    fn has_other_processes(&self) -> bool {
        self.process
            .as_ref()
            .is_some_and(BotProcess::has_other_processes)
    }

    fn cpu_time(&self) -> Option<Duration> {
        self.process.as_ref()?.cpu_time()
    }
}

/// A player that may make several attempts at a legal move in each turn, for courses that tolerate illegal moves.
///
/// All questions of a turn share one time limit and one margin; each question has the time that is left. The amounts
/// that the player spends on all questions are added up. Every fault except an illegal move ends the game at once.
#[derive(Debug)]
pub struct Retry<'a, P: ?Sized> {
    player: &'a mut P,
    /// The number of illegal answers in one turn at which the player loses the game, at least 1.
    illegal_answers: u32,
    pub forgiven: Vec<Message>,
}

impl<'a, P: Player + ?Sized> Retry<'a, P> {
    pub fn new(player: &'a mut P, illegal_answers: u32) -> Retry<'a, P> {
        Retry {
            player,
            illegal_answers,
            forgiven: Vec::new(),
        }
    }
}

impl<P: Player + ?Sized> Player for Retry<'_, P> {
    fn start(&mut self, start: &Start, hold_opponent: Hold<'_>) -> Result<(), Failure> {
        self.player.start(start, hold_opponent)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        if self.illegal_answers == 1 {
            return self.player.choose(turn);
        }
        let (mut spent, mut is_excused) = (Duration::ZERO, false);
        let mut paid = Spent::default();
        for asked in 1.. {
            let mut answer = match self.player.choose(&after(turn, spent)) {
                Ok(answer) => answer,
                Err(Failure::Fault(Fault::OutOfTime { used, .. })) => {
                    return Err(Failure::Fault(Fault::OutOfTime {
                        used: spent + used,
                        allowed: turn.allowance.limit.unwrap_or_default(),
                    }));
                }
                Err(failure) => return Err(failure),
            };
            spent += answer.used;
            is_excused |= answer.is_excused;
            paid.add(&answer.thought.spent);
            let slip = slip(turn.board, &answer.played);
            let Some(why) = slip.filter(|_| asked < self.illegal_answers) else {
                answer.thought.spent = paid;
                return Ok(Answer {
                    used: spent,
                    is_excused,
                    ..answer
                });
            };
            self.forgiven.push(message!(
                "{} answered {:?} at ply {} ({why}) and was asked again",
                turn.board.side_to_move(),
                excerpt(answer.played.as_bytes()),
                turn.moves.len() + 1,
            ));
        }
        unreachable!("the last illegal answer is returned")
    }

    fn over(&mut self, over: &Over) {
        self.player.over(over);
    }

    fn computing(&mut self) -> Option<&mut dyn Computing> {
        self.player.computing()
    }
}

/// Returns the turn with `spent` subtracted, first from the limit, then from the margin.
fn after<'a>(turn: &Turn<'a>, spent: Duration) -> Turn<'a> {
    let Allowance { limit, margin } = turn.allowance;
    let over_limit = limit.map_or(Duration::ZERO, |limit| spent.saturating_sub(limit));
    let [own, other] = turn.left_ms;
    // 0 means no limit.
    let own = if own == 0 {
        0
    } else {
        own.saturating_sub(spent.as_millis() as u64).max(1)
    };
    Turn {
        allowance: Allowance {
            limit: limit.map(|limit| limit.saturating_sub(spent)),
            margin: margin.saturating_sub(over_limit),
        },
        left_ms: [own, other],
        ..*turn
    }
}

/// Splits an answer in an opening into words. A blank answer, or one outside an opening, is one word.
pub fn words<'a>(board: &Board, answer: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
    let has_words = board.opening().is_some() && !answer.trim().is_empty();
    let words = has_words.then(|| answer.split_whitespace());
    words
        .into_iter()
        .flatten()
        .chain((!has_words).then_some(answer))
}

fn slip(board: &Board, answer: &str) -> Option<Message> {
    // The referee itself checks the words of an answer in an opening, one after the other.
    if answer == "resign" || words(board, answer).nth(1).is_some() {
        return None;
    }
    match answer.parse::<Move>() {
        Err(error) => Some(error.to_message()),
        Ok(played) => board
            .clone()
            .play(played)
            .err()
            .map(|error| error.why.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;

    /// A player with a list of answers, each of which takes the same time. It records the time that it was given.
    struct TimedScript {
        answers: Vec<String>,
        takes: Duration,
        given: Vec<(Allowance, u64)>,
    }

    impl Player for TimedScript {
        fn start(&mut self, _: &Start, _: Hold<'_>) -> Result<(), Failure> {
            Ok(())
        }

        fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
            self.given.push((turn.allowance, turn.left_ms[0]));
            Ok(Answer {
                played: self.answers.remove(0),
                used: self.takes,
                ..Answer::default()
            })
        }

        fn over(&mut self, _: &Over) {}
    }

    /// Plays these answers, `takes` ms each, at the start of Othello with 100 ms and a margin of 20. Returns the last
    /// answer, the number of tolerated answers, and each question's limit, margin and time left in ms.
    fn asked(answers: &str, takes: u64, illegal_answers: u32) -> (Answer, usize, Vec<[u64; 3]>) {
        let board = Game::OTHELLO.start();
        let mut script = TimedScript {
            answers: answers.split(' ').map(str::to_owned).collect(),
            takes: Duration::from_millis(takes),
            given: Vec::new(),
        };
        let mut player = Retry::new(&mut script, illegal_answers);
        let answer = player.choose(&Turn {
            board: &board,
            legal: &board.legal_squares(),
            moves: &[],
            allowance: Allowance {
                limit: Some(Duration::from_millis(100)),
                margin: Duration::from_millis(20),
            },
            left_ms: [100, 100],
            moves_to_go: None,
            hold_opponent: Hold::NONE,
        });
        let (answer, forgiven) = (answer.expect("an answer"), player.forgiven.len());
        let ms = |time: Duration| time.as_millis() as u64;
        let given = script.given.iter().map(|(allowance, left)| {
            let limit = allowance.limit.expect("a limit");
            [ms(limit), ms(allowance.margin), *left]
        });
        (answer, forgiven, given.collect())
    }

    #[test]
    fn the_third_illegal_answer_of_a_turn_is_judged() {
        type Row = (String, u32, String, u64, usize, usize);
        for (answers, allowed, played, ms, times, tolerated) in cases::cases::<Row>("retries") {
            let (answer, forgiven, given) = asked(&answers, 30, allowed);
            assert_eq!(answer.played, played, "{answers}");
            assert_eq!(answer.used, Duration::from_millis(ms), "{answers}");
            assert_eq!((given.len(), forgiven), (times, tolerated), "{answers}");
        }
    }

    /// A bot has 120 ms (100 + 20) for its three questions in all.
    #[test]
    fn all_questions_of_a_turn_share_one_limit_and_one_margin() {
        let given = |takes| asked("a1 a1 d3", takes, 3).2;
        assert_eq!(given(30), [[100, 20, 100], [70, 20, 70], [40, 20, 40]]);
        assert_eq!(given(55), [[100, 20, 100], [45, 20, 45], [0, 10, 1]]);
        assert_eq!(given(110), [[100, 20, 100], [0, 10, 1], [0, 0, 1]]);
    }
}
