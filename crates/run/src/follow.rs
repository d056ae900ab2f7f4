//! A run that another arena plays, followed from its record.

use std::collections::BTreeMap;

use super::error::RunError;
use super::shared::Shared;
use crate::report::Standings;
use crate::store::Store;
use referee::record::{GameId, GameRecord, Outcome};

/// How far a run has been read.
#[derive(Debug, Default)]
pub(super) struct Followed {
    /// The state of the record at the last look.
    state: Option<i64>,
    /// The void games that were told, with their checksums: they may be played again.
    void: BTreeMap<GameId, i64>,
}

impl Followed {
    /// See [`Run::catch_up`](super::Run::catch_up).
    pub fn catch_up(
        &mut self,
        store: &Store,
        shared: &Shared,
        standings: &mut Standings,
        mut on: impl FnMut(&GameRecord),
    ) -> Result<bool, RunError> {
        let state = Some(store.state()?);
        if state == self.state {
            return Ok(false);
        }
        for (id, sum) in store.sums(GameId(0), usize::MAX)? {
            let is_known = shared.agenda().result(id).is_some() || self.void.get(&id) == Some(&sum);
            if is_known {
                continue;
            }
            let Some(record) = store.game(id)? else {
                continue;
            };
            let outcome = record.verdict.outcome();
            if outcome == Outcome::Void {
                self.void.insert(id, sum);
            } else {
                let fingerprint = record.fingerprint();
                let mut agenda = shared.agenda();
                agenda.restore(id, &record.players, outcome, fingerprint)?;
                standings.add(&record);
            }
            on(&record);
        }
        self.state = state;
        Ok(true)
    }
}
