//! Computes the standings of a run, with the bots' ratings. The columns of `standings.csv` are in `columns.rs`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;
use std::time::Duration;

use games::{Reason, Side};

use super::{GoalLine, Pairing};
use message::{Message, ToValue as _, message};
use referee::record::{GameId, GameRecord, Outcome, Spent, Verdict};
use stats::{DurationSummary, Elo, Meeting, Score, Wdl};
use tournament::Places;

/// The results of a run so far, counted by bot and by pairing.
#[derive(Clone, Debug)]
pub struct Standings {
    bots: Vec<BotLine>,
    numbers: HashMap<String, usize>,
    pairings: BTreeMap<[usize; 2], Pairing>,
    /// The pairs with one counted game so far, each with the result of that game for the first bot of the pairing.
    halves: HashMap<u64, Wdl>,
    games: u64,
    void: u64,
    /// The fingerprints of all games, to count repeated games; `None` if they are not counted.
    seen: Option<HashSet<u64>>,
    repeated: u64,
    placing: Option<Places>,
    /// The bots with known ratings: number and rating. All other ratings are relative to these.
    anchors: Vec<(usize, f64)>,
    /// The ratings from the games so far. They are cached, because with a thousand bots they take seconds.
    rated: OnceLock<stats::Ratings>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating in Elo: above the mean of all bots, or on the scale of the anchors.
    pub elo: f64,
    /// The half-width of the 95 % interval; `None` for an anchor, whose rating is fixed.
    pub error_95: Option<f64>,
    /// The best and the worst possible place by rating. With a chance of 95 % or more, this holds for all bots at once.
    pub places: [usize; 2],
}

pub fn places_text([best, worst]: [usize; 2]) -> String {
    if best == worst {
        best.to_string()
    } else {
        format!("{best}–{worst}")
    }
}

/// The CPU time of shorter moves cannot be compared with their wall time.
const COMPARABLE: Duration = Duration::from_millis(1);

#[derive(Clone, Debug, Default)]
pub struct BotLine {
    pub name: String,
    /// The results with each colour, black first. A game in which both failed counts as lost for both.
    pub by_colour: [Score; 2],
    pub faults: BTreeMap<&'static str, u64>,
    pub first_faults: BTreeMap<&'static str, (GameId, Side, Message)>,
    pub first_loss: Option<GameId>,
    pub thinking: DurationSummary,
    /// The longest time of a move that came too late, or not at all.
    pub late: Option<Duration>,
    /// The sums of CPU time and of wall time over the bot's moves that took 1 ms or more.
    pub cpu: [Duration; 2],
    /// The CPU time that the bot used while its opponents were to move.
    pub idle_cpu: Duration,
    /// The time that the bot's opponents took for their moves, in games with a known `idle_cpu`.
    pub waited: Duration,
    /// The number of excused late answers, including void games.
    pub interruptions: u32,
    /// The sum of the amounts that the bot reported as spent, including void games.
    pub spent: Spent,
    depths: [u64; 2],
    /// The sum of the reported nodes, and the wall time of the moves with such a report.
    nodes: (u64, Duration),
    /// The sum of the bot's disc differences, and the number of games whose discs count.
    discs: (i64, u64),
}

impl BotLine {
    pub fn score(&self) -> Score {
        self.by_colour[0] + self.by_colour[1]
    }

    pub fn fault_count(&self) -> u64 {
        self.faults.values().sum()
    }

    pub fn mean_depth(&self) -> Option<f64> {
        let [sum, count] = self.depths;
        (count > 0).then(|| sum as f64 / count as f64)
    }

    pub fn nodes(&self) -> Option<u64> {
        Some(self.nodes.0).filter(|&nodes| nodes > 0)
    }

    pub fn nodes_per_second(&self) -> Option<f64> {
        let (nodes, time) = self.nodes;
        (!time.is_zero()).then(|| nodes as f64 / time.as_secs_f64())
    }

    pub fn cpu_share(&self) -> Option<f64> {
        let [cpu, wall] = self.cpu;
        (!wall.is_zero()).then(|| cpu.as_secs_f64() / wall.as_secs_f64())
    }

    pub fn mean_disc_difference(&self) -> Option<f64> {
        let (sum, games) = self.discs;
        (games > 0).then(|| sum as f64 / games as f64)
    }

    fn add(&mut self, record: &GameRecord, side: Side) {
        let colour = &mut self.by_colour[side.index()];
        match record.verdict.outcome() {
            Outcome::Win(winner) if winner == side => colour.add(Wdl::Win),
            Outcome::Win(_) | Outcome::DoubleForfeit => colour.add(Wdl::Loss),
            Outcome::Draw => colour.add(Wdl::Draw),
            Outcome::Void => return,
        }
        if let Some(fault) = record.verdict.fault_of(side) {
            *self.faults.entry(fault.word()).or_default() += 1;
            let happened = || (record.id, side, fault.to_message());
            let first = self.first_faults.entry(fault.word());
            let first = first.or_insert_with(happened);
            if record.id < first.0 {
                *first = happened();
            }
        } else if record.verdict.outcome() == Outcome::Win(!side) {
            let first = self.first_loss.get_or_insert(record.id);
            *first = record.id.min(*first);
        }
        if let Verdict::Rules {
            reason: Reason::DISCS,
            ..
        } = record.verdict
        {
            let [own, other] = [side, !side].map(|side| i64::from(record.counts[side.index()]));
            self.discs.0 += own - other;
            self.discs.1 += 1;
        }
        if let Some(idle) = record.idle_cpu[side.index()] {
            self.idle_cpu += idle;
            self.waited += record
                .efforts(!side)
                .map(|(effort, _)| effort.wall)
                .sum::<Duration>();
        }
        for (effort, thought) in record.efforts(side) {
            self.thinking.add(effort.wall);
            // A bot may begin before it has the whole question, so CPU and wall time of shorter moves are incomparable.
            if let Some(cpu) = effort.cpu.filter(|_| effort.wall >= COMPARABLE) {
                self.cpu[0] += cpu;
                self.cpu[1] += effort.wall;
            }
            if let Some(depth) = thought.depth {
                self.depths[0] = self.depths[0].saturating_add(u64::from(depth));
                self.depths[1] += 1;
            }
            if let Some(nodes) = thought.nodes {
                // A bot may report any number.
                self.nodes.0 = self.nodes.0.saturating_add(nodes);
                self.nodes.1 += effort.wall;
            }
        }
        self.late = self.late.max(record.late(side));
    }
}

impl Standings {
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Standings {
        // `Standings` has no `Default`, because it would not count repeated games.
        let mut standings = Standings {
            bots: Vec::new(),
            numbers: HashMap::new(),
            pairings: BTreeMap::new(),
            halves: HashMap::new(),
            games: 0,
            void: 0,
            seen: Some(HashSet::new()),
            repeated: 0,
            placing: None,
            anchors: Vec::new(),
            rated: OnceLock::new(),
        };
        for name in names {
            standings.number(name);
        }
        standings
    }

    /// Turns off the count of repeated games, which needs memory for each game.
    #[must_use]
    pub fn without_repeats(self) -> Standings {
        Standings { seen: None, ..self }
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.bots.len();
        self.bots.push(BotLine {
            name: name.to_owned(),
            ..BotLine::default()
        });
        self.numbers.insert(name.to_owned(), number);
        number
    }

    pub fn number_of(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Returns the number of games that repeat an earlier game, with the same bots and the same moves.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Counts a game. Games may come in any order.
    pub fn add(&mut self, record: &GameRecord) {
        self.rated.take();
        for side in Side::BOTH {
            let number = self.number(record.player(side));
            let bot = &mut self.bots[number];
            bot.interruptions += record.interruptions[side.index()];
            bot.spent.add(&record.spent(side));
        }
        let outcome = record.verdict.outcome();
        if outcome == Outcome::Void {
            self.void += 1;
            return;
        }
        self.games += 1;
        if let Some(seen) = &mut self.seen
            && !seen.insert(record.fingerprint())
        {
            self.repeated += 1;
        }
        for side in Side::BOTH {
            let number = self.number(record.player(side));
            self.bots[number].add(record, side);
        }
        self.add_to_pairing(record, outcome);
    }

    fn add_to_pairing(&mut self, record: &GameRecord, outcome: Outcome) {
        let [black, white] = [0, 1].map(|index| self.number(&record.players[index]));
        let first = if black < white {
            Side::Black
        } else {
            Side::White
        };
        let pairing = self
            .pairings
            .entry([black.min(white), black.max(white)])
            .or_default();
        let result = match outcome {
            Outcome::Win(winner) if winner == first => Wdl::Win,
            Outcome::Win(_) => Wdl::Loss,
            Outcome::Draw => Wdl::Draw,
            Outcome::DoubleForfeit => {
                pairing.both_failed += 1;
                return;
            }
            Outcome::Void => return,
        };
        pairing.score.add(result);
        match self.halves.remove(&record.id.pair()) {
            Some(other) => pairing.pairs.add(other, result),
            None => {
                self.halves.insert(record.id.pair(), result);
            }
        }
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the sum of the prices that all bots reported for their moves.
    pub fn price(&self) -> f64 {
        self.bots.iter().map(|bot| bot.spent.price()).sum()
    }

    pub fn void(&self) -> u64 {
        self.void
    }

    pub fn bots(&self) -> &[BotLine] {
        &self.bots
    }

    /// Returns the results of two bots, from the first one's view.
    pub fn pairing(&self, bot: usize, opponent: usize) -> Option<Pairing> {
        let pairing = self
            .pairings
            .get(&[bot.min(opponent), bot.max(opponent)])
            .copied()?;
        Some(if bot < opponent {
            pairing
        } else {
            Pairing {
                score: pairing.score.reversed(),
                pairs: pairing.pairs.reversed(),
                both_failed: pairing.both_failed,
                at_every_look: pairing.at_every_look.map(|found| Elo {
                    elo: -found.elo,
                    ..found
                }),
            }
        })
    }

    /// Returns the best bots, in the order of the ranking, each with its results against these bots.
    pub fn crosstable(&self, most: usize) -> Vec<(String, Vec<Option<Score>>)> {
        let mut ranking = self.ranking();
        ranking.truncate(most);
        let score = |bot: usize, other: usize| Some(self.pairing(bot, other)?.score);
        let row = |&bot: &usize| {
            let cells = ranking.iter().map(|&other| score(bot, other));
            (self.bots[bot].name.clone(), cells.collect())
        };
        ranking.iter().map(row).collect()
    }

    pub fn pairings(&self) -> impl Iterator<Item = ([usize; 2], &Pairing)> {
        self.pairings.iter().map(|(&bots, pairing)| (bots, pairing))
    }

    /// Rates the bots, relative to the field's mean or to the anchors.
    pub fn rated(&self) -> &stats::Ratings {
        self.rated.get_or_init(|| self.rate())
    }

    fn rate(&self) -> stats::Ratings {
        stats::Ratings::with_anchors(&self.meetings(), self.bots.len(), &self.anchors)
    }

    /// Returns the results from which the ratings are computed.
    pub fn meetings(&self) -> Vec<Meeting> {
        let meeting = |([one, other], pairing): ([usize; 2], &Pairing)| Meeting {
            bots: [one, other],
            score: pairing.score,
            pairs: pairing.pairs,
        };
        self.pairings().map(meeting).collect()
    }

    pub fn ratings(&self) -> Vec<Rating> {
        let rated = self.rated();
        let with_places = rated.bots.iter().zip(rated.places()).enumerate();
        with_places
            .map(|(bot, (&stats::Rating { elo, error_95 }, places))| Rating {
                elo,
                error_95: (!self.is_anchor(bot) && !self.has_bound(bot)).then_some(error_95),
                places,
            })
            .collect()
    }

    /// Returns whether only a bound is known: the bot won, or lost, all games against bots of known ratings.
    fn has_bound(&self, bot: usize) -> bool {
        let score = self.bots[bot].score();
        self.anchors.len() > 1 && [0, 2 * score.games()].contains(&score.half_points())
    }

    /// Describes the ratings that depend on the prior more than on games: of bots that no games connect with the
    /// others, of bots that won all their games, and of bots that lost all.
    pub fn rating_notes(&self) -> Vec<Message> {
        let played = |bot: &usize| self.bots[*bot].score().games() > 0;
        let mut group: Vec<usize> = (0..self.bots.len()).collect();
        for &[one, other] in self.pairings.keys() {
            let (kept, gone) = (group[one], group[other]);
            group
                .iter_mut()
                .filter(|it| **it == gone)
                .for_each(|it| *it = kept);
        }
        let groups: BTreeSet<usize> = (0..group.len())
            .filter(played)
            .map(|bot| group[bot])
            .collect();
        let names = |of: usize| {
            let members = (0..group.len()).filter(|&bot| group[bot] == of);
            let names = members.map(|bot| self.bots[bot].name.as_str());
            names.collect::<Vec<_>>()
        };
        let divided = groups.iter().skip(1).map(|&of| {
            message!("the ratings of {} cannot be compared with those of the others: no games connect them", names(of))
        });
        let found = (0..self.bots.len()).filter(|&bot| !self.is_anchor(bot));
        let one_sided = found.filter_map(|bot| {
            let bot = &self.bots[bot];
            let score = bot.score();
            match (score.games(), score.half_points()) {
                (0, _) => None,
                (_, 0) => Some(message!(
                    "{} lost all its games: it may be even weaker than its rating",
                    bot.name
                )),
                (games, half_points) if half_points == 2 * games => Some(message!(
                    "{} won all its games: it may be even stronger than its rating",
                    bot.name
                )),
                _ => None,
            }
        });
        divided.chain(one_sided).collect()
    }

    /// Makes all ratings relative to these bots, whose ratings are known.
    pub fn anchor(&mut self, known: &[(String, f64)]) {
        self.anchors = known
            .iter()
            .map(|(name, elo)| (self.number(name), *elo))
            .collect();
        self.rated.take();
    }

    pub fn anchors(&self) -> &[(usize, f64)] {
        &self.anchors
    }

    fn is_anchor(&self, bot: usize) -> bool {
        self.anchors.iter().any(|&(anchor, _)| anchor == bot)
    }

    /// Describes the strength of the first bot relative to bots of known ratings; empty if there are fewer than two.
    pub fn strength_words(&self) -> Vec<Message> {
        if self.anchors.len() < 2 || self.is_anchor(0) {
            return Vec::new();
        }
        let (own, name) = (self.ratings()[0], &self.bots[0].name);
        let games = self.bots[0].score().games();
        let Some(error) = own.error_95 else {
            return self.bound(games).into_iter().collect();
        };
        let elo = own.elo;
        let mut lines = vec![message!(
            "{name}: {elo:.0} ± {error:.0} Elo (95 %), from {games} {games|game|games}"
        )];
        let mut known = self.anchors.clone();
        known.sort_by(|one, other| one.1.total_cmp(&other.1));
        let stronger = known.partition_point(|&(_, known)| known <= elo);
        let scores = known[stronger.saturating_sub(1)..]
            .iter()
            .take(2)
            .map(|&(bot, known)| {
                let share = 100.0 / (1.0 + 10f64.powf((known - elo) / 400.0));
                let opponent = &self.bots[bot].name;
                message!("{share:.0} % against {opponent} ({known:.0})")
            });
        let scores = Message::enumeration(scores);
        lines.push(message!("with this rating it scores {scores}"));
        lines
    }

    /// Describes the bound of the first bot's rating if it won, or lost, all games against bots of known ratings.
    fn bound(&self, games: u64) -> Option<Message> {
        let (name, has_lost) = (&self.bots[0].name, self.bots[0].score().wins == 0);
        // A bot that won all its games is treated like a bot that lost all, with opposite signs.
        let sign = if has_lost { 1.0 } else { -1.0 };
        let met: Vec<(f64, f64)> = (self.anchors.iter())
            .filter_map(|&(bot, elo)| {
                let score = self.pairing(0, bot)?.score;
                Some((sign * elo, score.games() as f64))
            })
            .collect();
        let bound = sign * stats::bound_of_losses(&met);
        (games > 0).then(|| {
            if has_lost {
                message!("{name}: below {bound:.0} Elo (95 %): it lost all its {games} {games|game|games}")
            } else {
                message!("{name}: above {bound:.0} Elo (95 %): it won all its {games} {games|game|games}")
            }
        })
    }

    /// Sets the order that the format defines. If the match has a goal, leaves out the pairs that do not count for it:
    /// repeated pairs, and pairs after its end.
    pub fn conclude(&mut self, placing: Option<Places>, goal: Option<&GoalLine>) {
        self.placing = placing;
        if let (Some(goal), Some(pairing)) = (goal, self.pairings.get_mut(&[0, 1])) {
            let counted = goal.pairing();
            (pairing.pairs, pairing.at_every_look) = (counted.pairs, counted.at_every_look);
        }
    }

    pub fn swiss_points(&self, bot: usize) -> Option<f64> {
        self.placing.as_ref()?.points.as_ref()?.get(bot).copied()
    }

    pub fn buchholz(&self, bot: usize) -> Option<f64> {
        self.placing.as_ref()?.buchholz.as_ref()?.get(bot).copied()
    }

    /// Returns the numbers of the bots, best first: in the order of the tournament's format if it defines one, else by
    /// score rate, then rating, then the order in the tournament. With several bots of known ratings, score rates are
    /// not used, because some bots met only strong opponents.
    pub fn ranking(&self) -> Vec<usize> {
        if let Some(placing) = &self.placing {
            return placing.order.clone();
        }
        let ratings = self.ratings();
        let rate = |bot: usize| match self.anchors.len() {
            0 | 1 => self.bots[bot].score().rate(),
            _ => ratings[bot].elo,
        };
        let mut order: Vec<usize> = (0..self.bots.len()).collect();
        order.sort_by(|&a, &b| {
            rate(b)
                .total_cmp(&rate(a))
                .then(ratings[b].elo.total_cmp(&ratings[a].elo))
                .then(a.cmp(&b))
        });
        order
    }
}
