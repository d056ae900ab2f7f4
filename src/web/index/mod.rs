//! The games of a run in memory: a line of a few bytes for each, the standings, the test.
//!
//! A run is read once and then followed: [`Index::news`] finds what is new while another arena plays,
//! and [`Index::take`] takes it. What else there is to say of a game is in the record.

mod lines;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use games::Side;

use referee::Limits;
use referee::record::{GameId, GameRecord, Outcome};
use run::report::{Placing, Standings, TestLine};
use run::store::{Store, StoreError};
use run::{RunFile, test_of};
use tournament::{Agenda, Catalogue, Tournament};

pub use lines::{Line, Lines};

/// A run as far as it has been read.
#[derive(Debug)]
pub struct Index {
    /// Its games by number.
    pub lines: Lines,
    /// The results.
    pub standings: Standings,
    /// The first [`OPENINGS`] openings in the order in which they were met, as transcripts. A run may
    /// have one for each pair of games; those of the others are in the record.
    pub openings: Vec<String>,
    numbers: HashMap<String, u16>,
    /// Void games that are being played again, by their checksums.
    voids: BTreeMap<u64, i64>,
    plan: Option<Plan>,
    /// Whether all that was there has been read once.
    caught_up: bool,
    /// Rises with every change.
    pub version: u64,
}

/// What is known of a run whose file can still be understood.
#[derive(Debug)]
struct Plan {
    tournament: Tournament,
    agenda: Agenda,
}

/// Games that are new in a record, each with its checksum.
#[derive(Debug)]
pub struct News {
    games: Vec<(GameRecord, i64)>,
    /// Whether there are more than these.
    pub more: bool,
}

/// Openings that have numbers; more are too many to choose from.
const OPENINGS: usize = 200;
/// Games that may be in progress at a time: ends come out of order, but not by more.
const DISORDER: u64 = 1024;
/// Games that are read at a time.
const AT_ONCE: usize = 500;

impl Index {
    /// Nothing read yet of the run in `folder`.
    pub fn new(folder: &Path, catalogue: &Catalogue) -> Index {
        let plan = plan(folder, catalogue);
        let names = plan.as_ref().map(|plan| plan.tournament.names());
        Index {
            lines: Lines::default(),
            standings: Standings::new(names.into_iter().flatten()).without_repeats(),
            openings: Vec::new(),
            numbers: HashMap::new(),
            voids: BTreeMap::new(),
            plan,
            caught_up: false,
            version: 0,
        }
    }

    /// Up to [`AT_ONCE`] games that are new in the record. Reading them changes nothing, so that others
    /// may look at the index meanwhile.
    pub fn news(&self, store: &Store) -> Result<News, StoreError> {
        let from = match self.lines.last() {
            None => 0,
            Some(last) if !self.caught_up => last + 1,
            Some(last) => last.saturating_sub(DISORDER),
        };
        // Of the games from there on, all that are known and enough that are not.
        let most = DISORDER as usize + 1 + AT_ONCE + 1;
        let mut sums = store.sums(GameId(from), most)?;
        if self.caught_up {
            for (&id, _) in self.voids.range(..from) {
                let now = store.sums(GameId(id), 1)?;
                sums.extend(now.into_iter().filter(|(now, _)| now.0 == id));
            }
        }
        let known = |id: u64, sum: i64| {
            self.lines.get(id).is_some() && self.voids.get(&id).is_none_or(|&known| known == sum)
        };
        let mut new = sums.into_iter().filter(|&(id, sum)| !known(id.0, sum));
        let mut games = Vec::new();
        for (id, sum) in new.by_ref().take(AT_ONCE) {
            games.extend(store.game(id)?.map(|record| (record, sum)));
        }
        let more = new.next().is_some();
        Ok(News { games, more })
    }

    /// Takes what is new.
    pub fn take(&mut self, news: &News) {
        for (record, sum) in &news.games {
            self.add(record, *sum);
        }
        self.caught_up |= !news.more;
    }

    fn add(&mut self, record: &GameRecord, sum: i64) {
        let (id, outcome) = (record.id.0, record.verdict.outcome());
        if outcome == Outcome::Void {
            self.voids.insert(id, sum);
        } else {
            self.voids.remove(&id);
        }
        if let Some(plan) = &mut self.plan {
            // A record that contradicts its plan has no plan.
            let fits =
                plan.agenda
                    .restore(record.id, &record.players, outcome, record.fingerprint());
            if fits.is_err() {
                self.plan = None;
            }
        }
        self.standings.add(record);
        for (number, bot) in self
            .standings
            .bots()
            .iter()
            .enumerate()
            .skip(self.numbers.len())
        {
            self.numbers.insert(bot.name.clone(), number as u16);
        }
        let opening = games::format_transcript(&record.opening);
        let known = self.openings.iter().position(|known| *known == opening);
        let known = known.or_else(|| {
            let next = self.openings.len();
            (next < OPENINGS).then(|| {
                self.openings.push(opening);
                next
            })
        });
        self.version += 1;
        let line = Line {
            id,
            bots: [0, 1].map(|side| self.numbers[&record.players[side]]),
            outcome,
            reason: record.verdict.reason(),
            at_fault: Side::BOTH.map(|side| record.verdict.fault_of(side).is_some()),
            plies: (record.opening.len() + record.plies.len()) as u16,
            opening: known.map(|number| number as u8),
        };
        self.lines.insert(line);
    }

    /// The name of a bot.
    pub fn name(&self, bot: u16) -> &str {
        &self.standings.bots()[usize::from(bot)].name
    }

    /// The number of a bot.
    pub fn number(&self, name: &str) -> Option<u16> {
        self.numbers.get(name).copied()
    }

    /// The number of games that the run will have, if its file tells.
    pub fn planned(&self) -> Option<u64> {
        self.plan.as_ref().map(|plan| plan.agenda.games())
    }

    /// The tournament, if its file can still be understood.
    pub fn tournament(&self) -> Option<&Tournament> {
        self.plan.as_ref().map(|plan| &plan.tournament)
    }

    /// The limits of both sides of a game.
    pub fn limits(&self, players: &[String; 2]) -> Option<[Limits; 2]> {
        let bots = &self.tournament()?.contestants;
        let limits = |name: &String| {
            bots.iter()
                .find(|bot| bot.name == *name)
                .map(|bot| bot.limits)
        };
        Some([limits(&players[0])?, limits(&players[1])?])
    }

    /// The sequential test, if there is one.
    pub fn test(&self) -> Option<TestLine> {
        let plan = self.plan.as_ref()?;
        test_of(&plan.tournament, &plan.agenda)
    }

    /// The standings in the order that the format defines.
    pub fn placed(&self) -> Standings {
        let mut standings = self.standings.clone();
        let places = self.plan.as_ref().and_then(|plan| plan.agenda.places());
        standings.place(places.map(|places| Placing {
            order: places.order,
            points: places.points,
            buchholz: places.buchholz,
        }));
        standings
    }
}

fn plan(folder: &Path, catalogue: &Catalogue) -> Option<Plan> {
    let file = RunFile::read(folder).ok()?.for_reading(catalogue);
    if file.stages.is_some() {
        // Its games are positions of their own, which run.toml alone does not schedule.
        return None;
    }
    let tournament = file.tournament.validate(catalogue, &file.folder).ok()?;
    let agenda = Agenda::new(&tournament);
    Some(Plan { tournament, agenda })
}
