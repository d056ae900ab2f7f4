//! A run in memory: a few bytes for each game, the standings, and the state of a test.
//!
//! A run is read once and then followed: [`Index::new_games`] reads new games while another arena plays, and
//! [`Index::take`] adds them. Moves and times of a game are only in the record.

use std::collections::BTreeMap;
use std::path::Path;

use referee::Limits;
use referee::record::{GameId, GameRecord, Outcome};
use run::report::page::history::RunHistory;
use run::report::page::list::GameList;
use run::report::{GoalLine, Standings, TuningLine};
use run::store::{Store, StoreError};
use run::{RunFile, goal_of};
use tournament::{Agenda, Catalogue, Tournament, people};

#[derive(Debug)]
pub struct Index {
    pub list: GameList,
    pub standings: Standings,
    pub history: RunHistory,
    /// The void games, which may be played again, with their checksums.
    voids: BTreeMap<u64, i64>,
    plan: Option<RunPlan>,
    caught_up: bool,
    /// A number that grows with every change.
    pub version: u64,
}

/// The plan of a run whose run file this arena understands.
#[derive(Debug)]
struct RunPlan {
    tournament: Tournament,
    agenda: Agenda,
    games: u64,
}

#[derive(Debug)]
pub struct NewGames {
    games: Vec<(GameRecord, i64)>,
    /// Whether the record has more new games.
    pub more: bool,
}

/// The most games in progress. A new game's number is at most this far below the highest known number.
const DISORDER: u64 = 1024;
const AT_ONCE: usize = 500;

impl Index {
    pub fn new(folder: &Path, catalogue: &Catalogue) -> Index {
        let plan = plan(folder, catalogue);
        let names = plan.as_ref().map(|plan| plan.tournament.names());
        Index {
            list: GameList::default(),
            history: RunHistory::default(),
            standings: Standings::new(names.into_iter().flatten()).without_repeats(),
            voids: BTreeMap::new(),
            plan,
            caught_up: false,
            version: 0,
        }
    }

    /// Reads up to [`AT_ONCE`] new games. Does not change the index, so that pages can use it at the same time.
    pub fn new_games(&self, store: &Store) -> Result<NewGames, StoreError> {
        let from = match self.list.lines.last() {
            None => 0,
            Some(last) if !self.caught_up => last + 1,
            Some(last) => last.saturating_sub(DISORDER),
        };
        // Enough for all known games from `from` on, and for one more new game than is read at once.
        let most = DISORDER as usize + 1 + AT_ONCE + 1;
        let mut sums = store.sums(GameId(from), most)?;
        if self.caught_up {
            for (&id, _) in self.voids.range(..from) {
                let now = store.sums(GameId(id), 1)?;
                sums.extend(now.into_iter().filter(|(now, _)| now.0 == id));
            }
        }
        let known = |id: u64, sum: i64| {
            self.list.lines.get(id).is_some()
                && self.voids.get(&id).is_none_or(|&known| known == sum)
        };
        let mut new = sums.into_iter().filter(|&(id, sum)| !known(id.0, sum));
        let mut games = Vec::new();
        for (id, sum) in new.by_ref().take(AT_ONCE) {
            games.extend(store.game(id)?.map(|record| (record, sum)));
        }
        let more = new.next().is_some();
        Ok(NewGames { games, more })
    }

    pub fn take(&mut self, news: &NewGames) {
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
            // If the record contradicts the run's plan, drops the plan.
            let (players, outcome) = record.scheduled();
            let fits = plan
                .agenda
                .restore(record.id, players, outcome, record.fingerprint());
            if fits.is_err() {
                self.plan = None;
            }
        }
        self.standings.add(record);
        self.list.add(record, &self.standings);
        self.history.add(record, &self.standings);
        self.version += 1;
    }

    pub fn planned(&self) -> Option<u64> {
        self.plan.as_ref().map(|plan| plan.games)
    }

    pub fn tournament(&self) -> Option<&Tournament> {
        self.plan.as_ref().map(|plan| &plan.tournament)
    }

    pub fn limits(&self, players: &[String; 2]) -> Option<[Limits; 2]> {
        let bots = &self.tournament()?.contestants;
        let limits = |name: &String| {
            bots.iter()
                .find(|bot| bot.name == *name)
                .map(|bot| bot.limits)
        };
        Some([limits(&players[0])?, limits(&players[1])?])
    }

    pub fn goal(&self) -> Option<GoalLine> {
        let plan = self.plan.as_ref()?;
        goal_of(&plan.tournament, &plan.agenda)
    }

    pub fn tuning(&self) -> Option<TuningLine> {
        let tuner = self.plan.as_ref()?.agenda.tuner()?;
        Some(TuningLine::new(tuner.clone(), &self.standings))
    }

    /// Returns the standings in the order of the format. With a goal, leaves out the pairs that do not count for it.
    pub fn placed(&self) -> Standings {
        let mut standings = self.standings.clone();
        let places = self.plan.as_ref().and_then(|plan| plan.agenda.places());
        standings.conclude(places, self.goal().as_ref());
        standings
    }
}

fn plan(folder: &Path, catalogue: &Catalogue) -> Option<RunPlan> {
    let file = RunFile::read(folder).ok()?.for_reading(catalogue);
    if file.stages.is_some() {
        // The games of stages begin in positions that are not in run.toml.
        return None;
    }
    let people = people::people(&file.tournament);
    let tournament = file.tournament.validate(catalogue, &file.folder).ok()?;
    let agenda = Agenda::new(&tournament);
    Some(RunPlan {
        // A person plays only the first game of the pair.
        games: people.map_or_else(|| agenda.games(), |_| 1),
        tournament,
        agenda,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    use games::{Game, Move, Side, Square};
    use referee::record::{Fault, Verdict};
    use tempfile::TempDir;

    struct Reading {
        folder: TempDir,
        written: Store,
        index: Index,
    }

    impl Reading {
        fn start() -> Reading {
            let folder = tempfile::tempdir().expect("a temporary folder");
            Reading {
                written: Store::open(folder.path()).expect("a new record"),
                index: Index::new(folder.path(), &Catalogue::empty()),
                folder,
            }
        }

        fn write(&mut self, games: impl IntoIterator<Item = GameRecord>) {
            for game in games {
                let saved = self.written.save(&game, Instant::now());
                saved.expect("there is room");
            }
            self.written.commit().expect("there is room");
        }

        fn read(&mut self) -> Vec<u64> {
            let store = Store::read(self.folder.path()).expect("a record");
            let mut read = Vec::new();
            loop {
                let news = self.index.new_games(&store).expect("a whole record");
                assert!(news.games.len() <= AT_ONCE, "a bounded part at a time");
                read.extend(news.games.iter().map(|(game, _)| game.id.0));
                self.index.take(&news);
                if !news.more {
                    return read;
                }
            }
        }
    }

    /// Returns a game of Gomoku that black wins. Openings of two stones make the games differ.
    fn game(id: u64) -> GameRecord {
        let size = 15;
        let square = |at: u64| Move::Place(Square::from_index(at as usize % 225, size));
        let gomoku = Game::new("gomoku", None, Some(i64::from(size))).expect("a game");
        GameRecord {
            counts: [1, 1],
            opening: vec![square(id), square(id + 1 + id / 225)],
            ..GameRecord::new(
                GameId(id),
                gomoku,
                ["one", "other"],
                Verdict::Forfeit {
                    by: Side::White,
                    fault: Fault::ClosedOutput,
                },
            )
        }
    }

    fn void(id: u64) -> GameRecord {
        let why = "the machine stalled".into();
        GameRecord {
            verdict: Verdict::Void { why },
            ..game(id)
        }
    }

    /// A void game is played again, and games end out of order.
    #[test]
    fn new_games_are_read_once_in_any_order() {
        let mut reading = Reading::start();
        reading.write((0..3000).map(|id| if id == 5 { void(id) } else { game(id) }));
        assert_eq!(reading.read(), (0..3000).collect::<Vec<_>>());
        assert_eq!(reading.read(), [0; 0], "nothing is new");
        let outcome = |reading: &Reading| reading.index.list.lines.get(5).map(|line| line.outcome);
        assert_eq!(outcome(&reading), Some(Outcome::Void));
        assert_eq!(reading.index.list.lines.beside(0), [None, Some(1)]);
        assert_eq!(reading.index.list.lines.beside(2999), [Some(2998), None]);
        reading.write([game(5), game(3000), game(3003)]);
        let mut read = reading.read();
        read.sort_unstable();
        assert_eq!(read, [5, 3000, 3003]);
        assert_eq!(outcome(&reading), Some(Outcome::Win(Side::Black)));
        let lines = &reading.index.list.lines;
        assert!(lines.get(3001).is_none());
        assert_eq!(lines.beside(3000), [Some(2999), Some(3003)]);
        reading.write([game(3002), void(3001)]);
        assert_eq!(reading.read(), [3001, 3002]);
        assert_eq!(reading.read(), [0; 0]);
        reading.write([game(3001)]);
        assert_eq!(reading.read(), [3001]);
        assert_eq!(reading.index.list.lines.iter().count(), 3004);
        assert_eq!(reading.index.standings.games(), 3004);
        assert_eq!(reading.index.list.lines.reasons(), ["closed-output"].into());
    }

    #[test]
    fn openings_take_no_memory_without_end() {
        let mut reading = Reading::start();
        reading.write((0..1000).map(game));
        reading.read();
        assert_eq!(reading.index.list.openings.len(), 200);
        let opening = |id: u64| reading.index.list.lines.get(id).expect("a line").opening;
        assert_eq!([opening(0), opening(199)], [Some(0), Some(199)]);
        assert_eq!([opening(200), opening(999)], [None, None]);
        assert_eq!(reading.index.list.openings[1], "b1c1");
    }
}
