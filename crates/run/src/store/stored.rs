//! A stored game: JSON with a version. Plies are stored by column, so that a game of a hundred plies
//! takes a few hundred bytes.

use std::borrow::Cow;
use std::time::Duration;

use games::{Game, Move, Rules, Side};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::packed;
use referee::bot::LONGEST_NAME;
use referee::record::{Effort, Fault, GameId, GameRecord, Ground, Ply, Thought, Verdict};

/// The version that is written; older versions must stay readable.
pub(super) const VERSION: u32 = 1;

/// The last millisecond of the year 9999, counted from 1970: no format writes a later date.
const LATEST_MS: u64 = 253_402_300_799_999;

/// The text of a record.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredGame {
    v: u32,
    game: String,
    rules: String,
    size: u8,
    players: [String; 2],
    opening: String,
    /// Passes included, so that columns line up.
    moves: Vec<Text>,
    #[serde(default, skip_serializing_if = "Column::is_empty")]
    wall_us: Column<u64>,
    #[serde(default, skip_serializing_if = "Column::is_empty")]
    cpu_us: Column<u64>,
    #[serde(default, skip_serializing_if = "Column::is_empty")]
    depth: Column<u32>,
    #[serde(default, skip_serializing_if = "Column::is_empty")]
    score: Column<f64>,
    #[serde(default, skip_serializing_if = "Column::is_empty")]
    nodes: Column<u64>,
    #[serde(default, skip_serializing_if = "Column::is_empty")]
    time_us: Column<u64>,
    // Packed, see `packed`.
    #[serde(default, skip_serializing_if = "Column::is_empty")]
    pv: Column<String>,
    verdict: StoredVerdict,
    counts: [u16; 2],
    attempts: u32,
    #[serde(default)]
    interruptions: [u32; 2],
    started_unix_ms: u64,
    duration_us: u64,
    idle_cpu_us: [Option<u64>; 2],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// A value per ply; empty if no ply has one.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct Column<T>(Vec<Option<T>>);

impl<T> Default for Column<T> {
    fn default() -> Column<T> {
        Column(Vec::new())
    }
}

impl<T: Clone> Column<T> {
    fn of(record: &GameRecord, value: impl Fn(&Ply) -> Option<T>) -> Column<T> {
        let column: Vec<_> = record.plies.iter().map(value).collect();
        if column.iter().all(Option::is_none) {
            return Column::default();
        }
        Column(column)
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

/// A move as it is written.
#[derive(Debug)]
struct Text(Move);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        let text = <Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map(Text).map_err(de::Error::custom)
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
        why: String,
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
            players: record.players.clone(),
            // With passes: in the opening of a stage they take the place of missing stones.
            opening: record.opening.iter().map(Move::to_string).collect(),
            moves: record.plies.iter().map(|ply| Text(ply.played)).collect(),
            wall_us: Column::of(record, |ply| Some(us(ply.effort?.wall))),
            cpu_us: Column::of(record, |ply| ply.effort?.cpu.map(us)),
            depth: Column::of(record, |ply| ply.thought.depth),
            score: Column::of(record, |ply| ply.thought.score),
            nodes: Column::of(record, |ply| ply.thought.nodes),
            time_us: Column::of(record, |ply| ply.thought.time.map(us)),
            pv: Column::of(record, |ply| {
                let pv = &ply.thought.pv;
                (!pv.is_empty()).then(|| packed::write(pv, record.game.size()))
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
            warnings: record.warnings.clone(),
        }
    }
}

impl StoredGame {
    /// The record with this number; `Err` says what is wrong.
    pub fn into_record(self, id: GameId) -> Result<GameRecord, String> {
        if self.v != VERSION {
            return Err(format!("this arena does not know version {}", self.v));
        }
        // Each row of a table has it.
        if self.players.iter().any(|name| name.len() > LONGEST_NAME) {
            return Err(format!(
                "the name of a bot has more than {LONGEST_NAME} bytes"
            ));
        }
        let text = |error: &dyn std::error::Error| error.to_string();
        let game = Game::new(&self.game, Some(&self.rules), Some(i64::from(self.size)))
            .map_err(|error| text(&error))?;
        let (opening, mut board) =
            games::parse_opening(game, &self.opening).map_err(|error| text(&error))?;
        for played in &self.moves {
            board.play(played.0).map_err(|error| text(&error))?;
        }
        // Moves are bounded by the board, unless an opening passes.
        if opening.len() > 2 * usize::from(self.size).pow(2) {
            return Err(format!("an opening of {} half-moves", opening.len()));
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
                pv: pv.map_or_else(|| Ok(Vec::new()), |pv| packed::read(&pv, self.size))?,
            },
        })
    }
}
