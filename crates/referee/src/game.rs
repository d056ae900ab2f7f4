//! Playing one game.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use games::{Board, Game, Move, Rules, Side};
use protocol::{GameResult, Over};

use super::{Adjudication, Clock, Computing, Limits, Player, Turn};
use crate::bot::{Allowance, Answer, ArenaError, Failure, Hold};
use crate::record::{Effort, Fault, Outcome, Ply, Thought, Verdict};

/// The settings of one game.
#[derive(Clone, Debug)]
pub struct Contest {
    /// Which game, rules and size.
    pub game: Game,
    /// Moves given at the start: see [`Game::after`].
    pub opening: Vec<Move>,
    /// The clocks, black's first.
    pub limits: [Limits; 2],
    /// Each player's seed, black's first.
    pub seeds: [u64; 2],
    /// The memory limit that each player is told, black's first.
    pub memory_mib: [Option<u64>; 2],
    /// Whether each player is a bot of the arena or a test player of a suite, black's first. Such a bot is
    /// known to start, so where it does not, its opponent does not win.
    pub is_reference: [bool; 2],
    /// The rules that end the game early.
    pub adjudication: Adjudication,
    /// Whether a player may think while the other is to move; if not, it is paused then.
    pub ponder: bool,
    /// The plies after the opening that were played before the arena or the machine failed: the game
    /// goes on from there, on the clocks as they were. So a failure changes no result, and nobody
    /// gains by causing one.
    pub so_far: Vec<Ply>,
}

/// A played game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// After the opening, those of [`Contest::so_far`] included.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub verdict: Verdict,
    /// Discs or stones at the end, black's first.
    pub counts: [u16; 2],
    /// From the first move's question to the end.
    pub duration: Duration,
    /// CPU time each player used while the other was to move; `None`: not known.
    pub idle_cpu: [Option<Duration>; 2],
    /// Whom the arena was waiting for last: who is to be named where the game is void.
    pub waited_for: Option<Side>,
    /// How often a late answer of each side was excused, or the game is void for one that has not come, black's first.
    pub excused: [u32; 2],
    /// Whether it is void because the system had no process for a bot.
    pub is_refused: bool,
}

/// What both sides have left of the game's time, black's first; `None`: they have no limit.
pub type TimeLeft = [Option<Duration>; 2];

/// Plays one game. There is always a verdict: a failure of a player is its fault, a failure of the
/// arena voids the game.
///
/// `on_ply` is called for each half-move, those of [`Contest::so_far`] included, with what both sides have left, when the mover's clock has
/// stopped and before the next starts: what it takes costs no player anything.
pub fn play<'a>(
    contest: &'a Contest,
    players: [&'a mut dyn Player; 2],
    on_ply: &'a mut dyn FnMut(&Ply, TimeLeft),
) -> Played {
    let mut table = Table::new(contest, players, on_ply);
    let verdict = match table.greet() {
        Some(verdict) => verdict,
        None => loop {
            if let Some(verdict) = table.next_ply() {
                break verdict;
            }
        },
    };
    table.finish(verdict)
}

/// The CPU time of a quicker answer is not asked for.
const WORTH_MEASURING: Duration = Duration::from_micros(100);
/// What a bot can burn between two of its turns within this is not asked for either.
const MOMENT: Duration = Duration::from_micros(500);

/// Who needs as long as this for a move is given its opponent's processor time, too.
const THOUGHT: Duration = Duration::from_millis(1);

/// The state of the game being played.
struct Table<'a> {
    contest: &'a Contest,
    players: [&'a mut dyn Player; 2],
    on_ply: &'a mut dyn FnMut(&Ply, TimeLeft),
    board: Board,
    /// Every move, the opening's included.
    moves: Vec<Move>,
    plies: Vec<Ply>,
    clocks: [Clock; 2],
    began: Instant,
    /// CPU time at the end of each player's last turn, and when that turn began.
    seen_cpu: [(Option<Duration>, Instant); 2],
    /// What each player has used between its turns.
    idle_cpu: [Option<Duration>; 2],
    /// Whether each player's last answer took it a while.
    thinks: [bool; 2],
    /// Whom the arena waited for last.
    waited_for: Option<Side>,
    /// How often a late answer of each side was excused.
    excused: [u32; 2],
    /// Whether the system had no process for a bot.
    is_refused: bool,
}

impl<'a> Table<'a> {
    fn new(
        contest: &'a Contest,
        players: [&'a mut dyn Player; 2],
        on_ply: &'a mut dyn FnMut(&Ply, TimeLeft),
    ) -> Table<'a> {
        let board = contest
            .game
            .after(&contest.opening)
            .expect("an opening was checked when it was read");
        let mut table = Table {
            contest,
            players,
            on_ply,
            board,
            moves: contest.opening.clone(),
            plies: Vec::new(),
            clocks: contest.limits.map(Clock::new),
            began: Instant::now(),
            seen_cpu: [(None, Instant::now()); 2],
            idle_cpu: [Some(Duration::ZERO); 2],
            thinks: [false; 2],
            waited_for: None,
            excused: [0; 2],
            is_refused: false,
        };
        for ply in contest.so_far.iter().cloned() {
            let side = table.board.side_to_move();
            table
                .board
                .play(ply.played)
                .expect("it was played on this board before");
            if let Some(effort) = ply.effort {
                table.clocks[side.index()].charge(effort.wall);
            }
            table.note(ply);
        }
        table
    }

    /// Greets both players, so that both can be found at fault.
    fn greet(&mut self) -> Option<Verdict> {
        let mut faults = [None, None];
        for side in Side::BOTH {
            let (limits, memory_mib, seed) = (
                self.contest.limits[side.index()],
                self.contest.memory_mib[side.index()],
                self.contest.seeds[side.index()],
            );
            let start = limits.start(self.contest.game, side, memory_mib, seed);
            self.waited_for = Some(side);
            // The other one has its turn to be greeted, and takes nothing from this one's. Who answers at
            // once has nothing that could be taken.
            if !self.contest.ponder
                && let Some(other) = self.computing(!side).filter(|other| other.thinks())
            {
                other.pause();
            }
            match self.players[side.index()].start(&start) {
                Ok(()) => {}
                Err(Failure::Fault(fault)) if self.contest.is_reference[side.index()] => {
                    return Some(self.void(&ArenaError::Reference(fault)));
                }
                Err(Failure::Fault(fault)) => faults[side.index()] = Some(fault),
                Err(Failure::Arena(error)) => return Some(self.void(&error)),
            }
        }
        self.began = Instant::now();
        match faults {
            [None, None] => {
                // A player that is not a process, such as a person, has no limit here.
                self.thinks = Side::BOTH
                    .map(|side| self.computing(side).is_none_or(|player| player.thinks()));
                self.seen_cpu = Side::BOTH.map(|side| (self.cpu_time(side), self.began));
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

    /// Plays one half-move; a verdict once the game has ended.
    fn next_ply(&mut self) -> Option<Verdict> {
        if let Some(ending) = self.board.ending() {
            return Some(Verdict::Rules {
                winner: ending.winner,
                reason: ending.reason,
            });
        }
        if self.board.must_pass() {
            self.board.play(Move::Pass).expect("a forced pass is legal");
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
        self.waited_for = Some(side);
        let asked_at = Instant::now();
        let before = self.cpu_before(side, asked_at);
        let answer = self.ask(side);
        // What an answer at once cost is lost in what the question itself costs.
        let at_once = matches!(&answer, Ok(answer) if answer.used < WORTH_MEASURING);
        let (after, cpu) = if at_once {
            (before, None)
        } else {
            let after = self.cpu_time(side);
            (after, difference(before, after))
        };
        self.seen_cpu[side.index()] = (after, asked_at);
        match answer {
            Ok(answer) => self.judge(side, answer, cpu),
            Err(Failure::Fault(fault)) => Some(Verdict::Forfeit { by: side, fault }),
            Err(Failure::Arena(error)) => Some(self.void(&error)),
        }
    }

    fn ask(&mut self, side: Side) -> Result<Answer, Failure> {
        let (own, other) = (side.index(), (!side).index());
        let allowance = Allowance {
            limit: self.clocks[own].allowed(),
            margin: self.contest.limits[own].margin,
        };
        let legal = self.board.legal_squares();
        let [black, white] = &mut self.players;
        let (player, opponent) = match side {
            Side::Black => (black, white),
            Side::White => (white, black),
        };
        // A player that is not asked shall not take the core from the one that is: not by thinking
        // on, not by its children. Stopping it costs two calls a ply, so answers at once go without.
        let opponent = RefCell::new(opponent);
        let hold = || {
            if !self.contest.ponder
                && let Some(opponent) = opponent.borrow_mut().computing()
            {
                opponent.pause();
            }
        };
        if self.thinks[own] {
            hold();
        }
        let answer = player.choose(&Turn {
            board: &self.board,
            legal: &legal,
            moves: &self.moves,
            allowance,
            left_ms: [self.clocks[own].told_ms(), self.clocks[other].told_ms()],
            moves_to_go: self.clocks[own].moves_to_go(),
            hold_opponent: Hold(&hold),
        });
        self.thinks[own] = answer.as_ref().is_ok_and(|answer| answer.used >= THOUGHT);
        answer
    }

    /// Holds an answer against the rules.
    fn judge(&mut self, side: Side, answer: Answer, cpu: Option<Duration>) -> Option<Verdict> {
        if answer.played == "resign" {
            return Some(Verdict::Resigned(side));
        }
        let illegal = |why: String| {
            let played = crate::record::excerpt(answer.played.as_bytes());
            Some(Verdict::Forfeit {
                by: side,
                fault: Fault::IllegalMove { played, why },
            })
        };
        let played: Move = match answer.played.parse() {
            Ok(played) => played,
            // A long one is not repeated whole.
            Err(error) => {
                let short = crate::record::excerpt(answer.played.as_bytes()).parse::<Move>();
                return illegal(short.err().unwrap_or(error).to_string());
            }
        };
        let wall = answer.used;
        self.excused[side.index()] += u32::from(answer.is_excused);
        self.clocks[side.index()].charge(wall);
        let mut thought = answer.thought;
        thought.keep_legal(&self.board);
        match self.board.play(played) {
            Ok(()) => {
                self.note(Ply {
                    played,
                    effort: Some(Effort { wall, cpu }),
                    thought,
                });
                None
            }
            Err(error) if self.board.is_legal_for_opponent(played) => illegal(format!(
                "{error}; it is a legal move of the other colour, and {side} is to move"
            )),
            Err(error) => illegal(error.to_string()),
        }
    }

    fn note(&mut self, ply: Ply) {
        self.moves.push(ply.played);
        (self.on_ply)(&ply, self.clocks.each_ref().map(Clock::left));
        self.plies.push(ply);
    }

    fn computing(&mut self, side: Side) -> Option<&mut dyn Computing> {
        self.players[side.index()].computing()
    }

    fn cpu_time(&mut self, side: Side) -> Option<Duration> {
        self.computing(side)?.cpu_time()
    }

    /// CPU time of a player that is about to be asked; what it burned since its last turn is noted.
    /// After a moment too short to burn anything worth noting the old figure serves.
    fn cpu_before(&mut self, side: Side, now: Instant) -> Option<Duration> {
        let (seen, asked_at) = self.seen_cpu[side.index()];
        if now.saturating_duration_since(asked_at) < MOMENT {
            return seen;
        }
        let before = self.cpu_time(side);
        let idle = &mut self.idle_cpu[side.index()];
        *idle = idle
            .zip(difference(seen, before))
            .map(|(sum, idle)| sum + idle);
        before
    }

    /// Tells both players, as far as they can be told.
    fn finish(mut self, verdict: Verdict) -> Played {
        let duration = self.began.elapsed();
        let counts = self.board.counts();
        for side in Side::BOTH {
            // A process that is at fault is not spoken to; a person is still there.
            let is_process = self.computing(side).is_some();
            if verdict.fault_of(side).is_none() || !is_process {
                self.players[side.index()].over(&over(&verdict, side, counts));
            }
        }
        Played {
            plies: self.plies,
            verdict,
            counts,
            duration,
            idle_cpu: self.idle_cpu,
            waited_for: self.waited_for,
            excused: self.excused,
            is_refused: self.is_refused,
        }
    }

    fn void(&mut self, error: &ArenaError) -> Verdict {
        match error {
            ArenaError::Spawn(_) => self.is_refused = true,
            ArenaError::Stalled(_) | ArenaError::Starved(_) => {
                if let Some(side) = self.waited_for {
                    self.excused[side.index()] += 1;
                }
            }
            _ => {}
        }
        let why = match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        };
        Verdict::Void { why }
    }
}

fn over(verdict: &Verdict, side: Side, counts: [u16; 2]) -> Over {
    let result = match verdict.outcome() {
        Outcome::Win(winner) if winner == side => GameResult::Win,
        Outcome::Win(_) | Outcome::NobodyScores => GameResult::Loss,
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

fn difference(from: Option<Duration>, to: Option<Duration>) -> Option<Duration> {
    Some(to?.saturating_sub(from?))
}

#[cfg(test)]
mod tests;
