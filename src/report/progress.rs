//! The bar on standard error while a run goes on: games done, rate, time left, score so far.
//! Nothing is drawn where standard error is no terminal.

use std::io::Write as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::TestLine;
use super::standings::Standings;

/// A bar that knows how many games there are.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for `games` games, `done` of which were played in an earlier sitting.
    pub fn new(games: u64, done: u64) -> Progress {
        let bar = ProgressBar::new(games).with_position(done);
        bar.reset_eta();
        let style = ProgressStyle::with_template(
            "{bar:28.cyan/black} {pos}/{len} games  {per_sec}  {eta} left  {wide_msg}",
        )
        .expect("a template that a run has shown")
        .progress_chars("━━╌");
        bar.set_style(style.with_key(
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
        bar.enable_steady_tick(Duration::from_millis(250));
        Progress { bar }
    }

    /// A game has been played, of `games` that are expected now; `test` is what a sequential test
    /// says.
    pub fn game(&self, standings: &Standings, games: u64, test: Option<&TestLine>) {
        self.bar.set_length(games);
        self.bar.inc(1);
        // Ten thousand games a minute need no ten thousand messages.
        if self.bar.position().is_multiple_of(16) || self.bar.per_sec() < 50.0 {
            let message = test.map_or_else(|| headline(standings), TestLine::headline);
            self.bar.set_message(message);
        }
    }

    /// A line above the bar.
    pub fn say(&self, line: &str) {
        if self.bar.is_hidden() {
            // Nobody reading it is no reason to fail.
            let _ = writeln!(std::io::stderr(), "{line}");
        } else {
            self.bar.println(line);
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
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
