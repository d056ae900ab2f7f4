//! The order of the checks.
//!
//! First whether it starts; then each game, scene after scene in one process; then new fields and
//! messages of a later version of the protocol; then how it exits. A scene that fails in a later game
//! of a process is played again in a new process, which shows whether the position or the process is
//! the cause. A silent bot is examined once and then asked nothing more.

mod answers;
mod beginning;
mod cause;
mod course;
mod leaving;
mod measures;
mod news;
mod played;

use std::time::Duration;

use self::played::Failure;
use super::code::{Code, Severity};
use super::finding::{Check, Finding, Report};
use super::foreign;
use super::language::Language;
use super::later::News;
use super::scene::{Theme, scenes};
use super::session::Measured;
use super::slip::Slip;
use super::subject::{Course, Subject, Waits};
use super::witness::Witness;
use referee::bot::ArenaError;
use referee::dialect::Protocol;

/// The codes of a process that fails after its first game.
const AGAIN: [Code; 2] = [Code::DiesOnOver, Code::SecondGame];

/// Examines a bot; `witness` hears of every check. A bot with problems is not an error; a failure of
/// the arena or the machine is.
pub fn examine(
    subject: &Subject,
    courses: &[Course],
    waits: Waits,
    witness: &dyn Witness,
) -> Result<Report, ArenaError> {
    let mut doctor = Doctor {
        subject,
        waits,
        witness,
        language: Language::of(&subject.launch),
        checks: Vec::new(),
        findings: Vec::new(),
        slips: Vec::new(),
        measured: Measured::default(),
        started: false,
        replayed: false,
        plays: None,
        failed: None,
        hopeless: false,
        stopped: false,
    };
    doctor.build()?;
    let mut session = None;
    for (number, &course) in courses.iter().enumerate() {
        doctor.course(course, &mut session, number + 1 < courses.len())?;
    }
    doctor.conclude_moves();
    doctor.conclude_measures();
    doctor.further_games();
    doctor.leave(session, true)?;
    if subject.launch.protocol == Protocol::Arena {
        let played = |course: &&Course| Some(course.game.name()) == doctor.plays;
        let first = courses.iter().find(played).or(courses.first());
        let first = first.map(|course| scenes(course.game, false));
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
        ..subject.report()
    })
}

/// The state of an examination.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what is known of a bot: each is a fact of its own"
)]
struct Doctor<'a> {
    subject: &'a Subject,
    waits: Waits,
    witness: &'a dyn Witness,
    language: Language,
    checks: Vec<Check>,
    findings: Vec<Finding>,
    slips: Vec<(Slip, Theme)>,
    measured: Measured,
    /// Whether it has sent `ready` once.
    started: bool,
    /// Whether a process has played a second game without a problem.
    replayed: bool,
    /// A game that it plays without a problem.
    plays: Option<&'static str>,
    /// A game in which it gave no legal answer, while the next one is tried.
    failed: Option<Failure>,
    /// Whether it has failed in a way that has nothing to do with the game.
    hopeless: bool,
    /// Whether the examination has stopped: nothing more is asked.
    stopped: bool,
}

impl Doctor<'_> {
    fn check(&mut self, title: impl Into<String>, passed: Option<bool>, detail: impl Into<String>) {
        let (title, detail) = (title.into(), detail.into());
        self.made(Check {
            title,
            passed,
            warning: false,
            detail,
        });
    }

    /// A check that found nothing, or only what a warning says.
    fn check_warning(&mut self, title: &str, warning: bool, detail: impl Into<String>) {
        self.made(Check {
            title: title.to_owned(),
            passed: Some(true),
            warning,
            detail: detail.into(),
        });
    }

    fn made(&mut self, check: Check) {
        self.witness.made(&check);
        self.checks.push(check);
    }

    /// Adds a finding, or counts it if it is already there.
    fn find(&mut self, finding: Finding) {
        let mut finding = foreign::of_engine(finding, self.subject.launch.protocol);
        finding.fix = self.subject.with_page(&finding.fix);
        self.add(finding);
    }

    fn add(&mut self, finding: Finding) {
        if finding.code == Code::DiesOnOver {
            // How it ended was taken for an answer to quit, which came as soon as the over did.
            self.findings.retain(|known| known.code != Code::ExitStatus);
        }
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

    /// The number of errors in how it plays a game, without those in second games.
    fn found_in_games(&self) -> usize {
        self.found_besides(&AGAIN)
    }

    /// The same without those that only special positions show.
    fn found_in_all_games(&self) -> usize {
        self.found_besides(&[&AGAIN[..], &[Code::AfterAPass, Code::BoardSize]].concat())
    }

    fn found_besides(&self, codes: &[Code]) -> usize {
        let found = self.findings.iter();
        found
            .filter(|finding| finding.severity == Severity::Error && !codes.contains(&finding.code))
            .count()
    }
}

fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    match ms {
        ..10.0 => format!("{ms:.1} ms"),
        ..10_000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.0} s", ms / 1000.0),
    }
}
