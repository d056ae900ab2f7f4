//! `class.json`: the list of a class's hand-ins, with facts that no single grade has. Pages read it and the grades.

use std::path::{Component, Path, PathBuf};

use message::{Message, message};
use serde::{Deserialize, Serialize};

use super::files::{self, HAND_INS};
use referee::bot::read_regular;
use run::RunError;
use run::report::grade::{ClassEntry, Similar};
use run::report::tables;
use tournament::mark::Card;

pub const NAME: &str = "class.json";
const LONGEST: u64 = 16 << 20;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassList {
    pub suite: String,
    /// A card without games, for hand-ins that have no card yet.
    example: Card,
    pub hand_ins: Vec<ListedHandIn>,
    pub similar: Vec<Similar>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListedHandIn {
    pub submission: String,
    /// The name of its run folder in the class.
    pub key: String,
    same_as: Option<Message>,
    taken_for: Option<Message>,
}

impl ListedHandIn {
    pub fn of(entry: &ClassEntry) -> ListedHandIn {
        let key = Path::new(&entry.run).file_name().unwrap_or_default();
        ListedHandIn {
            submission: entry.submission.clone(),
            key: key.to_string_lossy().into_owned(),
            same_as: entry.same_as.clone(),
            taken_for: entry.taken_for.clone(),
        }
    }
}

impl ClassList {
    pub fn new(example: &Card, hand_ins: Vec<ListedHandIn>, similar: &[Similar]) -> ClassList {
        ClassList {
            suite: example.suite.clone(),
            example: example.in_parts(),
            hand_ins,
            similar: similar.to_vec(),
        }
    }

    pub fn write(&self, class: &Path) -> Result<(), RunError> {
        let failed = || RunError::system(message!("cannot write {}", class.join(NAME).display()));
        let json = serde_json::to_string(self).map_err(|error| failed()(error.into()))?;
        Ok(tables::replace(&class.join(NAME), json.as_bytes())?)
    }

    /// Reads the list; `None` if it is missing or unreadable. Drops hand-ins whose key leads out of the class.
    pub fn read(class: &Path) -> Option<ClassList> {
        let text = read_regular(&class.join(NAME), LONGEST).ok()?;
        let mut list: ClassList = serde_json::from_slice(&text).ok()?;
        list.example = list.example.from_parts();
        list.hand_ins.retain(|hand_in| is_plain(&hand_in.key));
        Some(list)
    }

    pub fn lock(class: &Path) -> PathBuf {
        class.join("class.lock")
    }

    pub fn run(class: &Path, hand_in: &ListedHandIn) -> PathBuf {
        class.join(HAND_INS).join(&hand_in.key)
    }

    pub fn entry(&self, class: &Path, hand_in: &ListedHandIn) -> ClassEntry {
        let run = ClassList::run(class, hand_in);
        ClassEntry {
            submission: hand_in.submission.clone(),
            students: Vec::new(),
            card: files::read(&run).unwrap_or_else(|| Card {
                bot: hand_in.submission.clone(),
                ..self.example.clone()
            }),
            run: run.display().to_string(),
            is_unchanged: false,
            same_as: hand_in.same_as.clone(),
            taken_for: hand_in.taken_for.clone(),
        }
    }
}

/// Returns whether a key is a single name, which cannot lead out of its folder.
fn is_plain(key: &str) -> bool {
    let mut parts = Path::new(key).components();
    matches!(parts.next(), Some(Component::Normal(part)) if part == key) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_in_is_in_its_class() {
        for (key, plain) in cases::cases::<(String, bool)>("hand-in-keys") {
            assert_eq!(is_plain(&key), plain, "{key:?}");
        }
    }
}
