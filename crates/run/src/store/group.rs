//! When saved games are committed: in groups, because forcing them to disk takes longer than a short game.

use std::time::{Duration, Instant};

/// The longest time that a finished game waits for its commit.
pub(super) const COMMIT_AFTER: Duration = Duration::from_millis(50);
/// The maximum number of games that wait for a commit.
pub(super) const COMMIT_GAMES: u32 = 100;

/// Whether so many games that wait, the first of them since then, are to be committed now.
pub(super) fn is_due(games: u32, since: Option<Instant>, now: Instant) -> bool {
    since.is_some_and(|since| {
        games >= COMMIT_GAMES || now.saturating_duration_since(since) >= COMMIT_AFTER
    })
}
