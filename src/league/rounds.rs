//! A round: planned from the ratings so far, played as a run, and counted as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use games::Side;
use message::{Message, ToValue, message};
use referee::bot::{DiskShare, Identity};
use referee::problem;
use referee::record::Outcome;
use run::report::Standings;
use run::{Run, RunError, RunFile, Stop, build};
use stats::Ratings;
use toml::Spanned;
use tournament::{BotFile, Catalogue, Draw, Tournament, TournamentFile, given};

use super::checking::FoundBot;
use super::database::{League, Rated, Round, Version, VersionState};
use super::marks::Goals;
use super::pairing::{Entrant, next_round, trial_games};
use super::results::{CountedGame, PairResult};
use crate::shard::is_plan;

/// The league's key has random streams. Seeds of rounds use them from this number downwards, pairings from 0 upwards.
const SEED_STREAM: u64 = u64::MAX;
/// The fewest games after which a version with many faults is set aside.
const MIN_GAMES: u64 = 4;

/// Submits the missing blocks of the plan in a folder to a scheduler.
pub type Submit<'a> = dyn Fn(&Path) -> Result<(), RunError> + Sync + 'a;

#[derive(Clone, Copy)]
pub struct Playing<'a> {
    /// The conditions, with the sandbox that this machine can provide.
    pub file: &'a TournamentFile,
    pub catalogue: &'a Catalogue,
    pub concurrency: usize,
    /// The number of games after which no further round begins; `None`: rounds are played until a stop.
    pub games: Option<u64>,
    /// The goals for which the games are played in a closed league; `None` if there are no marks.
    pub goals: Option<&'a Goals>,
    pub stop: &'a Stop,
    /// The scheduler that starts the games elsewhere; `None` if this machine plays.
    pub elsewhere: Option<&'a Submit<'a>>,
}

#[derive(Debug)]
pub struct OpenRound {
    pub round: Round,
    pub run: Run,
}

impl League {
    /// Plans the next round, of at most `pairs` pairs; `None` if no two bots can meet. In a closed league, the games that
    /// are missing for marks by `goals` come first.
    pub fn plan_round(
        &mut self,
        file: &TournamentFile,
        pairs: usize,
        goals: Option<&Goals>,
    ) -> Result<Option<Round>, RunError> {
        let mut needed = self.needed_when_closed(goals)?;
        needed.truncate(pairs);
        if !needed.is_empty() {
            return self.plan(needed).map(Some);
        }
        if self.rated.is_none() {
            self.rate(self.counted()?.0, file)?;
        }
        let versions = self.versions()?;
        let Some(rated) = &self.rated else {
            return Ok(None);
        };
        let (current, mut entrants) = entrants(&versions, rated);
        let trial = trial_games(anchors_of(&versions));
        let is_new =
            |entrant: &Entrant| entrant.owner.is_some() && (1..trial).contains(&entrant.games);
        let on_trial = entrants.iter_mut().zip(&current);
        for (entrant, &at) in on_trial.filter(|(entrant, _)| is_new(entrant)) {
            // In a trial, the version has met only anchors.
            let results = self.results_of(versions[at].id)?;
            let has_met = |other: &usize| results.contains_key(&versions[current[*other]].id);
            entrant.met = (0..current.len()).filter(has_met).collect();
        }
        let (number, _) = self.counted()?;
        let key = self.settings()?.key;
        let chosen = next_round(&entrants, &rated.ratings, pairs, &key, number + 1);
        if chosen.is_empty() {
            return Ok(None);
        }
        let ids = |pair: [usize; 2]| pair.map(|entrant| versions[current[entrant]].id);
        self.plan(chosen.into_iter().map(ids).collect()).map(Some)
    }

    fn needed_when_closed(&self, goals: Option<&Goals>) -> Result<Vec<[i64; 2]>, RunError> {
        match goals {
            Some(goals) if self.settings()?.is_closed() => self.needed_pairs(goals),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns whether the league is closed, and all its hand-ins have played their first games and those for a mark.
    pub(super) fn is_over(&self, goals: Option<&Goals>) -> Result<bool, RunError> {
        let versions = self.versions()?;
        let trial = trial_games(anchors_of(&versions));
        let is_new = |version: &Version| match version.state {
            VersionState::Waiting => true,
            VersionState::Ready => version.score.games() < trial,
            VersionState::Anchor
            | VersionState::Replaced
            | VersionState::Refused
            | VersionState::SetAside => false,
        };
        Ok(self.settings()?.is_closed()
            && self.planned_round()?.is_none()
            && self.needed_when_closed(goals)?.is_empty()
            && !versions.iter().any(is_new))
    }

    /// Returns the tournament of a planned round, with built bots. No version of an owner makes this fail: one that cannot
    /// be prepared is set aside, with its reason, and the result is `None`. In the next call, its games are withdrawn:
    /// if the round has not begun, it is deleted, so that another is planned; if it has begun, the other games go on.
    pub(super) fn prepare_round(
        &mut self,
        round: &Round,
        playing: Playing<'_>,
    ) -> Result<Option<(TournamentFile, Tournament)>, RunError> {
        let versions = self.versions()?;
        let players = players(&versions, round);
        let folder = self.round_folder(round.number);
        // A scheduler has its own copies of the bots.
        let is_elsewhere = is_plan(&folder);
        let has_begun = is_elsewhere || folder.join("run.toml").is_file();
        if !has_begun && !players.iter().all(|version| version.plays()) {
            self.cancel(round.number)?;
            return Ok(None);
        }
        let mut file = self.round_file(round, &players, playing.file)?;
        file.concurrency = given(Some(playing.concurrency as i64));
        // With stand-ins for the versions of owners, only the organiser's conditions and anchors can be at fault.
        let mut tournament = file.validate(playing.catalogue, self.folder())?;
        for (at, version) in players.iter().enumerate() {
            if version.owner.is_none() {
                build(&tournament.contestants[at])?;
            } else if !is_elsewhere && (version.plays() || version.state == VersionState::Replaced)
            {
                match self.prepared(version, playing) {
                    Ok(found) => {
                        tournament.contestants[at] = found.contestant;
                        file.bot[at] = Spanned::new(0..0, found.file);
                    }
                    Err(error) if playing.stop.is_requested() => return Err(error),
                    Err(error) => {
                        let why = error.to_message();
                        self.set_state(version.id, VersionState::SetAside, Some(&why))?;
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some((file, tournament)))
    }

    /// Returns the built bot of a version that was accepted.
    fn prepared(&self, version: &Version, playing: Playing<'_>) -> Result<FoundBot, RunError> {
        // The check divided the free space among more hand-ins, so a version that passed it fits into this share.
        let share = DiskShare::in_cache(1);
        let Playing {
            file,
            catalogue,
            stop,
            ..
        } = playing;
        let mut found = self.find_bot(version, file, catalogue, &share, stop)?;
        found.contestant.allow(share);
        build(&found.contestant)?;
        Ok(found)
    }

    /// Begins or resumes the run of a round on this machine.
    pub(super) fn open_round(
        &self,
        round: &Round,
        file: &TournamentFile,
        tournament: Tournament,
        stop: &Stop,
    ) -> Result<OpenRound, RunError> {
        let folder = self.round_folder(round.number);
        if is_plan(&folder) {
            return Err(problem!("round {} was given to a scheduler", round.number)
                .help("go on with it: arena league play --on")
                .into());
        }
        let versions = self.versions()?;
        let players = players(&versions, round);
        let mut run = if folder.join("run.toml").is_file() {
            Run::resume(tournament, &folder, stop.clone())?
        } else {
            if folder.exists() {
                let failed = RunError::system("the old folder of a round cannot be deleted");
                host::remove_all(&folder).map_err(failed)?;
            }
            let failed = RunError::system("the folder of a round cannot be made");
            std::fs::create_dir_all(&folder).map_err(failed)?;
            let identities: Vec<Identity> =
                players.iter().map(|version| identity_of(version)).collect();
            // The league keeps the hand-ins themselves. A list of their sources could be longer than run.toml may be.
            let mut listed = tournament.clone();
            for (bot, version) in listed.contestants.iter_mut().zip(&players) {
                if version.owner.is_some() {
                    bot.build = None;
                    bot.launch.arguments.clear();
                }
            }
            let written = RunFile::new(&listed, file, self.folder(), &identities);
            Run::begin(tournament, &written, &folder, stop.clone())?
        };
        // A hand-in is always a file or a folder, a stand-in always a command.
        let is_stand_in =
            |at: &usize| players[*at].owner.is_some() && file.bot[*at].get_ref().uses.is_none();
        let withdrawn: BTreeSet<usize> = (0..players.len()).filter(is_stand_in).collect();
        if !withdrawn.is_empty() {
            run.withdraw(&withdrawn)?;
        }
        Ok(OpenRound {
            round: round.clone(),
            run,
        })
    }

    /// Returns the tournament file of a round, with stand-ins for the versions of owners.
    fn round_file(
        &self,
        round: &Round,
        players: &[&Version],
        file: &TournamentFile,
    ) -> Result<TournamentFile, RunError> {
        let mut bots = Vec::with_capacity(players.len());
        for version in players {
            let anchor = file
                .bot
                .iter()
                .find(|bot| bot.get_ref().written_name() == version.bot);
            bots.push(match (version.owner, anchor) {
                (None, Some(anchor)) => anchor.clone(),
                (None, None) => {
                    return Err(tournament::Problem::new(message!(
                        "the anchor {bot} is no longer in league.toml",
                        bot = version.bot
                    ))
                    .help(message!(
                        "put it back: its games count for the ratings of others; or delete {round}: the round is dropped",
                        round = self.round_folder(round.number).display()
                    ))
                    .into());
                }
                (Some(_), _) => Spanned::new(
                    0..0,
                    BotFile {
                        name: given(Some(version.name())),
                        command: given(Some(vec!["stand-in".to_owned()])),
                        ..BotFile::default()
                    },
                ),
            });
        }
        let name = |id: i64| {
            let found = players.iter().find(|version| version.id == id);
            found.map_or_else(String::new, |version| version.name())
        };
        let pairings = round.pairings.iter().map(|pair| pair.map(name)).collect();
        let seed = Draw::keyed(self.settings()?.key, SEED_STREAM - round.number).bits() >> 1;
        Ok(TournamentFile {
            name: given(Some(format!("round-{}", round.number))),
            format: given(Some("pairings".to_owned())),
            pairings: given(Some(pairings)),
            games: given(Some(2)),
            order: given(Some("shuffled".to_owned())),
            symmetries: given(Some(file.opening.is_none())),
            seed: given(Some(seed)),
            bot: bots,
            ..file.clone()
        })
    }

    /// Counts a round in which every game has been played or has finally failed. Sets the new ratings, and sets aside
    /// versions that were at fault in too many of their first games. Returns the number of games.
    pub fn count_round(&mut self, open: OpenRound, file: &TournamentFile) -> Result<u64, RunError> {
        let versions = self.versions()?;
        // The bots of a round are in the order of its players.
        let bots = players(&versions, &open.round);
        let bots: Vec<i64> = bots.into_iter().map(|version| version.id).collect();
        let names = open.run.tournament().names().map(str::to_owned);
        let ids: BTreeMap<String, i64> = names.zip(bots.iter().copied()).collect();
        let mut standings = Standings::new(open.run.tournament().names());
        let mut games = Vec::new();
        open.run.each(|record| {
            standings.add(record);
            if record.verdict.outcome() == Outcome::Void {
                return;
            }
            let fault_of = |side| record.verdict.fault_of(side).map(ToValue::to_message);
            games.push(CountedGame {
                number: record.id.0,
                versions: record
                    .players
                    .each_ref()
                    .map(|name| ids.get(name).copied().unwrap_or_default()),
                result: record.verdict.outcome().word().to_owned(),
                faults: Side::BOTH.map(fault_of),
            });
        })?;
        // Closes the record: from now on, it never changes.
        drop(open.run);
        let results: Vec<PairResult> = standings
            .pairings()
            .map(|(pair, pairing)| PairResult {
                versions: pair.map(|bot| bots[bot]),
                score: pairing.score,
                pairs: pairing.pairs,
            })
            .collect();
        self.count(open.round.number, &games, &results)?;
        self.rate(open.round.number, file)?;
        if self.set_aside_faulty(&games)? {
            self.rate(open.round.number, file)?;
        }
        Ok(games.len() as u64)
    }

    /// Rates anchors of known rating and versions with games. Stores their ratings, and history points of the round.
    pub fn rate(&mut self, round: u64, file: &TournamentFile) -> Result<(), RunError> {
        let mut versions = self.versions()?;
        let anchors = known(&versions, file).into_iter();
        let anchors: BTreeSet<i64> = anchors.map(|(at, _)| versions[at].id).collect();
        versions.retain(|version| version.score.games() > 0 || anchors.contains(&version.id));
        let (meetings, known) = (self.meetings(&versions)?, known(&versions, file));
        let ratings = Ratings::with_anchors(&meetings, versions.len(), &known);
        let places = places(&versions, &ratings);
        let pairings = self
            .round(round)?
            .map(|round| round.pairings)
            .unwrap_or_default();
        let played: BTreeSet<i64> = pairings.into_iter().flatten().collect();
        self.write(|tables| {
            let mut set = tables.prepare(
                "UPDATE version SET elo = ?2, error = ?3, best = ?4, worst = ?5 WHERE id = ?1",
            )?;
            let mut note =
                tables.prepare("INSERT OR REPLACE INTO history VALUES (?1, ?2, ?3, ?4)")?;
            for (player, version) in versions.iter().enumerate() {
                let rating = ratings.bots[player];
                let [best, worst] = places[player]
                    .map_or([None; 2], |places| places.map(|place| Some(place as i64)));
                set.execute((version.id, rating.elo, rating.error_95, best, worst))?;
                if played.contains(&version.id) {
                    note.execute((version.id, round as i64, rating.elo, rating.error_95))?;
                }
            }
            Ok(())
        })?;
        self.rated = Some(Rated {
            versions: versions.iter().map(|version| version.id).collect(),
            ratings,
        });
        Ok(())
    }

    /// Sets aside the versions with too many faults in their last games. Returns whether there was such a version.
    fn set_aside_faulty(&mut self, games: &[CountedGame]) -> Result<bool, RunError> {
        let mut has_one = false;
        for version in self.versions_in(VersionState::Ready)? {
            let last = games.iter().rev().find_map(|game| {
                let side = game.versions.iter().position(|&id| id == version.id)?;
                game.faults[side].as_ref()
            });
            let Some(last) = last else { continue };
            let (played, faults) = self.last_faults(version.id)?;
            if played < MIN_GAMES || 2 * faults < played {
                continue;
            }
            let why = message!(
                "it was at fault in {faults} of its last {played} games; the last time: {last}"
            );
            self.set_state(version.id, VersionState::SetAside, Some(&why))?;
            has_one = true;
        }
        Ok(has_one)
    }
}

fn anchors_of(versions: &[Version]) -> usize {
    let anchors = versions
        .iter()
        .filter(|version| version.state == VersionState::Anchor);
    anchors.count()
}

fn players<'a>(versions: &'a [Version], round: &Round) -> Vec<&'a Version> {
    let plays = |id: i64| round.pairings.iter().any(|pair| pair.contains(&id));
    versions
        .iter()
        .filter(|version| plays(version.id))
        .collect()
}

/// Returns the anchors whose ratings are known; if there are none, the first anchor with rating 0.
fn known(versions: &[Version], file: &TournamentFile) -> Vec<(usize, f64)> {
    let anchors = || {
        versions
            .iter()
            .enumerate()
            .filter(|(_, version)| version.owner.is_none())
    };
    let rated = anchors().filter_map(|(player, version)| {
        let bot = file
            .bot
            .iter()
            .find(|bot| bot.get_ref().written_name() == version.bot)?;
        Some((player, *bot.get_ref().rating.as_ref()?.get_ref()))
    });
    let mut known: Vec<(usize, f64)> = rated.collect();
    if known.is_empty() {
        known.extend(anchors().next().map(|(player, _)| (player, 0.0)));
    }
    known
}

/// Returns the versions that may play as indices of `versions`, with an entrant for each.
fn entrants(versions: &[Version], rated: &Rated) -> (Vec<usize>, Vec<Entrant>) {
    let plays = |&at: &usize| versions[at].plays();
    let current: Vec<usize> = (0..versions.len()).filter(plays).collect();
    let entrant = |&at: &usize| {
        let version = &versions[at];
        let before = versions[..at]
            .iter()
            .rfind(|other| other.bot == version.bot && other.score.games() > 0);
        Entrant {
            player: rated.player(version.id),
            owner: version.owner,
            games: version.score.games(),
            met: Vec::new(),
            expected: before.and_then(|before| before.rating).map(|[elo, _]| elo),
        }
    };
    let entrants = current.iter().map(entrant).collect();
    (current, entrants)
}

/// Returns the best and the worst possible place of each rated version that plays.
fn places(versions: &[Version], ratings: &Ratings) -> Vec<Option<[usize; 2]>> {
    let current: Vec<usize> = (0..versions.len())
        .filter(|&player| versions[player].plays())
        .collect();
    let found = ratings.places_among(&current);
    let mut places = vec![None; versions.len()];
    for (player, place) in current.into_iter().zip(found) {
        places[player] = Some(place);
    }
    places
}

fn identity_of(version: &Version) -> Identity {
    Identity {
        name: version.identity.clone(),
        ..Identity::default()
    }
}

pub(super) fn announce(round: &Round) -> Message {
    let mut bots: Vec<i64> = round.pairings.iter().flatten().copied().collect();
    bots.sort_unstable();
    bots.dedup();
    message!(
        "round {number}: {games} {games|game|games} of {bots} bots",
        number = round.number,
        games = 2 * round.pairings.len(),
        bots = bots.len()
    )
}
