//! The result of a run, for the terminal and for programs.

use std::path::Path;

use serde_json::Value;

use super::{Standings, TestLine, json, tables, terminal};
use message::Lang;
use stats::Decision;

/// The result of a run so far.
#[derive(Debug)]
pub struct Summary {
    /// The standings.
    pub standings: Standings,
    /// The state of the sequential test, if there is one.
    pub test: Option<TestLine>,
}

impl Summary {
    /// Text for a terminal with this many columns; `None`: a file or a pipe. `run` is the run's folder.
    pub fn text(&self, run: &Path, width: Option<usize>, lang: &'static Lang) -> String {
        let standings = &self.standings;
        let title = |title| lang.word("table", title);
        let mut text = format!("{}\n", terminal::standings(standings, width, title));
        if let Some(table) = terminal::crosstable(standings, width, title) {
            text += &format!("\n{table}\n");
        }
        if standings.bots().iter().any(|bot| bot.thinking.count() > 0) {
            text += &format!("\n{}\n", terminal::timing(standings, width, title));
        }
        text += "\n";
        text + &lang.say_lines(&self.words(run))
    }

    /// What is said below the tables.
    fn words(&self, run: &Path) -> String {
        let standings = &self.standings;
        let mut text = terminal::faults(standings, run);
        match (&self.test, standings.head_to_head()) {
            (Some(test), _) => text += &test.text(),
            (None, Some(line)) => text += &line.text(),
            (None, None) => {}
        }
        if let (None, repeated @ 1..) = (&self.test, standings.repeated()) {
            text += &format!(
                "note: {repeated} of {} games repeat an earlier game move by move: they give \
                 no new information, but ± counts them as new\n",
                standings.games()
            );
        }
        let (games, void) = (standings.games(), standings.void());
        let files = tables::NAMES.join(", ");
        text += &format!("{games} games, {void} void; {files} in {}\n", run.display());
        if run.join("failures").is_dir() {
            text += &format!(
                "messages of failed games: {}\n",
                run.join("failures").display()
            );
        }
        text + &terminal::why_lost(standings, run).unwrap_or_default()
    }

    /// JSON for programs.
    pub fn json(&self, name: &str, run: &Path) -> String {
        let mut value = json::standings(name, run, &self.standings);
        value["sprt"] = self.test.as_ref().map_or(Value::Null, TestLine::json);
        format!("{value}\n")
    }

    /// Whether the sequential test, if there is one, accepted H1.
    pub fn is_passed(&self) -> bool {
        let decision = self.test.as_ref().map(TestLine::decision);
        decision.is_none_or(|decision| decision == Decision::AcceptH1)
    }
}
