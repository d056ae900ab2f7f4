//! A game as the scripts of pages receive it: all positions with legal moves and the bots' thoughts ([`GameView`]), or
//! only the latest position ([`BoardCard`]). Scripts know no rules, except those of Othello, for pages in files.
//!
//! A square is a number, counted row by row from a1 = 0. Black is 0, and white is 1.

use std::path::Path;
use std::time::Duration;

use games::formats::SavedGame;
use games::{Board, Choice, Game, Move, Rules, Side};
use message::{Message, ToValue, message};
use referee::record::{GameId, GameRecord, LastError, Outcome, Ply, Verdict, excerpt, harmless};
use referee::{Clock, Limits, TimeLeft};
use serde::Serialize;
use serde_json::{Value, json};

use super::faults::tail;
use super::list::points;
use crate::failures;

use super::position::{drawn, forbidden, legal, turned, winning_line};

/// At most this many warnings are shown, because a record may have any number.
const MOST_WARNINGS: usize = 20;
/// A file has at most this many moves of a principal variation.
const PACKED_LINE: usize = 6;

/// A game from its start to the last known half-move.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    pub id: u64,
    pub game: &'static str,
    pub rules: &'static str,
    pub size: u8,
    /// Whether the game is played with discs that flip, in squares; otherwise with stones, on points.
    pub discs: bool,
    pub players: [String; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<[Terms; 2]>,
    pub opening: usize,
    /// The stones at the start, row by row: `X` black, `O` white, `.` none.
    pub start: String,
    pub frames: Vec<Frame>,
    pub over: Option<Over>,
    pub warnings: Vec<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Value>,
    #[serde(skip)]
    has_legal: bool,
    #[serde(skip)]
    board: Board,
    #[serde(skip)]
    clocks: Option<[Clock; 2]>,
}

/// A position, and the half-move before it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Frame {
    /// The half-move in text; empty at the start.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub played: String,
    /// The square of the half-move; `None` for a pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<usize>,
    /// In an opening by a rule: the final colour of the player who placed the stone. `by` is the stone's colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<usize>,
    /// In an opening by a rule: the words, such as `swap`, and the offers of a fifth move, that followed this position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
    /// In an opening by a rule: the decision that the side to move must take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Decision>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flips: Vec<usize>,
    pub to: usize,
    /// The legal squares with the discs that each flips. `None` if no player must move, or if all empty squares are
    /// legal except `forbidden`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<(usize, Vec<usize>)>>,
    /// The empty squares on which black loses at once, each with the rule that forbids it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<(usize, &'static str)>,
    /// What the player thought about the half-move; `None` for a move of the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thought: Option<Thinking>,
    /// The time left on both clocks after the move, in ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<[Option<f64>; 2]>,
    /// For clocks with periods, the number of moves that the time left must last for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_to_go: Option<[Option<u32>; 2]>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Decision {
    /// What the side to move must do: `place`, `choose`, `offer` or `pick`.
    ask: &'static str,
    words: Vec<String>,
    /// The colour of the next stone.
    stone: usize,
    /// The fifth moves that were offered so far. `fifths` is the number that must be offered.
    offered: Vec<usize>,
    fifths: u8,
}

impl Decision {
    fn of(board: &Board) -> Option<Decision> {
        let opening = board.opening()?;
        let offered = opening.offered().iter();
        Some(Decision {
            ask: opening.step().word(),
            words: opening.choices().iter().map(ToString::to_string).collect(),
            stone: board.next_stone().index(),
            offered: offered.map(|square| square.index(board.size())).collect(),
            fifths: opening.fifths(),
        })
    }
}

/// The time limits of a side in ms; 0 for none.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Terms {
    move_ms: f64,
    game_ms: f64,
    increment_ms: f64,
    /// The number of the side's moves in a period of the clock; 0 if one period lasts for the whole game.
    period_moves: u32,
}

impl From<Limits> for Terms {
    fn from(limits: Limits) -> Terms {
        Terms {
            move_ms: ms(limits.move_time),
            game_ms: ms(limits.game_time),
            increment_ms: ms(limits.increment),
            period_moves: limits.period_moves,
        }
    }
}

/// The thought of a bot about a move, and the time that it took. Times are in ms.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Thinking {
    /// Whether the move is a forced pass, for which the bot was not asked.
    pub forced: bool,
    wall: Option<f64>,
    cpu: Option<f64>,
    depth: Option<u32>,
    score: Option<f64>,
    nodes: Option<u64>,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    spent: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Over {
    pub winner: Option<usize>,
    pub reason: String,
    /// The side, its fault, and the last lines of its standard error.
    pub faults: Vec<(usize, Message, String)>,
    pub counts: [u16; 2],
    pub line: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Message>,
}

impl GameView {
    pub fn begin(
        id: u64,
        game: Game,
        players: [String; 2],
        opening: &[Move],
        limits: Option<[Limits; 2]>,
    ) -> GameView {
        GameView::start(id, game.start(), players, opening, limits, true)
    }

    /// Makes a view of a game from a file, with its times and scores.
    pub fn saved(id: u64, game: &SavedGame) -> GameView {
        let players = Side::BOTH.map(|side| match game.players[side.index()].as_str() {
            "" => side.word().to_owned(),
            name => name.to_owned(),
        });
        let mut view = GameView::start(id, game.start.clone(), players, &[], None, true);
        for saved in &game.moves {
            view.put(saved.played, false, true);
            let last = view.frames.last_mut().expect("there is a start");
            last.thought = Some(Thinking {
                wall: saved.time.map(ms),
                score: saved.evaluation,
                ..Thinking::default()
            });
        }
        view.over = view.board.ending().map(|ending| Over {
            winner: ending.winner.map(Side::index),
            reason: ending.reason.word().to_owned(),
            faults: Vec::new(),
            counts: view.board.counts(),
            line: winning_line(&view.board, view.last()),
            why: None,
        });
        view
    }

    /// Makes a view of the start position and the opening, without legal and forbidden squares.
    pub fn plain(id: u64, game: Game, players: [String; 2], opening: &[Move]) -> GameView {
        GameView::start(id, game.start(), players, opening, None, false)
    }

    fn start(
        id: u64,
        board: Board,
        players: [String; 2],
        opening: &[Move],
        limits: Option<[Limits; 2]>,
        has_legal: bool,
    ) -> GameView {
        let game = board.game();
        let clocked = |limits: &[Limits; 2]| limits.iter().any(|one| !one.game_time.is_zero());
        let mut view = GameView {
            id,
            game: game.name(),
            rules: game.rules(),
            size: game.size(),
            discs: game.scoring() == games::Scoring::Discs,
            players: players.map(|name| harmless(&name)),
            terms: limits.map(|limits| limits.map(Terms::from)),
            opening: opening.len(),
            start: drawn(&board),
            frames: vec![frame(&board, opening.is_empty(), has_legal)],
            has_legal,
            over: None,
            warnings: Vec::new(),
            analysis: None,
            clocks: limits.filter(clocked).map(|limits| limits.map(Clock::new)),
            board,
        };
        for (number, &given) in opening.iter().enumerate() {
            view.put(given, true, number + 1 == opening.len());
        }
        view.clock(None);
        view
    }

    pub fn of(record: &GameRecord, limits: Option<[Limits; 2]>) -> GameView {
        GameView::replayed(record, limits, true)
    }

    /// Makes a view of a recorded game without legal and forbidden squares.
    pub fn for_file(record: &GameRecord, limits: Option<[Limits; 2]>) -> GameView {
        GameView::replayed(record, limits, false)
    }

    fn replayed(record: &GameRecord, mut limits: Option<[Limits; 2]>, has_legal: bool) -> GameView {
        // The record has the final colours. The view begins with the first colours and exchanges them at each swap.
        let mut players = record.players.clone();
        if record.is_swapped() {
            players.reverse();
            limits = limits.map(|[first, second]| [second, first]);
        }
        let (id, start) = (record.id.0, record.game.start());
        let mut view = GameView::start(id, start, players, &record.opening, limits, has_legal);
        for ply in &record.plies {
            view.add(ply, None);
        }
        view.end(record);
        view
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Removes the texts and faults of the sides that are not `own`. Only the owner of a bot may see these.
    pub fn keep_own(&mut self, own: [bool; 2]) {
        for frame in &mut self.frames {
            let is_own = frame.player.or(frame.by).is_some_and(|side| own[side]);
            if let Some(thought) = frame.thought.as_mut().filter(|_| !is_own) {
                thought.text.clear();
                thought.spent.clear();
            }
        }
        if let Some(over) = &mut self.over {
            over.faults.retain(|(side, ..)| own[*side]);
            over.why = None;
        }
        self.warnings.clear();
    }

    pub fn stones(&self) -> String {
        drawn(&self.board)
    }

    /// Returns the stones of each position, row by row.
    pub fn positions(&self) -> Vec<Vec<u8>> {
        let mut positions = vec![self.start.clone().into_bytes()];
        for frame in self.frames.iter().skip(1) {
            let mut stones = positions.last().cloned().unwrap_or_default();
            let own = if frame.by == Some(0) { b'X' } else { b'O' };
            for &at in frame.at.iter().chain(&frame.flips) {
                stones[at] = own;
            }
            positions.push(stones);
        }
        positions
    }

    pub fn add(&mut self, ply: &Ply, left: Option<TimeLeft>) {
        let side = self.board.side_to_move().index();
        if let (Some(clocks), Some(effort)) = (&mut self.clocks, ply.effort) {
            clocks[side].charge(effort.wall);
        }
        let is_frame = self.put(ply.played, false, true);
        let is_swap = ply.played == Move::Choose(Choice::Swap);
        let own = if is_swap { 1 - side } else { side };
        if let Some(clocks) = &mut self.clocks {
            let goes_on = self.board.side_to_move().index() == own;
            clocks[own].end_ply(self.board.game(), ply.effort.is_some(), goes_on);
        }
        self.clock(left);
        if !is_frame {
            return;
        }
        let last = self.frames.last_mut().expect("there is a start");
        let thought = &ply.thought;
        last.thought = Some(Thinking {
            forced: ply.effort.is_none(),
            wall: ply.effort.map(|effort| ms(effort.wall)),
            cpu: ply.effort.and_then(|effort| effort.cpu).map(ms),
            depth: thought.depth,
            score: thought.score,
            nodes: thought.nodes,
            pv: thought.pv.iter().map(Move::to_string).collect(),
            spent: thought.spent.to_string(),
            text: thought.text.clone(),
        });
    }

    /// Sets the time left: `left`, which the referee measured, or else the time of this view's clocks.
    fn clock(&mut self, left: Option<TimeLeft>) {
        let clocks = self.clocks.as_ref().map(<[Clock; 2]>::each_ref);
        let left = left.filter(|left| left.iter().any(Option::is_some));
        let left = left.or_else(|| Some(clocks?.map(Clock::left)));
        let to_go = clocks.map(|clocks| clocks.map(Clock::moves_to_go));
        let last = self.frames.last_mut().expect("there is a start");
        last.left = left.map(|left| left.map(|time| time.map(ms)));
        last.moves_to_go = to_go.filter(|moves| moves.iter().any(Option::is_some));
    }

    /// Plays a move. Returns false if the move, such as a word or the offer of a fifth move, gets no new frame.
    fn put(&mut self, played: Move, given: bool, asked: bool) -> bool {
        let before = self.board.clone();
        let put = if given { Board::give } else { Board::play };
        if put(&mut self.board, played).is_err() {
            // The store refuses records with illegal moves, but another source may have such records.
            if self.warnings.len() < MOST_WARNINGS {
                let why = message!("{played} cannot be played here");
                self.warnings.push(why);
            }
            return false;
        }
        let mut next = frame(&self.board, asked, self.has_legal);
        if before.opening().is_some() && before.counts() == self.board.counts() {
            let last = self.frames.last_mut().expect("there is a start");
            last.said.push(played.to_string());
            (last.to, last.legal) = (next.to, next.legal);
            (last.forbidden, last.opening) = (next.forbidden, next.opening);
            if played == Move::Choose(Choice::Swap) {
                self.exchange();
            }
            return false;
        }
        if before.opening().is_some() {
            next.player = Some(before.side_to_move().index());
        }
        next.played = played.to_string();
        next.at = played.square().map(|square| square.index(self.size));
        next.by = Some(before.next_stone().index());
        next.flips = turned(&before, &self.board);
        self.frames.push(next);
        true
    }

    fn exchange(&mut self) {
        self.players.reverse();
        self.terms = self.terms.map(|[one, other]| [other, one]);
        self.clocks = self.clocks.take().map(|[one, other]| [other, one]);
        for frame in &mut self.frames {
            frame.player = frame.player.map(|player| 1 - player);
            frame.left = frame.left.map(|[one, other]| [other, one]);
        }
    }

    fn last(&self) -> Option<usize> {
        self.frames.last()?.at
    }

    /// Packs the game for a file: moves and columns of values, without the positions, which follow from the moves.
    /// `packed.js` restores the [`GameView`], except forbidden points and the number of moves left in a period.
    pub fn packed(mut self) -> Value {
        let frames = std::mem::take(&mut self.frames);
        let mut value = json!(self);
        let moves: Vec<&str> = frames[1..].iter().map(|one| one.played.as_str()).collect();
        value["moves"] = json!(moves.join(" "));
        value["columns"] = json!({});
        let thoughts = frames[1..].iter().skip(self.opening);
        let thoughts: Vec<_> = thoughts.map(|frame| frame.thought.as_ref()).collect();
        let mut column = |name: &str, cell: &dyn Fn(&Thinking) -> Value| {
            let cells: Vec<Value> = thoughts
                .iter()
                .map(|one| one.map_or(Value::Null, cell))
                .collect();
            if cells.iter().any(|cell| !cell.is_null()) {
                value["columns"][name] = json!(cells);
            }
        };
        let ms = |ms: f64| rounded(ms, if ms < 10.0 { 2 } else { 0 });
        column("wall", &|one| json!(one.wall.map(ms)));
        column("cpu", &|one| json!(one.cpu.map(ms)));
        column("depth", &|one| json!(one.depth));
        column("score", &|one| {
            json!(one.score.map(|score| rounded(score, 2)))
        });
        column("nodes", &|one| json!(one.nodes.map(three_digits)));
        column("pv", &|one| {
            let line = &one.pv[..one.pv.len().min(PACKED_LINE)];
            json!((!line.is_empty()).then(|| line.join(" ")))
        });
        if let Some(left) = frames.get(self.opening).and_then(|frame| frame.left) {
            let own = |frame: &Frame| frame.left?[frame.player.or(frame.by)?];
            let clocked = frames[1..].iter().skip(self.opening);
            let clocked: Vec<_> = clocked.map(|frame| own(frame).map(ms)).collect();
            (value["left"], value["columns"]["left"]) = (json!(left), json!(clocked));
        }
        let rare = frames.iter().enumerate().filter(|(ply, frame)| {
            let is_usual = frame.to == ply % 2 && frame.by.is_none_or(|by| by != ply % 2);
            !is_usual || frame.player.is_some() || !frame.said.is_empty() || frame.opening.is_some()
        });
        let rare = rare.map(|(ply, frame)| {
            let Frame {
                to,
                by,
                player,
                said,
                opening,
                ..
            } = frame;
            let fields =
                json!({ "to": to, "by": by, "player": player, "said": said, "opening": opening });
            (ply.to_string(), fields)
        });
        value["more"] = Value::Object(rare.collect());
        value.as_object_mut().expect("it is one").remove("frames");
        value
    }

    /// Adds to each fault the end of the bot's standard error, and its last error, if the folder of the run has them.
    pub fn explain(&mut self, run: &Path) {
        let faults = self.over.iter_mut().flat_map(|over| &mut over.faults);
        for (side, fault, end) in faults {
            let said = failures::stderr(run, GameId(self.id), Side::BOTH[*side]);
            *end = tail(&said);
            if let Some(LastError { error, .. }) = LastError::read(&said) {
                let error = Message::quote(harmless(&excerpt(error.as_bytes())));
                *fault = Message::list([std::mem::take(fault), error]);
            }
        }
    }

    fn end(&mut self, record: &GameRecord) {
        let warnings = record.warnings.iter().take(MOST_WARNINGS);
        self.warnings.extend(warnings.cloned());
        let faults = Side::BOTH.into_iter().filter_map(|side| {
            let fault = record.verdict.fault_of(side)?;
            Some((side.index(), fault.to_message(), String::new()))
        });
        self.over = Some(Over {
            winner: match record.verdict.outcome() {
                Outcome::Win(side) => Some(side.index()),
                Outcome::Draw | Outcome::DoubleForfeit | Outcome::Void => None,
            },
            reason: record.verdict.reason().to_owned(),
            faults: faults.collect(),
            counts: record.counts,
            line: winning_line(&self.board, self.last()),
            why: match &record.verdict {
                Verdict::Void { why } => Some(why.clone()),
                _ => None,
            },
        });
    }
}

fn rounded(value: f64, digits: i32) -> Value {
    let power = 10f64.powi(digits);
    let value = (value * power).round() / power;
    if value.fract() == 0.0 && value.abs() < 1e15 {
        json!(value as i64)
    } else {
        json!(value)
    }
}

fn three_digits(number: u64) -> u64 {
    let mut unit = 1;
    while number / unit >= 1000 {
        unit *= 10;
    }
    number / unit * unit
}

fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// Makes the frame of a position, with legal and forbidden squares if a player is `asked` for a move and `has_legal`.
fn frame(board: &Board, asked: bool, has_legal: bool) -> Frame {
    let is_asked = asked && board.ending().is_none();
    Frame {
        to: board.side_to_move().index(),
        opening: Decision::of(board).filter(|_| is_asked),
        legal: (is_asked && has_legal).then(|| legal(board)).flatten(),
        forbidden: if is_asked && has_legal {
            forbidden(board)
        } else {
            Vec::new()
        },
        ..Frame::default()
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct BoardCard {
    pub id: u64,
    pub players: [String; 2],
    pub size: u8,
    pub discs: bool,
    pub stones: String,
    /// The square of the last half-move; `None` for a pass.
    pub last: Option<usize>,
    pub number: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<CardEnd>,
}

#[derive(Clone, Debug, Serialize)]
pub struct CardEnd {
    points: &'static str,
    pub reason: String,
    #[serde(skip)]
    pub outcome: Outcome,
}

impl BoardCard {
    pub fn of(view: &GameView) -> BoardCard {
        BoardCard {
            id: view.id,
            players: view.players.clone(),
            size: view.size,
            discs: view.discs,
            stones: view.stones(),
            last: view.last(),
            number: view.frames.len() - 1,
            over: None,
        }
    }

    pub fn ended(record: &GameRecord) -> BoardCard {
        BoardCard {
            over: Some(CardEnd {
                points: points(record.verdict.outcome()),
                reason: record.verdict.reason().to_owned(),
                outcome: record.verdict.outcome(),
            }),
            ..BoardCard::of(&GameView::for_file(record, None))
        }
    }
}

#[cfg(test)]
mod tests {
    use games::parse_transcript;
    use referee::record::{Effort, GameId, Thought};

    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        assert_eq!(
            [7, 999, 1234, 987_654].map(three_digits),
            [7, 999, 1230, 987_000]
        );
        assert_eq!(rounded(-0.001, 2), json!(0));
        assert_eq!(rounded(1.2345, 2), json!(1.23));
    }

    fn record(game: Game, moves: &str, opening: usize) -> GameRecord {
        let (moves, board) = parse_transcript(game, moves).expect("legal");
        let plies = moves[opening..].iter().map(|&played| Ply {
            played,
            effort: Some(Effort {
                wall: Duration::from_millis(1500),
                cpu: None,
            }),
            thought: Thought::default(),
        });
        let verdict = match board.ending() {
            Some(ending) => Verdict::Rules {
                winner: ending.winner,
                reason: ending.reason,
            },
            None => Verdict::Resigned(board.side_to_move()),
        };
        GameRecord {
            opening: moves[..opening].to_vec(),
            plies: plies.collect(),
            counts: board.counts(),
            ..GameRecord::new(GameId(3), game, ["one", "two"], verdict)
        }
    }

    /// After f5, which flips e5, white may play f4, d6 and f6: the example on the first page of the rules.
    #[test]
    fn a_position_has_its_legal_moves_and_flips() {
        let view = GameView::of(&record(Game::OTHELLO, "f5d6", 1), None);
        assert_eq!(view.frames.len(), 3);
        let after = &view.frames[1];
        assert_eq!((after.at, after.by, after.to), (Some(37), Some(0), 1));
        assert_eq!(after.flips, [36]);
        let legal: Vec<usize> = after.legal.iter().flatten().map(|(at, _)| *at).collect();
        assert_eq!(legal, [29, 43, 45]);
        // d6 flips d5.
        assert_eq!(after.legal.as_ref().expect("a list")[1].1, [35]);
        assert!(after.thought.is_none(), "no bot was asked in the opening");
        assert!(view.frames[2].thought.is_some());
    }

    /// The clock has ten seconds for every two moves: a new period begins after black's second move.
    #[test]
    fn a_period_counts_its_remaining_moves() {
        let limits = Limits {
            game_time: Duration::from_secs(10),
            period_moves: 2,
            ..Limits::default()
        };
        let view = GameView::of(&record(Game::OTHELLO, "f5d6c3", 0), Some([limits; 2]));
        let clocks = view.frames.iter().map(|frame| {
            let [left, _] = frame.left.expect("a clock");
            let [to_go, _] = frame.moves_to_go.expect("a period");
            (left.expect("of black"), to_go.expect("of black"))
        });
        let black = [(10000., 2), (8500., 1), (8500., 1), (17000., 2)];
        assert_eq!(clocks.collect::<Vec<_>>(), black);
    }
}
