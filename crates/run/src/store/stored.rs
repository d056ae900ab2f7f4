//! A stored game: JSON with a version and a checksum. Plies are stored by column, so that no field name is repeated.

use std::borrow::Cow;
use std::time::Duration;

use games::{Game, Move, Rules, Side, Square};
use message::Message;
use referee::bot::LONGEST_NAME;
use referee::record::{
    Effort, Fault, GameId, GameRecord, Ground, Outcome, Ply, Spent, Thought, Verdict,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The text of a stored game, which is the same in a database and in a file of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawGame {
    pub id: GameId,
    pub text: String,
    /// A checksum of the number and the text.
    pub(super) sum: u64,
}

impl RawGame {
    pub fn of(record: &GameRecord) -> Result<RawGame, String> {
        let text = serde_json::to_string(&StoredGame::from(record));
        let text = text.map_err(|error| error.to_string())?;
        let (id, sum) = (record.id, checksum(record.id, &text));
        Ok(RawGame { id, text, sum })
    }

    pub fn record(&self) -> Result<GameRecord, String> {
        let stored = serde_json::from_str::<StoredGame>(&self.text);
        let stored = stored.map_err(|error| error.to_string())?;
        let record = stored.into_record(self.id)?;
        if self.sum != checksum(self.id, &self.text) {
            return Err("its checksum does not match".to_owned());
        }
        // Other readers search the text for the verdict instead of parsing it, so both verdicts must be the same.
        if self.is_void() != (record.verdict.outcome() == Outcome::Void) {
            return Err("its text has two different verdicts".to_owned());
        }
        Ok(record)
    }

    pub fn is_void(&self) -> bool {
        verdict(self.text.as_bytes()) == Some("void")
    }
}

/// Finds the kind of verdict (`rules`, `forfeit`, `void`, …) in a game's text without parsing the rest. Names and
/// messages of bots cannot contain `KEY`, because their quotes are escaped.
pub fn verdict(text: &[u8]) -> Option<&str> {
    const KEY: &[u8] = br#""verdict":{""#;
    // Searches from the end, because most of the text, the moves, is before the verdict.
    let from = memchr::memmem::rfind(text, KEY)? + KEY.len();
    let length = memchr::memchr(b'"', &text[from..])?;
    std::str::from_utf8(&text[from..from + length]).ok()
}

/// Returns a checksum of a game: FNV-1a with 64 bits, which finds every change of a single byte.
///
/// Source: G. Fowler, L. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm".
pub(super) fn checksum(id: GameId, text: &str) -> u64 {
    let number = id.0.to_le_bytes();
    let bytes = number.iter().chain(text.as_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The version of the texts that this arena writes. Older versions must stay readable.
const VERSION: u32 = 1;

/// The last millisecond of the year 9999, in ms since 1970. Later dates cannot be exported: years have four digits.
const LATEST_MS: u64 = 253_402_300_799_999;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredGame {
    v: u32,
    game: String,
    rules: String,
    size: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opening_rule: Option<String>,
    players: [String; 2],
    opening: String,
    /// The plies, including passes, so that columns have one value per ply.
    moves: Vec<MoveText>,
    #[serde(default, skip_serializing_if = "PlyColumn::is_empty")]
    wall_us: PlyColumn<u64>,
    #[serde(default, skip_serializing_if = "PlyColumn::is_empty")]
    cpu_us: PlyColumn<u64>,
    #[serde(default, skip_serializing_if = "PlyColumn::is_empty")]
    depth: PlyColumn<u32>,
    #[serde(default, skip_serializing_if = "PlyColumn::is_empty")]
    score: PlyColumn<f64>,
    #[serde(default, skip_serializing_if = "PlyColumn::is_empty")]
    nodes: PlyColumn<u64>,
    #[serde(default, skip_serializing_if = "PlyColumn::is_empty")]
    time_us: PlyColumn<u64>,
    #[serde(default, skip_serializing_if = "PlyColumn::is_empty")]
    pv: PlyColumn<String>,
    #[serde(default, skip_serializing_if = "PlyColumn::is_empty")]
    spent: PlyColumn<Spent>,
    #[serde(default, skip_serializing_if = "PlyColumn::is_empty")]
    text: PlyColumn<String>,
    verdict: StoredVerdict,
    counts: [u16; 2],
    attempts: u32,
    #[serde(default)]
    interruptions: [u32; 2],
    started_unix_ms: u64,
    duration_us: u64,
    idle_cpu_us: [Option<u64>; 2],
    #[serde(default, skip_serializing_if = "are_empty")]
    unplayed: [Spent; 2],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Message>,
}

fn are_empty(spent: &[Spent; 2]) -> bool {
    spent.iter().all(Spent::is_empty)
}

/// A column with a value for each ply; empty if no ply has a value.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct PlyColumn<T>(Vec<Option<T>>);

impl<T> Default for PlyColumn<T> {
    fn default() -> PlyColumn<T> {
        PlyColumn(Vec::new())
    }
}

impl<T: Clone> PlyColumn<T> {
    fn of(record: &GameRecord, value: impl Fn(&Ply) -> Option<T>) -> PlyColumn<T> {
        let column: Vec<_> = record.plies.iter().map(value).collect();
        if column.iter().all(Option::is_none) {
            return PlyColumn::default();
        }
        PlyColumn(column)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn at(&self, index: usize) -> Result<Option<T>, String> {
        match self.0.get(index) {
            Some(value) => Ok(value.clone()),
            None if self.is_empty() => Ok(None),
            None => Err("columns of unequal length".to_owned()),
        }
    }
}

#[derive(Debug)]
struct MoveText(Move);

impl Serialize for MoveText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for MoveText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MoveText, D::Error> {
        let text = <Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map(MoveText).map_err(de::Error::custom)
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StoredVerdict {
    Rules {
        winner: Option<StoredSide>,
        reason: String,
    },
    Resigned(StoredSide),
    Forfeit {
        by: StoredSide,
        fault: Fault,
    },
    BothFailed([Fault; 2]),
    Adjudicated {
        winner: Option<StoredSide>,
        ground: String,
    },
    Void {
        why: Message,
    },
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StoredSide {
    Black,
    White,
}

impl From<Side> for StoredSide {
    fn from(side: Side) -> StoredSide {
        match side {
            Side::Black => StoredSide::Black,
            Side::White => StoredSide::White,
        }
    }
}

impl From<StoredSide> for Side {
    fn from(side: StoredSide) -> Side {
        match side {
            StoredSide::Black => Side::Black,
            StoredSide::White => Side::White,
        }
    }
}

fn us(time: Duration) -> u64 {
    time.as_micros() as u64
}

impl From<&GameRecord> for StoredGame {
    fn from(record: &GameRecord) -> StoredGame {
        StoredGame {
            v: VERSION,
            game: record.game.name().to_owned(),
            rules: record.game.rules().to_owned(),
            size: record.game.size(),
            opening_rule: record.game.opening().map(|rule| rule.name().to_owned()),
            players: record.players.clone(),
            // Includes passes, because in the opening of a stage a pass replaces a missing stone.
            opening: record.opening.iter().map(Move::to_string).collect(),
            moves: record
                .plies
                .iter()
                .map(|ply| MoveText(ply.played))
                .collect(),
            wall_us: PlyColumn::of(record, |ply| Some(us(ply.effort?.wall))),
            cpu_us: PlyColumn::of(record, |ply| ply.effort?.cpu.map(us)),
            depth: PlyColumn::of(record, |ply| ply.thought.depth),
            score: PlyColumn::of(record, |ply| ply.thought.score),
            nodes: PlyColumn::of(record, |ply| ply.thought.nodes),
            time_us: PlyColumn::of(record, |ply| ply.thought.time.map(us)),
            pv: PlyColumn::of(record, |ply| {
                let pv = &ply.thought.pv;
                (!pv.is_empty()).then(|| pack(pv, record.game.size()))
            }),
            spent: PlyColumn::of(record, |ply| {
                let spent = &ply.thought.spent;
                (!spent.is_empty()).then(|| spent.clone())
            }),
            text: PlyColumn::of(record, |ply| {
                let text = &ply.thought.text;
                (!text.is_empty()).then(|| text.clone())
            }),
            verdict: match &record.verdict {
                Verdict::Rules { winner, reason } => StoredVerdict::Rules {
                    winner: winner.map(StoredSide::from),
                    reason: reason.word().to_owned(),
                },
                Verdict::Resigned(side) => StoredVerdict::Resigned((*side).into()),
                Verdict::Forfeit { by, fault } => StoredVerdict::Forfeit {
                    by: (*by).into(),
                    fault: fault.clone(),
                },
                Verdict::BothFailed(faults) => StoredVerdict::BothFailed(faults.clone()),
                Verdict::Adjudicated { winner, ground } => StoredVerdict::Adjudicated {
                    winner: winner.map(StoredSide::from),
                    ground: ground.word().to_owned(),
                },
                Verdict::Void { why } => StoredVerdict::Void { why: why.clone() },
            },
            counts: record.counts,
            attempts: record.attempts,
            interruptions: record.interruptions,
            started_unix_ms: record.started_unix_ms,
            duration_us: us(record.duration),
            idle_cpu_us: record.idle_cpu.map(|time| time.map(us)),
            unplayed: record.unplayed.clone(),
            warnings: record.warnings.clone(),
        }
    }
}

impl StoredGame {
    pub fn into_record(self, id: GameId) -> Result<GameRecord, String> {
        if self.v != VERSION {
            return Err(format!("this arena does not know version {}", self.v));
        }
        if self.players.iter().any(|name| name.len() > LONGEST_NAME) {
            return Err(format!(
                "the name of a bot has more than {LONGEST_NAME} bytes"
            ));
        }
        let text = |error: &dyn std::error::Error| error.to_string();
        let game = Game::new(&self.game, Some(&self.rules), Some(i64::from(self.size)))
            .and_then(|game| game.with_opening(self.opening_rule.as_deref()))
            .map_err(|error| text(&error))?;
        let (opening, mut board) =
            games::parse_opening(game, &self.opening).map_err(|error| text(&error))?;
        for played in &self.moves {
            board.play(played.0).map_err(|error| text(&error))?;
        }
        // The board bounds the number of moves, but an opening may have any number of passes.
        if opening.len() > 2 * usize::from(self.size).pow(2) {
            return Err(format!(
                "its opening is too long: {} half-moves",
                opening.len()
            ));
        }
        if self.started_unix_ms > LATEST_MS {
            return Err("it began after the year 9999".to_owned());
        }
        let plies = (0..self.moves.len())
            .map(|index| self.ply(index))
            .collect::<Result<_, _>>()?;
        let verdict = match self.verdict {
            StoredVerdict::Rules { winner, reason } => Verdict::Rules {
                winner: winner.map(Side::from),
                reason: game
                    .reasons()
                    .iter()
                    .copied()
                    .find(|known| known.word() == reason)
                    .ok_or_else(|| format!("unknown reason {reason:?}"))?,
            },
            StoredVerdict::Resigned(side) => Verdict::Resigned(side.into()),
            StoredVerdict::Forfeit { by, fault } => Verdict::Forfeit {
                by: by.into(),
                fault,
            },
            StoredVerdict::BothFailed(faults) => Verdict::BothFailed(faults),
            StoredVerdict::Adjudicated { winner, ground } => Verdict::Adjudicated {
                winner: winner.map(Side::from),
                ground: Ground::ALL
                    .into_iter()
                    .find(|known| known.word() == ground)
                    .ok_or_else(|| format!("unknown ground {ground:?}"))?,
            },
            StoredVerdict::Void { why } => Verdict::Void { why },
        };
        let record = GameRecord {
            id,
            game,
            players: self.players,
            opening,
            plies,
            verdict,
            counts: self.counts,
            attempts: self.attempts,
            interruptions: self.interruptions,
            started_unix_ms: self.started_unix_ms,
            duration: Duration::from_micros(self.duration_us),
            idle_cpu: self.idle_cpu_us.map(|time| time.map(Duration::from_micros)),
            unplayed: self.unplayed,
            warnings: self.warnings,
        };
        referee::by_rules(&board, &record).map_err(|why| format!("it {why}"))?;
        Ok(record)
    }

    fn ply(&self, index: usize) -> Result<Ply, String> {
        let cpu = self.cpu_us.at(index)?.map(Duration::from_micros);
        let pv = self.pv.at(index)?;
        Ok(Ply {
            played: self.moves[index].0,
            effort: self.wall_us.at(index)?.map(|wall| Effort {
                wall: Duration::from_micros(wall),
                cpu,
            }),
            thought: Thought {
                depth: self.depth.at(index)?,
                score: self.score.at(index)?,
                nodes: self.nodes.at(index)?,
                time: self.time_us.at(index)?.map(Duration::from_micros),
                pv: pv.map_or_else(|| Ok(Vec::new()), |pv| unpack(&pv, self.size))?,
                spent: self.spent.at(index)?.unwrap_or_default(),
                text: self.text.at(index)?.unwrap_or_default(),
            },
        })
    }
}

/// The digits, from 0: printable ASCII without the two characters that JSON escapes.
const DIGITS: &[u8; 93] = b" !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";

const fn width(size: u8) -> usize {
    let moves = size as usize * size as usize + 1;
    if moves <= DIGITS.len() { 1 } else { 2 }
}

/// Packs moves into text: one character per move on boards of up to 9×9, two characters on larger boards. A move is the
/// index of its square, row by row from a1, in [`DIGITS`], higher digit first. A pass comes after the last square.
fn pack(moves: &[Move], size: u8) -> String {
    let mut text = String::with_capacity(moves.len() * width(size));
    for played in moves {
        let pass = usize::from(size) * usize::from(size);
        let number = played.square().map_or(pass, |square| square.index(size));
        if width(size) == 2 {
            text.push(char::from(DIGITS[number / DIGITS.len()]));
        }
        text.push(char::from(DIGITS[number % DIGITS.len()]));
    }
    text
}

/// Unpacks the moves. Fails if [`pack`] did not write the text.
fn unpack(text: &str, size: u8) -> Result<Vec<Move>, String> {
    let squares = usize::from(size) * usize::from(size);
    let bad = || format!("{text:?} is not a list of packed moves");
    let chunks = text.as_bytes().chunks(width(size));
    chunks
        .map(|chunk| {
            let mut number = 0;
            for byte in chunk {
                let digit = DIGITS.binary_search(byte).map_err(|_| bad())?;
                number = number * DIGITS.len() + digit;
            }
            match number {
                _ if chunk.len() < width(size) => Err(bad()),
                number if number < squares => Ok(Move::Place(Square::from_index(number, size))),
                number if number == squares => Ok(Move::Pass),
                _ => Err(bad()),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_of_every_board_comes_back() {
        for size in 5..=games::MAX_SIZE {
            let squares = usize::from(size) * usize::from(size);
            let mut moves: Vec<Move> = (0..squares)
                .map(|index| Move::Place(Square::from_index(index, size)))
                .collect();
            moves.push(Move::Pass);
            let text = pack(&moves, size);
            assert_eq!(unpack(&text, size), Ok(moves), "{size}");
            let per_move = if size <= 9 { 1 } else { 2 };
            assert_eq!(text.len(), (squares + 1) * per_move, "{size}");
            let quoted = serde_json::to_string(&text).expect("JSON");
            assert_eq!(quoted.len(), text.len() + 2, "nothing is escaped");
        }
    }

    #[test]
    fn moves_of_old_records_stay_readable() {
        let moves = ["a1", "d3", "h8", "pass"].map(|text| text.parse().expect("a move"));
        assert_eq!(pack(&moves, 8), " 4ab");
        assert_eq!(pack(&moves, 15), "   B!4#H");
    }

    #[test]
    fn text_that_was_not_packed_is_refused() {
        for (text, size) in cases::cases::<(String, u8)>("no-packed-moves") {
            assert!(unpack(&text, size).is_err(), "{text:?} on {size}");
        }
        assert_eq!(unpack("", 15), Ok(Vec::new()));
    }
}
