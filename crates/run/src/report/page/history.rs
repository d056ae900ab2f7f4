//! Graphs of a run: the strength of bots by games played, and times, depths and scores by half-move.

use games::Side;
use message::Lang;
use referee::record::{GameRecord, Outcome, harmless};
use stats::{Meeting, Ratings};

use super::plot::{self, Series};
use crate::report::standings::Standings;

/// At most this many moments are recorded. When they are reached, every second moment is dropped.
const MOMENTS: usize = 64;
/// A graph shows at most this many bots, the best ones.
const SHOWN: usize = 8;
/// Strength is not recorded for more bots than this, because each moment has the results of all pairings.
const FOLLOWED: usize = 40;
/// A graph shows at most this many half-moves.
const PLIES: usize = 240;

/// What the graphs need of the games so far, in bounded memory: results at some moments, and sums by half-move.
#[derive(Debug, Default)]
pub struct RunHistory {
    moments: Vec<Moment>,
    /// There are 2^`doubled` games between two moments.
    doubled: u32,
    bots: Vec<ByPly>,
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
        for side in Side::BOTH {
            let number = standings.number_of(record.player(side));
            let Some(bot) = number.map(|number| &mut self.bots[number]) else {
                continue;
            };
            let ended = match record.verdict.outcome() {
                Outcome::Win(winner) => Some(usize::from(winner != side)),
                Outcome::Draw | Outcome::NobodyScores | Outcome::Void => None,
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
