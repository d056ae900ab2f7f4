//! The record of a finished game, with all data for tables, replays and questions about a mark. A [`Verdict`] is the
//! end of the game with its reason. An [`Outcome`] is derived from a verdict and has only the winner.

mod fault;
mod last_error;
mod spent;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use games::formats::{GameResult, How, SavedGame, SavedMove};
use games::{Board, Game, Move, Reason, Retraced, Rules, Side, is_swapped, retrace};
use message::Message;

pub use fault::{Exit, Fault, excerpt};
pub use last_error::{LastError, error_lines};
pub use message::{SafeText, harmless, label};
pub use spent::Spent;

/// The number of a game in its run: twice its pair's number, plus one for the second game of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub u64);

impl GameId {
    pub const fn new(pair: u64, leg: u64) -> GameId {
        GameId(pair * 2 + leg)
    }

    pub const fn pair(self) -> u64 {
        self.0 / 2
    }

    /// Returns 0 for the first game of its pair, and 1 for the second, in which the colours are swapped.
    pub const fn leg(self) -> u64 {
        self.0 % 2
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    pub id: GameId,
    pub game: Game,
    pub players: [String; 2],
    pub opening: Vec<Move>,
    pub plies: Vec<Ply>,
    pub verdict: Verdict,
    /// The discs or stones at the end, black's first.
    pub counts: [u16; 2],
    /// The number of attempts. It is more than one if the game was interrupted: see [`void`](crate::void).
    pub attempts: u32,
    /// The number of excused late answers of each bot, black's first.
    pub interruptions: [u32; 2],
    /// The time at which the game started, in ms since 1970 UTC.
    pub started_unix_ms: u64,
    pub duration: Duration,
    /// The CPU time of each bot while the other was to move, black's first; `None`: unknown.
    pub idle_cpu: [Option<Duration>; 2],
    /// What each bot spent on an answer that ended the game without a move (illegal move, resignation), black's first.
    pub unplayed: [Spent; 2],
    /// Warnings that do not affect the result, such as an exit status after the game.
    pub warnings: Vec<Message>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    pub played: Move,
    /// The cost of the move; `None` for a forced pass, and for the second and later words of an answer.
    pub effort: Option<Effort>,
    pub thought: Thought,
}

/// A bot's own report on its search for a move. Nothing in it is checked; the arena's measurements are in [`Effort`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The score for the mover: discs in Othello, the engine's own units in Gomoku.
    pub score: Option<f64>,
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    /// The principal variation, the bot's own move first; empty if none. At most [`Thought::LONGEST_PV`] moves.
    pub pv: Vec<Move>,
    pub spent: Spent,
    /// The bot's own words, such as a prompt and its answer; empty if none. At most [`Thought::LONGEST_TEXT`] bytes.
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The time from before the first byte of the question to the newline of the answer.
    pub wall: Duration,
    /// The CPU time of the bot in this time; `None`: unknown, or the answer took less than 0.1 ms.
    pub cpu: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Rules {
        /// `None`: a draw.
        winner: Option<Side>,
        reason: Reason,
    },
    Resigned(Side),
    Forfeit {
        by: Side,
        fault: Fault,
    },
    /// Both are at fault, and neither scores; black's fault first.
    BothFailed([Fault; 2]),
    /// The referee ended the game by the tournament's rules.
    Adjudicated {
        /// `None`: a draw.
        winner: Option<Side>,
        ground: Ground,
    },
    /// The arena or the machine failed, so the game does not count.
    Void {
        why: Message,
    },
}

/// The reason why the referee ended a game early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// Both bots agreed in their reports, for long enough, that one side wins or that the game is even.
    Scores,
    Length,
    /// A solver knew the result under perfect play.
    Solved,
}

impl Ground {
    pub const ALL: [Ground; 3] = [Ground::Scores, Ground::Length, Ground::Solved];

    pub const fn word(self) -> &'static str {
        match self {
            Ground::Scores => "adjudicated-scores",
            Ground::Length => "adjudicated-length",
            Ground::Solved => "adjudicated-solved",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Win(Side),
    Draw,
    /// Both were at fault: a loss for both.
    DoubleForfeit,
    Void,
}

impl Thought {
    pub const LONGEST_PV: usize = 64;
    pub const LONGEST_TEXT: usize = 16 << 10;
    /// The maximum size of all texts of a bot in a game, in bytes as they are stored; further texts are dropped.
    pub const MOST_TEXT: usize = 256 << 10;

    pub const DEEPEST: u32 = 1000;
    pub const LARGEST_SCORE: f64 = 1e9;
    pub const MOST_NODES: u64 = 1_000_000_000_000_000;
    pub const LONGEST: Duration = Duration::from_secs(1_000_000);

    /// Returns the size of the text in a record, in bytes. There, a control character becomes an escape of six bytes.
    pub fn stored_text(&self) -> usize {
        let stored = serde_json::to_string(&self.text).unwrap_or_default();
        stored.len() - 2
    }

    /// Replaces earlier values by the given new ones. Ignores values out of range, in every protocol.
    pub fn update(&mut self, news: Thought) {
        let depth = news.depth.filter(|&depth| depth <= Thought::DEEPEST);
        let score = news
            .score
            .filter(|score| score.abs() <= Thought::LARGEST_SCORE);
        let nodes = news.nodes.filter(|&nodes| nodes <= Thought::MOST_NODES);
        let time = news.time.filter(|&time| time <= Thought::LONGEST);
        self.depth = depth.or(self.depth);
        self.score = score.or(self.score);
        self.nodes = nodes.or(self.nodes);
        self.time = time.or(self.time);
        if !news.pv.is_empty() {
            self.pv = news.pv;
        }
        if !news.spent.is_empty() {
            self.spent = news.spent;
        }
        if !news.text.is_empty() {
            self.text = news.text;
            let mut end = self.text.len().min(Thought::LONGEST_TEXT);
            while !self.text.is_char_boundary(end) {
                end -= 1;
            }
            self.text.truncate(end);
        }
    }

    /// Ends the principal variation before its first illegal move from `board`. Adds omitted forced passes.
    pub fn keep_legal(&mut self, board: &Board) {
        // In an opening, the players have no side yet, so a score and a principal variation mean nothing.
        if board.opening().is_some() {
            (self.score, self.pv) = (None, Vec::new());
        }
        if self.pv.is_empty() {
            return;
        }
        let mut board = board.clone();
        let mut legal = Vec::with_capacity(self.pv.len());
        for &expected in &self.pv {
            if board.must_pass() && expected != Move::Pass && board.play(Move::Pass).is_ok() {
                legal.push(Move::Pass);
            }
            if board.ending().is_some() || board.play(expected).is_err() {
                break;
            }
            legal.push(expected);
        }
        legal.truncate(Thought::LONGEST_PV);
        self.pv = legal;
    }
}

impl Verdict {
    pub const fn outcome(&self) -> Outcome {
        match self {
            Verdict::Rules {
                winner: Some(side), ..
            }
            | Verdict::Adjudicated {
                winner: Some(side), ..
            } => Outcome::Win(*side),
            Verdict::Rules { winner: None, .. } | Verdict::Adjudicated { winner: None, .. } => {
                Outcome::Draw
            }
            Verdict::Resigned(Side::Black)
            | Verdict::Forfeit {
                by: Side::Black, ..
            } => Outcome::Win(Side::White),
            Verdict::Resigned(Side::White)
            | Verdict::Forfeit {
                by: Side::White, ..
            } => Outcome::Win(Side::Black),
            Verdict::BothFailed(_) => Outcome::DoubleForfeit,
            Verdict::Void { .. } => Outcome::Void,
        }
    }

    /// Returns the word for the end: a rule of the game, `resigned`, `adjudicated-…`, a fault, `both-failed` or `void`.
    pub const fn reason(&self) -> &'static str {
        match self {
            Verdict::Rules { reason, .. } => reason.word(),
            Verdict::Resigned(_) => "resigned",
            Verdict::Forfeit { fault, .. } => fault.word(),
            Verdict::BothFailed(_) => "both-failed",
            Verdict::Adjudicated { ground, .. } => ground.word(),
            Verdict::Void { .. } => "void",
        }
    }

    pub const fn fault_of(&self, side: Side) -> Option<&Fault> {
        match self {
            Verdict::Forfeit { by, fault } if by.index() == side.index() => Some(fault),
            Verdict::BothFailed(faults) => Some(&faults[side.index()]),
            _ => None,
        }
    }
}

impl Outcome {
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Win(side) => side.word(),
            Outcome::Draw => "draw",
            Outcome::DoubleForfeit => "none",
            Outcome::Void => "void",
        }
    }

    /// Returns the half points of `side`: 2 for a win, 1 for a draw; `None` if the game does not count.
    pub fn half_points(self, side: Side) -> Option<u8> {
        match self {
            Outcome::Win(winner) => Some(if winner == side { 2 } else { 0 }),
            Outcome::Draw => Some(1),
            Outcome::DoubleForfeit => Some(0),
            Outcome::Void => None,
        }
    }
}

impl GameRecord {
    /// Creates the record of a game that ended before its first ply, without times and warnings.
    pub fn new(id: GameId, game: Game, players: [&str; 2], verdict: Verdict) -> GameRecord {
        GameRecord {
            id,
            game,
            players: players.map(str::to_owned),
            opening: Vec::new(),
            plies: Vec::new(),
            verdict,
            counts: game.start().counts(),
            attempts: 1,
            interruptions: [0; 2],
            started_unix_ms: 0,
            duration: Duration::ZERO,
            idle_cpu: [None; 2],
            unplayed: Default::default(),
            warnings: Vec::new(),
        }
    }

    /// Returns the position after the opening. Panics if the opening is illegal; the store refuses such a record.
    pub fn start(&self) -> Board {
        self.game
            .after(&self.opening)
            .expect("an opening was checked when it was read")
    }

    pub fn moves(&self) -> Vec<Move> {
        self.opening
            .iter()
            .copied()
            .chain(self.plies.iter().map(|ply| ply.played))
            .collect()
    }

    /// Returns a fingerprint of the bots, their colours, the moves and the outcome. A repeated game has the same one.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.players, self.moves(), self.verdict.outcome()).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the effort and the thought of each move that `side` was asked for, in order.
    pub fn efforts(&self, side: Side) -> impl Iterator<Item = (Effort, &Thought)> {
        let movers = self.retraced().movers.into_iter().skip(self.opening.len());
        let plies = self.plies.iter().zip(movers);
        plies
            .filter(move |(_, mover)| *mover == side)
            .filter_map(|(ply, _)| Some((ply.effort?, &ply.thought)))
    }

    /// Returns the time that `side` used for a move that came too late, or not at all.
    pub fn late(&self, side: Side) -> Option<Duration> {
        match self.verdict.fault_of(side)? {
            Fault::OutOfTime { used, .. } => Some(*used),
            _ => None,
        }
    }

    pub fn retraced(&self) -> Retraced {
        retrace(&self.game.start(), &self.moves())
    }

    /// Returns the plies that count ([`Retraced::counts`]): a word of an opening rule, such as `swap`, does not.
    pub fn counted(&self) -> Vec<&Ply> {
        let counts = self.retraced().counts;
        let plies = self.plies.iter().zip(&counts[self.opening.len()..]);
        plies
            .filter_map(|(ply, counts)| counts.then_some(ply))
            .collect()
    }

    pub fn is_swapped(&self) -> bool {
        is_swapped(self.plies.iter().map(|ply| &ply.played))
    }

    /// Returns the players and the outcome with the scheduled colours. They differ from the record's after a swap.
    pub fn scheduled(&self) -> ([&str; 2], Outcome) {
        let ([black, white], outcome) = (self.players.each_ref(), self.verdict.outcome());
        if !self.is_swapped() {
            return ([black, white], outcome);
        }
        let outcome = match outcome {
            Outcome::Win(side) => Outcome::Win(!side),
            other => other,
        };
        ([white, black], outcome)
    }

    pub fn spent(&self, side: Side) -> Spent {
        let mut sum = self.unplayed[side.index()].clone();
        self.efforts(side)
            .for_each(|(_, thought)| sum.add(&thought.spent));
        sum
    }

    pub fn player(&self, side: Side) -> &str {
        &self.players[side.index()]
    }

    /// Returns the game for a file in a standard format. The caller adds event, date and remark. If the opening cannot
    /// be played by the rules, the saved game starts from the position after it.
    pub fn saved(&self) -> SavedGame {
        let mut board = self.game.without_opening().start();
        let is_played = self.opening.iter().all(|&given| board.play(given).is_ok());
        let (start, opening) = if is_played {
            (self.game.without_opening().start(), self.opening.as_slice())
        } else {
            (self.start(), &[][..])
        };
        let given = opening.iter().map(|&played| SavedMove::from(played));
        let played = self.counted().into_iter().map(|ply| SavedMove {
            played: ply.played,
            evaluation: ply.thought.score,
            time: ply.effort.map(|effort| effort.wall),
        });
        SavedGame {
            moves: given.chain(played).collect(),
            // A record that a stranger made may have any names.
            players: self.players.each_ref().map(|name| harmless(name)),
            result: Some(self.result()),
            ..SavedGame::new(start)
        }
    }

    /// Returns the result for files of other programs. In these, a game in which both failed is void.
    fn result(&self) -> GameResult {
        let how = match &self.verdict {
            Verdict::Rules { .. } => How::Played,
            Verdict::Resigned(_) => How::Resigned,
            Verdict::Forfeit {
                fault: Fault::OutOfTime { .. },
                ..
            } => How::OutOfTime,
            Verdict::Forfeit { .. } => How::Forfeit,
            Verdict::Adjudicated { .. } => How::Agreed,
            Verdict::BothFailed(_) | Verdict::Void { .. } => How::Void,
        };
        let winner = match self.verdict.outcome() {
            Outcome::Win(side) => Some(side),
            Outcome::Draw | Outcome::DoubleForfeit | Outcome::Void => None,
        };
        GameResult {
            winner,
            margin: self.margin(how, winner),
            how,
        }
    }

    /// Returns black's discs minus white's in a game that counts discs. Empty squares count for the winner. A side that
    /// resigned, failed or lost by adjudication counts as having no discs.
    fn margin(&self, how: How, winner: Option<Side>) -> Option<f64> {
        let played_out = self.game.margin(self.counts, winner)?;
        let margin = match (how, winner) {
            (How::Void, _) => return None,
            (_, None) => 0,
            (How::Played, Some(_)) => played_out,
            (_, Some(Side::Black)) => self.game.greatest_margin(),
            (_, Some(Side::White)) => -self.game.greatest_margin(),
        };
        Some(margin.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::parse_transcript;

    fn kept(board: &Board, pv: &str) -> String {
        let moves = pv.split(' ').map(|text| text.parse().expect("a move"));
        let mut thought = Thought {
            pv: moves.collect(),
            ..Thought::default()
        };
        thought.keep_legal(board);
        let kept: Vec<String> = thought.pv.iter().map(Move::to_string).collect();
        kept.join(" ")
    }

    #[test]
    fn the_first_illegal_move_ends_the_principal_variation() {
        for [game, played, pv, expected] in cases::cases::<[String; 4]>("principal-variations") {
            let game = Game::new(&game, None, None).expect("a game");
            let (_, board) = parse_transcript(game, &played).expect("legal");
            assert_eq!(kept(&board, &pv), expected, "{pv} after {played}");
        }
    }

    #[test]
    fn a_value_out_of_its_range_is_ignored() {
        let thought = |depth, score, nodes, seconds| Thought {
            depth: Some(depth),
            score: Some(score),
            nodes: Some(nodes),
            time: Some(Duration::from_secs(seconds)),
            ..Thought::default()
        };
        let good = thought(12, -3.5, 99, 1);
        for bad in [
            thought(u32::MAX, 1.7e308, u64::MAX, u64::MAX),
            thought(1001, -1.1e9, 1_000_000_000_000_001, 1_000_001),
            thought(u32::MAX, f64::INFINITY, u64::MAX, u64::MAX),
            thought(u32::MAX, f64::NAN, u64::MAX, u64::MAX),
        ] {
            let mut kept = good.clone();
            kept.update(bad.clone());
            assert_eq!(kept, good, "{bad:?}");
        }
        let mut kept = good;
        let edge = thought(1000, -1e9, 1_000_000_000_000_000, 1_000_000);
        kept.update(edge.clone());
        assert_eq!(kept, edge);
    }

    /// White on a1 and black on b1: black encloses nothing, but white takes b1 from c1.
    #[test]
    fn an_omitted_forced_pass_is_added() {
        let mut rows = ["........"; 8];
        rows[0] = "OX......";
        let board = Game::OTHELLO.position(&rows, Side::Black).expect("rows");
        assert!(board.must_pass());
        assert_eq!(kept(&board, "c1"), "pass c1");
        assert_eq!(kept(&board, "pass c1"), "pass c1");
    }
}
