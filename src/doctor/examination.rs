//! The order in which a bot is looked at.
//!
//! First whether it starts; then each game, scene after scene in one process; then what a later
//! version of the protocol may bring; then how it leaves. What goes wrong in a further game of a
//! process is tried again in a fresh one: so the position and the process are told apart. A bot that
//! is silent is looked into once, and then no more is asked of it.

use std::time::Duration;

use games::{Game, Rules};

use super::code::{Code, Severity};
use super::evidence::{Evidence, Moment, last_errors, shortened};
use super::finding::{Check, Finding, Report};
use super::language::Language;
use super::later::News;
use super::scene::{Scene, Theme, scenes};
use super::session::{Measured, Session, Trouble};
use super::slip::{self, Slip};
use super::{drawing::drawn, foreign, symptom, traceback};
use crate::bot::{ArenaError, Build, BuildError, Identity, Launch, Restart};
use crate::dialect::Protocol;
use crate::record::Exit;

/// The bot that is to be looked at.
#[derive(Clone, Debug)]
pub struct Patient {
    /// How it is called.
    pub name: String,
    /// What to start.
    pub launch: Launch,
    /// What is done before its first start.
    pub build: Option<Build>,
    /// Whether it gets a fresh process for each game.
    pub restart: Restart,
    /// The memory it is told that it may use.
    pub memory_mib: Option<u64>,
}

/// How long things may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// The limit of a move.
    pub move_time: Duration,
    /// What is borne beyond it.
    pub margin: Duration,
    /// From the start to `ready`.
    pub start: Duration,
    /// How long silence is borne beyond what is due, before it is looked into.
    pub silence: Duration,
    /// For what comes a little later, or shows that nothing comes.
    pub settle: Duration,
    /// From `quit` to the end.
    pub parting: Duration,
}

/// A game that the bot is tried in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// Which.
    pub game: Game,
    /// Whether on other boards and by other rules, too.
    pub all: bool,
}

/// What is wrong with a process that has played a game.
const AGAIN: [Code; 2] = [Code::DiesOnOver, Code::SecondGame];
/// A start that takes more than this part of its time is slow.
const SLOW_PART: u32 = 4;

impl Patient {
    /// A report that says nothing yet.
    pub fn report(&self) -> Report {
        Report {
            bot: self.name.clone(),
            command: self.launch.display(),
            language: Language::of(&self.launch).name(),
            protocol: self.launch.protocol.word(),
            checks: Vec::new(),
            findings: Vec::new(),
        }
    }
}

/// Looks at a bot; `seen` hears of every check as it is done. A bot that is ill is no error; the
/// arena's or the machine's failures are.
pub fn examine(
    patient: &Patient,
    courses: &[Course],
    waits: Waits,
    seen: &mut dyn FnMut(&Check),
) -> Result<Report, ArenaError> {
    let mut doctor = Doctor {
        patient,
        waits,
        seen,
        language: Language::of(&patient.launch),
        checks: Vec::new(),
        findings: Vec::new(),
        slips: Vec::new(),
        measured: Measured::default(),
        started: false,
        replayed: false,
        stopped: false,
    };
    doctor.build()?;
    let mut session = None;
    for &course in courses {
        doctor.course(course, &mut session)?;
    }
    doctor.conclude_moves();
    doctor.conclude_measures();
    doctor.further_games();
    doctor.leave(session, true)?;
    if patient.launch.protocol == Protocol::Arena {
        let first = courses.first().map(|course| scenes(course.game, false));
        let scene = first.into_iter().flatten().next();
        for news in [News::Field, News::Message] {
            doctor.later(news, scene.as_ref())?;
        }
    }
    doctor
        .findings
        .sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(Report {
        checks: doctor.checks,
        findings: doctor.findings,
        ..patient.report()
    })
}

/// What is known so far.
struct Doctor<'a> {
    patient: &'a Patient,
    waits: Waits,
    seen: &'a mut dyn FnMut(&Check),
    language: Language,
    checks: Vec<Check>,
    findings: Vec<Finding>,
    slips: Vec<(Slip, Theme)>,
    measured: Measured,
    /// Whether it has said `ready` once.
    started: bool,
    /// Whether a process has played a further game well.
    replayed: bool,
    /// Whether nothing more is to be asked of it.
    stopped: bool,
}

impl<'a> Doctor<'a> {
    fn check(&mut self, title: impl Into<String>, passed: Option<bool>, detail: impl Into<String>) {
        let (title, detail) = (title.into(), detail.into());
        let check = Check {
            title,
            passed,
            detail,
        };
        (self.seen)(&check);
        self.checks.push(check);
    }

    /// Adds a finding, or counts it where it is known.
    fn find(&mut self, finding: Finding) {
        let finding = foreign::of_engine(finding, self.patient.launch.protocol);
        let mut known = self.findings.iter_mut();
        match known.find(|known| known.code == finding.code) {
            Some(known) => known.times += 1,
            None => self.findings.push(finding),
        }
    }

    fn has_found(&self, codes: &[Code]) -> bool {
        self.findings
            .iter()
            .any(|finding| codes.contains(&finding.code))
    }

    /// Findings on how it plays a game: that it does not play a second one is told elsewhere.
    fn found_in_games(&self) -> usize {
        let found = self.findings.iter();
        found
            .filter(|finding| !AGAIN.contains(&finding.code))
            .count()
    }

    /// The same without what shows in special positions alone.
    fn found_in_all_games(&self) -> usize {
        let special = [Code::AfterAPass, Code::BoardSize];
        let found = self.findings.iter();
        let special = found.filter(|finding| special.contains(&finding.code));
        self.found_in_games() - special.count()
    }

    // ---- Before the first word ----------------------------------------------------------------

    fn build(&mut self) -> Result<(), ArenaError> {
        let Some(build) = &self.patient.build else {
            return Ok(());
        };
        let (why, command, output) = match build.run() {
            Ok(was_due) => {
                let detail = if was_due {
                    build.display()
                } else {
                    "nothing has changed".to_owned()
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
                (format!("{what}: {source}"), build.display(), String::new())
            }
        };
        self.check("is built", Some(false), why.clone());
        let mend = traceback::advice(&output).unwrap_or_else(|| {
            "Mend what the compiler names, until the command runs by hand in the bot's folder."
                .to_owned()
        });
        let said = output.lines().map(shortened);
        let last: Vec<String> = said.collect();
        let last = last[last.len().saturating_sub(16)..].to_vec();
        self.find(
            Finding::new(Code::BuildFailed, format!("The build failed: {why}."), mend)
                .seen([format!("$ {command}")])
                .seen(last),
        );
        self.stopped = true;
        Ok(())
    }

    fn has_started(&mut self, identity: &Identity, after: Duration) {
        if std::mem::replace(&mut self.started, true) {
            return;
        }
        let mut detail = format!("ready after {}", ms(after));
        if !identity.name.is_empty() {
            detail += &format!(" as {}", shortened(&identity.name));
        }
        let is_slow = after > self.waits.start / SLOW_PART;
        self.check("starts", Some(!is_slow), detail);
        if is_slow {
            let what = format!(
                "It said ready after {}; the arena waits for {}, and machines where bots are graded \
                 may be slower.",
                ms(after),
                ms(self.waits.start)
            );
            let mend = "Import and load only what is needed, and load the rest after ready: it is \
                        move time then, but of one move.";
            self.find(Finding::new(Code::SlowStart, what, mend));
        }
    }

    // ---- The games -----------------------------------------------------------------------------

    fn course(
        &mut self,
        course: Course,
        session: &mut Option<Session<'a>>,
    ) -> Result<(), ArenaError> {
        let title = title(course);
        if self.stopped {
            if self.started {
                self.check(title, None, "");
            }
            return Ok(());
        }
        let (found, slips) = (self.found_in_games(), self.slips.len());
        let (questions, sound) = (self.measured.questions, self.found_in_all_games());
        let mut is_sound = true;
        for scene in scenes(course.game, course.all) {
            let alone = self.patient.restart == Restart::Always || self.has_found(&AGAIN);
            if alone && session.is_some() {
                self.leave(session.take(), false)?;
            }
            let goes_on = self.scene(&scene, session, is_sound)?;
            is_sound = self.found_in_all_games() == sound;
            if !goes_on {
                break;
            }
        }
        if !self.started {
            self.check("starts", Some(false), self.last_title());
            return Ok(());
        }
        let wrong = self.slips.len() - slips;
        let asked = self.measured.questions - questions;
        if asked == 0 && wrong == 0 && self.found_in_games() == found {
            // What stopped the games before stops these, too.
            self.check(title, None, "");
            return Ok(());
        }
        let is_well = self.found_in_games() == found && wrong == 0;
        let detail = match (wrong, is_well) {
            (0, true) => format!("{asked} questions, all answers legal"),
            (0, false) => self.last_title(),
            _ => format!(
                "{wrong} illegal moves in {} questions",
                asked.max(wrong as u32)
            ),
        };
        self.check(title, Some(is_well), detail);
        Ok(())
    }

    fn last_title(&self) -> String {
        let last = self.findings.last();
        last.map(|finding| finding.code.title().to_owned())
            .unwrap_or_default()
    }

    /// Plays a scene; false where the course ends with it. `is_sound`: those before it went well.
    fn scene(
        &mut self,
        scene: &Scene,
        session: &mut Option<Session<'a>>,
        is_sound: bool,
    ) -> Result<bool, ArenaError> {
        let mut played = self.play(scene, session);
        let games = session.as_ref().map_or(1, |session| session.games);
        if let Err(Trouble::Wrong(evidence)) = &played
            && games > 1
        {
            // Is it the position, or that the process has played before?
            let evidence = evidence.clone();
            *session = None;
            played = self.play(scene, session);
            if played.is_ok() {
                if evidence.moment == Moment::Again && evidence.exit.is_some() {
                    // It may have ended at the last game's over, and been slow about it.
                    self.look_after(session, self.waits.silence)?;
                }
                if !self.has_found(&[Code::DiesOnOver]) {
                    self.find(of_a_further_game(&evidence, self.language));
                }
            }
        }
        match played {
            Ok(()) => {
                self.look_after(session, self.waits.settle)?;
                Ok(true)
            }
            Err(Trouble::Arena(error)) => Err(error),
            Err(Trouble::Illegal(slip)) => {
                self.slips.push((*slip, scene.theme));
                self.look_after(session, self.waits.settle)?;
                Ok(true)
            }
            Err(Trouble::Wrong(evidence)) => {
                *session = None;
                if let Some(answer) = symptom::answer_in(&evidence.fault) {
                    let board = scene.board.clone();
                    let legal = board.legal_squares();
                    self.slips.push((
                        Slip {
                            board,
                            legal,
                            answer,
                        },
                        scene.theme,
                    ));
                    return Ok(true);
                }
                // Passes come in the end of a game, too.
                if scene.theme == Theme::End && self.has_found(&[Code::AfterAPass]) {
                    return Ok(false);
                }
                self.stopped |= evidence.silence.is_some() || !self.started;
                let is_special = is_sound && theme_code(scene.theme).is_some();
                self.find(self.of_scene(&evidence, scene, is_special));
                Ok(is_special && !self.stopped)
            }
        }
    }

    /// What is wrong, and whether it is only so in a special position.
    fn of_scene(&self, evidence: &Evidence, scene: &Scene, is_special: bool) -> Finding {
        let mut finding = symptom::named(evidence, self.language);
        if finding.code == Code::NotFlushed && self.reads_all_at_once() {
            finding = finding.example(self.language.main_loop());
            "Read standard input line by line, and answer each line before you read the next: \
             what reads all of it at once waits until it ends."
                .clone_into(&mut finding.mend);
            finding.code = Code::ReadsToTheEnd;
        }
        match theme_code(scene.theme).filter(|_| is_special) {
            None => finding,
            Some(Code::AfterAPass) => recoded(
                finding,
                Code::AfterAPass,
                "In this position a side has just passed: \"moves\" ends with \"pass\", and the \
                 same side moves again.",
            ),
            Some(code) => {
                let why = format!("It plays other boards, but not {}.", scene.game);
                recoded(finding, code, &why)
            }
        }
    }

    /// Whether the program's text asks for all of its input at once, and nowhere for a line.
    fn reads_all_at_once(&self) -> bool {
        const ALL: [&str; 4] = [
            "stdin.read()",
            "stdin.readlines()",
            "load(sys.stdin",
            "readFileSync(",
        ];
        const LINE: [&str; 4] = ["in sys.stdin:", "readline(", "input()", "createInterface("];
        let is_in = |text: &str, ways: &[&str]| ways.iter().any(|way| text.contains(way));
        let files = self.patient.launch.files().into_iter();
        let small = files.filter(|path| path.metadata().is_ok_and(|file| file.len() < 1 << 20));
        let mut texts = small.filter_map(|path| std::fs::read_to_string(path).ok());
        texts.any(|text| is_in(&text, &ALL) && !is_in(&text, &LINE))
    }

    fn play(&mut self, scene: &Scene, session: &mut Option<Session<'a>>) -> Result<(), Trouble> {
        let session = if let Some(session) = session {
            session.greet(scene)?;
            session
        } else {
            let (new, identity, after) = Session::start(self.patient, self.waits, None, scene)?;
            self.has_started(&identity, after);
            session.insert(new)
        };
        let played = session.play(scene, &mut self.measured);
        self.replayed |= session.games > 1 && played.is_ok();
        played
    }

    /// After its first game a process may leave, which shows a little later.
    fn look_after(
        &mut self,
        session: &mut Option<Session<'a>>,
        wait: Duration,
    ) -> Result<(), ArenaError> {
        let is_due = |session: &&mut Session| session.games == 1;
        if self.patient.restart == Restart::Always {
            return Ok(());
        }
        let Some(playing) = session.as_mut().filter(is_due) else {
            return Ok(());
        };
        if let Some(evidence) = playing.has_left(wait)? {
            *session = None;
            let how = evidence
                .exit
                .map(|exit| exit.to_string())
                .unwrap_or_default();
            let mend = traceback::advice(&evidence.stderr).unwrap_or_default();
            let finding = Finding::new(
                Code::DiesOnOver,
                format!(
                    "When \"over\" came it ended ({how}). The arena then starts it afresh for each \
                     game, which takes time."
                ),
                format!(
                    "{mend} After over comes the next hello, or quit: read on. Or write restart = \
                     \"always\" into bot.toml, if one process is to play one game."
                )
                .trim()
                .to_owned(),
            );
            self.find(
                finding
                    .seen(evidence.shown())
                    .example(self.language.main_loop()),
            );
        }
        Ok(())
    }

    fn further_games(&mut self) {
        if self.patient.restart == Restart::Always || !self.started {
            return;
        }
        let wrong = self.has_found(&AGAIN);
        let passed = (wrong || self.replayed).then_some(!wrong);
        self.check("plays game after game", passed, "");
    }

    // ---- What it answered ----------------------------------------------------------------------

    /// Names what is behind the illegal moves.
    fn conclude_moves(&mut self) {
        let slips: Vec<Slip> = self.slips.iter().map(|(slip, _)| slip.clone()).collect();
        // The one that shows most: with a square on the board, and few moves to choose from.
        let telling = slips
            .iter()
            .min_by_key(|slip| (!slip::is_square(&slip.answer), slip.legal.len()));
        let Some(shown) = telling else {
            return;
        };
        let only = |theme: fn(Theme) -> Option<Code>| {
            let codes: Vec<_> = self.slips.iter().map(|&(_, of)| theme(of)).collect();
            codes
                .iter()
                .all(|code| *code == codes[0])
                .then_some(codes[0])
                .flatten()
        };
        let answers = answers(&slips);
        let finding = if let Some(habit) = slip::habit(&slips) {
            let meant = habit
                .meant(shown)
                .map(|square| square.to_string())
                .unwrap_or_default();
            Finding::new(
                habit.code(),
                format!(
                    "It answered {answers}. Every one of them is a legal move if it is read so: \
                     {}.",
                    habit.described()
                ),
                format!(
                    "A square is a column letter from a and a row number from 1 at the top: here \
                     {meant:?}, not {:?}.",
                    shown.answer
                ),
            )
            .example(self.language.square())
        } else if slips
            .iter()
            .all(|slip| slip.answer.eq_ignore_ascii_case("pass"))
        {
            Finding::new(
                Code::Passes,
                format!("It answered {answers}, and had a legal move every time."),
                "The arena passes for you: who is asked has a move. Play one of the question's \
                 \"legal\".",
            )
        } else if !slips.iter().any(|slip| slip::is_square(&slip.answer)) {
            Finding::new(
                Code::NotASquare,
                format!("It answered {answers}."),
                "A move is a column letter from a and a row number from 1 at the top, such as d3.",
            )
            .example(self.language.square())
        } else if let Some(code) = only(theme_code) {
            let mend = match code {
                Code::AfterAPass => {
                    "A side that cannot move passes: \"moves\" then holds \"pass\", and the other \
                     side moves twice running. Take the position from \"board\", or mind the pass."
                }
                _ => {
                    "Take the size from \"size\" or from the board, and the move from \"legal\": in \
                     renju black may not play everywhere."
                }
            };
            Finding::new(
                code,
                format!("It answered {answers}, and nothing illegal elsewhere."),
                mend,
            )
        } else {
            Finding::new(
                Code::IllegalMove,
                format!("It answered {answers}."),
                "Play one of the question's \"legal\". If you keep a board of your own, compare it \
                 with \"board\": each question stands for itself.",
            )
        };
        self.find(finding.seen(drawn(shown)));
    }

    fn conclude_measures(&mut self) {
        if !self.started || self.measured.questions == 0 {
            return;
        }
        let measured = std::mem::take(&mut self.measured);
        let (worst, limit) = (ms(measured.worst), ms(self.waits.move_time));
        let is_slow = !measured.slow.is_empty();
        let passed = !is_slow && !self.has_found(&[Code::TooSlow]);
        self.check(
            "is in time",
            Some(passed),
            format!("at most {worst} of {limit} a move"),
        );
        if is_slow {
            self.find(
                Finding::new(
                    Code::TooSlow,
                    format!("It took {worst} for a move, and had {limit}: that loses the game."),
                    "Look at the clock while you search, and stop in time: left_ms of the question \
                     says how much there is. Another limit: arena check --move-ms.",
                )
                .seen(measured.slow),
            );
        }
        if !measured.resigned.is_empty() {
            let what = "It resigned in a prepared position.";
            let mend = "Nothing, if it is meant.";
            self.find(Finding::new(Code::Resigns, what, mend).seen(measured.resigned));
        }
        if measured.carriage_return {
            let what = "Its lines end with CR LF, as on Windows; the arena bears that.";
            self.find(Finding::new(
                Code::CarriageReturn,
                what,
                "Nothing needs to be done.",
            ));
        }
        if measured.mark {
            let what = "Its output begins with a byte-order mark; the arena bears that.";
            self.find(Finding::new(
                Code::ByteOrderMark,
                what,
                "Nothing needs to be done.",
            ));
        }
    }

    // ---- Its manners ---------------------------------------------------------------------------

    /// Sends a process away. `last`: the check is written down.
    fn leave(&mut self, session: Option<Session<'a>>, last: bool) -> Result<(), ArenaError> {
        let title = "leaves after quit";
        let Some(session) = session else {
            if last && self.started {
                self.check(title, None, "");
            }
            return Ok(());
        };
        let (parting, stderr) = session.part(true)?;
        let detail = match parting.exit {
            None => {
                let what = format!(
                    "{} after quit, and after its input had ended, it was still there and was \
                     killed.",
                    ms(self.waits.parting)
                );
                let mend = "End the program when quit comes, or when there are no more lines.";
                self.find(
                    Finding::new(Code::IgnoresQuit, what, mend).example(self.language.main_loop()),
                );
                "it stayed".to_owned()
            }
            Some(Exit::Status(0)) => "exit status 0".to_owned(),
            Some(exit) => {
                let what = format!("After quit it ended with {exit}; a good end is status 0.");
                let mend = traceback::advice(&stderr).unwrap_or_else(|| {
                    "Answer quit by ending the program without an error.".to_owned()
                });
                self.find(
                    Finding::new(Code::ExitStatus, what, mend)
                        .seen(last_errors(&stderr))
                        .example(self.language.main_loop()),
                );
                exit.to_string()
            }
        };
        if parting.children > 0 {
            let what = format!(
                "When it had ended, {} of its own were still running; the arena killed them.",
                match parting.children {
                    1 => "one process".to_owned(),
                    many => format!("{many} processes"),
                }
            );
            let mend = "End the processes that you start before you leave, and wait for them.";
            self.find(Finding::new(Code::LeavesChildren, what, mend));
        }
        if last {
            let wrong = [Code::IgnoresQuit, Code::ExitStatus, Code::LeavesChildren];
            self.check(title, Some(!self.has_found(&wrong)), detail);
        }
        Ok(())
    }

    /// Tries what a later version of the protocol may bring, and lets the process go: the one with
    /// new fields by closing its input.
    fn later(&mut self, news: News, scene: Option<&Scene>) -> Result<(), ArenaError> {
        let (title, code, why, mend) = match news {
            News::Field => (
                "passes over fields that it does not know",
                Code::UnknownField,
                "It answers well, until a message holds a field that it does not know.",
                "Look for the fields that you need by their names, and pass over all others: new \
                 ones may come.",
            ),
            News::Message => (
                "passes over messages that it does not know",
                Code::UnknownMessage,
                "It answers well, until a message comes whose type it does not know.",
                "Answer hello and turn, end at quit, and pass over every other type.",
            ),
        };
        let Some(scene) = scene.filter(|_| self.started) else {
            return Ok(());
        };
        // A bot that fails without them would teach nothing here.
        if self.stopped || self.has_found(&[Code::Crashes, Code::StrayOutput, Code::SecondAnswer]) {
            self.check(title, None, "");
            return Ok(());
        }
        let mut unheeded = Measured::default();
        let mut played = Session::start(self.patient, self.waits, Some(news), scene);
        if let Ok((session, ..)) = &mut played {
            match session.play(scene, &mut unheeded) {
                Err(Trouble::Illegal(_)) | Ok(()) => {}
                Err(trouble) => played = Err(trouble),
            }
        }
        match played {
            Err(Trouble::Arena(error)) => return Err(error),
            Err(Trouble::Illegal(_)) => {}
            Err(Trouble::Wrong(evidence)) if symptom::answer_in(&evidence.fault).is_some() => {
                self.check(title, Some(true), "");
            }
            Err(Trouble::Wrong(evidence)) => {
                // What is wrong anyway is no news.
                let finding = symptom::named(&evidence, self.language);
                if self.has_found(&[finding.code]) {
                    self.check(title, None, "");
                    return Ok(());
                }
                let mut finding = recoded(finding, code, why);
                mend.clone_into(&mut finding.mend);
                self.find(finding.example(self.language.main_loop()));
                self.check(title, Some(false), "");
            }
            Ok((mut session, ..)) => {
                let died = match news {
                    News::Message => session.has_left(self.waits.settle)?,
                    News::Field => None,
                };
                let died = died.filter(|_| !self.has_found(&[Code::DiesOnOver]));
                self.check(title, Some(died.is_none()), "");
                if let Some(evidence) = died.as_ref() {
                    let finding = Finding::new(code, why, mend).seen(evidence.shown());
                    self.find(finding.example(self.language.main_loop()));
                }
                if news == News::Field {
                    self.end_of_input(session)?;
                }
            }
        }
        Ok(())
    }

    fn end_of_input(&mut self, session: Session<'a>) -> Result<(), ArenaError> {
        if self.has_found(&[Code::IgnoresQuit]) {
            return Ok(());
        }
        let (parting, _) = session.part(false)?;
        self.check(
            "leaves when its input ends",
            Some(parting.exit.is_some()),
            "",
        );
        if parting.exit.is_none() {
            let what = format!(
                "{} after its input had ended it was still there: were the arena killed, it would \
                 stay for ever.",
                ms(self.waits.parting)
            );
            let mend = "End the program when there are no more lines to read.";
            self.find(
                Finding::new(Code::IgnoresEndOfInput, what, mend)
                    .example(self.language.main_loop()),
            );
        }
        Ok(())
    }
}

/// What it is when a bot goes wrong in such a scene and nowhere else.
fn theme_code(theme: Theme) -> Option<Code> {
    match theme {
        Theme::Beginning | Theme::OneMove | Theme::End => None,
        Theme::AfterPass => Some(Code::AfterAPass),
        Theme::Forbidden | Theme::LongLine | Theme::SmallBoard => Some(Code::BoardSize),
    }
}

/// The same finding under the name of its cause, with what it looks like from outside kept.
fn recoded(finding: Finding, code: Code, why: &str) -> Finding {
    Finding {
        code,
        severity: Severity::max(code.severity(), Severity::Warning),
        what: format!("{why} {}", finding.what),
        ..finding
    }
}

/// What went wrong in a further game of a process, and does not in the first of another.
fn of_a_further_game(evidence: &Evidence, language: Language) -> Finding {
    let why = "A fresh process plays this position well, and one that has played a game before \
               does not.";
    let mut finding = recoded(symptom::named(evidence, language), Code::SecondGame, why);
    if traceback::advice(&evidence.stderr).is_none() {
        "Each hello begins a new game: forget the last one, and answer ready again."
            .clone_into(&mut finding.mend);
    }
    finding.example(language.main_loop())
}

fn title(course: Course) -> String {
    match course.game {
        Game::Othello => "plays Othello".to_owned(),
        Game::Gomoku { .. } if course.all => "plays Gomoku on 15×15, 5×5, 22×22, renju".to_owned(),
        Game::Gomoku { .. } => format!("plays {}", course.game),
    }
}

/// The answers, each once.
fn answers(slips: &[Slip]) -> String {
    let mut shown: Vec<String> = Vec::new();
    for slip in slips {
        let one = match slip.legal.as_slice() {
            [only] => format!("{:?} where the only move is {only}", slip.answer),
            _ => format!("{:?}", slip.answer),
        };
        if !shown.contains(&one) {
            shown.push(one);
        }
    }
    // Those that say most first.
    shown.sort_by_key(|one| !one.contains("only"));
    let more = shown.len().saturating_sub(3);
    shown.truncate(3);
    let mut text = shown.join(", ");
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}

fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    match ms {
        ..10.0 => format!("{ms:.1} ms"),
        ..10_000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.0} s", ms / 1000.0),
    }
}
