//! The page of a run.

use std::path::Path;

use askama::Template;

use super::content::{About, Fault, Games};
use super::course::Course;
use super::frame::Frame;
use super::plot::{self, Scale, Series, whisker};
use crate::report::cell::maybe;
use crate::report::columns::Grid;
use crate::report::{Standings, terminal};
use message::number::signed;
use referee::record::harmless;
use stats::Score;

/// `report.html`.
#[derive(Template)]
#[template(path = "report/run.html")]
pub(super) struct RunPage<'a> {
    frame: Frame,
    title: String,
    about: Vec<String>,
    counted: String,
    swiss: bool,
    standings: Vec<Row>,
    match_text: &'a str,
    cross: Vec<CrossRow>,
    graphs: Vec<Graph>,
    timing: Grid,
    fault_text: String,
    faults: &'a [Fault],
    more_faults: u64,
    games: Games,
}

/// A file of games that `report.html` had no room for.
#[derive(Template)]
#[template(path = "report/part.html")]
pub(super) struct PartPage {
    pub frame: Frame,
    pub title: String,
    pub games: Games,
}

struct Row {
    place: usize,
    number: usize,
    name: String,
    score: Score,
    rate: String,
    points: String,
    buchholz: String,
    elo: String,
    error: String,
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

/// The most bots whose crosstable is readable.
const CROSSED: usize = 64;

impl<'a> RunPage<'a> {
    pub fn new(
        course: &Course,
        folder: &Path,
        (faults, more_faults): (&'a [Fault], u64),
        standings: &Standings,
        about: &'a About,
        games: Games,
    ) -> Self {
        RunPage {
            frame: Frame::new(),
            title: harmless(&about.title),
            about: about.lines.iter().map(|line| harmless(line)).collect(),
            counted: counted(standings),
            swiss: (0..standings.bots().len()).any(|bot| standings.buchholz(bot).is_some()),
            standings: rows(standings),
            match_text: &about.result,
            cross: crosstable(standings),
            graphs: graphs(course, standings),
            timing: terminal::timing_grid(standings),
            fault_text: terminal::faults(standings, folder),
            more_faults,
            faults,
            games,
        }
    }
}

fn counted(standings: &Standings) -> String {
    let mut text = format!("{} games count.", standings.games());
    match standings.void() {
        0 => {}
        void => text += &format!(" {void} are void: the arena or the machine failed."),
    }
    match standings.repeated() {
        0 => {}
        repeated => text += &format!(" {repeated} repeat an earlier game move by move."),
    }
    text
}

fn rows(standings: &Standings) -> Vec<Row> {
    let ratings = standings.ratings();
    let is_known = |number: usize| standings.bots()[number].score().games() > 0;
    let known = (0..ratings.len()).filter(|&number| is_known(number));
    let ends = known.flat_map(|number| ratings[number].interval());
    let scale = Scale::of(ends);
    let ranking = standings.ranking().into_iter().enumerate();
    let row = |(place, number): (usize, usize)| {
        let (bot, rating) = (&standings.bots()[number], &ratings[number]);
        let known = is_known(number).then_some(rating);
        let rates = bot.by_colour.map(|score| match score.games() {
            0 => String::new(),
            _ => format!("{:.0} %", 100.0 * score.rate()),
        });
        let [black, white] = rates;
        Row {
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
                format!("{wins}–{draws}–{losses} (won, drawn, lost)")
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

fn graphs(course: &Course, standings: &Standings) -> Vec<Graph> {
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
