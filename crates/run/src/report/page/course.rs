//! What a run looks like over its course, in memory that does not grow with its games: strength by
//! games played, and what each bot's moves were like by half-move.

use games::Side;

use super::plot::Series;
use crate::report::Standings;
use referee::record::{GameRecord, Outcome};
use stats::{Score, bradley_terry};

/// The most moments at which the strength is noted; then every second is dropped.
const MOMENTS: usize = 64;
/// The most bots that a graph shows, the best ones.
const SHOWN: usize = 8;
/// The most bots of a run whose strength is followed: every moment keeps all pairings.
const FOLLOWED: usize = 40;
/// Half-moves that are told apart; later ones are not drawn.
const PLIES: usize = 240;

/// Sums over all games so far.
#[derive(Debug)]
pub(super) struct Course {
    moments: Vec<Moment>,
    /// Games between two moments.
    every: u64,
    bots: Vec<ByPly>,
}

#[derive(Debug)]
struct Moment {
    games: u64,
    met: Vec<(usize, usize, Score)>,
}

/// Sums and counts of one bot by half-move.
#[derive(Debug, Default)]
struct ByPly {
    ms: Vec<Mean>,
    depth: Vec<Mean>,
    /// Its own scores in games that it won, and in games that it lost.
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

impl Course {
    /// Of so many bots.
    pub fn new(bots: usize) -> Course {
        Course {
            moments: Vec::new(),
            every: 1,
            bots: (0..bots).map(|_| ByPly::default()).collect(),
        }
    }

    /// One more game, which `standings` have counted.
    pub fn add(&mut self, record: &GameRecord, standings: &Standings) {
        if record.verdict.outcome() == Outcome::Void {
            return;
        }
        if standings.games().is_multiple_of(self.every) && self.bots.len() <= FOLLOWED {
            self.note(standings);
        }
        for side in Side::BOTH {
            let number = standings.number_of(record.player(side));
            let Some(bot) = number.and_then(|number| self.bots.get_mut(number)) else {
                continue;
            };
            let ended = match record.verdict.outcome() {
                Outcome::Win(winner) => Some(usize::from(winner != side)),
                Outcome::Draw | Outcome::NobodyScores | Outcome::Void => None,
            };
            let first = record.opening.len();
            for (index, ply) in record.plies.iter().enumerate() {
                let ply_number = first + index;
                let Some(effort) = ply.effort.filter(|_| ply_number % 2 == side.index()) else {
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
            self.every *= 2;
            if !standings.games().is_multiple_of(self.every) {
                return;
            }
        }
        let met = standings.pairings();
        self.moments.push(Moment {
            games: standings.games(),
            met: met.map(|([a, b], pairing)| (a, b, pairing.score)).collect(),
        });
    }

    /// Elo of the best bots by games played in the run.
    pub fn elo(&self, standings: &Standings) -> Vec<Series> {
        let ratings = |moment: &Moment| bradley_terry::ratings(&moment.met, self.bots.len());
        let by_moment: Vec<_> = self.moments.iter().map(ratings).collect();
        of_best(standings, |bot| {
            let met = |moment: &Moment| moment.met.iter().any(|(a, b, _)| [a, b].contains(&&bot));
            let moments = self.moments.iter().zip(&by_moment);
            moments
                .filter(|(moment, _)| met(moment))
                .map(|(moment, ratings)| (moment.games as f64, ratings[bot].elo))
                .filter(|(_, elo)| elo.is_finite())
                .collect()
        })
    }

    /// Mean time of a move in ms, by half-move.
    pub fn time(&self, standings: &Standings) -> Vec<Series> {
        of_best(standings, |bot| points(&self.bots[bot].ms))
    }

    /// Mean depth, by half-move.
    pub fn depth(&self, standings: &Standings) -> Vec<Series> {
        of_best(standings, |bot| points(&self.bots[bot].depth))
    }

    /// Mean of the bots' own scores, by half-move: of the games that they won, or lost.
    pub fn score(&self, standings: &Standings, lost: bool) -> Vec<Series> {
        of_best(standings, |bot| {
            points(&self.bots[bot].score[usize::from(lost)])
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

/// The means where there are any, two half-moves together: a bot is asked at every second.
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
