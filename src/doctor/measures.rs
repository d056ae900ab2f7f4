//! The time and the memory that a bot used in its games.

use games::Game;
use message::message;

use super::examination::{Examination, ms};
use super::fault;
use super::report::{Code, Finding, Severity};
use super::session::{Cut, Measured, SceneError, Session, scenes};
use referee::bot::ArenaError;
use referee::record::Fault;

impl Examination<'_> {
    pub(super) fn conclude_measures(&mut self) {
        if !self.started || self.measured.questions == 0 {
            return;
        }
        let measured = std::mem::take(&mut self.measured);
        let (worst, limit) = (ms(measured.worst), ms(self.bench.waits.move_time));
        let is_slow = !measured.slow.is_empty();
        let passed = !is_slow && !self.has_found(&[Code::TooSlow]);
        let mut detail = message!("at most {worst} of {limit} per move");
        if let Some(Cut { turns, time, whole }) = measured.cut {
            let all = ms(time * whole / turns.max(1));
            detail = message!(
                "{detail}; the check stopped the game after {}, at turn {turns}: its {whole} turns would take \
                 about {all}",
                ms(time)
            );
        }
        if !measured.kept.is_zero() {
            let kept = ms(measured.kept);
            detail = message!(
                "{detail}; the machine was busy: other programs kept the bot from its core for up to {kept}, which is \
                 not counted"
            );
        }
        self.check("is in time", Some(passed), detail);
        if is_slow {
            self.find(
                fault::too_slow(
                    message!(
                        "It took {worst} for a move; the limit is {limit}. That loses the game."
                    ),
                    measured.worst,
                )
                .seen(measured.slow),
            );
        }
        if !measured.resigned.is_empty() {
            let what = "It resigned in a prepared position.";
            let fix = "Nothing, if that is intended.";
            self.find(Finding::new(Code::Resigns, what, fix).seen(measured.resigned));
        }
        let (windows, mark) = (
            "Its lines end with CR LF, as on Windows; the arena tolerates that.",
            "Its output begins with a byte-order mark; the arena tolerates that.",
        );
        for (is_seen, code, what) in [
            (measured.carriage_return, Code::CarriageReturn, windows),
            (measured.mark, Code::ByteOrderMark, mark),
        ] {
            if is_seen {
                self.find(Finding::new(code, what, "Nothing needs to be done."));
            }
        }
    }

    /// Compares the memory that the bot needed with the limit of a grade. If it needed more, tests it with that limit.
    pub(super) fn check_memory(&mut self, peak_mib: u64, game: Game) -> Result<(), ArenaError> {
        let title = "has the memory that it needs in a grade";
        let limit = self.bench.subject.most_mib;
        let detail = message!("at most {peak_mib} MiB of {limit} MiB");
        if peak_mib <= limit {
            self.check(title, Some(true), detail);
            return Ok(());
        }
        let mut finding = Finding::new(
            Code::Memory,
            message!("It needed {peak_mib} MiB of memory; a grade allows {limit} MiB."),
            "Store less, and limit its tables: hello has the limit (memory_mib).",
        );
        finding.severity = Severity::Warning;
        let scene = scenes(game, false).swap_remove(0);
        if let Some(launch) = self.bench.observer.in_a_grade(game) {
            let mut limited = self.bench.clone();
            let mut subject = self.bench.subject.clone();
            (subject.launch, subject.memory_mib) = (launch, Some(limit));
            limited.subject = &subject;
            let mut measured = Measured {
                budget: self.bench.waits.move_time * 30,
                ..Measured::default()
            };
            let played = Session::start(&limited, None, &scene)
                .and_then(|(mut session, ..)| session.play(&scene, &mut measured));
            match played {
                Err(SceneError::Arena(error)) => return Err(error),
                Err(SceneError::Fault(evidence))
                    if matches!(evidence.fault, Fault::OutOfMemory { .. }) =>
                {
                    finding.severity = Severity::Error;
                }
                _ => {
                    let detail = message!("{detail}, but it also played within that limit");
                    self.check(title, Some(true), detail);
                    return Ok(());
                }
            }
        }
        self.check(title, Some(false), detail);
        self.find(finding);
        Ok(())
    }
}
