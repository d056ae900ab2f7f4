//! The order in which a bot is looked at.
//!
//! First whether it starts; then each game, scene after scene in one process; then what a later
//! version of the protocol may bring; then how it leaves. What goes wrong in a further game of a
//! process is tried again in a fresh one: so the position and the process are told apart. A bot that
//! is silent is looked into once, and then no more is asked of it.

mod answers;
mod beginning;
mod cause;
mod course;
mod leaving;
mod measures;
mod news;

use std::time::Duration;

use super::code::Code;
use super::finding::{Check, Finding, Report};
use super::foreign;
use super::language::Language;
use super::later::News;
use super::scene::{Theme, scenes};
use super::session::Measured;
use super::slip::Slip;
use super::subject::{Course, Subject, Waits};
use referee::bot::ArenaError;
use referee::dialect::Protocol;

/// What is wrong with a process that has played a game.
const AGAIN: [Code; 2] = [Code::DiesOnOver, Code::SecondGame];

/// Looks at a bot; `seen` hears of every check as it is done. A bot with problems is not an error; the
/// arena's or the machine's failures are.
pub fn examine(
    subject: &Subject,
    courses: &[Course],
    waits: Waits,
    seen: &mut dyn FnMut(&Check),
) -> Result<Report, ArenaError> {
    let mut doctor = Doctor {
        subject,
        waits,
        seen,
        language: Language::of(&subject.launch),
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
    if subject.launch.protocol == Protocol::Arena {
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
        ..subject.report()
    })
}

/// What is known so far.
struct Doctor<'a> {
    subject: &'a Subject,
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

impl Doctor<'_> {
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
        let mut finding = foreign::of_engine(finding, self.subject.launch.protocol);
        finding.fix = self.subject.with_page(&finding.fix);
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
}

fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    match ms {
        ..10.0 => format!("{ms:.1} ms"),
        ..10_000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.0} s", ms / 1000.0),
    }
}
