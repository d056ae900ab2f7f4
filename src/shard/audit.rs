//! Compares each shard and each machine of a plan with the others, without playing: results, faults and speed.
//!
//! A *part* is a shard or a machine. Forged results, or games of another build, make a part's results differ. A
//! disturbed machine has more faults, and a slow machine searches fewer nodes per second. The unit is a pair of games,
//! since the two games of a pair depend on each other. The tests are exact or nearly so, and their p-values are
//! multiplied by the number of tests (Bonferroni): at most one in twenty plans without a problem has a finding.

use std::collections::{BTreeMap, BTreeSet};

use message::{Message, message};
use serde_json::{Value, json};
use stats::{Counts, fisher, rank_sums};

use super::block::TOLERATED;
use games::Side;
use referee::record::{Fault, GameId, GameRecord, Outcome};

/// The largest corrected p-value of a finding.
const ALPHA: f64 = 0.05;
/// The most findings of a kind. The part that differs most is found first, and further tests leave it out.
const MOST_FOUND: usize = 5;
/// The most pairs of a part in an exact test: for one pairing, and for several. The time grows with their square.
const MOST_PAIRS: [usize; 2] = [1000, 150];
/// The shortest mean time of a move, in seconds, at which speeds are compared.
const SHORTEST: f64 = 0.001;

#[derive(Clone, Copy, Debug)]
pub(super) struct GameFigures {
    /// The half-points of the first player, then of the second; `work` has the same order.
    half_points: [u8; 2],
    /// 0: no fault; 1: a bot was too late; 2: another fault.
    fault: usize,
    work: [Work; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Work {
    moves: u64,
    nodes: u64,
    seconds: f64,
}

impl GameFigures {
    /// Returns the figures of a game; `None` if the game does not count.
    pub fn of(record: &GameRecord) -> Option<GameFigures> {
        if record.verdict.outcome() == Outcome::Void {
            return None;
        }
        let faults: Vec<&Fault> = Side::BOTH
            .iter()
            .filter_map(|&side| record.verdict.fault_of(side))
            .collect();
        let is_late = |fault: &&&Fault| matches!(fault, Fault::OutOfTime { .. });
        let (_, outcome) = record.scheduled();
        let mut sides = Side::BOTH;
        if record.is_swapped() {
            sides.reverse();
        }
        Some(GameFigures {
            half_points: Side::BOTH.map(|side| outcome.half_points(side).unwrap_or(0)),
            fault: match (faults.len(), faults.iter().filter(is_late).count()) {
                (0, _) => 0,
                (all, late) if all == late => 1,
                _ => 2,
            },
            work: sides.map(|side| {
                let mut work = Work::default();
                for (effort, thought) in record.efforts(side) {
                    work.moves += 1;
                    work.nodes += thought.nodes.unwrap_or(0);
                    work.seconds += effort.wall.as_secs_f64();
                }
                work
            }),
        })
    }
}

/// A finished pair, from the point of view of the bot that is black in the pair's first game.
#[derive(Clone, Copy, Debug)]
struct Pair {
    number: u64,
    block: u64,
    machine: usize,
    bots: [usize; 2],
    /// The result of the pair for the first bot. 0: won; 1: even; 2: lost.
    result: usize,
    faults: [usize; 2],
    work: [Work; 2],
}

#[derive(Debug, Default)]
pub struct Audit {
    bots: Vec<String>,
    machines: Vec<String>,
    pairs: Vec<Pair>,
    /// Whether time limits are scaled to the machine's speed. If so, nodes per move are compared, not nodes per second.
    is_scaled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AuditedPart {
    Machine(usize),
    Shard(u64),
}

/// A part that differs from the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub words: Message,
    pub json: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AuditMeasure {
    Results,
    Faults,
    Speed(usize),
}

impl Audit {
    pub(super) fn new(bots: Vec<String>) -> Audit {
        Audit {
            bots,
            ..Audit::default()
        }
    }

    pub(super) fn scale(&mut self) {
        self.is_scaled = true;
    }

    pub(super) fn machine(&mut self, name: &str) -> usize {
        let known = self.machines.iter().position(|machine| machine == name);
        known.unwrap_or_else(|| {
            self.machines.push(name.to_owned());
            self.machines.len() - 1
        })
    }

    /// Adds a pair of a block. `machine` played the first game of the pair.
    pub(super) fn add(
        &mut self,
        [number, block]: [u64; 2],
        machine: usize,
        bots: [usize; 2],
        [first, second]: [GameFigures; 2],
    ) {
        let half_points = first.half_points[0] + second.half_points[1];
        let work = |bot: usize| {
            let [one, other] = [first.work[bot], second.work[1 - bot]];
            Work {
                moves: one.moves + other.moves,
                nodes: one.nodes + other.nodes,
                seconds: one.seconds + other.seconds,
            }
        };
        self.pairs.push(Pair {
            number,
            block,
            machine,
            bots,
            result: match half_points {
                3.. => 0,
                2 => 1,
                _ => 2,
            },
            faults: [first.fault, second.fault],
            work: [work(0), work(1)],
        });
    }

    /// Returns the games by block, with the machine that played the pair's first game.
    pub(super) fn games(&self) -> BTreeMap<u64, Vec<(GameId, &str)>> {
        let mut blocks: BTreeMap<u64, Vec<_>> = BTreeMap::new();
        for pair in &self.pairs {
            let machine = self.machines[pair.machine].as_str();
            let games = (0..2).map(|leg| (GameId::new(pair.number, leg as u64), machine));
            blocks.entry(pair.block).or_default().extend(games);
        }
        blocks
    }

    /// Returns the parts that differ. Within each kind, the part that differs most comes first.
    pub fn findings(&self) -> Vec<Finding> {
        let speeds = (0..self.bots.len()).map(AuditMeasure::Speed);
        let kinds: Vec<AuditMeasure> = [AuditMeasure::Results, AuditMeasure::Faults]
            .into_iter()
            .chain(speeds)
            .collect();
        let tests = kinds.len() * parts(&self.pairs.iter().collect::<Vec<_>>()).len();
        let kinds = kinds.into_iter();
        kinds
            .flat_map(|kind| self.find(kind, tests as f64))
            .collect()
    }

    fn find(&self, kind: AuditMeasure, tests: f64) -> Vec<Finding> {
        let (mut found, mut left) = (Vec::new(), self.pairs.iter().collect::<Vec<&Pair>>());
        while found.len() < MOST_FOUND {
            let mut parts = parts(&left);
            let values = match kind {
                AuditMeasure::Speed(bot) => self.speeds(&left, bot, &parts),
                AuditMeasure::Results | AuditMeasure::Faults => Audit::counts(kind, &left, &parts),
            };
            let worst = values
                .into_iter()
                .min_by(|one, other| one.1.p.total_cmp(&other.1.p));
            let Some((part, test)) = worst.filter(|(_, test)| test.p * tests <= ALPHA) else {
                break;
            };
            found.push(self.finding(part, kind, &test, test.p * tests));
            let out = parts.remove(&part).unwrap_or_default();
            left.retain(|pair| !out.contains(&pair.number));
        }
        found
    }

    fn counts(
        kind: AuditMeasure,
        left: &[&Pair],
        parts: &BTreeMap<AuditedPart, BTreeSet<u64>>,
    ) -> Vec<(AuditedPart, Test)> {
        let count = |counts: &mut [u64; 3], pair: &Pair| match kind {
            AuditMeasure::Results => counts[pair.result] += 1,
            _ => pair.faults.iter().for_each(|&fault| counts[fault] += 1),
        };
        // Each pairing is a stratum: its results in a part are compared only with its own results elsewhere.
        let mut all: BTreeMap<[usize; 2], [u64; 3]> = BTreeMap::new();
        for pair in left {
            count(all.entry(pair.bots).or_default(), pair);
        }
        let most = MOST_PAIRS[usize::from(all.len() > 1)]
            / if kind == AuditMeasure::Faults { 2 } else { 1 };
        let of: BTreeMap<u64, &Pair> = left.iter().map(|pair| (pair.number, *pair)).collect();
        let test = |(&part, numbers): (&AuditedPart, &BTreeSet<u64>)| {
            let mut own: BTreeMap<[usize; 2], [u64; 3]> = BTreeMap::new();
            let step = numbers.len().div_ceil(most).max(1);
            for pair in numbers.iter().step_by(step).map(|number| of[number]) {
                count(own.entry(pair.bots).or_default(), pair);
            }
            let strata = own.into_iter().map(|(bots, own)| Counts {
                own,
                all: all[&bots],
            });
            let strata: Vec<Counts> = strata.collect();
            let sums = |of: fn(&Counts) -> [f64; 3]| {
                let add =
                    |sum: [f64; 3], more: [f64; 3]| [0, 1, 2].map(|kind| sum[kind] + more[kind]);
                strata.iter().map(of).fold([0.0; 3], add)
            };
            let own = sums(|counts| counts.own.map(|count| count as f64));
            let p = fisher(&strata);
            (
                part,
                Test {
                    p,
                    own,
                    expected: sums(Counts::expected),
                },
            )
        };
        parts.iter().map(test).collect()
    }

    /// Tests the speed of a bot in each part. Leaves out parts that are nearly as fast as the others. Compares two
    /// speeds only if one of them has a mean move time of at least [`SHORTEST`].
    fn speeds(
        &self,
        left: &[&Pair],
        bot: usize,
        parts: &BTreeMap<AuditedPart, BTreeSet<u64>>,
    ) -> Vec<(AuditedPart, Test)> {
        let work = |pair: &Pair| {
            let side = pair.bots.iter().position(|&played| played == bot)?;
            let work = pair.work[side];
            (work.moves > 0 && work.seconds > 0.0).then_some((pair.bots[1 - side], work))
        };
        let played: Vec<(&Pair, usize, Work)> = left
            .iter()
            .filter_map(|pair| work(pair).map(|(opponent, work)| (*pair, opponent, work)))
            .collect();
        let has_nodes = played.iter().all(|(_, _, work)| work.nodes > 0);
        if self.is_scaled && !has_nodes {
            return Vec::new();
        }
        let speed = |work: &Work| match (self.is_scaled, has_nodes) {
            (true, _) => work.nodes as f64 / work.moves as f64,
            (_, true) => work.nodes as f64 / work.seconds,
            _ => work.moves as f64 / work.seconds,
        };
        // Compares with the bot's usual speed against this opponent, since some opponents make a bot think longer.
        let mut usual: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (_, opponent, work) in &played {
            usual.entry(*opponent).or_default().push(speed(work));
        }
        let usual: BTreeMap<usize, f64> = usual
            .into_iter()
            .map(|(opponent, mut speeds)| (opponent, median(&mut speeds)))
            .collect();
        let relative = |(_, opponent, work): &(&Pair, usize, Work)| speed(work) / usual[opponent];
        let mut found = Vec::new();
        for by_machine in [true, false] {
            let part = |pair: &Pair| part_of(pair, by_machine);
            let names: BTreeSet<AuditedPart> = played.iter().map(|(pair, ..)| part(pair)).collect();
            let names: Vec<AuditedPart> = names.into_iter().collect();
            let number = |pair: &Pair| names.binary_search(&part(pair)).unwrap_or(0);
            let values: Vec<(usize, f64)> = played
                .iter()
                .map(|one| (number(one.0), relative(one)))
                .collect();
            let ps = rank_sums(&values, names.len());
            for (group, (&part, p)) in names.iter().zip(ps).enumerate() {
                // Most parts are like the rest, so the remaining work is skipped for them.
                if p > ALPHA || !parts.contains_key(&part) {
                    continue;
                }
                let split = |is_own: bool| {
                    let here = played.iter().zip(&values);
                    let here = here.filter(move |(_, (of, _))| (*of == group) == is_own);
                    let (speeds, works): (Vec<f64>, Vec<Work>) =
                        here.map(|(one, _)| (speed(&one.2), one.2)).unzip();
                    let moves: u64 = works.iter().map(|work| work.moves).sum();
                    let seconds: f64 = works.iter().map(|work| work.seconds).sum();
                    (speeds, seconds / moves.max(1) as f64)
                };
                let ((mut own, a_move), (mut rest, usual_move)) = (split(true), split(false));
                let [own, rest] = [median(&mut own), median(&mut rest)];
                let is_alike = (own / rest).max(rest / own) <= 1.0 + TOLERATED;
                if !is_alike && a_move.max(usual_move) >= SHORTEST {
                    let test = Test {
                        p,
                        own: [own, 0.0, 0.0],
                        expected: [rest, 0.0, 0.0],
                    };
                    found.push((part, test));
                }
            }
        }
        found
    }

    fn finding(&self, part: AuditedPart, kind: AuditMeasure, test: &Test, p: f64) -> Finding {
        let (part_words, mut json) = match part {
            AuditedPart::Machine(machine) => {
                let machine = &self.machines[machine];
                (message!("machine {machine}"), json!({ "machine": machine }))
            }
            AuditedPart::Shard(block) => {
                let of = self.pairs.iter().filter(|pair| pair.block == block);
                let machines: BTreeSet<&str> = of
                    .map(|pair| self.machines[pair.machine].as_str())
                    .collect();
                let machine = machines.into_iter().collect::<Vec<_>>().join(", ");
                let words = message!("shard {block} ({machine})");
                (words, json!({ "shard": block, "machine": machine }))
            }
        };
        let p_value = if p < 0.001 {
            format!("{p:.0e}")
        } else {
            format!("{p:.3}")
        };
        let [won, drawn, lost] = test.own;
        let [exp_won, exp_drawn, exp_lost] = test.expected.map(|count| format!("{count:.1}"));
        let words = match kind {
            AuditMeasure::Results => {
                let firsts: BTreeSet<usize> = self.pairs.iter().map(|pair| pair.bots[0]).collect();
                let bot = match firsts.first() {
                    Some(&bot) if firsts.len() == 1 => Message::quote(self.bots[bot].as_str()),
                    _ => message!("the first bot of a pairing"),
                };
                message!(
                    "{part_words} has other results: of its pairs, {bot} won {won}, drew {drawn} and lost {lost}; \
                     by the other shards, {exp_won}, {exp_drawn} and {exp_lost} are expected (p = {p_value})"
                )
            }
            AuditMeasure::Faults => message!(
                "{part_words} has other faults: of its games, {drawn} ended by a late answer and {lost} by another fault; \
                 by the other shards, {exp_drawn} and {exp_lost} are expected (p = {p_value})"
            ),
            AuditMeasure::Speed(bot) => {
                let (bot, percent) = (
                    &self.bots[bot],
                    format!("{:.0}", 100.0 * won / test.expected[0]),
                );
                if self.is_scaled {
                    message!(
                        "{part_words} has another speed: {bot} searches {percent} % of its nodes per move on the other \
                         shards (p = {p_value})"
                    )
                } else {
                    message!(
                        "{part_words} has another speed: {bot} is at {percent} % of its speed on the other shards \
                         (p = {p_value})"
                    )
                }
            }
        };
        json["p"] = json!(p);
        json["words"] = json!(words.to_string());
        if let AuditMeasure::Speed(bot) = kind {
            (json["kind"], json["bot"]) = ("speed".into(), json!(self.bots[bot]));
            json["share"] = json!(won / test.expected[0]);
        } else {
            let name = if kind == AuditMeasure::Results {
                "results"
            } else {
                "faults"
            };
            (json["kind"], json["counts"]) = (name.into(), json!(test.own));
            (json["expected"], json["chi_squared"]) =
                (json!(test.expected), json!(test.chi_squared()));
        }
        Finding { words, json }
    }
}

/// The result of a test of a part. For a speed, `own[0]` and `expected[0]` are the medians of the part and the rest.
#[derive(Clone, Copy, Debug)]
struct Test {
    p: f64,
    own: [f64; 3],
    expected: [f64; 3],
}

impl Test {
    fn chi_squared(&self) -> f64 {
        let kinds = self.own.iter().zip(self.expected);
        let kinds = kinds.map(|(own, expected)| (own - expected).powi(2) / expected.max(0.5));
        kinds.sum()
    }
}

fn part_of(pair: &Pair, by_machine: bool) -> AuditedPart {
    if by_machine {
        AuditedPart::Machine(pair.machine)
    } else {
        AuditedPart::Shard(pair.block)
    }
}

/// Returns the comparable parts, with the numbers of their pairs. Leaves out a machine with only one shard, because the
/// shard itself is tested. Leaves out a part with more than half of the pairs, because the rest would seem different.
fn parts(pairs: &[&Pair]) -> BTreeMap<AuditedPart, BTreeSet<u64>> {
    let mut parts: BTreeMap<AuditedPart, BTreeSet<u64>> = BTreeMap::new();
    let mut shards: BTreeMap<AuditedPart, BTreeSet<u64>> = BTreeMap::new();
    for pair in pairs {
        for by_machine in [true, false] {
            parts
                .entry(part_of(pair, by_machine))
                .or_default()
                .insert(pair.number);
        }
        shards
            .entry(part_of(pair, true))
            .or_default()
            .insert(pair.block);
    }
    parts.retain(|part, own| {
        2 * own.len() <= pairs.len() && shards.get(part).is_none_or(|shards| shards.len() > 1)
    });
    parts
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use tournament::Draw;

    use super::*;

    const SHARDS: u64 = 20;
    const PAIRS: u64 = 25;

    /// Returns a cluster of shards on four machines. The first bot wins `wins` percent of its games and draws 5 %. One
    /// game in 200 ends with a late answer; speeds vary by a fifth. `forge` changes figures by game, shard and machine.
    fn cluster(seed: u64, wins: u64, forge: impl Fn(u64, usize, &mut GameFigures)) -> Audit {
        let mut draw = Draw::new(seed, 0);
        let mut audit = Audit::new(vec!["one".to_owned(), "two".to_owned()]);
        for pair in 0..SHARDS * PAIRS {
            let (block, machine) = (pair / PAIRS, (pair / PAIRS % 4) as usize);
            audit.machine(&format!("m{machine}"));
            let mut game = |leg: usize| {
                let chance = draw.below(100);
                let first = if chance < wins {
                    2
                } else {
                    u8::from(chance < wins + 5)
                };
                let mut half_points = [first, 2 - first];
                let mut work = [(); 2].map(|()| Work {
                    moves: 30,
                    nodes: 3_000_000 + 6_000 * draw.below(100),
                    seconds: 3.0,
                });
                if leg == 1 {
                    half_points.reverse();
                    work.reverse();
                }
                let fault = usize::from(draw.below(200) == 0);
                let mut figures = GameFigures {
                    half_points,
                    fault,
                    work,
                };
                forge(block, machine, &mut figures);
                figures
            };
            let games = [game(0), game(1)];
            audit.add([pair, block], machine, [0, 1], games);
        }
        audit
    }

    #[test]
    fn honest_clusters_rarely_give_an_alarm() {
        let is_alarm = |&seed: &u64| !cluster(seed, 60, |_, _, _| {}).findings().is_empty();
        let alarms = (0..1000).filter(is_alarm).count();
        assert!(alarms <= 50, "{alarms} of 1000");
    }

    fn found(audit: &Audit) -> Vec<String> {
        let findings = audit.findings().into_iter();
        let named = findings.map(|Finding { json, .. }| {
            let shard = json["shard"].as_u64().map(|shard| format!("shard {shard}"));
            let name = shard.unwrap_or_else(|| json["machine"].as_str().unwrap_or("").to_owned());
            format!("{name}: {}", json["kind"].as_str().unwrap_or_default())
        });
        named.collect()
    }

    #[test]
    fn what_differs_is_named_and_nothing_else() {
        for seed in 0..20 {
            let swapped = cluster(seed, 80, |shard, _, game| {
                if shard == 7 {
                    game.half_points.reverse();
                }
            });
            assert_eq!(found(&swapped), ["shard 7: results"], "seed {seed}");
            let slow = cluster(seed, 80, |_, machine, game| {
                if machine == 2 {
                    game.work.iter_mut().for_each(|work| work.seconds *= 1.5);
                }
            });
            assert_eq!(found(&slow), ["m2: speed", "m2: speed"], "seed {seed}");
            let late = cluster(seed, 80, |shard, _, game| {
                if shard == 3 {
                    game.fault = 1;
                }
            });
            assert_eq!(found(&late), ["shard 3: faults"], "seed {seed}");
        }
    }
}
