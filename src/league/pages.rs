//! Data for the pages of a league, apart from its table. This module neither rates nor plays.

use games::Side;
use run::RunError;
use rusqlite::Row;
use serde::Serialize;

use super::database::League;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    pub round: u64,
    pub number: u64,
    /// The versions by id, black's first.
    pub versions: [i64; 2],
    /// The outcome, as the word that the record uses.
    pub result: String,
    pub has_fault: bool,
}

/// The rating of a version after a round in which it played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HistoryPoint {
    pub round: u64,
    pub elo: f64,
    pub error_95: f64,
}

impl League {
    /// Returns a number that changes when another connection has changed the database.
    pub fn changes(&self) -> Result<i64, RunError> {
        self.query(|tables| tables.pragma_query_value(None, "data_version", |row| row.get(0)))
    }

    /// Returns at most `most` games of any of these versions, newest first. `before` is the round and the number of a
    /// game: only older games are returned. If `faulty`, one of the versions must have been at fault.
    pub fn games_before(
        &self,
        versions: &[i64],
        before: Option<[u64; 2]>,
        faulty: bool,
        most: usize,
    ) -> Result<Vec<PlayedGame>, RunError> {
        let [round, number] = before.map_or([i64::MAX; 2], |before| before.map(|at| at as i64));
        // Reads the games of each version and side in the order of the index, so many games do not make this slower.
        let mut games = self.query(|tables| {
            let mut games = Vec::new();
            for side in Side::BOTH {
                // An earlier version of the arena stored a message in `fault`, and not the side.
                let faulty = if faulty {
                    format!("AND fault <> '{}'", (!side).word())
                } else {
                    String::new()
                };
                let side = side.word();
                let mut find = tables.prepare(&format!(
                    "SELECT round, number, black, white, result, fault IS NOT NULL FROM game
                     WHERE {side} = ?1 AND (round, number) < (?2, ?3) {faulty}
                     ORDER BY round DESC, number DESC LIMIT ?4"
                ))?;
                for version in versions {
                    let found = find.query_map((version, round, number, most as i64), game)?;
                    games.extend(found.collect::<rusqlite::Result<Vec<_>>>()?);
                }
            }
            Ok(games)
        })?;
        games.sort_by_key(|game| std::cmp::Reverse((game.round, game.number)));
        games.dedup_by_key(|game| (game.round, game.number));
        games.truncate(most);
        Ok(games)
    }

    pub fn newest_games(&self, most: usize) -> Result<Vec<PlayedGame>, RunError> {
        self.query(|tables| {
            let mut find = tables.prepare(
                "SELECT round, number, black, white, result, fault IS NOT NULL FROM game
                 ORDER BY round DESC, number DESC LIMIT ?1",
            )?;
            find.query_map((most as i64,), game)?.collect()
        })
    }

    pub fn history_of(&self, version: i64) -> Result<Vec<HistoryPoint>, RunError> {
        self.query(|tables| {
            let find = "SELECT round, elo, error FROM history WHERE version = ?1 ORDER BY round";
            let mut all = tables.prepare(find)?;
            let point = |row: &Row<'_>| {
                Ok(HistoryPoint {
                    round: row.get::<_, i64>(0)? as u64,
                    elo: row.get(1)?,
                    error_95: row.get(2)?,
                })
            };
            all.query_map((version,), point)?.collect()
        })
    }
}

fn game(row: &Row<'_>) -> rusqlite::Result<PlayedGame> {
    Ok(PlayedGame {
        round: row.get::<_, i64>(0)? as u64,
        number: row.get::<_, i64>(1)? as u64,
        versions: [row.get(2)?, row.get(3)?],
        result: row.get(4)?,
        has_fault: row.get(5)?,
    })
}
