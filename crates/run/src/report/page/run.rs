//! The page of a run: the standings, and graphs over its games.

use std::path::Path;

use askama::Template;
use games::Side;
use message::number::signed;
use message::{Message, message};
use referee::record::{GameRecord, Outcome, harmless};
use stats::{Meeting, Ratings, Score};

use super::plot::{self, Axis, Series, whisker};
use super::{About, Fault, Games, PageFrame, said};
use crate::report::columns::maybe;
use crate::report::standings::{Rating, Standings};
use crate::report::terminal::{self, Grid};

/// The most moments at which the strength is recorded. If there are more, every second moment is dropped.
const MOMENTS: usize = 64;
/// The number of bots in a graph; the best are shown.
const SHOWN: usize = 8;
/// The most bots of a run whose strength is recorded: each moment has the results of all pairings.
const FOLLOWED: usize = 40;
/// The most half-moves in a graph.
const PLIES: usize = 240;

/// Sums over all games so far, in bounded memory: strength by games played, and each bot's moves by half-move.
#[derive(Debug)]
pub(super) struct RunHistory {
    moments: Vec<Moment>,
    every: u64,
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
    /// The bot's own scores in games that it won, and in games that it lost.
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
    pub fn new(bots: usize) -> RunHistory {
        RunHistory {
            moments: Vec::new(),
            every: 1,
            bots: (0..bots).map(|_| ByPly::default()).collect(),
        }
    }

    /// Adds a game that `standings` have already counted.
    pub fn add(&mut self, record: &GameRecord, standings: &Standings) {
        if record.verdict.outcome() == Outcome::Void {
            return;
        }
        if standings.games().is_multiple_of(self.every) && self.bots.len() <= FOLLOWED {
            self.note(standings);
        }
        let movers = record.retraced().movers;
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
            self.every *= 2;
            if !standings.games().is_multiple_of(self.every) {
                return;
            }
        }
        let met = standings.pairings();
        self.moments.push(Moment {
            games: standings.games(),
            met: met
                .map(|(bots, pairing)| Meeting {
                    bots,
                    score: pairing.score,
                    pairs: pairing.pairs,
                })
                .collect(),
        });
    }

    pub fn elo(&self, standings: &Standings) -> Vec<Series> {
        let ratings = |moment: &Moment| {
            Ratings::with_anchors(&moment.met, self.bots.len(), standings.anchors()).bots
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

    pub fn time(&self, standings: &Standings) -> Vec<Series> {
        of_best(standings, |bot| points(&self.bots[bot].ms))
    }

    pub fn depth(&self, standings: &Standings) -> Vec<Series> {
        of_best(standings, |bot| points(&self.bots[bot].depth))
    }

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

/// Returns the mean of every two half-moves, because a bot moves at every second one.
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

#[derive(Template)]
#[template(path = "report/run.html")]
pub(super) struct RunPage<'a> {
    frame: PageFrame,
    title: String,
    conditions: String,
    counted: String,
    swiss: bool,
    standings: Vec<BotRow>,
    match_text: &'a str,
    picture: Option<String>,
    cross: Vec<CrossRow>,
    graphs: Vec<Graph>,
    timing: Grid,
    fault_text: String,
    faults: &'a [Fault],
    more_faults: u64,
    games: Games,
}

#[derive(Template)]
#[template(path = "report/part.html")]
pub(super) struct PartPage {
    pub frame: PageFrame,
    pub title: String,
    /// The address and the name of the page to which this one belongs.
    pub back: (String, String),
    pub games: Games,
}

struct BotRow {
    place: usize,
    number: usize,
    name: String,
    score: Score,
    rate: String,
    points: String,
    buchholz: String,
    elo: String,
    error: String,
    places: String,
    whisker: String,
    black: String,
    white: String,
    faults: u64,
}

struct CrossRow {
    number: usize,
    name: String,
    cells: Vec<CrossCell>,
}

struct CrossCell {
    number: usize,
    points: String,
    title: String,
}

struct Graph {
    title: &'static str,
    svg: String,
}

/// The most bots for which a crosstable is readable.
const CROSSED: usize = 64;

impl<'a> RunPage<'a> {
    pub fn new(
        course: &RunHistory,
        folder: &Path,
        (faults, more_faults): (&'a [Fault], u64),
        standings: &Standings,
        about: &'a About,
        games: Games,
    ) -> Self {
        RunPage {
            frame: PageFrame::new(),
            title: harmless(&about.title),
            conditions: said(&about.conditions),
            counted: said(&counted(standings)),
            swiss: (0..standings.bots().len()).any(|bot| standings.buchholz(bot).is_some()),
            standings: rows(standings),
            match_text: &about.result,
            picture: about.picture.as_deref().map(plot::in_address),
            cross: crosstable(standings),
            graphs: graphs(course, standings),
            timing: terminal::timing_grid(standings),
            fault_text: {
                let lines = terminal::faults(standings, folder).into_iter();
                lines.map(|line| line.to_string() + "\n").collect()
            },
            more_faults,
            faults,
            games,
        }
    }
}

fn counted(standings: &Standings) -> Message {
    let mut said = vec![match standings.games() {
        1 => "1 game counts.".into(),
        games => message!("{games} games count."),
    }];
    match standings.void() {
        0 => {}
        1 => said.push("1 is void: the arena or the machine failed.".into()),
        void => said.push(message!(
            "{void} are void: the arena or the machine failed."
        )),
    }
    match standings.repeated() {
        0 => {}
        1 => said.push("1 repeats an earlier game move by move.".into()),
        repeated => said.push(message!("{repeated} repeat an earlier game move by move.")),
    }
    Message::sentences(said)
}

fn rows(standings: &Standings) -> Vec<BotRow> {
    let ratings = standings.ratings();
    let is_known = |number: usize| standings.bots()[number].score().games() > 0;
    let known = (0..ratings.len()).filter(|&number| is_known(number));
    let ends = known.flat_map(|number| ratings[number].interval());
    let scale = Axis::of(ends);
    let ranking = standings.ranking().into_iter().enumerate();
    let row = |(place, number): (usize, usize)| {
        let (bot, rating) = (&standings.bots()[number], &ratings[number]);
        let known = is_known(number).then_some(rating);
        let rates = bot.by_colour.map(|score| match score.games() {
            0 => String::new(),
            _ => format!("{:.0} %", 100.0 * score.rate()),
        });
        let [black, white] = rates;
        BotRow {
            place: place + 1,
            number,
            name: harmless(&bot.name),
            score: bot.score(),
            rate: format!("{:.1} %", 100.0 * bot.score().rate()),
            points: maybe(standings.swiss_points(number), |points| points.to_string()),
            buchholz: maybe(standings.buchholz(number), |points| points.to_string()),
            elo: maybe(known, |rating| signed(rating.elo, 0)),
            error: maybe(known.and_then(|rating| rating.error_95), |error| {
                format!("{error:.0}")
            }),
            places: maybe(known, Rating::places_text),
            whisker: maybe(known.and(scale), |scale| {
                whisker(rating.elo, rating.interval(), scale)
            }),
            black,
            white,
            faults: bot.fault_count(),
        }
    };
    ranking.map(row).collect()
}

fn crosstable(standings: &Standings) -> Vec<CrossRow> {
    let ranking = standings.ranking();
    if ranking.len() > CROSSED {
        return Vec::new();
    }
    let cell = |bot: usize, opponent: usize| {
        let pairing = standings.pairing(bot, opponent);
        let pairing = pairing.filter(|_| bot != opponent);
        CrossCell {
            number: opponent,
            points: maybe(pairing, |pairing| pairing.score.points().to_string()),
            title: maybe(pairing, |pairing| {
                let Score {
                    wins,
                    draws,
                    losses,
                } = pairing.score;
                format!("{wins}–{draws}–{losses}")
            }),
        }
    };
    let row = |&bot: &usize| CrossRow {
        number: bot,
        name: harmless(&standings.bots()[bot].name),
        cells: ranking
            .iter()
            .map(|&opponent| cell(bot, opponent))
            .collect(),
    };
    ranking.iter().map(row).collect()
}

fn graphs(course: &RunHistory, standings: &Standings) -> Vec<Graph> {
    let half_move = "half-move";
    let all: [(&'static str, &str, &str, Vec<Series>); 5] = [
        ("Elo by games played", "games", "Elo", course.elo(standings)),
        (
            "Time of a move by half-move, mean",
            half_move,
            "ms",
            course.time(standings),
        ),
        (
            "Depth by half-move, mean",
            half_move,
            "depth",
            course.depth(standings),
        ),
        (
            "The bots' own scores in games that they won, mean",
            half_move,
            "score",
            course.score(standings, false),
        ),
        (
            "The bots' own scores in games that they lost, mean",
            half_move,
            "score",
            course.score(standings, true),
        ),
    ];
    let drawn = all.into_iter().map(|(title, across, up, mut series)| {
        for line in &mut series {
            line.name = harmless(&line.name);
        }
        Graph {
            title,
            svg: plot::lines(title, across, up, &series),
        }
    });
    drawn.filter(|graph| !graph.svg.is_empty()).collect()
}
