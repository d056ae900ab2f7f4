//! What was measured during the games: time, resignations, line endings.

use super::super::code::Code;
use super::super::finding::Finding;
use super::{Doctor, ms};

impl Doctor<'_> {
    pub(super) fn conclude_measures(&mut self) {
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
                    format!(
                        "It took {worst} for a move; the limit is {limit}. That loses the game."
                    ),
                    "Look at the clock while you search, and stop in time: left_ms of the question \
                     says how much time is left. For another limit: arena check --move-ms.",
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
}
