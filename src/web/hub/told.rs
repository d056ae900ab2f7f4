//! What pages are told.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tokio::sync::broadcast;

/// What a page is told: the name of an event, and JSON.
#[derive(Clone, Debug)]
pub struct Told {
    /// The kind.
    pub event: &'static str,
    /// What happened.
    pub data: Arc<str>,
}

impl Told {
    /// This event with this JSON.
    pub(super) fn new(event: &'static str, data: &impl Serialize) -> Told {
        let data = serde_json::to_string(data).unwrap_or_default().into();
        Told { event, data }
    }
}

/// What is so now, and what happens from then on.
pub type Heard = (Told, broadcast::Receiver<Told>);

/// Now, in ms since 1970: a page compares it with its own clock on the same machine.
pub(super) fn unix_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_millis() as u64)
}
