//! Finds the platform that named the files of a class.
//!
//! A platform writes the beginning of a name. The student chooses the rest, which may look like another platform's
//! name, but cannot remove the beginning. So the platform of a class explains every name that any platform explains.
//! If several platforms do, the right one is the one that needs the shortest beginning of each name. The numbers of
//! explained names are not compared, because a student may hand in any number of files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::pattern::{Pattern, Values};
use super::{PLATFORMS, Patterns, Scheme, student, text_name};
use referee::problem;
use tournament::Problem;

struct Explanation {
    scheme: Scheme,
    parts: Vec<Option<usize>>,
}

impl Scheme {
    pub fn parse(text: &str) -> Result<Scheme, String> {
        let named = |scheme: &Scheme| {
            let name = scheme.platform.unwrap_or_default();
            name.eq_ignore_ascii_case(text)
        };
        if let Some(platform) = Scheme::platforms().find(named) {
            return Ok(platform);
        }
        Ok(Scheme {
            platform: None,
            hand_ins: vec![Pattern::parse(text)?],
            own: Vec::new(),
        })
    }

    fn platforms() -> impl Iterator<Item = Scheme> {
        let patterns = |(beginnings, ends): &Patterns| -> Vec<Pattern> {
            let texts = beginnings
                .iter()
                .flat_map(|beginning| ends.iter().map(move |end| format!("{beginning}{end}")));
            texts
                .map(|text| Pattern::of(&text).expect("they are tested"))
                .collect()
        };
        PLATFORMS.iter().map(move |(name, hand_ins, own)| Scheme {
            platform: Some(name),
            hand_ins: patterns(hand_ins),
            own: patterns(own),
        })
    }

    /// Finds the platform that named the hand-ins in a folder; `None` if no platform named more than half of them.
    pub(super) fn recognised(folder: &Path, paths: &[PathBuf]) -> Result<Option<Scheme>, Problem> {
        let names: Vec<&str> = paths.iter().map(|path| text_name(path)).collect();
        let explained = Scheme::platforms().map(|scheme| Explanation {
            parts: names
                .iter()
                .map(|name| scheme.platform_part(name))
                .collect(),
            scheme,
        });
        let mut found: Vec<Explanation> = explained.collect();
        if !found.iter().any(|one| one.scheme.named_most(&names)) {
            return Ok(None);
        }
        found.sort_by_key(|one| names.len() - one.parts.iter().flatten().count());
        let best = found.iter().position(|one| {
            let students = one.scheme.students(&names);
            found.iter().all(|other| {
                std::ptr::eq(one, other)
                    || one.is_better_than(other)
                        && (students > 1 || students >= other.scheme.students(&names))
            })
        });
        match best {
            Some(best) => Ok(Some(found.swap_remove(best).scheme)),
            None => Err(ambiguous(folder, &names, &found)),
        }
    }

    fn platform_part(&self, name: &str) -> Option<usize> {
        let patterns = self.hand_ins.iter().chain(&self.own);
        let ways = patterns.flat_map(|pattern| pattern.fits(name));
        ways.map(|ways| name.len() - chosen(&ways).len()).min()
    }

    fn named_most(&self, names: &[&str]) -> bool {
        let names: Vec<_> = names.iter().filter(|name| !self.is_own(name)).collect();
        let fitting = names.iter().filter(|name| !self.fits(name).is_empty());
        2 * fitting.count() > names.len()
    }

    fn students(&self, names: &[&str]) -> usize {
        let ways = names
            .iter()
            .filter_map(|name| self.fits(name).into_iter().next());
        let titles: BTreeSet<String> = ways.map(|ways| student(&ways).title()).collect();
        titles.len()
    }
}

pub(super) fn chosen<'a>(values: &Values<'a>) -> &'a str {
    let file = values.get("file").or_else(|| values.get("copy"));
    file.copied().unwrap_or_default()
}

impl Explanation {
    /// Returns whether this platform explains every name that `other` explains, and each by a shorter beginning.
    fn is_better_than(&self, other: &Explanation) -> bool {
        let mut parts = self.parts.iter().zip(&other.parts);
        parts.all(|parts| match parts {
            (Some(own), Some(other)) => own < other,
            (None, Some(_)) => false,
            (_, None) => true,
        })
    }
}

fn ambiguous(folder: &Path, names: &[&str], found: &[Explanation]) -> Problem {
    let first = &found[0];
    let shows = |other: &&Explanation| !first.is_better_than(other);
    let other = found[1..].iter().find(shows).unwrap_or(&found[1]);
    // The first name that the other platform does not explain better, if there is one.
    let name = |one: &Explanation, other: &Explanation| {
        let is_worse = |&at: &usize| other.parts[at].is_some() && other.parts[at] < one.parts[at];
        let explained = (0..names.len()).filter(|&at| one.parts[at].is_some());
        explained.min_by_key(is_worse).map_or("", |at| names[at])
    };
    let (one, two) = (name(first, other), name(other, first));
    let [platform, second] = [first, other].map(|one| one.scheme.platform.unwrap_or_default());
    let shown = folder.display();
    problem!(
        "the names in {shown} do not show their platform: {one} is named as {platform} does, {two} as {second} does"
    )
    .help(message::message!(
        "choose with --names {one} or --names {two}, or move the files of the other platform away",
        one = platform.to_lowercase(),
        two = second.to_lowercase()
    ))
}
