//! A run in memory: a few bytes for each game, the standings, and the state of a test.
//!
//! A run is read once and then followed: [`Index::new_games`] reads new games while another arena plays, and
//! [`Index::take`] adds them. Moves and times of a game are only in the record.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use games::Side;
use referee::Limits;
use referee::record::{GameId, GameRecord, Outcome};
use run::report::{GoalLine, Standings, TuningLine};
use run::store::{Store, StoreError};
use run::{RunFile, goal_of};
use tournament::{Agenda, Catalogue, Tournament};

const BLOCK: u64 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLine {
    pub id: u64,
    /// The bots' numbers in the standings, black's first.
    pub bots: [u16; 2],
    pub outcome: Outcome,
    pub reason: &'static str,
    pub at_fault: [bool; 2],
    /// The number of half-moves, including the opening's.
    pub plies: u16,
    /// The opening's number from 0, if it has one.
    pub opening: Option<u8>,
}

/// The lines of all games in ten bytes each, in blocks by number, so that a million games fit in memory.
#[derive(Debug, Default)]
pub struct GameLines {
    blocks: BTreeMap<u64, Block>,
    /// The words for endings, each with the number of its games.
    reasons: Vec<(&'static str, u64)>,
}

type Block = Box<[Packed; BLOCK as usize]>;

/// A line without its game's number, and with numbers instead of words.
#[derive(Clone, Copy, Debug, Default)]
struct Packed {
    bots: [u16; 2],
    plies: u16,
    reason: u8,
    /// The opening's number, or [`NO_OPENING`].
    opening: u8,
    /// Three bits for the outcome (0: no game), then a bit for each side that is at fault.
    end: u8,
}

const NO_OPENING: u8 = u8::MAX;
/// The outcomes; their numbers begin with 1.
const OUTCOMES: [Outcome; 5] = [
    Outcome::Win(Side::Black),
    Outcome::Win(Side::White),
    Outcome::Draw,
    Outcome::NobodyScores,
    Outcome::Void,
];

impl GameLines {
    /// Adds a line, or replaces the line of the same game.
    pub fn insert(&mut self, line: GameLine) {
        if let Some(before) = self.get(line.id) {
            let known = self.reasons.iter_mut();
            let counts = known.filter(|(reason, _)| *reason == before.reason);
            counts.for_each(|(_, games)| *games -= 1);
        }
        let known = self.reasons.iter();
        let known = known
            .map(|(reason, _)| *reason)
            .position(|one| one == line.reason);
        let reason = known.unwrap_or_else(|| {
            self.reasons.push((line.reason, 0));
            self.reasons.len() - 1
        });
        self.reasons[reason].1 += 1;
        let outcome = OUTCOMES.iter().position(|one| *one == line.outcome);
        let [black, white] = line.at_fault.map(u8::from);
        let block = self.blocks.entry(line.id / BLOCK);
        let block = block.or_insert_with(|| Box::new([Packed::default(); BLOCK as usize]));
        block[(line.id % BLOCK) as usize] = Packed {
            bots: line.bots,
            plies: line.plies,
            // A byte is enough for about thirty words.
            reason: reason as u8,
            opening: line.opening.unwrap_or(NO_OPENING),
            end: outcome.map_or(0, |outcome| outcome as u8 + 1) | black << 3 | white << 4,
        };
    }

    pub fn get(&self, id: u64) -> Option<GameLine> {
        let block = self.blocks.get(&(id / BLOCK))?;
        self.line(id, block[(id % BLOCK) as usize])
    }

    fn line(&self, id: u64, packed: Packed) -> Option<GameLine> {
        let outcome = usize::from(packed.end & 0b111).checked_sub(1)?;
        Some(GameLine {
            id,
            bots: packed.bots,
            outcome: OUTCOMES[outcome],
            reason: self.reasons[usize::from(packed.reason)].0,
            at_fault: [3, 4].map(|bit| packed.end >> bit & 1 == 1),
            plies: packed.plies,
            opening: Some(packed.opening).filter(|&opening| opening != NO_OPENING),
        })
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = GameLine> {
        self.of_blocks(0..=u64::MAX)
    }

    fn of_blocks(
        &self,
        blocks: std::ops::RangeInclusive<u64>,
    ) -> impl DoubleEndedIterator<Item = GameLine> {
        self.blocks.range(blocks).flat_map(move |(&block, lines)| {
            (lines.iter().enumerate())
                .filter_map(move |(at, &packed)| self.line(block * BLOCK + at as u64, packed))
        })
    }

    pub fn last(&self) -> Option<u64> {
        self.iter().next_back().map(|line| line.id)
    }

    pub fn beside(&self, id: u64) -> [Option<u64>; 2] {
        let before = self.of_blocks(0..=id / BLOCK).map(|line| line.id);
        let mut after = self.of_blocks(id / BLOCK..=u64::MAX).map(|line| line.id);
        [
            before.rev().find(|&before| before < id),
            after.find(|&after| after > id),
        ]
    }

    pub fn reasons(&self) -> impl Iterator<Item = &'static str> {
        let played = self.reasons.iter().filter(|(_, games)| *games > 0);
        played.map(|(reason, _)| *reason)
    }
}

#[derive(Debug)]
pub struct Index {
    pub lines: GameLines,
    pub standings: Standings,
    /// The first [`OPENINGS`] openings, as transcripts. A run may have one for each pair; the record has the rest.
    pub openings: Vec<String>,
    numbers: HashMap<String, u16>,
    /// The void games, which may be played again, with their checksums.
    voids: BTreeMap<u64, i64>,
    plan: Option<RunPlan>,
    caught_up: bool,
    /// A number that increases with every change.
    pub version: u64,
}

/// The plan of a run whose file this arena understands.
#[derive(Debug)]
struct RunPlan {
    tournament: Tournament,
    agenda: Agenda,
}

#[derive(Debug)]
pub struct NewGames {
    games: Vec<(GameRecord, i64)>,
    /// Whether the record has more new games.
    pub more: bool,
}

/// The most openings that get a number. The filter of the game list offers these.
const OPENINGS: usize = 200;
/// The most games in progress at a time. Games end out of order, but new ones are never further back than this.
const DISORDER: u64 = 1024;
const AT_ONCE: usize = 500;

impl Index {
    pub fn new(folder: &Path, catalogue: &Catalogue) -> Index {
        let plan = plan(folder, catalogue);
        let names = plan.as_ref().map(|plan| plan.tournament.names());
        Index {
            lines: GameLines::default(),
            standings: Standings::new(names.into_iter().flatten()).without_repeats(),
            openings: Vec::new(),
            numbers: HashMap::new(),
            voids: BTreeMap::new(),
            plan,
            caught_up: false,
            version: 0,
        }
    }

    /// Reads up to [`AT_ONCE`] new games. Does not change the index, so that pages can use it at the same time.
    pub fn new_games(&self, store: &Store) -> Result<NewGames, StoreError> {
        let from = match self.lines.last() {
            None => 0,
            Some(last) if !self.caught_up => last + 1,
            Some(last) => last.saturating_sub(DISORDER),
        };
        // Enough for all known games from there on, and for one more unknown game than is read at once.
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
            // If the record contradicts its plan, shows it without the plan.
            let (players, outcome) = record.scheduled();
            let fits = plan
                .agenda
                .restore(record.id, players, outcome, record.fingerprint());
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
        let line = GameLine {
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

    pub fn name(&self, bot: u16) -> &str {
        &self.standings.bots()[usize::from(bot)].name
    }

    pub fn number(&self, name: &str) -> Option<u16> {
        self.numbers.get(name).copied()
    }

    pub fn planned(&self) -> Option<u64> {
        self.plan.as_ref().map(|plan| plan.agenda.games())
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

    /// Returns the standings, in the order that the format defines, with the pairs that count for a goal.
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
        // The games of stages begin in positions that run.toml alone does not schedule.
        return None;
    }
    let tournament = file.tournament.validate(catalogue, &file.folder).ok()?;
    let agenda = Agenda::new(&tournament);
    Some(RunPlan { tournament, agenda })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    use games::{Game, Move, Square};
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

    /// Returns a game of Gomoku that black wins; openings differ as far as two stones allow.
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
        let outcome = |reading: &Reading| reading.index.lines.get(5).map(|line| line.outcome);
        assert_eq!(outcome(&reading), Some(Outcome::Void));
        reading.write([game(5), game(3000), game(3003)]);
        let mut read = reading.read();
        read.sort_unstable();
        assert_eq!(read, [5, 3000, 3003]);
        assert_eq!(outcome(&reading), Some(Outcome::Win(Side::Black)));
        reading.write([game(3002), void(3001)]);
        assert_eq!(reading.read(), [3001, 3002]);
        assert_eq!(reading.read(), [0; 0]);
        reading.write([game(3001)]);
        assert_eq!(reading.read(), [3001]);
        assert_eq!(reading.index.lines.iter().count(), 3004);
        assert_eq!(reading.index.standings.games(), 3004);
        assert_eq!(
            reading.index.lines.reasons().collect::<Vec<_>>(),
            ["closed-output"]
        );
    }

    #[test]
    fn openings_take_no_memory_without_end() {
        let mut reading = Reading::start();
        reading.write((0..1000).map(game));
        reading.read();
        assert_eq!(reading.index.openings.len(), OPENINGS);
        let opening = |id: u64| reading.index.lines.get(id).expect("a line").opening;
        assert_eq!([opening(0), opening(199)], [Some(0), Some(199)]);
        assert_eq!([opening(200), opening(999)], [None, None]);
        assert_eq!(reading.index.openings[1], "b1c1");
    }

    fn line(id: u64, outcome: Outcome, reason: &'static str) -> GameLine {
        GameLine {
            id,
            bots: [7, 300],
            outcome,
            reason,
            at_fault: [id.is_multiple_of(2), id.is_multiple_of(3)],
            plies: 361,
            opening: (id != 5).then_some(id as u8),
        }
    }

    #[test]
    fn lines_come_back_as_they_were_in_the_order_of_their_numbers() {
        let mut lines = GameLines::default();
        let ids = [5, 64, 0, 63, 1000, 129];
        for (id, outcome) in ids.into_iter().zip(OUTCOMES.into_iter().cycle()) {
            lines.insert(line(id, outcome, "discs"));
        }
        let mut ordered = ids;
        ordered.sort_unstable();
        let listed: Vec<_> = lines.iter().map(|line| line.id).collect();
        assert_eq!(listed, ordered);
        for (id, outcome) in ids.into_iter().zip(OUTCOMES.into_iter().cycle()) {
            assert_eq!(lines.get(id), Some(line(id, outcome, "discs")), "{id}");
        }
        assert_eq!((lines.get(6), lines.get(5000)), (None, None));
        assert_eq!(lines.last(), Some(1000));
        assert_eq!(lines.beside(64), [Some(63), Some(129)]);
        assert_eq!(lines.beside(0), [None, Some(5)]);
        assert_eq!(lines.beside(1000), [Some(129), None]);
    }

    #[test]
    fn a_line_is_replaced_with_its_word() {
        let mut lines = GameLines::default();
        lines.insert(line(1, Outcome::Void, "void"));
        lines.insert(line(2, Outcome::Draw, "discs"));
        lines.insert(line(1, Outcome::Draw, "discs"));
        assert_eq!(lines.reasons().collect::<Vec<_>>(), ["discs"]);
        assert_eq!(lines.iter().count(), 2);
    }

    #[test]
    fn a_line_takes_ten_bytes() {
        assert_eq!(size_of::<Packed>(), 10);
    }
}
