//! Rounds and their results in the database of a league.

use std::collections::BTreeMap;

use games::Side;
use message::Message;
use run::{RunError, unix_ms};
use stats::{Meeting, Pentanomial, Score};

use super::database::{League, Round, Version};

/// The results of a pairing in a round, from the point of view of the first version.
pub(super) struct PairResult {
    pub versions: [i64; 2],
    pub score: Score,
    pub pairs: Pentanomial,
}

pub(super) struct CountedGame {
    pub number: u64,
    /// The ids of both versions, black's first.
    pub versions: [i64; 2],
    pub result: String,
    pub faults: [Option<Message>; 2],
}

/// The number of games of a version in which faults are counted.
const LAST_GAMES: u32 = 20;

impl League {
    /// Returns how many of its last games a version has played, at most [`LAST_GAMES`], and in how many it was at fault.
    pub(super) fn last_faults(&self, version: i64) -> Result<(u64, u64), RunError> {
        self.query(|tables| {
            tables.query_row(
                "SELECT count(*), ifnull(sum(fault IN ('both', iif(black = ?1, 'black', 'white'))), 0) FROM
                    (SELECT * FROM game WHERE black = ?1 OR white = ?1 ORDER BY round DESC, number DESC LIMIT ?2)",
                (version, LAST_GAMES),
                |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64)),
            )
        })
    }

    /// Returns the results of all counted rounds. A bot's number is its index in `versions`.
    pub(super) fn meetings(&self, versions: &[Version]) -> Result<Vec<Meeting>, RunError> {
        let number = |id: i64| versions.binary_search_by_key(&id, |version| version.id);
        self.query(|tables| {
            let mut all = tables.prepare("SELECT * FROM meeting")?;
            let rows = all.query_map((), |row| {
                let mut counts = [0; 9];
                for (at, count) in counts.iter_mut().enumerate() {
                    *count = row.get::<_, i64>(2 + at)? as u64;
                }
                Ok(([row.get(0)?, row.get(1)?], counts))
            })?;
            rows.map(|row| {
                let ([one, other], [wins, draws, losses, ll, ld, wl, dd, wd, ww]) = row?;
                let missing = |_| rusqlite::Error::QueryReturnedNoRows;
                Ok(Meeting {
                    bots: [
                        number(one).map_err(missing)?,
                        number(other).map_err(missing)?,
                    ],
                    score: Score::new(wins, draws, losses),
                    pairs: [ll, ld, wl, dd, wd, ww].into(),
                })
            })
            .collect()
        })
    }

    pub fn counted_rounds(&self) -> Result<Vec<u64>, RunError> {
        self.query(|tables| {
            let mut all = tables
                .prepare("SELECT number FROM round WHERE counted IS NOT NULL ORDER BY number")?;
            all.query_map((), |row| Ok(row.get::<_, i64>(0)? as u64))?
                .collect()
        })
    }

    /// Returns the number of the newest counted round, and the total number of games.
    pub fn counted(&self) -> Result<(u64, u64), RunError> {
        self.query(|tables| {
            let rounds: Option<i64> = tables.query_row(
                "SELECT max(number) FROM round WHERE counted IS NOT NULL",
                (),
                |row| row.get(0),
            )?;
            let games: i64 = tables.query_row(
                "SELECT coalesce(sum(wins + draws + losses), 0) FROM meeting",
                (),
                |row| row.get(0),
            )?;
            Ok((rounds.unwrap_or(0) as u64, games as u64))
        })
    }

    pub(super) fn plan(&mut self, pairings: Vec<[i64; 2]>) -> Result<Round, RunError> {
        let text = serde_json::to_string(&pairings).expect("numbers are JSON");
        let number = self.write(|tables| {
            tables.execute(
                "INSERT INTO round (pairings, planned) VALUES (?1, ?2)",
                (text, unix_ms() as i64),
            )?;
            Ok(tables.last_insert_rowid())
        })?;
        Ok(Round {
            number: number as u64,
            pairings,
        })
    }

    pub(super) fn cancel(&mut self, round: u64) -> Result<(), RunError> {
        let change = "DELETE FROM round WHERE number = ?1 AND counted IS NULL";
        self.write(|tables| tables.execute(change, (round as i64,)).map(drop))
    }

    pub fn results_of(&self, version: i64) -> Result<BTreeMap<i64, Score>, RunError> {
        let find = "SELECT other, wins, draws, losses FROM meeting WHERE one = ?1
            UNION ALL SELECT one, losses, draws, wins FROM meeting WHERE other = ?1";
        self.query(|tables| {
            let mut all = tables.prepare(find)?;
            let rows = all.query_map((version,), |row| {
                let count = |column| row.get::<_, i64>(column).map(|count| count as u64);
                Ok((row.get(0)?, Score::new(count(1)?, count(2)?, count(3)?)))
            })?;
            rows.collect()
        })
    }

    /// Counts a round: adds its games and its results. Does nothing if the round is counted already.
    pub(super) fn count(
        &mut self,
        round: u64,
        games: &[CountedGame],
        results: &[PairResult],
    ) -> Result<(), RunError> {
        self.write(|tables| {
            let counted = tables.execute(
                "UPDATE round SET counted = ?2 WHERE number = ?1 AND counted IS NULL",
                (round as i64, unix_ms() as i64),
            )?;
            if counted == 0 {
                return Ok(());
            }
            let mut add = tables.prepare(
                "INSERT INTO game (round, number, black, white, result, fault) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            let mut fault_of = tables.prepare("UPDATE version SET faults = faults + 1 WHERE id = ?1")?;
            for game in games {
                let fault = match game.faults.each_ref().map(Option::is_some) {
                    [false, false] => None,
                    [true, false] => Some(Side::Black.word()),
                    [false, true] => Some(Side::White.word()),
                    [true, true] => Some("both"),
                };
                let [black, white] = game.versions;
                add.execute((round as i64, game.number as i64, black, white, &game.result, fault))?;
                let at_fault = game.versions.iter().zip(&game.faults);
                for (version, _) in at_fault.filter(|(_, fault)| fault.is_some()) {
                    fault_of.execute((version,))?;
                }
            }
            let mut meet = tables.prepare(
                "INSERT INTO meeting VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                 ON CONFLICT (one, other) DO UPDATE SET wins = wins + excluded.wins, draws = draws + excluded.draws,
                 losses = losses + excluded.losses, ll = ll + excluded.ll, ld = ld + excluded.ld,
                 wl = wl + excluded.wl, dd = dd + excluded.dd, wd = wd + excluded.wd, ww = ww + excluded.ww",
            )?;
            let mut add_score = tables.prepare(
                "UPDATE version SET wins = wins + ?2, draws = draws + ?3, losses = losses + ?4 WHERE id = ?1",
            )?;
            for result in results {
                // A pairing has one row, with the older version first.
                let [one, other] = result.versions;
                let (older, newer, score, pairs) = if one < other {
                    (one, other, result.score, result.pairs)
                } else {
                    (other, one, result.score.reversed(), result.pairs.reversed())
                };
                let Pentanomial { ll, ld, wl, dd, wd, ww } = pairs;
                let [wins, draws, losses] = counts(&score);
                let [ll, ld, wl, dd, wd, ww] = [ll, ld, wl, dd, wd, ww].map(|count| count as i64);
                meet.execute((older, newer, wins, draws, losses, ll, ld, wl, dd, wd, ww))?;
                for (version, score) in [(older, score), (newer, score.reversed())] {
                    let [wins, draws, losses] = counts(&score);
                    add_score.execute((version, wins, draws, losses))?;
                }
            }
            Ok(())
        })
    }
}

fn counts(score: &Score) -> [i64; 3] {
    [score.wins, score.draws, score.losses].map(|count| count as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament::TournamentFile;

    #[test]
    fn faults_are_counted_in_the_last_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let anchors = ["random", "greedy", "mobility"]
            .map(|name| format!("[[bot]]\nname = '{name}'\nrating = 100\n"));
        let file: TournamentFile = toml::from_str(&anchors.concat()).expect("a file");
        let mut league =
            League::create(&folder.path().join("new"), &file, false).expect("a league");
        // Ten rounds of three games; the version with number 2 is at fault in the last four rounds.
        for round in 1..=10 {
            league.plan(vec![[1, 2]]).expect("a plan");
            let games = [[1, 2], [2, 1], [3, 1]].into_iter().enumerate();
            let game = |(number, versions): (usize, [i64; 2])| CountedGame {
                number: number as u64,
                versions,
                result: "white".to_owned(),
                faults: versions.map(|id| (id == 2 && round > 6).then(|| "crashed".into())),
            };
            let games: Vec<CountedGame> = games.map(game).collect();
            league.count(round, &games, &[]).expect("it counts");
        }
        let faults = [1, 2, 3, 9].map(|id| league.last_faults(id).expect("games"));
        assert_eq!(faults, [(20, 0), (20, 8), (10, 0), (0, 0)]);
    }
}
