//! What the last merge of a plan found, in the file `merged.json`.

use std::path::Path;

use message::Message;
use serde::{Deserialize, Serialize};

use super::plan::{LONGEST_PLAN, read_text};

pub(super) const NAME: &str = "merged.json";

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct LastMerge {
    pub games: u64,
    pub verdict: Option<Message>,
    #[serde(default)]
    pub machines: Option<Message>,
}

/// Returns the warning about machines of different speed, if the merged run in this folder has one.
pub fn remark(folder: &Path) -> Option<Message> {
    LastMerge::read(folder)?.machines
}

impl LastMerge {
    pub fn read(folder: &Path) -> Option<LastMerge> {
        let text = read_text(&folder.join(NAME), LONGEST_PLAN).ok()?;
        serde_json::from_str(&text).ok()
    }
}
