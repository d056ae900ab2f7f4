//! The page of a run: first a grade, stages, or standings with crosstable and goal; then graphs, faults and games.

use std::fmt::Display;

use askama::Template;
use message::{Lang, Message, message};
use referee::record::harmless;

use stats::Score;

use super::About;
use super::faults::{Faults, ShownFaults};
use super::file_link::FileLink;
use super::game_view::BoardCard;
use super::grade::GradeShown;
use super::head::{PageHead, address};
use super::history::{Dispute, Graph, RunHistory, graphs};
use super::list::{self, Filters, GameCell, GameList, GamePart, GameQuery};
use super::plot::{self, Axis, whisker};
use crate::RunFile;
use crate::report::columns::maybe;
use crate::report::grade::fault_count;
use crate::report::results::{BotResults, StageResults, TestResults};
use crate::report::terminal::{Grid, standings_grid, timing_grid};
use crate::report::{BotLine, GoalLine, Standings, TuningLine, result};
use tournament::mark::{Card, GradeState};

/// A crosstable with more bots than this is not readable.
const CROSS: usize = 40;

/// A run in the list of runs, and in the head of its page.
#[derive(Default)]
pub struct RunLine {
    pub id: String,
    pub address: String,
    pub game: String,
    pub format: String,
    pub games: String,
    pub started: String,
    pub is_played: bool,
}

impl RunLine {
    pub fn with(
        id: &str,
        file: Option<&RunFile>,
        lang: &Lang,
        games: Option<u64>,
        is_played: bool,
    ) -> RunLine {
        let tournament = file.map(|file| &file.tournament);
        let game = tournament.and_then(|one| one.game.as_ref());
        let size = tournament.and_then(|one| one.size.as_ref());
        let rules = tournament.and_then(|one| one.rules.as_ref());
        let shown = [
            game.map(|name| lang.word("game", name.get_ref()).to_owned()),
            size.map(|size| format!("{0}×{0}", size.get_ref())),
            rules.map(|rules| lang.word("rules", rules.get_ref()).to_owned()),
        ];
        let format = file.map_or("", |file| lang.word("format", format_of(file)));
        let started = maybe(file, |file| file.started.replace('T', " ").replace('Z', ""));
        RunLine {
            id: harmless(id),
            address: address(id),
            game: harmless(&shown.into_iter().flatten().collect::<Vec<_>>().join(" ")),
            format: harmless(format),
            games: games.map_or(String::new(), |games| games.to_string()),
            started: harmless(&started),
            is_played,
        }
    }
}

/// Returns the name and the address of the class, if the run grades a hand-in of a class.
pub fn class_of(run: &str) -> Option<(String, String)> {
    let (class, _) = run.split_once('/')?;
    Some((harmless(class), address(class)))
}

/// Returns the word for the kind of a run. A tournament file without `format` is a match or a round robin.
fn format_of(file: &RunFile) -> &str {
    let tournament = &file.tournament;
    match &tournament.format {
        _ if file.stages.is_some() => "stages",
        _ if tournament.tune.is_some() => "tuning",
        _ if tournament.sprt.is_some() => "sprt",
        Some(format) => format.get_ref(),
        None if tournament.bot.len() == 2 => "match",
        None => "round-robin",
    }
}

/// The data of a run's page, which a server sends or which is a file.
pub struct RunParts<'a> {
    pub standings: &'a Standings,
    pub list: &'a GameList,
    pub history: &'a RunHistory,
    pub faults: &'a Faults,
    pub about: &'a About,
    pub grade: Option<&'a Card>,
    pub planned: Option<u64>,
}

#[derive(Default, Template)]
#[template(path = "web/run.html")]
pub struct RunPage {
    pub page: PageHead,
    pub run: RunLine,
    /// The name of the run, or of the hand-in.
    pub title: String,
    pub version: u64,
    pub progress: String,
    pub conditions: String,
    pub complete: bool,
    pub error: Option<String>,
    pub is_here: bool,
    /// The page of this server on which a person plays the game.
    pub own: Option<String>,
    /// The last game of a run that another arena plays.
    pub newest: Option<BoardCard>,
    /// The command that follows such a run in a terminal.
    pub watch: String,
    pub has_report: bool,
    pub goal: Option<GoalShown>,
    /// The result in words, if there is no goal.
    pub result: Vec<String>,
    pub counted: String,
    /// The columns of the standings: the name and the title of each.
    pub columns: Vec<(String, String)>,
    pub standings: Vec<StandingRow>,
    /// The names of the best bots, each with its results against these bots.
    pub crosstable: Vec<(String, Vec<Option<Score>>)>,
    pub stages: Option<StageGrid>,
    pub grade: Option<GradeShown>,
    /// The name and the address of the class, if the run grades a hand-in of a class.
    pub class: Option<(String, String)>,
    pub tuning: Option<TuningTable>,
    pub tutor: Option<Tutor>,
    pub graphs: Vec<Graph>,
    pub timing: Grid,
    pub disputes: Vec<Dispute>,
    pub faults: ShownFaults,
    pub files: Vec<FileLink>,
    pub filters: Filters,
    /// The number of games in the list. `note` is a remark on games in other files.
    pub found: String,
    pub note: String,
    pub games: GamePart,
    /// In the page of a file: each file of games, with the numbers of its first and last game, and its address.
    pub parts: Vec<(u64, u64, String)>,
}

impl RunPage {
    pub fn of(page: PageHead, run: RunLine, parts: &RunParts<'_>, asked: &GameQuery) -> RunPage {
        let lang = page.lang;
        let said = |message: &Message| harmless(&lang.render(message));
        let &RunParts {
            standings,
            list,
            history,
            ..
        } = parts;
        let games = list::games(list, asked, lang);
        let About { goal, tuning, .. } = parts.about;
        let is_decided = |card: &&Card| card.state != GradeState::Unfinished;
        let decided = parts.grade.filter(is_decided);
        let bots = standings.results();
        let grid = standings_grid(&bots, lang).harmless();
        RunPage {
            title: harmless(run.id.rsplit('/').next().unwrap_or_default()),
            class: class_of(&run.id),
            progress: match decided {
                Some(card) => progress(card.games(), None, lang),
                None => progress(standings.games(), parts.planned, lang),
            },
            note: match decided.map(|card| standings.games().saturating_sub(card.games())) {
                None | Some(0) => String::new(),
                Some(late) => lang.with("grade.late", &[("games", &late)]),
            },
            conditions: said(&parts.about.conditions),
            complete: true,
            goal: goal.as_ref().map(|goal| GoalShown::of(goal, lang)),
            result: match (goal, tuning) {
                (None, None) => result(None, None, standings).iter().map(said).collect(),
                _ => Vec::new(),
            },
            counted: said(&counted(standings)),
            standings: rows(&bots, grid.rows),
            columns: grid.keys.into_iter().zip(grid.titles).collect(),
            crosstable: standings.crosstable(CROSS),
            tuning: tuning.as_ref().map(|tuning| TuningTable::of(tuning, lang)),
            graphs: graphs(history, standings, lang),
            timing: timing_grid(&bots, lang).harmless(),
            disputes: history.disputes().to_vec(),
            faults: parts.faults.shown(match parts.grade {
                Some(card) => fault_count(card),
                None => standings.bots().iter().map(BotLine::fault_count).sum(),
            }),
            filters: Filters::of(list, standings, asked, lang),
            found: lang.with("games.found", &[("games", &games.found)]),
            games,
            run,
            page,
            ..RunPage::default()
        }
    }

    /// Returns whether the page lists games. A bot that could not start has played no games.
    fn has_games(&self) -> bool {
        let can_play = |grade: &GradeShown| grade.card.can_play();
        self.stages.is_none() && self.grade.as_ref().is_none_or(can_play)
    }

    fn crossed(&self, one: &str, other: &str, score: &Score) -> String {
        let points = format!("{}/{}", score.points(), score.games());
        let values: [(&str, &dyn Display); _] = [
            ("points", &points),
            ("one", &one),
            ("other", &other),
            ("won", &score.wins),
            ("drawn", &score.draws),
            ("lost", &score.losses),
        ];
        self.page.lang.with("cross.cell", &values)
    }

    /// Returns the address of the game with this number or, if `kind` is `pair`, of the pair. Pairs are counted from 1.
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "a template passes references"
    )]
    fn link(&self, kind: &str, number: &u64) -> String {
        let number = if kind == "pair" { number - 1 } else { *number };
        if self.page.is_served() {
            return format!("/run/{}/{kind}/{number}", self.run.address);
        }
        let game = if kind == "pair" { 2 * number } else { number };
        let mut parts = self.parts.iter();
        let part = parts.find(|(first, last, _)| (first..=last).contains(&&game));
        let file = part.map_or("", |(.., file)| file.as_str());
        format!("{file}#{kind}-{number}")
    }

    /// Returns the address of a half-move of a game: its number, or `lost` for the move that lost.
    fn link_at(&self, game: u64, ply: impl AsRef<str>) -> String {
        let to = match ply.as_ref() {
            _ if !self.page.is_served() => "-",
            "lost" => "#",
            _ => "/",
        };
        self.link("game", &game) + to + ply.as_ref()
    }

    /// Returns the address of a game in the list or, in a list of lost games, the address of the move that lost.
    fn link_in_list(&self, game: &GameCell) -> String {
        if self.games.are_lost {
            return self.link_at(game.id, "lost");
        }
        self.link("game", &game.id)
    }
}

fn progress(played: u64, planned: Option<u64>, lang: &Lang) -> String {
    match planned {
        Some(planned) => lang.with("run.games-of", &[("games", &played), ("planned", &planned)]),
        None => lang.with("run.games", &[("games", &played)]),
    }
}

pub struct TuningTable {
    pub grid: Grid,
    pub text: String,
    /// The picture of the values so far, as a `data:` URL.
    pub picture: String,
}

impl TuningTable {
    fn of(tuning: &TuningLine, lang: &Lang) -> TuningTable {
        let lines = tuning.text();
        let lines: Vec<String> = lines.iter().map(|line| lang.render(line)).collect();
        TuningTable {
            grid: tuning.grid(lang).harmless(),
            text: harmless(&lines[0]) + "\n" + &lines[1..].join("\n"),
            picture: plot::in_address(&tuning.svg()),
        }
    }
}

/// The conclusions about each bot from the analyses of the run's games.
pub struct Tutor {
    pub grid: Grid,
    pub advice: Vec<String>,
    pub legend: Vec<String>,
    /// The command that makes stages from the games of the first bot.
    pub command: String,
    pub is_waiting: bool,
}

pub struct StageCell {
    pub name: String,
    pub sign: &'static str,
    pub class: &'static str,
    pub facts: String,
    /// `None` if the stage has not been played yet.
    pub results: Option<StageResults>,
    pub size: u8,
    pub stones: String,
    pub last: String,
}

#[derive(Default)]
pub struct StageGrid {
    pub cells: Vec<StageCell>,
    pub passed: usize,
    pub players: [String; 2],
}

pub struct StandingRow {
    query: String,
    whisker: String,
    won: u64,
    lost: u64,
    faults: u64,
    cells: Vec<String>,
}

fn rows(bots: &[BotResults], cells: Vec<Vec<String>>) -> Vec<StandingRow> {
    let scale = Axis::of(bots.iter().filter_map(BotResults::elo_95).flatten());
    let row = |(bot, cells): (&BotResults, Vec<String>)| StandingRow {
        query: address(&bot.bot),
        whisker: maybe(
            bot.elo.zip(bot.elo_95()).zip(scale),
            |((elo, ends), scale)| whisker(elo, ends, scale),
        ),
        won: bot.score.wins,
        lost: bot.score.losses,
        faults: bot.fault_count(),
        cells,
    };
    bots.iter().zip(cells).map(row).collect()
}

/// A match with a goal: the verdict of a sequential test, or a precise estimate of the Elo difference.
pub struct GoalShown {
    pub verdict: String,
    /// How many more games the match needs; empty if this is not known, or the match has ended.
    pub forecast: String,
    pub gauge: Option<Gauge>,
    pub counts: [u64; 6],
    pub text: String,
}

/// The gauge of a sequential test: 0 in the middle, its bounds at -100 and 100.
pub struct Gauge {
    pub label: String,
    pub x: String,
    pub width: String,
    pub at: String,
    pub llr: String,
    pub lower: String,
    pub upper: String,
}

impl GoalShown {
    fn of(goal: &GoalLine, lang: &Lang) -> GoalShown {
        let render = |lines: Vec<Message>| -> Vec<String> {
            lines.iter().map(|line| lang.render(line)).collect()
        };
        let (lines, test, pairs) = (render(goal.text()), goal.test(), &goal.pairs);
        // The second line is the estimate. A sequential test has a gauge instead.
        let said = if test.is_some() { 1 } else { 2 };
        GoalShown {
            verdict: harmless(&lines[..said].join(". ")),
            forecast: render(goal.forecast_text()).join(". "),
            gauge: test.map(|test| Gauge::of(&test, lang)),
            counts: [pairs.ll, pairs.ld, pairs.wl, pairs.dd, pairs.wd, pairs.ww],
            text: lines.join("\n") + "\n",
        }
    }
}

impl Gauge {
    fn of(test: &TestResults, lang: &Lang) -> Gauge {
        let (llr, [lower, upper]) = (test.llr, test.bounds);
        let bound = if llr < 0.0 { -lower } else { upper };
        let at = (100.0 * llr / bound).clamp(-100.0, 100.0);
        let at = if at.is_finite() { at } else { 0.0 };
        let numbers = [llr, lower, upper].map(|number| format!("{number:.2}"));
        let [shown, low, high] = &numbers;
        Gauge {
            label: lang.with(
                "test.gauge",
                &[("llr", shown), ("lower", low), ("upper", high)],
            ),
            x: format!("{:.1}", at.min(0.0)),
            width: format!("{:.1}", at.abs()),
            at: format!("{at:.1}"),
            llr: numbers[0].clone(),
            lower: format!("H0 {}", numbers[1]),
            upper: format!("H1 {}", numbers[2]),
        }
    }
}

fn counted(standings: &Standings) -> Message {
    let games = standings.games();
    let mut said = vec![message!("{games} {games|game counts|games count}.")];
    if let void @ 1.. = standings.void() {
        let why = message!("{void} {void|is|are} void: the arena or the machine failed.");
        said.push(why);
    }
    if let repeated @ 1.. = standings.repeated() {
        let why = message!("{repeated} {repeated|repeats|repeat} an earlier game move by move.");
        said.push(why);
    }
    Message::sentences(said)
}
