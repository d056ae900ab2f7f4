use std::path::Path;

use message::{Lang, Message, message};

use super::{GoalLine, RunResults, Standings, TuningLine, tables, terminal, tuning};

#[derive(Debug)]
pub struct Summary {
    pub standings: Standings,
    pub goal: Option<GoalLine>,
    pub tuning: Option<TuningLine>,
    /// The wanted precision of the first bot's rating, in Elo; `None` if the run has no such goal.
    pub until: Option<f64>,
    /// Whether bots were allowed to think while their opponents were to move.
    pub ponder: bool,
}

/// Describes the result of a match, a tuning or a rating. For a match with a goal, the first line is the verdict.
pub fn result(
    goal: Option<&GoalLine>,
    tuning: Option<&TuningLine>,
    standings: &Standings,
) -> Vec<Message> {
    match (goal, tuning, standings.head_to_head()) {
        (Some(goal), ..) => goal.text(),
        (None, Some(tuning), _) => tuning.text(),
        (None, None, Some(line)) => line.text(),
        (None, None, None) => standings.strength_words(),
    }
}

impl Summary {
    /// Writes the text for a terminal of `width` columns (`None`: a file or a pipe). `run` is the run's folder.
    pub fn text(&self, run: &Path, width: Option<usize>, lang: &'static Lang) -> String {
        let (standings, bots) = (&self.standings, self.standings.results());
        let mut text = match &self.tuning {
            Some(tuning) => tuning.grid(lang).text(width, &[]) + "\n",
            None => terminal::standings(&bots, width, lang) + "\n",
        };
        if let (None, Some(table)) = (&self.tuning, terminal::crosstable(standings, width, lang)) {
            text += &format!("\n{table}\n");
        }
        if bots.iter().any(|bot| bot.moves > 0) {
            text += &format!("\n{}\n", terminal::timing(&bots, width, lang));
        }
        text += "\n";
        for line in self.words(run) {
            text += &format!("{}\n", lang.render(&line));
        }
        text
    }

    pub fn result(&self) -> Vec<Message> {
        result(self.goal.as_ref(), self.tuning.as_ref(), &self.standings)
    }

    fn words(&self, run: &Path) -> Vec<Message> {
        let standings = &self.standings;
        let mut lines = terminal::faults(standings, run);
        if self.ponder {
            lines.extend(terminal::not_pondering(standings));
        }
        lines.extend(self.result());
        if let (Some(until), true) = (self.until, self.is_open()) {
            lines.push(message!(
                "the rating is not known to ± {until} Elo: arena resume {run} --max-games N plays more games"
            ));
        }
        let paid = standings.bots().iter().filter(|bot| !bot.spent.is_empty());
        lines.extend(paid.map(|bot| message!("{} spent: {}", bot.name, bot.spent.to_string())));
        let (games, void) = (standings.games(), standings.void());
        if let (None, repeated @ 1..) = (&self.goal, standings.repeated()) {
            lines.push(message!(
                "note: {repeated} of {games} games {repeated|repeats|repeat} an earlier game move by move: \
                 {repeated|it gives|they give} no new information, but ± counts {repeated|it|them} as new"
            ));
        }
        if standings.head_to_head().is_none() && self.tuning.is_none() {
            let unrated = standings.rating_notes().into_iter();
            lines.extend(unrated.map(|note| message!("note: {note}")));
        }
        let own: &[&str] = self.tuning.as_ref().map_or(&[], |_| &tuning::FILES);
        let (files, folder) = ([own, &tables::NAMES].concat(), run.display());
        lines.push(message!(
            "{games} {games|game|games}, {void} void; {files} in {folder}"
        ));
        let failures = run.join("failures");
        if failures.is_dir() {
            lines.push(message!("messages of failed games: {failures}"));
        }
        if self.tuning.is_none() {
            lines.extend(terminal::why_lost(standings, run));
        }
        lines
    }

    pub fn results(&self, name: &str, run: &Path) -> RunResults {
        let (goal, tuning) = (self.goal.as_ref(), self.tuning.as_ref());
        RunResults::of(name, run, &self.standings, goal, tuning)
    }

    /// Returns whether the run has no goal, or has reached it: H1 is accepted, or the difference or the rating is
    /// known with the wanted precision.
    pub fn is_passed(&self) -> bool {
        self.goal.as_ref().is_none_or(GoalLine::is_passed) && !self.is_open()
    }

    /// Returns whether the first bot's rating is not yet known with the wanted precision.
    fn is_open(&self) -> bool {
        self.until.is_some_and(|until| {
            let own = self
                .standings
                .ratings()
                .first()
                .and_then(|own| own.error_95);
            own.is_none_or(|error| error > until)
        })
    }
}
