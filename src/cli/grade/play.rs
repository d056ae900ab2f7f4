//! Grading one bot: from its submission to a card.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::files;
use super::hash;
use super::submission::Submission;
use super::suite::Suite;
use crate::cli::CliError;
use crate::cli::keep::keep;
use crate::cli::outcome::restored;
use crate::cli::play::{STOP, names};
use crate::cli::run_file::RunFile;
use crate::grade::{Card, Scale, Sheet, State, points};
use crate::report::{Progress, tables};
use crate::store::Store;
use crate::tournament::{
    self, Agenda, Catalogue, Event, Problem, Tournament, TournamentFile, Unusable, probe,
};
use referee::bot::{BuildError, Identity};
use referee::record::{GameId, Outcome};

/// Everything that is needed to grade one bot.
#[derive(Clone, Debug)]
pub struct Grading {
    /// The bot first, the opponents after it.
    pub tournament: Tournament,
    /// The same as text.
    pub file: TournamentFile,
    /// What is to be reached.
    pub scale: Scale,
    /// The card as it is before a game.
    pub card: Card,
}

impl Grading {
    /// The grading of a submission; a problem is one of the submission, or of the suite's text.
    pub fn new(
        suite: &Suite,
        submission: &Submission,
        catalogue: &Catalogue,
    ) -> Result<Grading, Problem> {
        let file = suite.with(submission);
        let tournament = file.validate(catalogue, &suite.folder)?;
        let scale = file.scale(&tournament.contestants[1..])?;
        let card = Card {
            suite: suite.name.clone(),
            game: tournament.game.to_string(),
            conditions: conditions(&tournament),
            bot: tournament.contestants[0].name.clone(),
            submission_sha256: String::new(),
            suite_sha256: String::new(),
            state: State::Unfinished,
            pass: scale.pass,
            rows: sheet(&tournament, &scale).rows(),
            arena: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Ok(Grading {
            tournament,
            file,
            scale,
            card,
        })
    }

    /// The same with both hashes.
    pub fn hashed(mut self, suite: &Suite, submission: &Submission) -> Result<Grading, CliError> {
        // What is built is no part of what was handed in, and is known only after it was built. That
        // it cannot be built is seen when it is to play.
        let _ = self.tournament.contestants[0].build();
        self.card.submission_sha256 = hash::submission(submission, &self.tournament)?;
        self.card.suite_sha256 = hash::suite(suite, &self.tournament)?;
        Ok(self)
    }

    /// Grades in the folder `run`, on from where an earlier sitting stopped. What is wrong with the
    /// bot and what goes wrong with the arena stands on the card; an error is one that keeps the card
    /// itself from being written.
    ///
    /// `opponents` are what the opponents call themselves.
    pub fn grade(
        &self,
        suite: &Suite,
        opponents: &[Identity],
        run: &Path,
        progress: Option<&Progress>,
    ) -> Result<Card, CliError> {
        let mut card = self.card.clone();
        files::write(run, &card)?;
        let probed = probe(&self.tournament.contestants[0], self.tournament.game);
        card.state = match probed {
            Err(Unusable::Bot { fault, stderr, .. }) => State::Unusable {
                why: format!("the bot {fault}"),
                stderr: last_lines(&stderr),
            },
            Err(Unusable::Unbuilt {
                error: error @ BuildError::Failed { .. },
                ..
            }) => {
                let BuildError::Failed { output, .. } = &error else {
                    unreachable!("the arm says so")
                };
                State::Unusable {
                    why: format!("the bot {error}"),
                    stderr: last_lines(output),
                }
            }
            Err(Unusable::Unbuilt { error, .. }) => not_graded(&error),
            Err(Unusable::Arena(error)) => not_graded(&error),
            Ok(identity) => {
                let identities: Vec<Identity> = std::iter::once(identity)
                    .chain(opponents.iter().cloned())
                    .collect();
                let played = RunFile::new(&self.tournament, &self.file, &suite.folder, &identities)
                    .write(run)
                    .and_then(|()| self.play(run, progress));
                match played {
                    Ok(sheet) => {
                        card.rows = sheet.rows();
                        state_of(&sheet)
                    }
                    Err(error) => not_graded(&error),
                }
            }
        };
        files::write(run, &card)?;
        Ok(card)
    }

    /// Goes on with a run that was begun before.
    pub fn resume(&self, run: &Path, progress: Option<&Progress>) -> Result<Card, CliError> {
        let mut card = self.card.clone();
        card.state = match self.play(run, progress) {
            Ok(sheet) => {
                card.rows = sheet.rows();
                state_of(&sheet)
            }
            Err(error) => not_graded(&error),
        };
        files::write(run, &card)?;
        Ok(card)
    }

    /// Plays until every verdict is settled.
    fn play(&self, run: &Path, progress: Option<&Progress>) -> Result<Sheet, CliError> {
        let mut store = Store::open(run)?;
        for note in store.notes() {
            say!("note: {note}");
        }
        let (mut agenda, mut standings) = restored(&self.tournament, &store)?;
        let mut sheet = sheet(&self.tournament, &self.scale);
        store.each(|record| -> Result<(), CliError> {
            // A void game is played again.
            if record.verdict.outcome() != Outcome::Void {
                sheet.add(&record);
            }
            Ok(())
        })?;
        pass_over_settled(&sheet, &mut agenda);
        let games = agenda.games();
        let agenda = Mutex::new(agenda);
        tournament::run::<CliError>(&self.tournament, &agenda, &STOP, |event| {
            let Event::Finished { record, evidence } = event else {
                return Ok(store.commit_if_due(Instant::now())?);
            };
            keep(
                &mut store,
                run,
                self.tournament.seed,
                &record,
                evidence.as_deref(),
            )?;
            sheet.add(&record);
            pass_over_settled(&sheet, &mut lock(&agenda));
            standings.add(&record);
            if let Some(progress) = progress {
                progress.game(&standings, games, None);
            }
            Ok(())
        })?;
        store.commit()?;
        tables::write(run, &store, &names(&self.tournament), None)?;
        Ok(sheet)
    }

    /// The card made again from the record of its run.
    pub fn card_again(&self, store: &Store) -> Result<Card, CliError> {
        let mut sheet = sheet(&self.tournament, &self.scale);
        store.each(|record| -> Result<(), CliError> {
            sheet.add(&record);
            Ok(())
        })?;
        let mut card = self.card.clone();
        card.rows = sheet.rows();
        if sheet.is_settled() {
            card.state = State::Graded;
        }
        Ok(card)
    }
}

fn lock(agenda: &Mutex<Agenda>) -> MutexGuard<'_, Agenda> {
    agenda.lock().unwrap_or_else(PoisonError::into_inner)
}

/// No more games against opponents whose verdict is settled.
fn pass_over_settled(sheet: &Sheet, agenda: &mut Agenda) {
    for opponent in sheet.settled() {
        // The graded bot is number 0.
        agenda.pass_over([0, opponent + 1]);
    }
}

/// An empty sheet for the first bot of the tournament against all others.
fn sheet(tournament: &Tournament, scale: &Scale) -> Sheet {
    let opponents = scale.hurdles.len() as u64;
    // A round of a gauntlet is a pair of games against each opponent in turn.
    let pairs = |opponent| (0..tournament.rounds).map(move |round| round * opponents + opponent);
    let games = |pair| [GameId::new(pair, 0), GameId::new(pair, 1)];
    let games = (0..opponents).map(|opponent| pairs(opponent).flat_map(games).collect());
    let games = games.collect();
    Sheet::new(scale, &tournament.contestants[0].name, games)
}

fn state_of(sheet: &Sheet) -> State {
    if sheet.is_settled() {
        State::Graded
    } else if let Some(why) = sheet.why_void().filter(|_| !STOP.is_requested()) {
        State::NotGraded { why }
    } else {
        State::Unfinished
    }
}

fn not_graded(error: &dyn std::error::Error) -> State {
    let why = match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    };
    State::NotGraded { why }
}

/// The rules of a suite in words.
fn conditions(tournament: &Tournament) -> String {
    let limits = tournament.contestants[0].limits;
    let seconds = |time: Duration| format!("{} s", points(time.as_secs_f64()));
    let mut words = vec![format!(
        "at most {} games an opponent",
        2 * tournament.rounds
    )];
    if !limits.move_time.is_zero() {
        words.push(format!("{} a move", seconds(limits.move_time)));
    }
    if !limits.game_time.is_zero() {
        words.push(format!("{} a game", seconds(limits.game_time)));
    }
    if !limits.increment.is_zero() {
        words.push(format!(
            "{} more after each move",
            seconds(limits.increment)
        ));
    }
    if tournament.illegal_answers > 1 {
        let answers = tournament.illegal_answers;
        words.push(format!("{answers} illegal answers in one turn lose"));
    }
    words.join(", ")
}

/// The end of what a bot wrote, short enough for a report.
fn last_lines(text: &str) -> String {
    const LINES: usize = 20;
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}
