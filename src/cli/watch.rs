use referee::problem;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use super::bots::catalogue;
use super::options::LanguageOption;
use super::stages::tournament_of;
use super::{CliError, replay};
use crate::terminal::{Overview, WatchScreen, is_terminal, show};
use games::Side;
use message::{Lang, Message, message};
use referee::record::{GameId, GameRecord, Verdict, harmless};
use run::report::page::game_view::BoardCard;
use run::report::standings_table;
use run::store::Store;
use run::{Run, RunError, RunFile, RunState};

/// Watch a run in the terminal, also while another arena plays it
///
/// Shows standings, the latest games, faults, and the state of a sequential test. `arena report` prints the tables.
#[derive(Debug, Args)]
pub struct Watch {
    /// The folder of the run, such as results/quick
    run: PathBuf,
    #[command(flatten)]
    language: LanguageOption,
}

/// The number of games that the user can step back through.
const LATEST: usize = 200;
const FAULTS: usize = 50;
const POLL: Duration = Duration::from_millis(300);
/// The width of tables: the smallest terminal has 80 columns.
const WIDTH: usize = 79;

impl Watch {
    pub fn run(self) -> Result<(), CliError> {
        if !is_terminal() {
            let problem = problem!("arena watch needs a terminal");
            return Err(problem.help("arena report RUN prints the tables").into());
        }
        let lang = self.language.texts()?;
        let run = open(&self.run)?;
        let follower = RefCell::new(Follower::new(run, lang)?);
        let mut screen = WatchScreen::new(|| follower.borrow_mut().news());
        loop {
            show(&mut screen, lang)?;
            let Some(game) = screen.take_chosen() else {
                break;
            };
            let record = replay::game_of(&Store::read(&self.run)?, &self.run, GameId(game))?;
            show(&mut replay::screen(&record, &self.run, lang), lang)?;
        }
        Ok(())
    }
}

fn open(folder: &Path) -> Result<Run, CliError> {
    let catalogue = catalogue()?;
    let file = RunFile::read(folder)?.for_reading(&catalogue);
    let tournament = tournament_of(&file, &catalogue)?;
    Ok(Run::read(tournament, folder)?)
}

struct Follower {
    run: Run,
    lang: &'static Lang,
    latest: VecDeque<BoardCard>,
    faults: VecDeque<String>,
    looked: Option<Instant>,
    trouble: String,
}

impl Follower {
    fn new(run: Run, lang: &'static Lang) -> Result<Follower, RunError> {
        let mut follower = Follower {
            run,
            lang,
            latest: VecDeque::new(),
            faults: VecDeque::new(),
            looked: None,
            trouble: String::new(),
        };
        let (latest, faults) = (&mut follower.latest, &mut follower.faults);
        follower
            .run
            .each(|record| note(record, lang, latest, faults))?;
        Ok(follower)
    }

    fn news(&mut self) -> Option<Overview> {
        let is_first = self.looked.is_none();
        if self.looked.is_some_and(|looked| looked.elapsed() < POLL) {
            return None;
        }
        self.looked = Some(Instant::now());
        let (lang, latest, faults) = (self.lang, &mut self.latest, &mut self.faults);
        let changed = self
            .run
            .catch_up(|record| note(record, lang, latest, faults));
        // Shows an error instead of failing: the run may be changing just now, and the next read may succeed.
        let trouble = changed
            .as_ref()
            .err()
            .map(|error| lang.render(&Message::from(error)));
        let trouble = trouble.unwrap_or_default();
        let is_news = is_first || trouble != self.trouble || matches!(changed, Ok(true));
        self.trouble = trouble;
        is_news.then(|| self.overview())
    }

    fn overview(&self) -> Overview {
        let (status, tournament) = (self.run.status(), self.run.tournament());
        let table = standings_table(&status.standings.results(), Some(WIDTH), self.lang);
        let lines = table.lines().map(harmless);
        let goal = status.goal().map(|goal| (goal.headline(), goal.share()));
        Overview {
            title: self
                .lang
                .render(&message!("{}: {}", tournament.name, tournament.game)),
            games: [status.played(), status.games()],
            goal,
            // Leaves out the line of dashes under the titles to save space.
            standings: lines
                .enumerate()
                .filter(|(row, _)| *row != 1)
                .map(|(_, line)| line)
                .collect(),
            latest: self.latest.iter().cloned().collect(),
            faults: self.faults.iter().cloned().collect(),
            trouble: self.trouble.clone(),
            is_over: self.run.state() == RunState::Over,
        }
    }
}

fn note(
    record: &GameRecord,
    lang: &Lang,
    latest: &mut VecDeque<BoardCard>,
    faults: &mut VecDeque<String>,
) {
    fn push<T>(all: &mut VecDeque<T>, one: T, most: usize) {
        if all.len() == most {
            all.pop_front();
        }
        all.push_back(one);
    }
    let game = lang.with("game.title", &[("game", &record.id.0)]);
    if let Verdict::Void { why } = &record.verdict {
        let why = lang.with("said.void", &[("how", &lang.render(why))]);
        push(faults, lang.render(&message!("{game}: {why}")), FAULTS);
        return;
    }
    for side in Side::BOTH {
        if let Some(fault) = record.verdict.fault_of(side) {
            let word = lang.word("reason", fault.word());
            let fault_line = message!("{game}: {}: {word}: {fault}", record.player(side));
            push(faults, lang.render(&fault_line), FAULTS);
        }
    }
    push(latest, BoardCard::ended(record), LATEST);
}
