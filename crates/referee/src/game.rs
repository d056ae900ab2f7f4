//! Playing one game, from the greeting to the verdict.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use games::{BadSquare, Board, Choice, Game, IllegalMove, Move, Rules, Side};
use message::{Message, ToValue, message};
use protocol::{GameResult, Over};

use super::{Adjudication, Clock, Computing, Limits, Player, Turn};
use crate::bot::{Allowance, Answer, Hold};
use crate::player::words;
use crate::record::{Effort, Fault, Outcome, Ply, Spent, Thought, Verdict, excerpt};
use crate::void::{ArenaError, Failure, Interruptions};

/// The CPU time of an answer that is quicker than this is not measured.
const WORTH_MEASURING: Duration = Duration::from_micros(100);
/// If two turns of a bot follow each other faster than this, the bot's CPU time between them is not measured.
const MOMENT: Duration = Duration::from_micros(500);
/// The least CPU time outside a bot's turns that is charged. Threads of a runtime need less.
const CHARGED: Duration = Duration::from_millis(1);

#[derive(Clone, Debug)]
pub struct Contest {
    pub game: Game,
    pub opening: Vec<Move>,
    /// The limits of each player. All pairs of this struct are in the order of the players: the first player has black,
    /// unless an opening rule lets them exchange colours.
    pub limits: [Limits; 2],
    pub seeds: [u64; 2],
    pub memory_mib: [Option<u64>; 2],
    /// Whether each player is a built-in bot or a test player of a suite. If such a player does not start, the game is
    /// interrupted, and its opponent does not win.
    pub is_reference: [bool; 2],
    /// Whether a player that cannot continue ([`Fault::Unable`]) interrupts the game instead of losing it.
    pub may_stop: [bool; 2],
    pub adjudication: Adjudication,
    /// Whether a player may think in the other's time; if not, it is paused in that time.
    pub ponder: bool,
    /// The plies after the opening that were played before an interruption: see [`void`](crate::void).
    pub so_far: Vec<Ply>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// The plies after the opening, including [`Contest::so_far`].
    pub plies: Vec<Ply>,
    pub verdict: Verdict,
    /// The discs or stones at the end, black's first.
    pub counts: [u16; 2],
    /// The time from the first move's question to the end.
    pub duration: Duration,
    /// The CPU time of each player while the other was to move, black's first; `None`: unknown.
    pub idle_cpu: [Option<Duration>; 2],
    /// What each player spent on an answer that ended the game without a move, black's first.
    pub unplayed: [Spent; 2],
    pub interruptions: Interruptions,
    /// Whether the first player has white at the end.
    pub is_swapped: bool,
}

/// The game time that each side has left, black's first; `None`: no limit.
pub type TimeLeft = [Option<Duration>; 2];

/// Plays one attempt at a game. A failure of a player is a fault; a failure of the arena voids the attempt. Calls
/// `on_ply` for each half-move, also those of [`Contest::so_far`], with both clocks. No clock runs during a call.
pub fn play<'a>(
    contest: &'a Contest,
    players: [&'a mut dyn Player; 2],
    on_ply: &'a mut dyn FnMut(&Ply, TimeLeft),
) -> PlayedGame {
    let mut referee = Referee::new(contest, players, on_ply);
    let verdict = match referee.greet() {
        Some(verdict) => verdict,
        None => loop {
            if let Some(verdict) = referee.next_ply() {
                break verdict;
            }
        },
    };
    referee.finish(verdict)
}

struct Referee<'a> {
    contest: &'a Contest,
    players: [&'a mut dyn Player; 2],
    on_ply: &'a mut dyn FnMut(&Ply, TimeLeft),
    board: Board,
    /// The moves that count: see [`games::Retraced`].
    moves: Vec<Move>,
    plies: Vec<Ply>,
    /// Whether the first player has white now. Pairs of values, such as the clocks, are in the order of the players.
    is_swapped: bool,
    clocks: [Clock; 2],
    began: Instant,
    seen_cpu: [SeenCpu; 2],
    idle_cpu: [Option<Duration>; 2],
    unplayed: [Spent; 2],
    texts: [usize; 2],
    /// The pairs in this value are in the order of the players: black stands for the first player.
    interruptions: Interruptions,
}

impl<'a> Referee<'a> {
    fn new(
        contest: &'a Contest,
        players: [&'a mut dyn Player; 2],
        on_ply: &'a mut dyn FnMut(&Ply, TimeLeft),
    ) -> Referee<'a> {
        let board = contest
            .game
            .after(&contest.opening)
            .expect("an opening was checked when it was read");
        let mut referee = Referee {
            contest,
            players,
            on_ply,
            board,
            moves: contest.opening.clone(),
            plies: Vec::new(),
            is_swapped: false,
            clocks: contest.limits.map(Clock::new),
            began: Instant::now(),
            seen_cpu: [SeenCpu::new(None, Instant::now()); 2],
            idle_cpu: [Some(Duration::ZERO); 2],
            unplayed: Default::default(),
            texts: [0; 2],
            interruptions: Interruptions::default(),
        };
        for ply in contest.so_far.iter().cloned() {
            let seat = referee.seat(referee.board.side_to_move());
            if let Some(effort) = ply.effort {
                referee.clocks[seat].charge(effort.wall);
            }
            let put = referee.put(ply.played);
            put.expect("it was played on this board before");
            referee.end_ply(seat, ply.effort);
            referee.note(ply);
        }
        referee
    }

    fn seat(&self, side: Side) -> usize {
        side.index() ^ usize::from(self.is_swapped)
    }

    fn side_of(&self, seat: usize) -> Side {
        Side::BOTH[seat ^ usize::from(self.is_swapped)]
    }

    /// Changes a pair from the order of the players to the order of their colours, black's first.
    fn by_side<T>(&self, [first, second]: [T; 2]) -> [T; 2] {
        if self.is_swapped {
            [second, first]
        } else {
            [first, second]
        }
    }

    fn put(&mut self, played: Move) -> Result<(), IllegalMove> {
        let (is_opening, before) = (self.board.opening().is_some(), self.board.counts());
        self.board.play(played)?;
        if !is_opening || self.board.counts() != before {
            self.moves.push(played);
        }
        self.is_swapped ^= played == Move::Choose(Choice::Swap);
        Ok(())
    }

    /// Greets both players even if the first is at fault, because the second may also be at fault.
    fn greet(&mut self) -> Option<Verdict> {
        let mut faults = [None, None];
        for side in Side::BOTH {
            let seat = self.seat(side);
            let (limits, memory_mib, seed) = (
                self.contest.limits[seat],
                self.contest.memory_mib[seat],
                self.contest.seeds[seat],
            );
            let start = limits.start(self.contest.game, side, memory_mib, seed);
            self.interruptions.waited_for = Some(Side::BOTH[seat]);
            let opponent_runs = self.contest.ponder;
            if !opponent_runs {
                stop_opponent(&mut self.players, seat);
            }
            let started = call(&mut self.players, seat, opponent_runs, |player, hold| {
                player.start(&start, hold)
            });
            match started.map_err(|failure| self.charged(seat, failure)) {
                Ok(()) => {}
                Err(Failure::Fault(fault)) if self.contest.is_reference[seat] => {
                    return Some(self.interruptions.void(&ArenaError::Reference(fault)));
                }
                Err(Failure::Fault(fault)) => faults[side.index()] = Some(fault),
                Err(Failure::Arena(error)) => return Some(self.interruptions.void(&error)),
            }
        }
        self.began = Instant::now();
        match faults {
            [None, None] => {
                let sides = [0, 1].map(|seat| self.side_of(seat));
                self.seen_cpu = sides.map(|side| SeenCpu::new(self.cpu_time(side), self.began));
                None
            }
            [Some(fault), None] => Some(Verdict::Forfeit {
                by: Side::Black,
                fault,
            }),
            [None, Some(fault)] => Some(Verdict::Forfeit {
                by: Side::White,
                fault,
            }),
            [Some(black), Some(white)] => Some(Verdict::BothFailed([black, white])),
        }
    }

    fn next_ply(&mut self) -> Option<Verdict> {
        if let Some(ending) = self.board.ending() {
            return Some(Verdict::Rules {
                winner: ending.winner,
                reason: ending.reason,
            });
        }
        if self.board.must_pass() {
            self.put(Move::Pass).expect("a forced pass is legal");
            self.note(Ply {
                played: Move::Pass,
                effort: None,
                thought: Thought::default(),
            });
            return None;
        }
        let adjudication = &self.contest.adjudication;
        if let Some((winner, ground)) =
            adjudication.judge(&self.board, self.contest.opening.len(), &self.plies)
        {
            return Some(Verdict::Adjudicated { winner, ground });
        }
        let side = self.board.side_to_move();
        let seat = self.seat(side);
        self.interruptions.waited_for = Some(Side::BOTH[seat]);
        if !self.contest.ponder {
            stop_opponent(&mut self.players, seat);
        }
        // After the stop, which may take long: until then, the player may compute.
        let asked_at = Instant::now();
        self.look_at_idle_cpu(side, asked_at);
        let answer = self.ask(side);
        let seen = self.seen_cpu[seat];
        // The CPU time of a quick answer cannot be separated from the CPU time of the question.
        let cpu = match &answer {
            Ok(answer) if answer.used < WORTH_MEASURING => {
                self.seen_cpu[seat].at_once += answer.used;
                self.seen_cpu[seat].asked_at = asked_at;
                None
            }
            _ => {
                let after = self.cpu_time(side);
                self.seen_cpu[seat] = SeenCpu::new(after, asked_at);
                seen.until(after)
            }
        };
        match answer.map_err(|failure| self.charged(seat, failure)) {
            Ok(answer) => {
                let spent = answer.thought.spent.clone();
                let verdict = self.judge(side, answer, cpu);
                if verdict.is_some() {
                    self.unplayed[seat].add(&spent);
                }
                verdict
            }
            Err(Failure::Fault(fault)) => Some(Verdict::Forfeit { by: side, fault }),
            Err(Failure::Arena(error)) => Some(self.interruptions.void(&error)),
        }
    }

    /// Returns the failure that counts: `Unable` becomes an interruption if [`Contest::may_stop`] allows it.
    fn charged(&self, seat: usize, failure: Failure) -> Failure {
        match failure {
            Failure::Fault(fault @ Fault::Unable { .. }) if self.contest.may_stop[seat] => {
                ArenaError::Outside(Box::new(fault)).into()
            }
            failure => failure,
        }
    }

    fn ask(&mut self, side: Side) -> Result<Answer, Failure> {
        let (own, other) = (self.seat(side), self.seat(!side));
        let allowance = Allowance {
            limit: self.clocks[own].allowed(),
            margin: self.contest.limits[own].margin,
        };
        let legal = self.board.legal_squares();
        let choose = |player: &mut dyn Player, hold_opponent: Hold<'_>| {
            player.choose(&Turn {
                board: &self.board,
                legal: &legal,
                moves: &self.moves,
                allowance,
                left_ms: [
                    self.clocks[own].reported_ms(),
                    self.clocks[other].reported_ms(),
                ],
                moves_to_go: self.clocks[own].moves_to_go(),
                hold_opponent,
            })
        };
        call(&mut self.players, own, self.contest.ponder, choose)
    }

    fn judge(&mut self, side: Side, answer: Answer, cpu: Option<Duration>) -> Option<Verdict> {
        if answer.played == "resign" {
            return Some(Verdict::Resigned(side));
        }
        let (seat, wall) = (self.seat(side), answer.used);
        let words = words(&self.board, &answer.played);
        let mut effort = Some(Effort { wall, cpu });
        let mut thought = answer.thought;
        self.texts[seat] += thought.stored_text();
        if self.texts[seat] > Thought::MOST_TEXT {
            thought.text.clear();
        }
        for word in words {
            if let Err(why) =
                self.play_word(seat, word, &mut effort, &mut thought, answer.is_excused)
            {
                let played = excerpt(answer.played.as_bytes());
                return Some(Verdict::Forfeit {
                    by: self.side_of(seat),
                    fault: Fault::IllegalMove { played, why },
                });
            }
        }
        None
    }

    /// Plays a word of an answer. The first word gets the effort and the thought.
    fn play_word(
        &mut self,
        seat: usize,
        word: &str,
        effort: &mut Option<Effort>,
        thought: &mut Thought,
        is_excused: bool,
    ) -> Result<(), Message> {
        let side = self.board.side_to_move();
        if self.seat(side) != seat {
            return Err("the opponent is to move after a part of this answer".into());
        }
        // The message quotes only the beginning of a long answer.
        let played: Move = word.parse().map_err(|error: BadSquare| {
            let short = excerpt(word.as_bytes()).parse::<Move>();
            short.err().unwrap_or(error).to_message()
        })?;
        if let Some(effort) = effort {
            self.interruptions.excused[seat] += u32::from(is_excused);
            self.clocks[seat].charge(effort.wall);
        }
        let mut thought = std::mem::take(thought);
        thought.keep_legal(&self.board);
        if let Err(error) = self.put(played) {
            return Err(if self.board.is_legal_for_opponent(played) {
                message!("{error}; it is a legal move of the other colour, and {side} is to move")
            } else {
                error.to_message()
            });
        }
        let effort = effort.take();
        self.end_ply(seat, effort);
        self.note(Ply {
            played,
            effort,
            thought,
        });
        Ok(())
    }

    fn end_ply(&mut self, seat: usize, effort: Option<Effort>) {
        let goes_on = self.seat(self.board.side_to_move()) == seat;
        self.clocks[seat].end_ply(self.contest.game, effort.is_some(), goes_on);
    }

    fn note(&mut self, ply: Ply) {
        let left = self.by_side(self.clocks.each_ref().map(Clock::left));
        (self.on_ply)(&ply, left);
        self.plies.push(ply);
    }

    fn computing(&mut self, side: Side) -> Option<&mut dyn Computing> {
        let seat = self.seat(side);
        self.players[seat].computing()
    }

    fn cpu_time(&mut self, side: Side) -> Option<Duration> {
        self.computing(side)?.cpu_time()
    }

    /// Before a question to a player, adds the CPU time since its last turn to `idle_cpu`, and charges it to the next move:
    /// it may have delayed the opponent. Does nothing if that turn began less than [`MOMENT`] ago.
    fn look_at_idle_cpu(&mut self, side: Side, now: Instant) {
        let seat = self.seat(side);
        let seen = self.seen_cpu[seat];
        if now.saturating_duration_since(seen.asked_at) < MOMENT {
            return;
        }
        let before = self.cpu_time(side);
        self.seen_cpu[seat] = SeenCpu::new(before, seen.asked_at);
        let idle = seen.until(before);
        let sum = self.idle_cpu[seat].zip(idle);
        self.idle_cpu[seat] = sum.map(|(sum, idle)| sum + idle);
        // As before `ready`, no clock counts the time before the first question.
        let is_charged = seen.asked_at > self.began && !self.contest.ponder;
        if let Some(idle) = idle.filter(|&idle| is_charged && idle >= CHARGED)
            && let Some(player) = self.computing(side)
        {
            player.charge(idle);
        }
    }

    fn finish(mut self, verdict: Verdict) -> PlayedGame {
        let duration = self.began.elapsed();
        let counts = self.board.counts();
        for side in Side::BOTH {
            // A process that is at fault gets no message, but a person does.
            let is_process = self.computing(side).is_some();
            if verdict.fault_of(side).is_none() || !is_process {
                let seat = self.seat(side);
                self.players[seat].over(&over(&verdict, side, counts));
            }
        }
        let interruptions = Interruptions {
            waited_for: self
                .interruptions
                .waited_for
                .map(|player| self.side_of(player.index())),
            excused: self.by_side(self.interruptions.excused),
            ..self.interruptions
        };
        let unplayed = std::mem::take(&mut self.unplayed);
        let unplayed = self.by_side(unplayed);
        PlayedGame {
            idle_cpu: self.by_side(self.idle_cpu),
            plies: self.plies,
            verdict,
            counts,
            duration,
            unplayed,
            interruptions,
            is_swapped: self.is_swapped,
        }
    }
}

/// Stops the opponent of a player before a question to it. Neither the opponent nor its children may use the player's
/// core. But stopping costs system calls, so the opponent of a player that does not think is stopped later, by the
/// player, if that does not answer quickly.
fn stop_opponent(players: &mut [&mut dyn Player; 2], seat: usize) {
    let [player, opponent] = in_turn(players, seat);
    // A player that is not a process, such as a person, always counts as thinking.
    let thinks = player.computing().is_none_or(|player| player.thinks());
    if let Some(opponent) = opponent.computing()
        // Other processes are stopped one by one, which must not cost the player any time.
        && (thinks || opponent.has_other_processes())
    {
        opponent.pause();
    }
}

/// Calls a player, which can stop its opponent, unless `opponent_runs`.
fn call<T>(
    players: &mut [&mut dyn Player; 2],
    seat: usize,
    opponent_runs: bool,
    ask: impl FnOnce(&mut dyn Player, Hold<'_>) -> T,
) -> T {
    let [player, opponent] = in_turn(players, seat);
    let opponent = RefCell::new(opponent);
    let hold = || {
        if !opponent_runs && let Some(opponent) = opponent.borrow_mut().computing() {
            opponent.pause();
        }
    };
    ask(player, Hold(&hold))
}

/// Returns the player of a seat, and its opponent.
fn in_turn<'a, 'b>(
    [first, second]: &'a mut [&'b mut dyn Player; 2],
    seat: usize,
) -> [&'a mut (dyn Player + 'b); 2] {
    match seat {
        0 => [&mut **first, &mut **second],
        _ => [&mut **second, &mut **first],
    }
}

fn over(verdict: &Verdict, side: Side, counts: [u16; 2]) -> Over {
    let result = match verdict.outcome() {
        Outcome::Win(winner) if winner == side => GameResult::Win,
        Outcome::Win(_) | Outcome::DoubleForfeit => GameResult::Loss,
        Outcome::Draw => GameResult::Draw,
        Outcome::Void => GameResult::Void,
    };
    let reason = verdict.reason().to_owned();
    Over {
        result,
        reason,
        black: counts[0],
        white: counts[1],
    }
}

/// The CPU time of a player, as it was last read.
#[derive(Clone, Copy, Debug)]
struct SeenCpu {
    total: Option<Duration>,
    /// The time that quick answers have taken since then.
    at_once: Duration,
    /// The time at which the last turn began.
    asked_at: Instant,
}

impl SeenCpu {
    fn new(total: Option<Duration>, asked_at: Instant) -> SeenCpu {
        SeenCpu {
            total,
            at_once: Duration::ZERO,
            asked_at,
        }
    }

    /// Returns the CPU time since the last look, without that of quick answers.
    fn until(self, now: Option<Duration>) -> Option<Duration> {
        let spent = now?.saturating_sub(self.total?);
        Some(spent.saturating_sub(self.at_once))
    }
}

/// Games between scripted players, so that every end of a game is tested without a process.
#[cfg(test)]
mod tests;
