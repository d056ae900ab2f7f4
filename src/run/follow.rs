//! A run that another arena plays, followed from its record.

use std::collections::BTreeMap;

use super::{Run, RunError};
use referee::record::{GameId, GameRecord, Outcome};

/// How far a run has been read.
#[derive(Debug, Default)]
pub(super) struct Followed {
    /// The state of the record at the last look.
    state: Option<i64>,
    /// The void games that were told, with their checksums: they may be played again.
    void: BTreeMap<GameId, i64>,
}

impl Run {
    /// Reads the games that have been committed since the run was opened or last caught up, in the order
    /// of their numbers, and counts them; [`Run::status`] and [`Run::state`] know them then. Returns
    /// whether the record has changed. Void games are told, but not counted.
    pub fn catch_up(&mut self, mut on: impl FnMut(&GameRecord)) -> Result<bool, RunError> {
        let state = Some(self.store.state()?);
        if state == self.followed.state {
            return Ok(false);
        }
        for (id, sum) in self.store.sums(GameId(0))? {
            let is_known = self.shared.agenda().result(id).is_some()
                || self.followed.void.get(&id) == Some(&sum);
            if is_known {
                continue;
            }
            let Some(record) = self.store.game(id)? else {
                continue;
            };
            let outcome = record.verdict.outcome();
            if outcome == Outcome::Void {
                self.followed.void.insert(id, sum);
            } else {
                let fingerprint = record.fingerprint();
                self.shared
                    .agenda()
                    .restore(id, &record.players, outcome, fingerprint)?;
                self.standings.add(&record);
            }
            on(&record);
        }
        self.followed.state = state;
        Ok(true)
    }
}
