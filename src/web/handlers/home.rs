//! The home page: runs in progress, each with a board, then the latest runs with their results.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use askama::Template;
use axum::extract::Query;
use axum::response::Response;
use message::{Lang, Message, message};
use referee::bot::read_regular;
use referee::record::harmless;
use run::RunFile;
use run::report::grade::{fault_count, mark_of, state};
use run::report::maybe;
use run::store::Store;
use serde::Deserialize;
use tournament::Catalogue;
use tournament::mark::{Card, GradeState};

use super::{Context, PageHead, Visitor, html, stage_run};
use crate::grade::{ClassList, files};
use crate::web::index::Index;
use crate::web::library::{Listed, written};
use crate::web::lock;
use run::report::page::game_view::BoardCard;
use run::report::page::run::RunLine;

/// The most runs in progress that have a board.
const BOARDS: usize = 4;
/// The most lines of the list. A search looks through all runs.
const LINES: usize = 60;

/// The summaries of runs, each with the time of the run's last change. After a change, the summary is read again.
#[derive(Default)]
pub struct Summaries(Mutex<HashMap<PathBuf, (SystemTime, Arc<Summary>)>>);

struct Summary {
    file: Option<RunFile>,
    games: Option<u64>,
    planned: Option<u64>,
    /// The winner, the mark, or the number of passed stages or of hand-ins.
    result: Option<Message>,
    faults: u64,
    /// The key of the format's name, if the format is not in the run's file.
    format: Option<&'static str>,
    can_continue: bool,
}

struct HomeLine {
    run: RunLine,
    link: String,
    result: String,
    faults: u64,
    /// The number of games, such as `12 of 24`.
    games: String,
    percent: Option<u64>,
    /// The command that plays the missing games.
    resume: Option<String>,
    board: Option<BoardCard>,
}

#[derive(Template)]
#[template(path = "web/home.html")]
struct Home {
    page: PageHead,
    place: String,
    search: String,
    running: Vec<HomeLine>,
    latest: Vec<HomeLine>,
    more: Option<String>,
}

#[derive(Deserialize)]
pub struct HomeQuery {
    #[serde(default)]
    search: String,
}

pub async fn show(visitor: Visitor, Query(asked): Query<HomeQuery>) -> Response {
    let page = visitor.page(visitor.lang().get("runs.title"));
    let lang = page.lang;
    let words: Vec<String> = asked
        .search
        .split_whitespace()
        .map(str::to_lowercase)
        .collect();
    let (mut running, mut latest, mut more) = (Vec::new(), Vec::new(), 0);
    let of_list = visitor.library.list().into_iter();
    let (mut played, others): (Vec<Listed>, Vec<Listed>) =
        of_list.partition(|run| is_here(&visitor, &run.id) || run.is_played());
    // The list puts the run with the newest game first, but a card keeps its place.
    played.sort_by(|a, b| a.id.cmp(&b.id));
    let played = played.into_iter().map(|run| (run, true));
    let others = others.into_iter().map(|run| (run, false));
    for (run, is_locked) in played.chain(others) {
        if latest.len() >= LINES && words.is_empty() {
            more += 1;
            continue;
        }
        let summary = visitor.summaries.of(&run, &visitor.site.catalogue);
        let is_here = is_here(&visitor, &run.id);
        let own = visitor.sessions.running(&run.id);
        let is_played = is_here || is_locked && summary.can_continue;
        let mut line = HomeLine::of(&visitor, &run, &summary, is_played, lang);
        if !line.fits(&words) {
            continue;
        }
        if !is_played {
            latest.push(line);
            continue;
        }
        let board = if let Some(own) = own {
            line.link = format!("/play/{}", line.run.address);
            Some(own.card())
        } else if is_here {
            visitor.site.hub.as_ref().and_then(|hub| hub.latest())
        } else if visitor.library.is_anonymous && run.is_class {
            // A board has the names of its players.
            None
        } else if running.len() < BOARDS {
            newest(&run)
        } else {
            None
        };
        running.push(HomeLine { board, ..line });
    }
    if latest.len() > LINES {
        more += latest.len() - LINES;
        latest.truncate(LINES);
    }
    html(&Home {
        place: visitor.library.place().display().to_string(),
        search: asked.search,
        running,
        latest,
        more: (more > 0).then(|| lang.with("home.more", &[("runs", &more)])),
        page,
    })
}

fn is_here(context: &Context, id: &str) -> bool {
    let hub = context.site.hub.as_ref();
    hub.is_some_and(|hub| hub.run == id && !hub.is_over())
}

/// Reads the last position of a run; for a class, the last position of its most recently written hand-in.
fn newest(run: &Listed) -> Option<BoardCard> {
    let list = ClassList::read(&run.folder).filter(|_| run.is_class);
    let hand_ins = list.iter().flat_map(|list| &list.hand_ins);
    let folders = hand_ins.map(|hand_in| ClassList::run(&run.folder, hand_in));
    let latest = folders.max_by_key(|folder| written(folder));
    last_board(latest.as_ref().unwrap_or(&run.folder))
}

pub fn last_board(run: &Path) -> Option<BoardCard> {
    let store = Store::read(run).ok()?;
    let last = store.ids().ok()?.into_iter().next_back()?;
    Some(BoardCard::ended(&store.game(last).ok()??))
}

impl Summaries {
    fn of(&self, run: &Listed, catalogue: &Catalogue) -> Arc<Summary> {
        if let Some((written, known)) = lock(&self.0).get(&run.folder)
            && *written == run.written
        {
            return Arc::clone(known);
        }
        // Holds no lock here, so other pages need not wait.
        let summary = Arc::new(Summary::read(run, catalogue));
        let entry = (run.written, Arc::clone(&summary));
        lock(&self.0).insert(run.folder.clone(), entry);
        summary
    }
}

impl Summary {
    fn read(run: &Listed, catalogue: &Catalogue) -> Summary {
        if run.is_class {
            return Summary::of_class(&run.folder);
        }
        let folder = &run.folder;
        let file = RunFile::read(folder).ok();
        let (winner, faults) = standings(folder).unwrap_or_default();
        let card = files::read(folder);
        let decided = card
            .as_ref()
            .filter(|card| card.state != GradeState::Unfinished);
        let games = decided.map_or_else(|| Store::counted(folder), |card| Some(card.games()));
        let stages = file.as_ref().and_then(|file| file.stages.as_ref());
        let (format, result) = match (&card, stages) {
            (Some(card), _) => (Some("format.grade"), Some(grade_result(card))),
            (None, Some(stages)) => {
                let (attempts, _) = stage_run::attempts(stages, folder);
                let (passed, all) = (stage_run::passed(&attempts), stages.texts.len());
                (None, Some(message!("{passed} of {all} passed")))
            }
            (None, None) => (None, winner.map(Message::quote)),
        };
        let planned = match stages {
            Some(stages) => Some(stages.texts.len() as u64),
            None => Index::new(folder, catalogue).planned(),
        };
        let is_short = games.unwrap_or(0) < planned.unwrap_or(0);
        // A sequential test may end before all its games are played. It has tables only after its end.
        let has_tables = folder.join("standings.csv").is_file();
        let goal =
            |file: &RunFile| file.tournament.sprt.is_some() || file.tournament.until_elo.is_some();
        let has_goal = file.as_ref().is_some_and(goal);
        Summary {
            can_continue: match &card {
                Some(card) => card.state == GradeState::Unfinished && file.is_some(),
                None => is_short && !(has_goal && has_tables),
            },
            games,
            // A grade plays fewer games if its verdicts are decided early.
            planned: planned.filter(|_| card.is_none()),
            result,
            faults: card.as_ref().map_or(faults, fault_count),
            format,
            file,
        }
    }

    fn of_class(folder: &Path) -> Summary {
        let list = ClassList::read(folder);
        let hand_ins = list.iter().flat_map(|list| &list.hand_ins);
        let runs: Vec<PathBuf> = hand_ins.map(|one| ClassList::run(folder, one)).collect();
        let cards: Vec<Card> = runs.iter().filter_map(|run| files::read(run)).collect();
        let files = runs.iter().filter_map(|run| RunFile::read(run).ok());
        let all = list.map_or(0, |list| list.hand_ins.len());
        let graded = cards
            .iter()
            .filter(|card| card.state != GradeState::Unfinished)
            .count();
        let passed = cards.iter().filter(|card| card.passed()).count();
        Summary {
            file: files.min_by(|one, other| one.started.cmp(&other.started)),
            games: Some(graded as u64),
            planned: Some(all as u64),
            result: Some(message!("{passed} of {all} passed")),
            faults: cards.iter().map(fault_count).sum(),
            format: Some("format.class"),
            can_continue: graded < all,
        }
    }
}

fn grade_result(card: &Card) -> Message {
    let (mark, state) = (mark_of(card), Message::from(state(card)));
    match card.mark() {
        Some(_) => Message::list([mark, state]),
        None => state,
    }
}

/// The limit for reading `standings.csv`, in bytes.
const LONGEST: u64 = 16 << 20;

/// Reads the winner with its results, and the number of faults, from `standings.csv`.
fn standings(folder: &Path) -> Option<(Option<String>, u64)> {
    let text = read_regular(&folder.join("standings.csv"), LONGEST).ok()?;
    let mut table = csv::Reader::from_reader(text.as_slice());
    let header = table.headers().ok()?.clone();
    let column = |name: &str| header.iter().position(|one| one == name);
    let (bot, faults) = (column("bot")?, column("faults")?);
    let scores = ["wins", "draws", "losses"].map(column);
    let mut rows = table.records().map_while(Result::ok).peekable();
    let winner = rows.peek().map(|row| {
        let score = scores.map(|at| at.and_then(|at| row.get(at)).unwrap_or("?"));
        format!("{} {}", row.get(bot).unwrap_or_default(), score.join("–"))
    });
    let faults = rows
        .filter_map(|row| row.get(faults)?.parse::<u64>().ok())
        .sum();
    Some((winner, faults))
}

impl HomeLine {
    fn of(
        context: &Context,
        run: &Listed,
        summary: &Summary,
        is_played: bool,
        lang: &Lang,
    ) -> HomeLine {
        let mut line = RunLine::with(
            &run.id,
            summary.file.as_ref(),
            lang,
            summary.games,
            is_played,
        );
        if let Some(format) = summary.format {
            lang.get(format).clone_into(&mut line.format);
        }
        let games = summary.games.unwrap_or(0);
        let percent = summary.planned.filter(|&all| all > 0);
        let is_class = run.is_class;
        let shown = context.library.shown(&run.id).display().to_string();
        HomeLine {
            link: format!(
                "/{}/{}",
                if is_class { "class" } else { "run" },
                line.address
            ),
            result: maybe(summary.result.as_ref(), |result| {
                harmless(&lang.render(result))
            }),
            faults: summary.faults,
            games: match summary.planned {
                Some(all) if is_class => {
                    lang.with("home.graded", &[("graded", &games), ("all", &all)])
                }
                Some(all) if all > games => {
                    lang.with("home.of", &[("games", &games), ("planned", &all)])
                }
                _ => line.games.clone(),
            },
            percent: percent.map(|all| (100 * games / all).min(100)),
            resume: (summary.can_continue && !is_played && !is_class)
                .then(|| harmless(&host::join_words(["arena", "resume", &shown]))),
            board: None,
            run: line,
        }
    }

    fn fits(&self, words: &[String]) -> bool {
        let RunLine {
            id, game, format, ..
        } = &self.run;
        let text = format!("{id} {game} {format} {}", self.result).to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    }
}
