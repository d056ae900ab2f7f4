//! Games for the page's script: one line of JSON each, compressed, in parts of bounded size. They are written in
//! base64, so that a bot's text cannot end the element.

use std::io::Write as _;
use std::ops::RangeInclusive;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use games::{Game, Move, Scoring};
use message::{Message, message};
use serde_json::{Value, json};

use referee::record::{GameRecord, Ply, Verdict, harmless};

pub(super) const GAMES: u32 = 1000;
/// A part with this many compressed bytes is full: 1.6 MB as base64.
const BYTES: usize = 1_200_000;
/// The most moves of a principal variation.
const LINE: usize = 6;

#[derive(Debug)]
pub(super) struct Packed(GzEncoder<Vec<u8>>);

impl Default for Packed {
    fn default() -> Packed {
        Packed(GzEncoder::new(Vec::new(), Compression::default()))
    }
}

impl Packed {
    pub fn line(&mut self, text: &str) {
        let memory = "memory takes what it is given";
        self.0.write_all(text.as_bytes()).expect(memory);
        self.0.write_all(b"\n").expect(memory);
    }

    /// Returns the number of compressed bytes so far, without those in the encoder's buffer.
    fn len(&self) -> usize {
        self.0.get_ref().len()
    }

    pub fn text(self) -> String {
        BASE64_STANDARD.encode(self.0.finish().expect("memory takes what it is given"))
    }
}

#[derive(Debug, Default)]
pub(super) struct PagePart {
    packed: Packed,
    list: Packed,
    games: u32,
    numbers: Option<[u64; 2]>,
}

impl PagePart {
    pub fn add(&mut self, record: &GameRecord, names: &mut Names) {
        self.packed.line(&line(record, names));
        self.list.line(&entry(record, names));
        self.games += 1;
        let id = record.id.0;
        self.numbers = Some([self.numbers.map_or(id, |[first, _]| first), id]);
    }

    pub fn count(&self) -> u32 {
        self.games
    }

    pub fn is_full(&self) -> bool {
        self.games >= GAMES || self.packed.len() >= BYTES
    }

    pub fn numbers(&self) -> Option<RangeInclusive<u64>> {
        self.numbers.map(|[first, last]| first..=last)
    }

    pub fn texts(self) -> (String, String) {
        if self.games == 0 {
            return Default::default();
        }
        (self.packed.text(), self.list.text())
    }
}

#[derive(Debug, Default)]
pub(super) struct Names {
    bots: Vec<String>,
    boards: Vec<Game>,
    /// Whether strangers read the page: what a bot wrote and why it failed is left out.
    pub are_public: bool,
}

impl Names {
    pub fn new(bots: &[String]) -> Names {
        Names {
            bots: bots.to_vec(),
            boards: Vec::new(),
            are_public: false,
        }
    }

    fn bot(&mut self, name: &str) -> usize {
        let known = self.bots.iter().position(|bot| bot == name);
        known.unwrap_or_else(|| {
            self.bots.push(name.to_owned());
            self.bots.len() - 1
        })
    }

    fn board(&mut self, game: Game) -> usize {
        let known = self.boards.iter().position(|&board| board == game);
        known.unwrap_or_else(|| {
            self.boards.push(game);
            self.boards.len() - 1
        })
    }

    pub fn json(&self) -> Value {
        let bots: Vec<String> = self.bots.iter().map(|name| harmless(name)).collect();
        let boards = self.boards.iter().map(|game| {
            json!({
                "title": game.to_string(),
                "rows": game.start().rows(),
                // If a game counts discs, a move turns discs over.
                "turns": game.scoring() == Scoring::Discs,
            })
        });
        json!({ "bots": bots, "boards": boards.collect::<Vec<_>>() })
    }
}

pub(super) fn entry(record: &GameRecord, names: &mut Names) -> String {
    let [black, white] = [0, 1].map(|side| names.bot(&record.players[side]));
    format!(
        "{} {black} {white} {} {} {} {}",
        record.id.0,
        record.verdict.outcome().word(),
        record.verdict.reason(),
        record.opening.len() + record.plies.len(),
        transcript(&record.opening),
    )
}

/// Writes a game for the script: its number, then JSON.
fn line(record: &GameRecord, names: &mut Names) -> String {
    let [black, white] = [0, 1].map(|side| names.bot(&record.players[side]));
    let plies = record.counted();
    let moves = record.opening.iter().copied();
    let moves: Vec<Move> = moves.chain(plies.iter().map(|ply| ply.played)).collect();
    let column = |value: &dyn Fn(&Ply) -> Value| -> Value {
        let column: Vec<Value> = plies.iter().map(|ply| value(ply)).collect();
        if column.iter().all(Value::is_null) {
            return Value::Null;
        }
        Value::Array(column)
    };
    let given = record.opening.len();
    let mut value = json!({
        "g": names.board(record.game),
        "b": black,
        "w": white,
        "o": given,
        "m": transcript(&moves),
        "x": record.verdict.outcome().word(),
        "y": record.verdict.reason(),
        "c": record.counts,
        "s": column(&|ply| json!(ply.thought.score.map(|score| rounded(score, 2)))),
        "d": column(&|ply| json!(ply.thought.depth)),
        "k": column(&|ply| json!(ply.thought.nodes.map(three_digits))),
        "t": column(&|ply| json!(ply.effort.map(|effort| ms(effort.wall)))),
        "u": column(&|ply| json!(ply.effort.and_then(|effort| effort.cpu).map(ms))),
        "v": column(&|ply| {
            let line = &ply.thought.pv;
            json!((!line.is_empty()).then(|| transcript(&line[..line.len().min(LINE)])))
        }),
    });
    if names.are_public {
        return format!("{} {value}", record.id.0);
    }
    if let Some(why) = why(&record.verdict) {
        value["f"] = json!(why);
    }
    if !record.warnings.is_empty() {
        value["q"] = json!(Message::list(record.warnings.iter().cloned()));
    }
    format!("{} {value}", record.id.0)
}

pub(super) fn why(verdict: &Verdict) -> Option<Message> {
    match verdict {
        Verdict::Forfeit { by, fault } => {
            Some(message!("{by}: {}: {fault}", Message::from(fault.word())))
        }
        Verdict::BothFailed([black, white]) => Some(message!("black: {black}; white: {white}")),
        Verdict::Void { why } => Some(why.clone()),
        Verdict::Rules { .. } | Verdict::Resigned(_) | Verdict::Adjudicated { .. } => None,
    }
}

fn transcript(moves: &[Move]) -> String {
    let text = |played: &Move| match played {
        Move::Place(square) => square.to_string(),
        Move::Pass | Move::Choose(_) => "-".to_owned(),
    };
    moves.iter().map(text).collect()
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

fn ms(time: std::time::Duration) -> Value {
    let ms = time.as_secs_f64() * 1000.0;
    rounded(ms, if ms < 10.0 { 2 } else { 0 })
}

fn three_digits(number: u64) -> u64 {
    let mut unit = 1;
    while number / unit >= 1000 {
        unit *= 10;
    }
    number / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        assert_eq!(
            [7, 999, 1234, 987_654].map(three_digits),
            [7, 999, 1230, 987_000]
        );
        assert_eq!(rounded(-0.001, 2), json!(0));
        assert_eq!(rounded(1.2345, 2), json!(1.23));
        assert_eq!(ms(std::time::Duration::from_micros(1234)), json!(1.23));
        assert_eq!(ms(std::time::Duration::from_micros(123_456)), json!(123));
    }
}
