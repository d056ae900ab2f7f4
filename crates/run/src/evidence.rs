//! Keeping a finished game and the messages of it.

use std::path::Path;
use std::time::Instant;

use super::RunError;
use crate::report::failures::{self, Evidence};
use crate::store::Store;
use referee::record::{GameRecord, Verdict};
use tournament::Tournament;

/// Saves a finished game of a tournament: its messages first, then the game itself, so that a saved game
/// always has its evidence, even if the arena is killed.
pub fn keep(
    store: &mut Store,
    run: &Path,
    tournament: &Tournament,
    record: &GameRecord,
    evidence: Option<&[Evidence; 2]>,
) -> Result<(), RunError> {
    let failed = evidence.filter(|_| needs_evidence(&record.verdict));
    let kept = match failed {
        Some(evidence) => failures::write(run, record, tournament.seeds(record.id), evidence),
        None => failures::forget(run, record.id),
    };
    let kept = kept.and_then(|()| match evidence.filter(|_| tournament.log) {
        Some(evidence) => failures::log(run, record, evidence),
        None => Ok(()),
    });
    kept.map_err(RunError::system(
        "cannot save the messages of a failed game",
    ))?;
    Ok(store.save(record, Instant::now())?)
}

/// Whether the messages of a game that ended so are kept in any case.
pub(super) fn needs_evidence(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Rules { .. } | Verdict::Resigned(_) | Verdict::Adjudicated { .. } => false,
        Verdict::Forfeit { .. } | Verdict::BothFailed(_) | Verdict::Void { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Game, Side};
    use referee::record::{Fault, GameId};
    use tournament::Format;

    fn game(verdict: Verdict) -> GameRecord {
        GameRecord::new(GameId(3), Game::OTHELLO, ["mine", "other"], verdict)
    }

    fn tournament() -> Tournament {
        Tournament::new("quick", Game::OTHELLO, Format::Match, 2, Vec::new())
    }

    #[test]
    fn a_game_counts_only_once_its_evidence_is_there() {
        let run = tempfile::tempdir().expect("a temporary folder");
        let mut store = Store::open(run.path()).expect("a new record");
        let lost = game(Verdict::Forfeit {
            by: Side::Black,
            fault: Fault::ClosedOutput,
        });
        let said = <[Evidence; 2]>::default();
        // Where the evidence cannot be written, the game is not kept either.
        let failures = run.path().join("failures");
        std::fs::write(&failures, "a file stands in the way").expect("a file");
        keep(&mut store, run.path(), &tournament(), &lost, Some(&said)).expect_err("no folder");
        assert_eq!(store.game(lost.id).expect("sound"), None);
        std::fs::remove_file(&failures).expect("it is there");
        keep(&mut store, run.path(), &tournament(), &lost, Some(&said)).expect("both are kept");
        assert_eq!(store.game(lost.id).expect("sound"), Some(lost));
        assert!(failures.join("3/what-happened.txt").is_file());
    }

    #[test]
    fn what_was_said_in_a_game_that_did_not_count_goes_once_it_is_played() {
        let run = tempfile::tempdir().expect("a temporary folder");
        let mut store = Store::open(run.path()).expect("a new record");
        let why = "the machine stood still".to_owned();
        let said = <[Evidence; 2]>::default();
        let void = game(Verdict::Void { why });
        keep(&mut store, run.path(), &tournament(), &void, Some(&said)).expect("both are kept");
        assert!(run.path().join("failures/3").is_dir());
        let played = game(Verdict::Resigned(Side::White));
        keep(&mut store, run.path(), &tournament(), &played, None).expect("it is kept");
        assert!(!run.path().join("failures").exists());
    }
}
