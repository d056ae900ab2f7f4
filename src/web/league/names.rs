//! The names of bots and owners on the pages of a league.
//!
//! In an anonymous league, visitors see numbers instead of names. A number comes from the league's key, never changes,
//! and reveals neither name nor order of hand-ins. Anchors and the visitor's own bots keep their names.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::league::{Owner, Version};

/// The smallest number that replaces a name, and the count of numbers from which the first attempts draw.
const FIRST: u64 = 100;
const NUMBERS: u64 = 900;
const DAY: u64 = 24 * 60 * 60 * 1000;

#[derive(Debug)]
pub struct Names {
    owners: BTreeMap<i64, String>,
    /// The names of the bots that are hidden from visitors, with their numbers.
    hidden: BTreeMap<String, u64>,
}

impl Names {
    pub fn new(key: &[u8; 32], versions: &[Version], owners: Vec<Owner>, anonymous: bool) -> Names {
        let owners = owners.into_iter().map(|owner| (owner.id, owner.name));
        let mut names = Names {
            owners: owners.collect(),
            hidden: BTreeMap::new(),
        };
        let mut taken = BTreeSet::new();
        for version in versions
            .iter()
            .filter(|version| anonymous && version.owner.is_some())
        {
            if !names.hidden.contains_key(&version.bot) {
                let mut tries = (0..).map(|attempt| number(key, &version.bot, attempt));
                let number = tries.find(|&number| taken.insert(number));
                let number = number.expect("each try has further numbers");
                names.hidden.insert(version.bot.clone(), number);
            }
        }
        names
    }

    /// Returns the name of a bot. `is_own`: whether the visitor owns it.
    pub fn bot(&self, bot: &str, is_own: bool) -> String {
        match self.hidden.get(bot).filter(|_| !is_own) {
            Some(number) => format!("bot-{number}"),
            None => bot.to_owned(),
        }
    }

    pub fn version(&self, version: &Version, is_own: bool) -> String {
        match self.hidden.get(&version.bot).filter(|_| !is_own) {
            Some(number) => format!("bot-{number}-v{}", version.number),
            None => version.name(),
        }
    }

    /// Returns the time of the hand-in, in milliseconds since 1970. Of a hidden bot, only the day is right: a visitor who
    /// knows when a student handed in must not find the bot.
    pub fn handed_in(&self, version: &Version, is_own: bool) -> u64 {
        let is_hidden = !is_own && self.hidden.contains_key(&version.bot);
        version.handed_in
            - if is_hidden {
                version.handed_in % DAY
            } else {
                0
            }
    }

    /// Returns the name of a version's owner, if there is one and this visitor may see the name.
    pub fn owner(&self, version: &Version, is_own: bool) -> Option<String> {
        let is_shown = is_own || !self.hidden.contains_key(&version.bot);
        self.owners
            .get(&version.owner?)
            .filter(|_| is_shown)
            .cloned()
    }
}

fn number(key: &[u8; 32], bot: &str, attempt: u64) -> u64 {
    let mut hash = Sha256::new_with_prefix(key);
    hash.update(attempt.to_be_bytes());
    hash.update(bot);
    let digest = hash.finalize();
    let bits = u64::from_be_bytes(digest[..8].try_into().expect("it has 32 bytes"));
    // If there are more bots than numbers, further attempts draw longer numbers.
    FIRST + bits % (NUMBERS << (attempt / 4).min(32))
}

#[cfg(test)]
mod tests {
    use stats::Score;

    use super::*;
    use crate::league::VersionState;

    fn version(id: i64, owner: Option<i64>, bot: &str) -> Version {
        let state = owner.map_or(VersionState::Anchor, |_| VersionState::Ready);
        Version {
            id,
            owner,
            bot: bot.to_owned(),
            number: 1,
            file: String::new(),
            sha256: String::new(),
            bytes: 0,
            handed_in: 0,
            state,
            reason: None,
            identity: String::new(),
            rating: None,
            places: None,
            score: Score::default(),
            faults: 0,
        }
    }

    #[test]
    fn numbers_are_unique_and_stay_when_bots_arrive() {
        let all: Vec<Version> = (0..2000)
            .map(|id| version(id, Some(id), &format!("name{id}")))
            .collect();
        let names = |versions: &[Version]| Names::new(&[7; 32], versions, Vec::new(), true);
        let (few, many) = (names(&all[..50]), names(&all));
        for version in &all[..50] {
            assert_eq!(few.bot(&version.bot, false), many.bot(&version.bot, false));
        }
        let numbers: BTreeSet<u64> = many.hidden.values().copied().collect();
        assert_eq!(numbers.len(), 2000);
        let of = |id: usize| few.hidden[&all[id].bot];
        assert!((1..50).any(|id| of(id) < of(id - 1)), "no order of arrival");
    }

    #[test]
    fn own_bots_and_anchors_keep_their_names() {
        let (anchor, ada) = (version(1, None, "greedy"), version(2, Some(1), "ada"));
        let owner = Owner {
            id: 1,
            name: "Ada".to_owned(),
        };
        let names = Names::new(&[7; 32], &[anchor.clone(), ada.clone()], vec![owner], true);
        assert_eq!(names.version(&anchor, false), "greedy");
        assert_eq!(names.version(&ada, true), "ada-v1");
        assert_eq!(names.owner(&ada, true).as_deref(), Some("Ada"));
        let shown = names.version(&ada, false);
        assert!(
            shown.starts_with("bot-") && shown.ends_with("-v1"),
            "{shown}"
        );
        assert_eq!(names.owner(&ada, false), None);
        let late = Version {
            handed_in: 2 * DAY + 1,
            ..ada
        };
        let seen = [true, false].map(|is_own| names.handed_in(&late, is_own));
        assert_eq!(seen, [2 * DAY + 1, 2 * DAY]);
    }
}
