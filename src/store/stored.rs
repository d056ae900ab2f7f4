//! A stored game: JSON with a version. Plies are stored by column, so that a game of a hundred plies
//! takes a few hundred bytes.

use std::time::Duration;

use games::{Game, Move, Side};
use serde::{Deserialize, Serialize};

use super::packed;
use referee::record::{Effort, Fault, GameId, GameRecord, Ground, Ply, Thought, Verdict};

/// The version that is written; older versions must stay readable.
pub(super) const VERSION: u32 = 1;

const UNEQUAL: &str = "columns of unequal length";

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
    moves: Vec<String>,
    wall_us: Vec<Option<u64>>,
    cpu_us: Vec<Option<u64>>,
    depth: Vec<Option<u32>>,
    score: Vec<Option<f64>>,
    nodes: Vec<Option<u64>>,
    /// These two are columns; empty if no bot reported any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    time_us: Vec<Option<u64>>,
    /// Packed, see [`packed`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pv: Vec<String>,
    verdict: StoredVerdict,
    counts: [u16; 2],
    attempts: u32,
    started_unix_ms: u64,
    duration_us: u64,
    idle_cpu_us: [Option<u64>; 2],
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
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
        fn column<T>(record: &GameRecord, of: impl Fn(&Ply) -> Option<T>) -> Vec<Option<T>> {
            record.plies.iter().map(of).collect()
        }
        let tells = |what: fn(&Thought) -> bool| record.plies.iter().any(|ply| what(&ply.thought));
        let times = tells(|thought| thought.time.is_some());
        let pvs = tells(|thought| !thought.pv.is_empty());
        StoredGame {
            v: VERSION,
            game: record.game.name().to_owned(),
            rules: record.game.rules().to_owned(),
            size: record.game.size(),
            players: record.players.clone(),
            // With passes: in the opening of a stage they take the place of missing stones.
            opening: record.opening.iter().map(Move::to_string).collect(),
            moves: record
                .plies
                .iter()
                .map(|ply| ply.played.to_string())
                .collect(),
            wall_us: column(record, |ply| Some(us(ply.effort?.wall))),
            cpu_us: column(record, |ply| ply.effort?.cpu.map(us)),
            depth: column(record, |ply| ply.thought.depth),
            score: column(record, |ply| ply.thought.score),
            nodes: column(record, |ply| ply.thought.nodes),
            time_us: if times {
                column(record, |ply| ply.thought.time.map(us))
            } else {
                Vec::new()
            },
            pv: if pvs {
                let size = record.game.size();
                let plies = record.plies.iter();
                plies
                    .map(|ply| packed::write(&ply.thought.pv, size))
                    .collect()
            } else {
                Vec::new()
            },
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
        let text = |error: &dyn std::error::Error| error.to_string();
        let game = Game::new(&self.game, Some(&self.rules), Some(i64::from(self.size)))
            .map_err(|error| text(&error))?;
        let (opening, _) =
            games::parse_opening(game, &self.opening).map_err(|error| text(&error))?;
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
        Ok(GameRecord {
            id,
            game,
            players: self.players,
            opening,
            plies,
            verdict,
            counts: self.counts,
            attempts: self.attempts,
            started_unix_ms: self.started_unix_ms,
            duration: Duration::from_micros(self.duration_us),
            idle_cpu: self.idle_cpu_us.map(|time| time.map(Duration::from_micros)),
            warnings: self.warnings,
        })
    }

    fn ply(&self, index: usize) -> Result<Ply, String> {
        fn at<T: Copy>(column: &[Option<T>], index: usize) -> Result<Option<T>, String> {
            column.get(index).copied().ok_or_else(|| UNEQUAL.to_owned())
        }
        let played: Move = self.moves[index]
            .parse()
            .map_err(|error: games::BadSquare| error.to_string())?;
        let cpu = at(&self.cpu_us, index)?.map(Duration::from_micros);
        let time = match self.time_us.as_slice() {
            [] => None,
            times => at(times, index)?.map(Duration::from_micros),
        };
        let pv = match (self.pv.as_slice(), self.pv.get(index)) {
            ([], _) => Vec::new(),
            (_, Some(pv)) => packed::read(pv, self.size)?,
            (_, None) => return Err(UNEQUAL.to_owned()),
        };
        Ok(Ply {
            played,
            effort: at(&self.wall_us, index)?.map(|wall| Effort {
                wall: Duration::from_micros(wall),
                cpu,
            }),
            thought: Thought {
                depth: at(&self.depth, index)?,
                score: at(&self.score, index)?,
                nodes: at(&self.nodes, index)?,
                time,
                pv,
            },
        })
    }
}
