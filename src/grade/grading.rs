//! Grades one bot: from the hand-in to a card, including the hashes that show whether a grade is still valid.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use host::Walk;
use sha2::{Digest, Sha256};

use super::accuracy::{OwnGame, judge};
use super::{HandIn, Rehearsal, Suite, files, hand_in};
use games::Side;
use message::{Message, ToValue, message, spoken};
use referee::bot::{
    Build, BuildError, DiskShare, Identity, add_bytes, add_entries, add_file, digits,
};
use referee::problem;
use referee::record::{GameId, Outcome, SafeText, error_lines};
use run::failures;
use run::report::Progress;
use run::{Event, Run, RunError, RunFile, Status, Stop, Unusable, probe};
use tournament::mark::{Accuracy, Card, GradeState, OpponentResult, Scale, Sheet, percent, points};
use tournament::{Catalogue, Problem, Tournament, TournamentFile};

#[derive(Clone, Debug)]
pub struct Grading {
    /// The tournament; the graded bot is the first.
    pub tournament: Tournament,
    pub file: TournamentFile,
    pub scale: Scale,
    pub card: Card,
}

impl Grading {
    pub fn new(suite: &Suite, hand_in: &HandIn, catalogue: &Catalogue) -> Result<Grading, Problem> {
        let mut file = suite.with(hand_in);
        run::settle(&mut file, catalogue, &suite.folder);
        let tournament = file.validate(catalogue, &suite.folder)?;
        let scale = goals(&file, &tournament)?;
        let card = Card {
            suite: suite.name.clone(),
            game: message!("{}", tournament.game),
            conditions: conditions(&tournament, &scale),
            bot: tournament.contestants[0].name.clone(),
            submission_sha256: String::new(),
            suite_sha256: String::new(),
            state: GradeState::Unfinished,
            pass: scale.pass,
            rows: sheet(&tournament, &scale).rows(),
            accuracy: scale.accuracy.clone(),
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            messages: Vec::new(),
        };
        Ok(Grading {
            tournament,
            file,
            scale,
            card,
        })
    }

    pub fn of_run(run: &Path, file: RunFile, catalogue: &Catalogue) -> Result<Grading, RunError> {
        let Some(mut card) = files::read(run) else {
            return Err(problem!("{} has no grade.json", run.display())
                .help("start it again with arena grade")
                .into());
        };
        let tournament = file.tournament.validate(catalogue, &file.folder)?;
        let scale = goals(&file.tournament, &tournament)?;
        card.game = message!("{}", tournament.game);
        card.conditions = conditions(&tournament, &scale);
        Ok(Grading {
            file: file.tournament,
            tournament,
            scale,
            card,
        })
    }

    /// Builds the bot, and hashes the hand-in and the suite. [`Prepared::grade`] reports a failed build.
    pub fn prepared(
        mut self,
        suite: &Suite,
        hand_in: &HandIn,
        share: &DiskShare,
        stop: &Stop,
    ) -> Result<Prepared, RunError> {
        self.tournament.contestants[0].allow(*share);
        let mut built = self.tournament.contestants[0].build();
        // Checks the outputs of a build in the same way as the files of a hand-in.
        let copy = self.tournament.contestants[0].build.as_ref();
        let looked_over = match copy.and_then(Build::copied) {
            Some(copy) if built.is_ok() => Rehearsal::of_outputs(copy)
                .run(stop)
                .and_then(|()| hand_in::check(copy, stop))
                .map_err(RunError::from),
            _ => Ok(()),
        };
        let hashed = looked_over.and_then(|()| hash_of_hand_in(hand_in, &self.tournament, stop));
        match hashed {
            Ok(sha256) => self.card.submission_sha256 = sha256,
            Err(error) if stop.is_requested() => return Err(error),
            Err(RunError::Input(problem)) => {
                built = built.and(Err(BuildError::Failed {
                    why: problem.what,
                    command: String::new(),
                    output: String::new(),
                }));
            }
            Err(error) => {
                built = built.and(Err(BuildError::System {
                    what: "the files that it left cannot be read".to_owned(),
                    source: io::Error::other(error_chain(&error).to_string()),
                }));
            }
        }
        self.card.suite_sha256 = hash_of_suite(suite, &self.tournament)?;
        Ok(Prepared {
            grading: self,
            path: hand_in.path.clone(),
            built,
        })
    }

    pub fn games(&self) -> u64 {
        2 * self.tournament.rounds * self.scale.hurdles.len() as u64
    }

    pub fn resume(
        &self,
        run: &Path,
        stop: &Stop,
        progress: Option<&Progress>,
    ) -> Result<Card, RunError> {
        let mut card = self.card.clone();
        let played = Run::resume(self.tournament.clone(), run, stop.inner());
        card.state = self.outcome(&mut card, played, run, stop, progress);
        files::write(run, &card)?;
        Ok(card)
    }

    /// Plays until every verdict is decided. Fills in the card's rows, and returns the state.
    fn outcome(
        &self,
        card: &mut Card,
        run: Result<Run, RunError>,
        run_folder: &Path,
        stop: &Stop,
        progress: Option<&Progress>,
    ) -> GradeState {
        let mut play = |mut run| {
            let sheet = self.play(&mut run, progress)?;
            card.rows = with_stderr(sheet.rows(), run_folder);
            let state = state_of(&sheet, stop);
            if let (GradeState::Graded, Some(accuracy)) = (&state, &mut card.accuracy) {
                match self.judge(accuracy, &run, &sheet, stop)? {
                    Some(judged) => *accuracy = judged,
                    None => return Ok(GradeState::Unfinished),
                }
            }
            Ok(state)
        };
        run.and_then(&mut play)
            .unwrap_or_else(|error: RunError| not_graded(error_chain(&error)))
    }

    /// Judges the moves of the counted games; `None` after a stop request.
    fn judge(
        &self,
        accuracy: &Accuracy,
        run: &Run,
        sheet: &Sheet,
        stop: &Stop,
    ) -> Result<Option<Accuracy>, RunError> {
        let bot = &self.tournament.contestants[0].name;
        let mut games = Vec::new();
        run.each(|record| {
            let opponent = sheet.counts(record);
            let game = opponent.map(|opponent| (record.id, OwnGame::new(bot, opponent, record)));
            games.extend(game);
        })?;
        games.sort_by_key(|(id, _)| *id);
        let games: Vec<OwnGame> = games.into_iter().map(|(_, game)| game).collect();
        Ok(judge(accuracy, &games, stop)
            .map_err(|error| problem!("the moves cannot be judged: {error}"))?)
    }

    fn play(&self, run: &mut Run, progress: Option<&Progress>) -> Result<Sheet, RunError> {
        if let Some(progress) = progress {
            for note in run.notes() {
                progress.say(&spoken().render(&message!("note: {note}")));
            }
        }
        let mut sheet = sheet(&self.tournament, &self.scale);
        run.each(|record| {
            if record.verdict.outcome() != Outcome::Void {
                sheet.add(record);
            }
        })?;
        skip_decided(&sheet, &run.status());
        run.play(|event, status| {
            let Event::Finished { record } = event else {
                return;
            };
            sheet.add(record);
            skip_decided(&sheet, status);
            if let Some(progress) = progress {
                progress.game(status.played(), status.games(), || status.headline());
            }
        })?;
        if let Some(progress) = progress {
            for warning in run.warnings() {
                progress.say(&spoken().render(&message!("warning: {warning}")));
            }
        }
        run.tables()?;
        Ok(sheet)
    }

    pub fn rewrite(&self, run: &Run) -> Result<(), RunError> {
        files::write(run.folder(), &self.card_of(run)?)
    }

    /// Recomputes the card from the record in `run`. Reading the record also checks and replays each game.
    pub fn counted(&self, run: &Path) -> Result<Card, RunError> {
        self.card_of(&Run::read(self.tournament.clone(), run)?)
    }

    /// Recomputes the card as [`Grading::counted`] does, and judges the moves again for the points for accuracy.
    pub fn judged(&self, run: &Path) -> Result<Card, RunError> {
        let run = Run::read(self.tournament.clone(), run)?;
        let mut card = self.card_of(&run)?;
        if let (GradeState::Graded, Some(accuracy)) = (&card.state, &mut card.accuracy) {
            let judged = self.judge(accuracy, &run, &self.sheet_of(&run)?, &Stop::default())?;
            *accuracy = judged.expect("no stop is requested");
        }
        Ok(card)
    }

    fn sheet_of(&self, run: &Run) -> Result<Sheet, RunError> {
        let mut sheet = sheet(&self.tournament, &self.scale);
        run.each(|record| sheet.add(record))?;
        Ok(sheet)
    }

    fn card_of(&self, run: &Run) -> Result<Card, RunError> {
        let sheet = self.sheet_of(run)?;
        let mut card = self.card.clone();
        card.rows = with_stderr(sheet.rows(), run.folder());
        let known = files::read(run.folder()).and_then(|card| card.accuracy);
        card.accuracy = known.or(card.accuracy);
        let is_judged = card.accuracy.as_ref().is_none_or(Accuracy::is_judged);
        card.state = match card.state {
            _ if sheet.is_settled() && is_judged => GradeState::Graded,
            GradeState::Graded => GradeState::Unfinished,
            state => state,
        };
        Ok(card)
    }
}

#[derive(Debug)]
pub struct Prepared {
    pub grading: Grading,
    /// The file or folder of the hand-in; for an archive, the unpacked one.
    pub path: Option<PathBuf>,
    built: Result<(), BuildError>,
}

impl Prepared {
    /// Grades the bot in the folder `run`, or continues an earlier run there. Fails only if the card cannot be written.
    pub fn grade(
        &self,
        suite: &Suite,
        opponents: &[Identity],
        run: &Path,
        stop: &Stop,
        progress: Option<&Progress>,
    ) -> Result<Card, RunError> {
        let Prepared { grading, built, .. } = self;
        let mut card = grading.card.clone();
        files::write(run, &card)?;
        let tournament = &grading.tournament;
        let probe = || probe(&tournament.contestants[0], tournament);
        card.state = match built.as_ref().map(|()| probe()) {
            // The stop may have killed the build or the bot.
            Err(_) | Ok(Err(_)) if stop.is_requested() => GradeState::Unfinished,
            Err(error) => unbuilt(error),
            Ok(Err(Unusable::Unbuilt { error, .. })) => unbuilt(&error),
            Ok(Err(Unusable::Bot { fault, stderr, .. })) => GradeState::Unusable {
                why: message!("the bot {what}", what = fault),
                stderr: last_lines(&stderr),
            },
            Ok(Err(error @ (Unusable::Opening { .. } | Unusable::StartOnly { .. }))) => {
                GradeState::Unusable {
                    why: error.to_message(),
                    stderr: SafeText::default(),
                }
            }
            Ok(Err(Unusable::Arena(error))) => not_graded(error_chain(&error)),
            Ok(Ok(identity)) => {
                let identities = [&[identity][..], opponents].concat();
                let file = RunFile::new(tournament, &grading.file, &suite.folder, &identities);
                // A failure of this run must not end the class.
                let begun = Run::begin(tournament.clone(), &file, run, stop.inner());
                grading.outcome(&mut card, begun, run, stop, progress)
            }
        };
        files::write(run, &card)?;
        Ok(card)
    }
}

fn goals(file: &TournamentFile, tournament: &Tournament) -> Result<Scale, Problem> {
    file.scale(&tournament.contestants[1..], tournament.openings_a_lap())
}

fn with_stderr(mut rows: Vec<OpponentResult>, run: &Path) -> Vec<OpponentResult> {
    for first in rows.iter_mut().filter_map(|row| row.first_fault.as_mut()) {
        let side = Side::BOTH
            .into_iter()
            .find(|side| side.to_string() == first.side);
        let said = side.map(|side| failures::stderr(run, GameId(first.game), side));
        first.said = last_lines(&said.unwrap_or_default());
    }
    rows
}

fn skip_decided(sheet: &Sheet, status: &Status<'_>) {
    for opponent in sheet.settled() {
        // The graded bot has number 0, the first opponent number 1.
        status.skip([0, opponent + 1]);
    }
}

fn sheet(tournament: &Tournament, scale: &Scale) -> Sheet {
    Sheet::new(
        scale,
        &tournament.contestants[0].name,
        2 * tournament.rounds,
    )
}

fn state_of(sheet: &Sheet, stop: &Stop) -> GradeState {
    if sheet.is_settled() {
        GradeState::Graded
    } else if let Some((why, only_its_turns)) = sheet.why_void().filter(|_| !stop.is_requested()) {
        GradeState::NotGraded {
            why,
            only_its_turns,
        }
    } else {
        GradeState::Unfinished
    }
}

fn unbuilt(error: &BuildError) -> GradeState {
    match error {
        BuildError::Failed { output, .. } => GradeState::Unusable {
            why: message!("the bot {what}", what = error),
            stderr: error_lines(output).join("\n").into(),
        },
        BuildError::Arena(error) => not_graded(error_chain(error)),
        error @ (BuildError::System { .. } | BuildError::NoRoom(_)) => {
            not_graded(error_chain(error))
        }
    }
}

/// Returns the state for a failure of the arena or the machine outside of a game.
pub(super) fn not_graded(why: Message) -> GradeState {
    GradeState::NotGraded {
        why,
        only_its_turns: false,
    }
}

pub fn error_chain(error: &(impl Error + ToValue)) -> Message {
    let what = error.to_message();
    match error.source() {
        Some(source) if !error.to_string().ends_with(&source.to_string()) => {
            message!("{what}: {source}")
        }
        _ => what,
    }
}

fn conditions(tournament: &Tournament, scale: &Scale) -> Message {
    let games = 2 * tournament.rounds;
    let mut words = vec![message!("at most {games} games per opponent")];
    if let Some(certainty) = scale.confirm {
        let level = percent(certainty.level);
        words.push(message!("until each verdict is certain at {level}"));
    }
    if let Some(accuracy) = &scale.accuracy {
        let [most, full, none] = [accuracy.points, accuracy.full, accuracy.none].map(points);
        words.push(message!(
            "{most} points for accurate moves: all if the mean loss is at most {full}, none if it is at least {none}"
        ));
    }
    words.extend(tournament.conditions());
    Message::enumeration(words)
}

fn last_lines(text: &str) -> SafeText {
    const LINES: usize = 20;
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n").into()
}

/// Returns the hand-in's SHA-256: names and contents of its files, or its command and files; also frame and protocol.
fn hash_of_hand_in(
    hand_in: &HandIn,
    tournament: &Tournament,
    stop: &Stop,
) -> Result<String, RunError> {
    let mut hash = Sha256::new();
    let is_stopped = || stop.is_requested();
    if let Some(path) = &hand_in.path {
        // Also hashes the targets of links, and generated files, since the bot may read them.
        let entries = fs::symlink_metadata(path).and_then(|own| {
            let inner = path.is_dir().then(|| Walk::of(path)).into_iter().flatten();
            let own = std::iter::once(Ok((PathBuf::new(), own)));
            own.chain(inner).collect()
        });
        entries
            .and_then(|entries| add_entries(&mut hash, path, entries, &is_stopped))
            .map_err(RunError::system(message!("cannot read {}", path.display())))?;
    } else {
        let launch = &tournament.contestants[0].launch;
        for word in &launch.arguments {
            add_bytes(&mut hash, word.as_encoded_bytes());
        }
        for file in launch.files() {
            // Ignores a missing file here. It is reported when the bot starts.
            let _ = add_file(&mut hash, &file, &is_stopped);
        }
    }
    // The same file started in another form (`frame`) is a different bot.
    for word in [&hand_in.bot.frame, &hand_in.bot.protocol]
        .into_iter()
        .flatten()
    {
        add_bytes(&mut hash, word.get_ref().as_bytes());
    }
    Ok(digits(hash))
}

/// Returns the SHA-256 of everything that decides the games of a suite: its file with the options of the command line,
/// the openings, the opponents' files and the arena's version. Leaves out options that change no game: concurrency,
/// pinning, and the certainty of a verdict.
fn hash_of_suite(suite: &Suite, tournament: &Tournament) -> Result<String, RunError> {
    let mut file = suite.file.clone();
    (file.concurrency, file.pin) = (None, None);
    if let Some(grade) = &mut file.grade {
        let grade = grade.get_mut();
        (grade.confirm, grade.confirm_games) = (None, None);
    }
    let text = toml::to_string(&file).map_err(|error| {
        RunError::system("the suite cannot be written")(io::Error::other(error))
    })?;
    let mut hash = Sha256::new();
    add_bytes(&mut hash, env!("CARGO_PKG_VERSION").as_bytes());
    add_bytes(&mut hash, text.as_bytes());
    for opening in &tournament.openings {
        add_bytes(&mut hash, opening.name().as_bytes());
    }
    let ours = std::env::current_exe().unwrap_or_default();
    for opponent in &tournament.contestants[1..] {
        // For built-in bots, the arena's version replaces a hash of the program.
        for file in opponent.launch.files().iter().filter(|&file| *file != ours) {
            let _ = add_file(&mut hash, file, &|| false);
        }
    }
    Ok(digits(hash))
}
