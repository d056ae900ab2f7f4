//! Runs the checks of a bot in their order.
//!
//! First the build and the start; then Othello and Gomoku, scene after scene (a scene is a game from a given position)
//! in one process; then the exit; then new fields and messages, as in a later version of the protocol. If a scene fails
//! in a later game of a process, a new process plays it again, which shows whether the position or the process is the
//! cause. A silent bot is examined once and gets no further questions.

use std::collections::VecDeque;
use std::time::Duration;

use games::Theme;
use message::{Message, message};

use super::changed::{Change, Notes};
use super::evidence::{Evidence, Moment, Silence, quoted, shortened};
use super::fault::{self, theme_code};
use super::illegal_move::{self, IllegalMove};
use super::language::BotLanguage;
use super::packages::needs_network;
use super::report::{Check, CheckReport, Code, Finding, Severity};
use super::session::{Bench, Measured, Scene, SceneError, Session, openings, scenes};
use super::traceback::{Traceback, foreign_text};
use super::{CheckScope, Observer, Subject, Waits};
use referee::bot::{ArenaError, BuildError, Identity, Restart};
use referee::dialect::Protocol;
use referee::record::error_lines;

/// The codes of a bot that fails after the first game of its process.
const AGAIN: [Code; 2] = [Code::DiesOnOver, Code::SecondGame];

/// The time for all whole games together. When it is used up, the current game is cut short.
const WHOLE_GAME: Duration = Duration::from_secs(30);

/// A start is slow if it takes more than the limit divided by this number.
const SLOW_PART: u32 = 4;

/// Examines a bot, and reports every check to `observer`. Fails only if the arena or the machine fails.
pub fn examine(
    subject: &Subject,
    scopes: &[CheckScope],
    waits: Waits,
    observer: &dyn Observer,
) -> Result<CheckReport, ArenaError> {
    let mut examination = Examination {
        bench: Bench {
            subject,
            waits,
            observer,
            notes: Notes::default(),
            nudges: false,
        },
        language: BotLanguage::of(&subject.launch),
        checks: Vec::new(),
        findings: Vec::new(),
        illegal_moves: Vec::new(),
        measured: Measured {
            budget: WHOLE_GAME.min(waits.move_time * 30),
            ..Measured::default()
        },
        longest_game: 0,
        started: false,
        start_only: false,
        openings: Vec::new(),
        replayed: false,
        sound_game: None,
        lost_game: None,
        fails_in_any_game: false,
        stopped: false,
    };
    examination.build()?;
    let mut session = None;
    for (number, &scope) in scopes.iter().enumerate() {
        examination.play_scope(scope, &mut session, number + 1 < scopes.len())?;
    }
    if let Some(finding) = illegal_move::diagnose(&examination.illegal_moves, examination.language)
    {
        examination.find(finding);
    }
    examination.find_lines();
    let peak = examination.measured.peak_memory_kib.div_ceil(1024);
    examination.conclude_measures();
    if examination.longest_game > 0 {
        examination.check_memory(peak, scopes[0].game)?;
    }
    examination.check_further_games();
    examination.end_session(session, true)?;
    if subject.launch.protocol == Protocol::Arena {
        let played = |scope: &&CheckScope| Some(scope.game.name()) == examination.sound_game;
        let first = scopes.iter().find(played).or(scopes.first());
        let first = first.map(|scope| scenes(scope.game, false));
        let scene = first.into_iter().flatten().next();
        let scene = scene.map(|scene| Scene {
            questions: 3,
            ..scene
        });
        for change in [Change::Field, Change::Message] {
            examination.check_later_version(change, scene.as_ref())?;
        }
    }
    examination
        .findings
        .sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(CheckReport {
        checks: examination.checks,
        findings: examination.findings,
        ..subject.report()
    })
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "what is known of a bot: each is a fact of its own"
)]
pub(super) struct Examination<'a> {
    pub(super) bench: Bench<'a>,
    pub(super) language: BotLanguage,
    checks: Vec<Check>,
    findings: Vec<Finding>,
    illegal_moves: Vec<IllegalMove>,
    pub(super) measured: Measured,
    /// The number of turns in the longest game that the bot played without a problem.
    pub(super) longest_game: u32,
    pub(super) started: bool,
    /// Whether the bot reports that its games must begin at the start position.
    start_only: bool,
    openings: Vec<String>,
    /// Whether a process has played a second game without a problem.
    replayed: bool,
    pub(super) sound_game: Option<&'static str>,
    lost_game: Option<LostGame>,
    fails_in_any_game: bool,
    pub(super) stopped: bool,
}

impl Examination<'_> {
    pub(super) fn main_loop(&self) -> &'static str {
        self.language.idioms().main_loop
    }

    pub(super) fn check(
        &mut self,
        title: impl Into<Message>,
        passed: Option<bool>,
        detail: impl Into<Message>,
    ) {
        self.made(Check {
            title: title.into(),
            passed,
            warning: false,
            detail: detail.into(),
        });
    }

    /// Records a check that has no findings, or only warnings.
    pub(super) fn check_warning(
        &mut self,
        title: &'static str,
        warning: bool,
        detail: impl Into<Message>,
    ) {
        self.made(Check {
            title: title.into(),
            passed: Some(true),
            warning,
            detail: detail.into(),
        });
    }

    fn made(&mut self, check: Check) {
        self.bench.observer.made(&check);
        self.checks.push(check);
    }

    pub(super) fn find(&mut self, finding: Finding) {
        self.add(fault::for_author(finding, self.bench.subject));
    }

    fn add(&mut self, finding: Finding) {
        if finding.code == Code::DiesOnOver {
            // Because `quit` follows `over` at once, an exit at `over` was also recorded as a wrong exit after `quit`.
            self.findings.retain(|known| known.code != Code::ExitStatus);
        }
        let mut known = self.findings.iter_mut();
        match known.find(|known| known.code == finding.code) {
            Some(known) => {
                let times = known.times + 1;
                if known.took < finding.took {
                    *known = finding;
                }
                known.times = times;
            }
            None => self.findings.push(finding),
        }
    }

    pub(super) fn has_found(&self, codes: &[Code]) -> bool {
        self.findings
            .iter()
            .any(|finding| codes.contains(&finding.code))
    }

    /// Returns the number of errors in games, without the errors in second games of a process.
    fn found_in_games(&self) -> usize {
        self.found_besides(&AGAIN)
    }

    /// Returns the number of errors in games, without those that only second games or special positions show.
    fn found_in_all_games(&self) -> usize {
        self.found_besides(
            &[
                &AGAIN[..],
                &[Code::AfterAPass, Code::BoardSize, Code::OpeningRule],
            ]
            .concat(),
        )
    }

    fn found_besides(&self, codes: &[Code]) -> usize {
        let found = self.findings.iter();
        found
            .filter(|finding| finding.severity == Severity::Error && !codes.contains(&finding.code))
            .count()
    }
}

#[derive(Clone, Debug)]
struct ScopeResult {
    scope: CheckScope,
    asked: u32,
    illegal: usize,
    passes: bool,
    started: bool,
    title: &'static str,
}

impl ScopeResult {
    fn has_no_legal_answer(&self) -> bool {
        self.asked <= self.illegal as u32
    }
}

/// Othello or Gomoku, if the bot gave no legal answer in it. The other game decides whether this is a fault.
#[derive(Clone, Debug)]
struct LostGame {
    result: ScopeResult,
    findings: Vec<Finding>,
    illegal_moves: Vec<IllegalMove>,
    stopped: bool,
}

impl<'a> Examination<'a> {
    fn build(&mut self) -> Result<(), ArenaError> {
        let Some(build) = &self.bench.subject.build else {
            return Ok(());
        };
        self.bench.observer.waits("building it".into());
        let (why, command, output) = match build.run() {
            Ok(was_due) => {
                let detail = if was_due {
                    Message::quote(build.display())
                } else {
                    "nothing has changed".into()
                };
                self.check("is built", Some(true), detail);
                return Ok(());
            }
            Err(BuildError::Arena(error)) => return Err(error),
            Err(BuildError::Failed {
                why,
                command,
                output,
            }) => (why, command, output),
            Err(BuildError::System { what, source }) => {
                let why = message!("{what}: {source}");
                (why, build.display(), String::new())
            }
            Err(BuildError::NoRoom(why)) => (why.into(), build.display(), String::new()),
        };
        self.check("is built", Some(false), why.clone());
        let error = Traceback::read(&output, &self.bench.subject.launch);
        let folder = self.bench.subject.launch.folder.iter();
        let folder = folder.filter_map(|folder| folder.read_dir().ok()).flatten();
        let is_source = |file: &std::path::PathBuf| {
            let name = file.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| output.contains(name))
        };
        let files: Vec<_> = folder
            .flatten()
            .map(|file| file.path())
            .filter(is_source)
            .collect();
        let foreign = foreign_text(&files);
        let no_network = (self.bench.subject.launch.sandbox.is_some() && needs_network(&output)).then(|| {
            "A build in a sandbox has no network: hand in what it downloads, too (cargo vendor, node_modules), or use the \
             standard library alone."
                .into()
        });
        let fix = foreign
            .or(no_network)
            .or_else(|| error.as_ref()?.fix())
            .unwrap_or_else(|| {
                "Fix the errors above, then run the command by hand in the bot's folder to test it."
                    .into()
            });
        let what = message!("The build failed: {why}.");
        let what = error
            .as_ref()
            .map_or(what.clone(), |error| error.before(what));
        self.find(
            Finding::new(Code::BuildFailed, what, fix)
                .seen(error.and_then(|error| error.source()))
                .seen([Message::quote(format!("$ {command}"))])
                .seen(error_lines(&output).into_iter().map(quoted)),
        );
        self.stopped = true;
        Ok(())
    }

    fn check_start(&mut self, identity: &Identity, after: Duration) {
        if std::mem::replace(&mut self.started, true) {
            return;
        }
        let time = ms(after);
        let detail = match shortened(&identity.name) {
            name if name.is_empty() => message!("ready after {time}"),
            name => message!("ready after {time} as {name}"),
        };
        let is_slow = after > self.bench.waits.start / SLOW_PART;
        self.check_warning("starts", is_slow, detail);
        self.start_only = identity.start_only;
        // Other protocols cannot say which rules a program knows.
        if self.bench.subject.speaks_our_protocol() {
            self.openings.clone_from(&identity.openings);
        }
        if self.start_only {
            let what = "It keeps its own board and cannot begin from an opening, so it was asked about \
                        games from the start position alone.";
            let fix = "Play with openings = \"none\" (--openings none). Or set its board when its first \
                       turn comes with moves of its own colour.";
            self.find(Finding::new(Code::StartOnly, what, fix));
        }
        if is_slow {
            let what = message!(
                "It sent ready after {time}. The limit is {limit}, and machines where bots are graded may \
                 be slower.",
                limit = ms(self.bench.waits.start)
            );
            let fix = "Load only what is needed before ready, and load the rest after it. That \
                        counts as time of the first move.";
            self.find(Finding::new(Code::SlowStart, what, fix));
        }
    }

    /// Plays the scenes of a game. `further`: whether other games follow; the bot may be made for one of those.
    fn play_scope(
        &mut self,
        scope: CheckScope,
        session: &mut Option<Session<'a>>,
        further: bool,
    ) -> Result<(), ArenaError> {
        if self.stopped {
            if self.started {
                self.check(scope.title(), None, "");
            }
            return Ok(());
        }
        let (found, known) = (self.found_in_games(), self.findings.len());
        let (questions, sound) = (self.measured.questions, self.found_in_all_games());
        let illegal_before = self.illegal_moves.len();
        let mut is_sound = true;
        let mut due: VecDeque<_> = scenes(scope.game, scope.all).into();
        let mut has_openings = false;
        while let Some(scene) = due.pop_front() {
            if self.start_only && scene.moves.len() > 1 {
                continue;
            }
            // Programs of other platforms end their games long before one square is left.
            let has_one_square = scene.theme == Theme::OneMove && scene.game.family().has_choice();
            let plays = is_sound && self.illegal_moves.len() == illegal_before;
            if has_one_square && plays && !self.bench.subject.speaks_our_protocol() {
                continue;
            }
            let alone = self.bench.subject.restart == Restart::Always || self.has_found(&AGAIN);
            if alone && session.is_some() {
                self.end_session(session.take(), false)?;
            }
            let goes_on = self.play_scene(&scene, session, is_sound)?;
            is_sound = self.found_in_all_games() == sound;
            if !goes_on {
                break;
            }
            let is_sound = is_sound && self.illegal_moves.len() == illegal_before;
            if due.is_empty() && is_sound && !std::mem::replace(&mut has_openings, true) {
                let rules = self.openings.iter();
                let games = rules.filter_map(|rule| openings(scope.game, rule));
                due.extend(games.flatten());
            }
        }
        let asked = self.measured.questions - questions;
        let illegal = self.illegal_moves.len() - illegal_before;
        let nothing_new = self.started && self.found_in_games() == found && illegal == 0;
        if nothing_new && asked == 0 && self.lost_game.is_none() {
            // The bot got no question in this game, because an earlier failure stopped the examination.
            self.check(scope.title(), None, "");
            return Ok(());
        }
        let last = self.findings.last();
        let result = ScopeResult {
            scope,
            asked,
            illegal,
            passes: nothing_new && asked > 0,
            started: self.started,
            title: last.map_or("", |last| last.code.title()),
        };
        // A bot in a course's form may be made for either game. In Gomoku, its answers may be legal by chance.
        let is_for_other = self.sound_game.is_some() && !self.bench.subject.speaks_our_protocol();
        let is_lost = !result.passes && (is_for_other || result.has_no_legal_answer());
        let may_play_another =
            self.sound_game.is_some() || further && self.may_play_another(illegal_before);
        if is_lost && may_play_another {
            let lost = LostGame {
                findings: self.findings.split_off(known),
                illegal_moves: self.illegal_moves.split_off(illegal_before),
                stopped: std::mem::take(&mut self.stopped),
                result,
            };
            *session = None;
            match self.sound_game {
                Some(other) => self.find_one_game(other, &lost.result),
                None => self.lost_game = Some(lost),
            }
            return Ok(());
        }
        match self.lost_game.take() {
            Some(lost) if result.passes => {
                self.conclude_scope(&result);
                self.find_one_game(scope.game.name(), &lost.result);
            }
            // The bot plays neither game. The first game's findings explain why.
            Some(lost) if is_lost => {
                self.findings.truncate(known);
                self.illegal_moves.truncate(illegal_before);
                self.stopped |= lost.stopped;
                self.findings.extend(lost.findings);
                self.illegal_moves.extend(lost.illegal_moves);
                self.conclude_scope(&lost.result);
                if lost.result.started {
                    self.check(scope.title(), None, "");
                }
            }
            Some(lost) => {
                let late = self.findings.split_off(known);
                self.findings.extend(lost.findings);
                for finding in late {
                    self.add(finding);
                }
                self.illegal_moves.extend(lost.illegal_moves);
                self.conclude_scope(&lost.result);
                self.conclude_scope(&result);
            }
            None => self.conclude_scope(&result),
        }
        Ok(())
    }

    fn conclude_scope(&mut self, result: &ScopeResult) {
        let title = result.scope.title();
        if !result.started {
            self.check("starts", Some(false), result.title);
            return;
        }
        let ScopeResult { asked, illegal, .. } = *result;
        if result.passes {
            self.sound_game = self.sound_game.or(Some(result.scope.game.name()));
        }
        let detail = match (illegal, result.passes) {
            (0, true) => message!("{asked} questions, all answers legal"),
            (0, false) => result.title.into(),
            _ => message!(
                "{illegal} illegal moves in {} questions",
                asked.max(illegal as u32)
            ),
        };
        self.check(title, Some(result.passes), detail);
    }

    /// Returns whether the bot may be made for another game: it had no fault that would occur in every game, and no
    /// notation explains its illegal moves. `before`: the number of illegal moves before this game.
    fn may_play_another(&self, before: usize) -> bool {
        let illegal_moves = &self.illegal_moves[before..];
        let is_explained = illegal_move::notation(illegal_moves).is_some()
            || illegal_move::other_colours(illegal_moves);
        !self.fails_in_any_game && (illegal_moves.is_empty() || !is_explained)
    }

    /// Notes that the bot plays only one of the games. This is no fault.
    fn find_one_game(&mut self, plays: &'static str, lost: &ScopeResult) {
        let symptom = match lost.illegal {
            0 => lost.title,
            _ => Code::IllegalMove.title(),
        };
        let other = lost.scope.game.name();
        let what = message!(
            "It plays {plays} without a problem, and gave no legal answer in {other} ({symptom}).",
            plays = Message::from(plays),
            other = Message::from(other),
            symptom = Message::from(symptom)
        );
        // This text uses the commands' names for the games.
        let fix = message!(
            "Nothing, if it is a bot of {plays}: check it with --game {plays}, or write games = \
             [\"{plays}\"] in bot.toml. If it is to play {other}, too: arena check --game {other} shows \
             what is wrong."
        );
        self.find(Finding::new(Code::OneGame, what, fix));
        let detail = message!("it seems to play {} only", Message::from(plays));
        self.check(lost.scope.title(), None, detail);
    }

    /// Plays a scene; returns false to end this game's scenes. `is_sound`: whether the earlier scenes had no problem.
    fn play_scene(
        &mut self,
        scene: &Scene,
        session: &mut Option<Session<'a>>,
        is_sound: bool,
    ) -> Result<bool, ArenaError> {
        let mut played = self.play(scene, session);
        let age = session
            .as_ref()
            .map_or(Age { games: 1, turns: 0 }, |session| Age {
                games: session.games,
                turns: session.turns,
            });
        if let Err(SceneError::Fault(evidence)) = &played
            && age.games > 1
        {
            // A new process shows whether the position or an earlier game is the cause.
            let evidence = evidence.clone();
            *session = None;
            played = self.play(scene, session);
            if played.is_ok() {
                if evidence.moment == Moment::Again && evidence.exit.is_some() {
                    // The bot may have exited late, after the `over` of the last game.
                    self.check_exit_at_over(session, self.bench.waits.silence)?;
                }
                if !self.has_found(&[Code::DiesOnOver]) {
                    self.find_in_further_game(&evidence, scene, age)?;
                }
            }
        }
        match played {
            Ok(()) => {
                self.check_exit_at_over(session, self.bench.waits.settle)?;
                Ok(true)
            }
            Err(SceneError::Arena(error)) => Err(error),
            Err(SceneError::IllegalMove(illegal)) => {
                let other = illegal.is_off_board().then(|| self.at_another_size(scene));
                match other.flatten() {
                    Some(finding) => self.find(finding.seen(illegal_move::drawn(&illegal))),
                    None => self.illegal_moves.push(*illegal),
                }
                self.check_exit_at_over(session, self.bench.waits.settle)?;
                Ok(true)
            }
            Err(SceneError::Fault(evidence)) => {
                *session = None;
                // A pass also occurs at the end of games.
                if scene.theme == Theme::End && self.has_found(&[Code::AfterAPass]) {
                    return Ok(false);
                }
                self.stopped |= evidence.silence.is_some() || !self.started;
                self.fails_in_any_game |= is_independent_of_game(&evidence);
                let is_special = is_sound && theme_code(scene.theme).is_some();
                let finding = self.diagnose_in_scene(&evidence, scene, is_special)?;
                self.find(finding);
                Ok(is_special && !self.stopped)
            }
        }
    }

    pub(super) fn play(
        &mut self,
        scene: &Scene,
        session: &mut Option<Session<'a>>,
    ) -> Result<(), SceneError> {
        let session = if let Some(session) = session {
            session.greet(scene)?;
            session
        } else {
            let (new, identity, after) = Session::start(&self.bench, None, scene)?;
            self.check_start(&identity, after);
            session.insert(new)
        };
        let played = session.play(scene, &mut self.measured);
        if session.games == 1 && played.is_ok() {
            self.longest_game = self.longest_game.max(session.turns);
        }
        self.replayed |= session.games > 1 && played.is_ok();
        played
    }

    fn check_further_games(&mut self) {
        if self.bench.subject.restart == Restart::Always || !self.started {
            return;
        }
        let title = "plays game after game";
        if self.has_found(&[Code::SecondGame]) {
            self.check(title, Some(false), "");
        } else if self.has_found(&AGAIN) || self.replayed {
            self.check_warning(title, self.has_found(&AGAIN), "");
        } else {
            self.check(title, None, "");
        }
    }
}

fn is_independent_of_game(evidence: &Evidence) -> bool {
    match &evidence.silence {
        Some(Silence::Held(_) | Silence::Unended(_)) => true,
        // A bot that refuses an unknown game is idle or has ended.
        Some(Silence::Idle) => false,
        Some(_) => evidence.moment == Moment::Start,
        None => evidence.moment == Moment::Launch,
    }
}

/// How much a process had played when it failed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Age {
    pub games: u32,
    /// The number of questions in all games of the process.
    pub turns: u32,
}

pub(super) fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    match ms {
        ..10.0 => format!("{ms:.1} ms"),
        ..10_000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.0} s", ms / 1000.0),
    }
}
