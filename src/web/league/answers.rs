//! The data of a league's pages and of its API: only what this visitor may see, with numbers for hidden names.

use std::path::Path;

use games::Side;
use message::Message;
use referee::record::GameId;
use run::RunError;
use run::store::Store;
use serde::Serialize;

use super::Visit;
use crate::league::{Figures, HistoryPoint, PlayedGame, Version, VersionState};

/// The number of games on the page of a bot.
const GAMES: usize = 50;
/// The most games whose faults an owner sees.
const FAULTS: usize = 40;

/// `/api/table`: the leaderboard.
#[derive(Debug, Serialize)]
pub struct TableAnswer {
    pub league: String,
    /// The number of counted rounds and games.
    pub rounds: u64,
    pub games: u64,
    /// The number of hand-ins that wait for their check.
    pub waiting: usize,
    pub is_closed: bool,
    pub bots: Vec<VersionAnswer>,
}

#[derive(Debug, Serialize)]
pub struct VersionAnswer {
    /// Counted from 1; `None` before the version's first game, and if a newer version has replaced it.
    pub place: Option<usize>,
    pub name: String,
    pub bot: String,
    pub owner: Option<String>,
    pub is_own: bool,
    pub state: VersionState,
    /// The time of the hand-in, in ms since 1970.
    pub handed_in: u64,
    #[serde(flatten)]
    pub figures: Figures,
}

/// `/api/bot/NAME`: the versions of a bot, newest first, and its games.
#[derive(Debug, Serialize)]
pub struct BotAnswer {
    pub bot: String,
    pub owner: Option<String>,
    pub versions: Vec<VersionAnswer>,
    /// The ratings of each version after the rounds in which it played.
    pub history: Vec<Vec<HistoryPoint>>,
    pub games: Vec<GameAnswer>,
    /// The value of `before` for older games, if there are any.
    pub older: Option<String>,
}

/// A game. Its page is `/run/ROUND/game/GAME`; its moves are in `/run/ROUND/data/GAME`.
#[derive(Debug, Serialize)]
pub struct GameAnswer {
    pub round: u64,
    pub game: u64,
    /// The names of both versions, black's first.
    pub players: [String; 2],
    /// The names of both bots, black's first.
    pub bots: [String; 2],
    /// `black`, `white`, `draw`, or `none` if both bots were at fault.
    pub result: String,
    pub has_fault: bool,
}

/// `/api/own`: the page of an owner.
#[derive(Debug, Serialize)]
pub struct OwnAnswer {
    pub owner: String,
    pub is_closed: bool,
    /// The largest file that can be handed in, in bytes.
    pub largest: u64,
    /// The owner's versions, newest first.
    pub versions: Vec<OwnVersion>,
    /// The newest games in which a version of this owner was at fault.
    pub faults: Vec<FaultAnswer>,
}

#[derive(Debug, Serialize)]
pub struct OwnVersion {
    #[serde(flatten)]
    pub version: VersionAnswer,
    pub file: String,
    pub bytes: u64,
    /// The reason why the version does not play.
    pub reason: Option<Message>,
}

#[derive(Debug, Serialize)]
pub struct FaultAnswer {
    #[serde(flatten)]
    pub game: GameAnswer,
    pub version: String,
    pub fault: Message,
    /// The end of the bot's standard error in this game.
    pub stderr: String,
}

impl Visit<'_> {
    pub fn table(&self) -> TableAnswer {
        let table = &self.now.table;
        let rows = table.rows.iter();
        let versions = rows.filter_map(|row| self.now.version(row.version));
        TableAnswer {
            league: table.league.clone(),
            rounds: table.rounds,
            games: table.games,
            waiting: table.waiting,
            is_closed: table.is_closed,
            bots: versions.map(|version| self.answer(version)).collect(),
        }
    }

    fn answer(&self, version: &Version) -> VersionAnswer {
        let (names, is_own) = (&self.now.names, self.is_own(version));
        let mut rows = self.now.table.rows.iter();
        let row = rows.find(|row| row.version == version.id);
        VersionAnswer {
            place: row.and_then(|row| row.place),
            name: names.version(version, is_own),
            bot: names.bot(&version.bot, is_own),
            owner: names.owner(version, is_own),
            is_own,
            state: version.state,
            handed_in: names.handed_in(version, is_own),
            figures: version.figures(),
        }
    }

    /// Returns a bot by its name for this visitor, with the games older than `before` (a round and a game, as `12-5`).
    pub fn bot(&self, name: &str, before: Option<&str>) -> Result<Option<BotAnswer>, RunError> {
        let names = &self.now.names;
        let is_it = |version: &&Version| names.bot(&version.bot, self.is_own(version)) == name;
        let versions: Vec<&Version> = self.now.versions.iter().rev().filter(is_it).collect();
        let Some(newest) = versions.first() else {
            return Ok(None);
        };
        let before = before.and_then(|before| {
            let (round, number) = before.split_once('-')?;
            Some([round.parse().ok()?, number.parse().ok()?])
        });
        let league = self.pages.league();
        let mut games = league.games_before(&ids(&versions), before, false, GAMES + 1)?;
        let has_more = games.len() > GAMES;
        games.truncate(GAMES);
        let last = games.last().filter(|_| has_more);
        let history = |version: &&Version| league.history_of(version.id);
        Ok(Some(BotAnswer {
            bot: name.to_owned(),
            owner: names.owner(newest, self.is_own(newest)),
            versions: versions
                .iter()
                .map(|version| self.answer(version))
                .collect(),
            history: versions
                .iter()
                .map(history)
                .collect::<Result<_, RunError>>()?,
            older: last.map(|game| format!("{}-{}", game.round, game.number)),
            games: games.iter().map(|game| self.game(game)).collect(),
        }))
    }

    fn game(&self, game: &PlayedGame) -> GameAnswer {
        let versions = game.versions.map(|id| self.now.version(id));
        let named = |name: &dyn Fn(&Version, bool) -> String| {
            versions.map(|version| {
                version.map_or_else(String::new, |version| name(version, self.is_own(version)))
            })
        };
        let names = &self.now.names;
        GameAnswer {
            round: game.round,
            game: game.number,
            players: named(&|version, is_own| names.version(version, is_own)),
            bots: named(&|version, is_own| names.bot(&version.bot, is_own)),
            result: game.result.clone(),
            has_fault: game.has_fault,
        }
    }

    /// Returns the page of the visitor; `None` if the visitor is not an owner.
    pub fn own(&self) -> Result<Option<OwnAnswer>, RunError> {
        let Some(owner) = &self.owner else {
            return Ok(None);
        };
        let own = self.now.versions.iter().rev();
        let own: Vec<&Version> = own.filter(|version| self.is_own(version)).collect();
        let version = |version: &&Version| OwnVersion {
            version: self.answer(version),
            file: version.file.clone(),
            bytes: version.bytes,
            reason: version.reason.clone(),
        };
        Ok(Some(OwnAnswer {
            owner: owner.name.clone(),
            is_closed: self.now.table.is_closed,
            largest: self.pages.limits.upload,
            versions: own.iter().map(version).collect(),
            faults: self.faults(&own)?,
        }))
    }

    /// Returns the newest faults of these versions, with their evidence in the folders of the rounds.
    fn faults(&self, own: &[&Version]) -> Result<Vec<FaultAnswer>, RunError> {
        let faulty: Vec<&Version> = own
            .iter()
            .copied()
            .filter(|version| version.faults > 0)
            .collect();
        let (games, folder) = {
            let league = self.pages.league();
            let games = league.games_before(&ids(&faulty), None, true, FAULTS)?;
            (games, league.rounds_folder())
        };
        let mut faults = Vec::new();
        for of_round in games.chunk_by(|one, other| one.round == other.round) {
            let run = folder.join(of_round[0].round.to_string());
            // The record of an old round may have been deleted to save space.
            let Ok(store) = Store::read(&run) else {
                continue;
            };
            for game in of_round {
                faults.extend(self.faults_of(game, &store, &run));
            }
        }
        faults.truncate(FAULTS);
        Ok(faults)
    }

    fn faults_of(&self, game: &PlayedGame, store: &Store, run: &Path) -> Vec<FaultAnswer> {
        let Ok(Some(record)) = store.game(GameId(game.number)) else {
            return Vec::new();
        };
        let fault = |side: Side| {
            let version = self.now.version(game.versions[side.index()]);
            let version = version.filter(|version| self.is_own(version))?;
            Some(FaultAnswer {
                game: self.game(game),
                version: version.name(),
                fault: message::ToValue::to_message(record.verdict.fault_of(side)?),
                stderr: run::failures::stderr(run, record.id, side),
            })
        };
        Side::BOTH.into_iter().filter_map(fault).collect()
    }
}

fn ids(versions: &[&Version]) -> Vec<i64> {
    versions.iter().map(|version| version.id).collect()
}
