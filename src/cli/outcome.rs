//! What a run has come to: its tables, its test, and how both are shown.

use std::path::Path;

use serde_json::Value;

use super::CliError;
use super::play::names;
use crate::report::{Placing, Standings, TestLine, json, tables, terminal};
use crate::store::Store;
use crate::tournament::{Agenda, Problem, Stopping, Tournament};
use stats::Decision;

/// A run as far as it has been played.
pub struct Outcome {
    /// What was counted.
    pub standings: Standings,
    /// What the sequential test says, if there is one.
    pub test: Option<TestLine>,
}

/// The agenda of a run that goes on where its record ends; `counted` are the games of the record.
pub fn restored(tournament: &Tournament, store: &Store) -> Result<(Agenda, Standings), CliError> {
    let mut agenda = Agenda::new(tournament);
    let names = names(tournament);
    let mut standings = Standings::new(names.iter().map(String::as_str));
    store.each(|record| -> Result<(), CliError> {
        let outcome = record.verdict.outcome();
        agenda
            .restore(record.id, &record.players, outcome, record.fingerprint())
            .map_err(Problem::new)?;
        if agenda.result(record.id).is_some() {
            standings.add(&record);
        }
        Ok(())
    })?;
    Ok((agenda, standings))
}

/// What the test of a match says so far.
pub fn test_line(agenda: &Agenda, tournament: &Tournament) -> Option<TestLine> {
    let stopping = agenda.stopping()?;
    let name = |bot: usize| tournament.contestants[bot].name.clone();
    let beyond = if stopping.is_over() {
        agenda.played().saturating_sub(stopping.games())
    } else {
        0
    };
    Some(TestLine {
        names: [name(0), name(1)],
        test: *Stopping::test(stopping),
        pairs: stopping.pairs(),
        beyond,
        unscored: stopping.unscored(),
        repeated: stopping.repeated(),
        exhausted: stopping.is_exhausted().then(|| tournament.openings_a_lap()),
    })
}

fn placing(agenda: &Agenda) -> Option<Placing> {
    agenda.places().map(|places| Placing {
        order: places.order,
        points: places.points,
        buchholz: places.buchholz,
    })
}

impl Outcome {
    /// Writes the tables of a run, and says what it has come to.
    pub fn write(
        tournament: &Tournament,
        agenda: &Agenda,
        run: &Path,
        store: &Store,
    ) -> Result<Outcome, CliError> {
        Ok(Outcome {
            standings: tables::write(run, store, &names(tournament), placing(agenda))?,
            test: test_line(agenda, tournament),
        })
    }

    /// The same without writing anything.
    pub fn read(
        tournament: &Tournament,
        agenda: &Agenda,
        store: &Store,
    ) -> Result<Outcome, CliError> {
        Ok(Outcome {
            standings: tables::count(store, &names(tournament), placing(agenda))?,
            test: test_line(agenda, tournament),
        })
    }

    /// For the terminal.
    pub fn text(&self, run: &Path) -> String {
        let standings = &self.standings;
        let width = width();
        let mut text = format!("{}\n", terminal::standings(standings, width));
        if let Some(table) = terminal::crosstable(standings, width) {
            text += &format!("\n{table}\n");
        }
        if standings.bots().iter().any(|bot| bot.thinking.count() > 0) {
            text += &format!("\n{}\n", terminal::timing(standings, width));
        }
        text += "\n";
        text += &terminal::faults(standings);
        match (&self.test, standings.head_to_head()) {
            (Some(test), _) => text += &test.text(),
            (None, Some(line)) => text += &line.text(),
            (None, None) => {}
        }
        if let (None, repeated @ 1..) = (&self.test, standings.repeated()) {
            text += &format!(
                "note: {repeated} of {} games were played just as earlier ones were: they show \
                 nothing new, though ± takes them for new\n",
                standings.games()
            );
        }
        let (games, void) = (standings.games(), standings.void());
        let files = tables::NAMES.join(", ");
        text += &format!("{games} games, {void} void; {files} in {}\n", run.display());
        if run.join("failures").is_dir() {
            text += &format!(
                "what was said in failed games: {}\n",
                run.join("failures").display()
            );
        }
        text
    }

    /// For programs.
    pub fn json(&self, name: &str, run: &Path) -> String {
        let mut value = json::standings(name, run, &self.standings);
        value["sprt"] = self.test.as_ref().map_or(Value::Null, TestLine::json);
        format!("{value}\n")
    }

    /// Whether the question that was asked, if one was, has the answer yes.
    pub fn is_passed(&self) -> bool {
        let decision = self.test.as_ref().map(TestLine::decision);
        decision.is_none_or(|decision| decision == Decision::AcceptH1)
    }
}

/// The width of the terminal that standard output is; `None` where it is a file or a pipe.
pub fn width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(usize::from(width.0))
}
