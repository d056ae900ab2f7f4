//! Graphs of a run: the strength of bots by games played, and times, depths and scores by half-move.

use games::Side;
use message::Lang;
use message::number::signed;
use referee::record::{GameRecord, Outcome, harmless};
use stats::{Meeting, Ratings};

use super::plot::{self, Series};
use crate::report::standings::Standings;

/// At most this many moments are recorded. When this number is reached, every second moment is dropped.
const MOMENTS: usize = 64;
/// A graph shows at most this many bots, the best ones.
const SHOWN: usize = 8;
/// Strength is not recorded for more bots than this, because each moment has the results of all pairings.
const FOLLOWED: usize = 40;
/// A graph shows at most this many half-moves.
const PLIES: usize = 240;

/// The data of the graphs, in bounded memory: results at some moments of the run, and sums by half-move.
#[derive(Debug, Default)]
pub struct RunHistory {
    moments: Vec<Moment>,
    /// There are 2^`doubled` games between two moments.
    doubled: u32,
    bots: Vec<ByPly>,
    disputes: Vec<Dispute>,
}

/// At most this many disputes are kept.
const DISPUTES: usize = 5;

/// Two successive moves of a game whose scores contradict each other: each bot believes that it is ahead, or behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispute {
    pub game: u64,
    /// The number of the second half-move, from 1.
    pub ply: usize,
    /// The first mover's name and score, then those of its opponent.
    pub told: [(String, f64); 2],
    /// The smaller size of the two scores. The unit is the median size of the bot's scores in the game.
    weight: f64,
}

impl Dispute {
    pub fn shown(&self) -> String {
        let told = self.told.iter();
        let told = told.map(|(name, score)| format!("{} {}", harmless(name), signed(*score, 1)));
        told.collect::<Vec<_>>().join(", ")
    }

    fn of(record: &GameRecord, movers: &[Side]) -> Option<Dispute> {
        let first = record.opening.len();
        let told = |index: usize| {
            let score = record.plies[index].thought.score;
            let score = score.filter(|score| score.is_finite())?;
            Some((movers[first + index], score))
        };
        let pairs = (1..record.plies.len()).filter_map(|index| {
            let told = [told(index - 1)?, told(index)?];
            let is_dispute = told[0].0 != told[1].0 && told[0].1 * told[1].1 > 0.0;
            is_dispute.then_some((index, told))
        });
        let units = Side::BOTH.map(|side| {
            let scores = (0..record.plies.len()).filter_map(told);
            let own = scores.filter(|(mover, score)| *mover == side && *score != 0.0);
            let mut sizes: Vec<f64> = own.map(|(_, score)| score.abs()).collect();
            sizes.sort_by(f64::total_cmp);
            sizes.get(sizes.len() / 2).copied().unwrap_or(1.0)
        });
        let size = |(side, score): (Side, f64)| score.abs() / units[side.index()];
        let weighed = pairs.map(|(index, told)| (size(told[0]).min(size(told[1])), index, told));
        let (weight, index, told) = weighed.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(Dispute {
            game: record.id.0,
            ply: first + index + 1,
            told: told.map(|(side, score)| (record.player(side).to_owned(), score)),
            weight,
        })
    }
}

#[derive(Debug)]
struct Moment {
    games: u64,
    met: Vec<Meeting>,
}

#[derive(Debug, Default)]
struct ByPly {
    ms: Vec<Mean>,
    depth: Vec<Mean>,
    /// The scores that the bot reported in games that it won, and in games that it lost.
    score: [Vec<Mean>; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

fn add(means: &mut Vec<Mean>, ply: usize, value: f64) {
    if ply >= PLIES || !value.is_finite() {
        return;
    }
    if means.len() <= ply {
        means.resize(ply + 1, Mean::default());
    }
    means[ply].sum += value;
    means[ply].count += 1;
}

impl RunHistory {
    /// Adds a game that `standings` have already counted.
    pub fn add(&mut self, record: &GameRecord, standings: &Standings) {
        if record.verdict.outcome() == Outcome::Void {
            return;
        }
        let bots = standings.bots().len();
        self.bots.resize_with(bots, ByPly::default);
        if standings.games().is_multiple_of(1 << self.doubled) && self.bots.len() <= FOLLOWED {
            self.note(standings);
        }
        let movers = record.retraced().movers;
        self.disputes.extend(Dispute::of(record, &movers));
        let largest_first = |a: &Dispute, b: &Dispute| b.weight.total_cmp(&a.weight);
        self.disputes.sort_by(largest_first);
        self.disputes.truncate(DISPUTES);
        for side in Side::BOTH {
            let number = standings.number_of(record.player(side));
            let Some(bot) = number.map(|number| &mut self.bots[number]) else {
                continue;
            };
            let ended = match record.verdict.outcome() {
                Outcome::Win(winner) => Some(usize::from(winner != side)),
                Outcome::Draw | Outcome::DoubleForfeit | Outcome::Void => None,
            };
            let first = record.opening.len();
            for (index, ply) in record.plies.iter().enumerate() {
                let ply_number = first + index;
                let Some(effort) = ply.effort.filter(|_| movers[ply_number] == side) else {
                    continue;
                };
                add(&mut bot.ms, ply_number, effort.wall.as_secs_f64() * 1000.0);
                if let Some(depth) = ply.thought.depth {
                    add(&mut bot.depth, ply_number, f64::from(depth));
                }
                if let (Some(score), Some(ended)) = (ply.thought.score, ended) {
                    add(&mut bot.score[ended], ply_number, score);
                }
            }
        }
    }

    fn note(&mut self, standings: &Standings) {
        if self.moments.len() == MOMENTS {
            let mut odd = false;
            self.moments.retain(|_| {
                odd = !odd;
                !odd
            });
            self.doubled += 1;
            if !standings.games().is_multiple_of(1 << self.doubled) {
                return;
            }
        }
        self.moments.push(Moment {
            games: standings.games(),
            met: standings.meetings(),
        });
    }

    /// Returns the largest disputes, at most one of each game.
    pub fn disputes(&self) -> &[Dispute] {
        &self.disputes
    }

    fn elo(&self, standings: &Standings) -> Vec<Series> {
        let ratings = |moment: &Moment| {
            Ratings::with_anchors(&moment.met, standings.bots().len(), standings.anchors()).bots
        };
        let by_moment: Vec<_> = self.moments.iter().map(ratings).collect();
        of_best(standings, |bot| {
            let met = |moment: &Moment| moment.met.iter().any(|met| met.bots.contains(&bot));
            let moments = self.moments.iter().zip(&by_moment);
            moments
                .filter(|(moment, _)| met(moment))
                .map(|(moment, ratings)| (moment.games as f64, ratings[bot].elo))
                .filter(|(_, elo)| elo.is_finite())
                .collect()
        })
    }

    fn by_ply(&self, standings: &Standings, of: impl Fn(&ByPly) -> &Vec<Mean>) -> Vec<Series> {
        of_best(standings, |bot| {
            let means = self.bots.get(bot).map(&of);
            means.map_or_else(Vec::new, |means| points(means))
        })
    }
}

fn of_best(standings: &Standings, points: impl Fn(usize) -> Vec<(f64, f64)>) -> Vec<Series> {
    let best = standings.ranking().into_iter().take(SHOWN);
    let series = best.map(|bot| Series {
        name: standings.bots()[bot].name.clone(),
        points: points(bot),
    });
    series.collect()
}

/// Returns one point for every two successive half-moves, because a bot moves at every second half-move.
fn points(means: &[Mean]) -> Vec<(f64, f64)> {
    let pairs = means.chunks(2).enumerate();
    pairs
        .filter_map(|(index, pair)| {
            let sum: f64 = pair.iter().map(|mean| mean.sum).sum();
            let count: u32 = pair.iter().map(|mean| mean.count).sum();
            (count > 0).then(|| ((2 * index + 1) as f64, sum / f64::from(count)))
        })
        .collect()
}

pub struct Graph {
    pub(super) title: String,
    pub(super) svg: String,
}

pub(super) fn graphs(history: &RunHistory, standings: &Standings, lang: &Lang) -> Vec<Graph> {
    let [half_move, score] = ["graphs.half-move", "thought.score"].map(|key| lang.get(key));
    let by_ply = |of: fn(&ByPly) -> &Vec<Mean>| history.by_ply(standings, of);
    let (games, elo) = (lang.get("graphs.games"), history.elo(standings));
    let all = [
        ("elo", games, "Elo", elo),
        ("time", half_move, "ms", by_ply(|bot| &bot.ms)),
        (
            "depth",
            half_move,
            lang.get("thought.depth"),
            by_ply(|bot| &bot.depth),
        ),
        ("won", half_move, score, by_ply(|bot| &bot.score[0])),
        ("lost", half_move, score, by_ply(|bot| &bot.score[1])),
    ];
    let drawn = all.into_iter().map(|(kind, across, up, mut series)| {
        for line in &mut series {
            line.name = harmless(&line.name);
        }
        let title = lang.get(&format!("graphs.{kind}")).to_owned();
        let svg = plot::lines(&title, across, up, &series);
        Graph { title, svg }
    });
    drawn.filter(|graph| !graph.svg.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use games::{Game, parse_transcript};
    use referee::record::{Effort, GameId, Ply, Thought, Verdict};

    use super::*;

    /// Black is sure of itself, and wins; White contradicts it from half-move 4 on.
    #[test]
    fn scores_by_half_move_are_split_by_result_and_contradictions_are_found() {
        let (moves, _) = parse_transcript(Game::OTHELLO, "f5d6c3d3c4").expect("legal moves");
        let scores = [2.0, -1.5, 4.0, 5.0, 6.0];
        let plies = moves.iter().zip(scores).map(|(&played, score)| Ply {
            played,
            effort: Some(Effort {
                wall: Duration::from_millis(5),
                cpu: None,
            }),
            thought: Thought {
                score: Some(score),
                ..Thought::default()
            },
        });
        let verdict = Verdict::Rules {
            winner: Some(Side::Black),
            reason: games::Reason::DISCS,
        };
        let record = GameRecord {
            plies: plies.collect(),
            ..GameRecord::new(GameId(7), Game::OTHELLO, ["one", "two"], verdict)
        };
        let (mut history, mut standings) = (RunHistory::default(), Standings::new(["one", "two"]));
        standings.add(&record);
        history.add(&record, &standings);
        let [largest] = history.disputes() else {
            panic!("one of each game: {:?}", history.disputes());
        };
        assert_eq!((largest.game, largest.ply, largest.weight), (7, 5, 1.0));
        assert_eq!(largest.shown(), "two +5.0, one +6.0");
        let means = |ended: usize, bot: usize| points(&history.bots[bot].score[ended]);
        assert_eq!(
            means(0, 0),
            [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)],
            "the winner's scores"
        );
        assert_eq!(means(1, 1), [(1.0, -1.5), (3.0, 5.0)], "the loser's scores");
        assert!(means(1, 0).is_empty() && means(0, 1).is_empty());
    }
}
