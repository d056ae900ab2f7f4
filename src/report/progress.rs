//! The bar on standard error while a run goes on: games done, rate, time left, score so far.
//! Where standard error is no terminal there is no bar, but a line a minute.

use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::TestLine;
use super::standings::Standings;

/// Columns that a line with a long bar takes.
const WIDE: u16 = 110;
/// Between two drawings of a bar of which nothing is heard.
const REDRAW: Duration = Duration::from_millis(250);
/// Between two lines of a log.
const TELL: Duration = Duration::from_mins(1);

/// A bar that knows how many games there are.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// When a line was last written where no bar is drawn.
    told: Mutex<Instant>,
}

impl Progress {
    /// A bar for `games` games, `done` of which were played in an earlier sitting.
    pub fn new(games: u64, done: u64) -> Progress {
        let bar = ProgressBar::new(games).with_position(done);
        let rest = "{pos}/{len} games  {per_sec}  {eta} left  {wide_msg}";
        bar.set_style(style(rest).with_key(
            "per_sec",
            |state: &indicatif::ProgressState, w: &mut dyn std::fmt::Write| {
                let speed = state.per_sec();
                let _ = if speed < 10.0 {
                    write!(w, "{speed:.1}/s")
                } else {
                    write!(w, "{speed:.0}/s")
                };
            },
        ));
        // The first look at the bar takes all that is done for work of this moment; then it forgets.
        bar.tick();
        bar.reset_eta();
        redraw(&bar);
        Progress {
            bar,
            told: Mutex::new(Instant::now()),
        }
    }

    /// A game has been played, of `games` that are expected now; `test` is what a sequential test
    /// says.
    pub fn game(&self, standings: &Standings, games: u64, test: Option<&TestLine>) {
        self.bar.set_length(games);
        self.bar.inc(1);
        if self.bar.is_hidden() {
            self.tell(games, || headline_of(standings, test));
            return;
        }
        // Ten thousand games a minute need no ten thousand messages.
        if self.bar.position().is_multiple_of(16) || self.bar.per_sec() < 50.0 {
            self.bar.set_message(headline_of(standings, test));
        }
    }

    /// A line now and then for a log, in which there is no bar.
    fn tell(&self, games: u64, headline: impl FnOnce() -> String) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() >= TELL {
            *told = Instant::now();
            say_above(
                &self.bar,
                &format!("{} of {games} games: {}", self.bar.position(), headline()),
            );
        }
    }

    /// A line above the bar.
    pub fn say(&self, line: &str) {
        say_above(&self.bar, line);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for a class: hand-ins done, and those that are being graded.
#[derive(Debug)]
pub struct ClassProgress {
    bar: ProgressBar,
    now: Mutex<Vec<String>>,
}

impl ClassProgress {
    /// A bar for so many hand-ins.
    pub fn new(hand_ins: usize) -> ClassProgress {
        let bar = ProgressBar::new(hand_ins as u64);
        bar.set_style(style("{pos}/{len} graded  {elapsed}  {wide_msg}"));
        redraw(&bar);
        ClassProgress {
            bar,
            now: Mutex::default(),
        }
    }

    /// A hand-in's turn has come.
    pub fn begin(&self, hand_in: &str) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.push(hand_in.to_owned());
        self.bar.set_message(format!("now {}", now.join(", ")));
    }

    /// It has been graded: how it did goes above the bar.
    pub fn end(&self, hand_in: &str, how: &str) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        now.retain(|other| other != hand_in);
        self.bar.set_message(format!("now {}", now.join(", ")));
        self.bar.inc(1);
        say_above(&self.bar, how);
    }

    /// A line above the bar.
    pub fn say(&self, line: &str) {
        say_above(&self.bar, line);
    }

    /// How many hand-ins there are.
    pub fn hand_ins(&self) -> u64 {
        self.bar.length().unwrap_or_default()
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Draws the bar again and again until it is finished, so that its times go on. Where the system gives
/// no thread for that, it is drawn when there is something new.
fn redraw(bar: &ProgressBar) {
    if bar.is_hidden() {
        return;
    }
    let bar = bar.downgrade();
    let again = move || {
        while let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            thread::sleep(REDRAW);
        }
    };
    let _ = thread::Builder::new().name("bar".into()).spawn(again);
}

/// A bar and what stands behind it; a short one where the terminal is narrow.
fn style(rest: &str) -> ProgressStyle {
    let width = terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| width.0);
    let bar = if width.is_some_and(|width| width < WIDE) {
        8
    } else {
        28
    };
    ProgressStyle::with_template(&format!("{{bar:{bar}.cyan/black}} {rest}"))
        .expect("a template that a run has shown")
        .progress_chars("━━╌")
}

fn say_above(bar: &ProgressBar, line: &str) {
    if bar.is_hidden() {
        // Nobody reading it is no reason to fail.
        let _ = writeln!(std::io::stderr(), "{line}");
    } else {
        bar.println(line);
    }
}

fn headline_of(standings: &Standings, test: Option<&TestLine>) -> String {
    test.map_or_else(|| headline(standings), TestLine::headline)
}

/// The score so far: of both in a match, of the three best otherwise.
fn headline(standings: &Standings) -> String {
    if let [one, two] = standings.bots() {
        let score = one.score();
        return format!(
            "{} {}–{}–{} {}",
            one.name, score.wins, score.draws, score.losses, two.name
        );
    }
    let best = standings.ranking().into_iter().take(3).map(|number| {
        let bot = &standings.bots()[number];
        format!("{} {:.0} %", bot.name, 100.0 * bot.score().rate())
    });
    best.collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_an_earlier_sitting_are_no_speed() {
        let progress = Progress::new(1000, 900);
        progress.bar.tick();
        assert_eq!(progress.bar.position(), 900);
        assert_eq!(progress.bar.per_sec().to_bits(), 0.0_f64.to_bits());
    }
}
