//! The progress bar on standard error: games done, rate, time left, score. Without a terminal, one line per minute.

use std::fmt::Write;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::Standings;
use message::{message, spoken};

/// A terminal with at least this many columns has the long bar.
const WIDE: u16 = 110;
const REDRAW: Duration = Duration::from_millis(250);
const FORECAST_EVERY: Duration = Duration::from_secs(1);
const LOG_EVERY: Duration = Duration::from_secs(60);

/// Moves the cursor back from the end of a full line. The terminal writes `^C` at the cursor. At the end of the line,
/// `^C` would wrap, and the old bar would stay visible above it.
const SPACE_FOR_CTRL_C: &str = "\u{1b}[4D";

#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// When the last line was printed, if no bar is drawn.
    logged: Mutex<Instant>,
    has_goal: bool,
    /// When the text after the bar was last replaced, in a match with a goal.
    forecast: Mutex<Option<Instant>>,
}

impl Progress {
    /// Draws a bar for `games` games; `done` of them were played before the run was resumed. With `has_goal`, the run
    /// may end long before its last game, so the bar does not show the time left.
    pub fn new(games: u64, done: u64, has_goal: bool) -> Progress {
        let bar = ProgressBar::new(games).with_position(done);
        let style = if has_goal {
            plain(spoken().get("progress.goal"))
        } else {
            style(spoken().get("progress.games"))
        };
        bar.set_style(
            style.with_key("per_sec", |state: &ProgressState, w: &mut dyn Write| {
                let speed = state.per_sec();
                let _ = if speed < 10.0 {
                    write!(w, "{speed:.1}/s")
                } else {
                    write!(w, "{speed:.0}/s")
                };
            }),
        );
        // The bar takes the earlier games for games that were played just now. The reset corrects its rate.
        bar.tick();
        bar.reset_eta();
        redraw(&bar);
        Progress {
            bar,
            logged: Mutex::new(Instant::now()),
            has_goal,
            forecast: Mutex::default(),
        }
    }

    /// Shows the number of finished games; `games` is the number that is expected now. The result of `headline` is
    /// shown after the bar. For a match with a goal, this text has a forecast, which takes time to compute.
    pub fn game(&self, played: u64, games: u64, headline: impl FnOnce() -> String) {
        self.bar.set_length(games);
        // Sets the number instead of adding 1: a void game that is played again would count twice.
        self.bar.set_position(played);
        if self.bar.is_hidden() {
            self.log(games, headline);
            return;
        }
        // In a fast run, only every 16th game updates the text after the bar.
        let is_due = if self.has_goal {
            self.is_forecast_due()
        } else {
            self.bar.position().is_multiple_of(16) || self.bar.per_sec() < 50.0
        };
        if is_due {
            self.bar.set_message(headline());
        }
    }

    fn is_forecast_due(&self) -> bool {
        let mut shown = self.forecast.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = shown.is_none_or(|shown| shown.elapsed() >= FORECAST_EVERY);
        if is_due {
            *shown = Some(Instant::now());
        }
        is_due
    }

    fn log(&self, games: u64, headline: impl FnOnce() -> String) {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.elapsed() >= LOG_EVERY {
            *logged = Instant::now();
            let played = self.bar.position();
            let logged = message!("{played} of {games} games: {}", headline());
            self.say(&spoken().render(&logged));
        }
    }

    pub fn say(&self, line: &str) {
        say_above(&self.bar, line);
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[derive(Debug)]
pub struct ClassProgress {
    bar: ProgressBar,
    now: Mutex<Vec<String>>,
}

impl ClassProgress {
    pub fn new(hand_ins: usize) -> ClassProgress {
        let bar = ProgressBar::new(hand_ins as u64);
        bar.set_style(style(spoken().get("progress.class")));
        redraw(&bar);
        ClassProgress {
            bar,
            now: Mutex::default(),
        }
    }

    pub fn begin(&self, hand_in: &str) {
        self.now(|now| now.push(hand_in.to_owned()));
    }

    /// Counts a graded hand-in and prints its result above the bar.
    pub fn end(&self, hand_in: &str, how: &str) {
        self.now(|now| now.retain(|other| other != hand_in));
        self.bar.inc(1);
        say_above(&self.bar, how);
    }

    pub fn say(&self, line: &str) {
        say_above(&self.bar, line);
    }

    fn now(&self, change: impl FnOnce(&mut Vec<String>)) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut now);
        let now = message!("now {}", *now);
        self.bar.set_message(spoken().render(&now));
    }

    pub fn hand_ins(&self) -> u64 {
        self.bar.length().unwrap_or_default()
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line on a terminal that names what the arena waits for, and how long it has waited. It appears after a second.
#[derive(Debug)]
pub struct Waiting {
    line: ProgressBar,
    what: Arc<Mutex<String>>,
}

impl Default for Waiting {
    fn default() -> Waiting {
        let what = Arc::new(Mutex::new(String::new()));
        let shown = Arc::clone(&what);
        let text = move |state: &ProgressState, line: &mut dyn Write| {
            let seconds = state.elapsed().as_secs();
            let what = shown.lock().unwrap_or_else(PoisonError::into_inner);
            if seconds > 0 && !what.is_empty() {
                let _ = write!(line, "  … {what}, {seconds} s");
            }
        };
        let style = ProgressStyle::with_template("{waiting}").expect("a template");
        let line = ProgressBar::new_spinner().with_style(style.with_key("waiting", text));
        redraw(&line);
        Waiting { line, what }
    }
}

impl Waiting {
    pub fn begin(&self, what: &str) {
        let mut now = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        what.clone_into(&mut now);
        drop(now);
        self.line.reset_elapsed();
    }

    /// Removes the line while `write` runs.
    pub fn aside(&self, write: impl FnOnce()) {
        self.line.suspend(write);
    }

    pub fn finish(&self) {
        self.line.finish_and_clear();
    }
}

/// Redraws the bar regularly until it is finished. If no thread can start, the bar is redrawn only when it changes.
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

fn style(rest: &str) -> ProgressStyle {
    let width = terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| width.0);
    let bar = if width.is_some_and(|width| width < WIDE) {
        8
    } else {
        28
    };
    plain(&format!("{{bar:{bar}.cyan/black}} {rest}")).progress_chars("━━╌")
}

fn plain(line: &str) -> ProgressStyle {
    ProgressStyle::with_template(&format!("{line}{SPACE_FOR_CTRL_C}"))
        .expect("a template that a run has shown")
}

fn say_above(bar: &ProgressBar, line: &str) {
    if bar.is_hidden() {
        // A closed standard error must not stop the run.
        let _ = writeln!(std::io::stderr(), "{line}");
    } else {
        bar.println(line);
    }
}

/// Formats the score so far: of both bots if there are two, else of the three best bots.
pub fn headline(standings: &Standings) -> String {
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
    fn games_of_an_earlier_session_do_not_count_for_the_rate() {
        let progress = Progress::new(1000, 900, false);
        progress.bar.tick();
        assert_eq!(progress.bar.position(), 900);
        assert_eq!(progress.bar.per_sec().to_bits(), 0.0_f64.to_bits());
    }
}
