//! A copy of a hand-in that could change while it is graded.

use std::io;
use std::path::{Path, PathBuf};

use super::limits::{no_room, too_much, unreadable};
use host::{CopyError, Walk};
use referee::bot::{Quota, add_entries, cached, digits, keep, new_entry};
use run::Stop;
use sha2::{Digest, Sha256};
use tournament::Problem;

/// A path at which only this user can change the hand-in, and each sandbox can read it: `path` itself, or a copy in the
/// user's cache. A student could otherwise replace a file by a link to the grader's files after it was checked.
///
/// # Errors
/// A problem for its author, a problem of the machine, or that `stop` was requested.
pub fn snapshot(path: &Path, stop: &Stop) -> Result<PathBuf, Problem> {
    if !host::others_may_change(path) && !host::is_closed_to_boxes(path) {
        return Ok(path.to_owned());
    }
    let own = Path::new(path.file_name().unwrap_or_default());
    let machine = |error: io::Error| no_room(own, &error);
    let named = digits(Sha256::new_with_prefix(path.as_os_str().as_encoded_bytes()));
    let new = new_entry(&cached("hand-ins", &named[..32]).map_err(machine)?).map_err(machine)?;
    let (mut quota, mut refused) = (Quota::WHOLE, None);
    let copied = host::copy_untrusted(path, &new.path().join(own), |inner, bytes| {
        let allowed = match quota.take(1, bytes) {
            _ if stop.is_requested() => Err(Problem::new("interrupted")),
            Ok(()) => Ok(()),
            Err(exceeded) => Err(too_much(inner, bytes, exceeded)),
        };
        allowed.map_err(|problem| {
            refused = Some(problem);
            io::ErrorKind::QuotaExceeded.into()
        })
    });
    copied.map_err(|error| match error {
        CopyError::Destination(error) => machine(error),
        CopyError::Source(error) => refused.unwrap_or_else(|| unreadable(own, &error)),
    })?;
    // The same contents are the same copy, so that a build of it need not be made again.
    let entries: io::Result<_> = Walk::of(new.path()).collect();
    let mut hash = Sha256::new_with_prefix(named);
    let hashed = entries.and_then(|entries| add_entries(&mut hash, new.path(), entries, &|| false));
    hashed.map_err(machine)?;
    let entry = cached("hand-ins", &digits(hash)[..32]).map_err(machine)?;
    keep(new, &entry).map_err(machine)?;
    Ok(entry.join(own))
}
