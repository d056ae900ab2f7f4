//! Finds doubtful marks: an opponent did not start, the arena was interrupted, games are void, or a recount differs.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use message::{Message, message};
use referee::problem;
use referee::record::{Fault, GameRecord, Verdict};

use super::files::{self, HAND_INS};
use super::grading::{Grading, error_chain};
use run::store::{Store, StoreError};
use run::{RunError, RunFile};
use tournament::Catalogue;
use tournament::mark::GradeState;

#[derive(Debug)]
pub struct Doubt {
    pub name: String,
    pub run: PathBuf,
    pub reasons: Message,
}

#[derive(Debug)]
pub struct Audit {
    /// The number of hand-ins that have a run, graded or not.
    pub marks: usize,
    pub doubts: Vec<Doubt>,
}

impl Audit {
    pub fn of(folder: &Path, catalogue: &Catalogue) -> Result<Audit, RunError> {
        let mut audit = Audit {
            marks: 0,
            doubts: Vec::new(),
        };
        let shown = folder.display();
        let runs = run_folders(folder)
            .map_err(|error| problem!("cannot read the folder {}: {error}", shown))?;
        for run in runs {
            audit.marks += 1;
            let reasons = match reasons(&run, catalogue) {
                Ok(reasons) if reasons.is_empty() => continue,
                Ok(reasons) => Message::list(reasons),
                Err(error) => message!(
                    "its mark cannot be computed again from its games: {error}",
                    error = error_chain(&error)
                ),
            };
            let name = run.file_name().unwrap_or_default().to_string_lossy();
            audit.doubts.push(Doubt {
                name: name.into_owned(),
                reasons,
                run,
            });
        }
        if audit.marks == 0 {
            return Err(problem!("the folder {shown} has no grades")
                .help("name the folder of a class, which has class.csv")
                .into());
        }
        Ok(audit)
    }
}

fn reasons(run: &Path, catalogue: &Catalogue) -> Result<Vec<Message>, RunError> {
    let Some(card) = files::read(run) else {
        return Ok(vec!["its grade.json cannot be read".into()]);
    };
    let mut reasons = not_by_play(run, &card.bot)?;
    // A bot that was never usable has no games to check.
    if card.state == GradeState::Graded || card.is_final() && run.join("arena.db").exists() {
        let file = RunFile::read(run)?.for_reading(catalogue);
        let counted = Grading::of_run(run, file, catalogue)?.judged(run)?;
        reasons.extend(card.contradicts(&counted));
    }
    Ok(reasons)
}

/// Returns the reason to doubt that play alone decided a game, if there is one. `bot` is the graded bot.
fn doubt(record: &GameRecord, bot: &str) -> Option<Message> {
    match &record.verdict {
        Verdict::Void { .. } => return Some("void".into()),
        Verdict::Forfeit { by, fault } => {
            let player = &record.players[by.index()];
            let is_start = matches!(
                fault,
                Fault::StartFailed { .. } | Fault::HandshakeTimeout { .. }
            );
            if player != bot && is_start {
                let fault = Message::from(fault.word());
                return Some(message!("{player} lost by {fault}"));
            }
        }
        _ => {}
    }
    (record.attempts > 1).then(|| "interrupted".into())
}

/// Returns the reasons for doubt about the run's games, each with the numbers of its games. `bot` is the graded bot.
fn not_by_play(run: &Path, bot: &str) -> Result<Vec<Message>, StoreError> {
    let mut games: BTreeMap<String, (Message, Vec<u64>)> = BTreeMap::new();
    if run.join("arena.db").exists() {
        Store::read(run)?.each(|record| -> Result<(), StoreError> {
            if let Some(doubt) = doubt(&record, bot) {
                let (_, games) = games
                    .entry(doubt.to_string())
                    .or_insert((doubt, Vec::new()));
                games.push(record.id.0);
            }
            Ok(())
        })?;
    }
    let reasons = games.into_values().map(|(doubt, games)| {
        let games = match games.len() {
            1 => message!("game {games}"),
            _ => message!("games {games}"),
        };
        message!("{doubt}: {games}")
    });
    Ok(reasons.collect())
}

/// Returns a class's run folders, sorted by name: those in [`HAND_INS`], and those of earlier versions, in `out`.
fn run_folders(out: &Path) -> io::Result<Vec<PathBuf>> {
    let own = out.join(HAND_INS);
    let inner = if own.is_dir() {
        Some(fs::read_dir(&own)?)
    } else {
        None
    };
    let entries = fs::read_dir(out)?.chain(inner.into_iter().flatten());
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut runs = paths.collect::<io::Result<Vec<_>>>()?;
    runs.retain(|path| {
        path.is_dir()
            && (path.starts_with(&own) && *path != own || path.join(files::GRADE).is_file())
    });
    runs.sort_by(|one, other| one.file_name().cmp(&other.file_name()));
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;
    use games::Side::{Black, White};
    use referee::record::GameId;
    use std::time::{Duration, Instant};

    #[test]
    fn a_result_that_does_not_come_from_play_alone_is_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let late = Fault::HandshakeTimeout {
            allowed: Duration::from_secs(10),
            unanswered: String::new(),
            last: String::new(),
        };
        let forfeit = |by| Verdict::Forfeit {
            by,
            fault: late.clone(),
        };
        let void = || Verdict::Void {
            why: "the machine stood still".into(),
        };
        for (name, verdicts, reasons) in [
            ("honest", vec![Verdict::Resigned(Black)], None),
            // Here the graded bot itself did not start. This gives no reason for doubt.
            ("late", vec![forfeit(Black)], None),
            (
                "forger",
                vec![forfeit(White), Verdict::Resigned(Black), forfeit(White)],
                Some("other lost by handshake-timeout: games 0, 2"),
            ),
            ("voided", vec![void()], Some("void: game 0")),
        ] {
            let run = folder.path().join(HAND_INS).join(name);
            fs::create_dir_all(&run).expect("a folder");
            let mut store = Store::open(&run).expect("a record");
            for (id, verdict) in (0..).zip(verdicts) {
                let players = ["mine", "other"];
                let game = Game::OTHELLO;
                let record = GameRecord::new(GameId(id), game, players, verdict);
                store.save(&record, Instant::now()).expect("room");
            }
            store.commit().expect("room");
            let found = super::not_by_play(&run, "mine").expect("a record");
            let found = found.first().map(Message::to_string);
            assert_eq!(found.as_deref(), reasons, "{name}");
        }
    }

    #[test]
    fn a_game_that_was_interrupted_is_named() {
        let game = Game::OTHELLO;
        let verdict = Verdict::Resigned(Black);
        let mut record = GameRecord::new(GameId(4), game, ["mine", "other"], verdict);
        assert_eq!(doubt(&record, "mine"), None);
        record.attempts = 2;
        assert_eq!(doubt(&record, "mine"), Some("interrupted".into()));
    }
}
