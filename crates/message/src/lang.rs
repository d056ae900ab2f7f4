//! All texts for users, in English and in Simplified Chinese.
//!
//! Texts of pages and screens have a key, in one file per language; `{name}` is the place of a value. Words of the
//! record (`out-of-time`, `five`) have keys such as `reason.out-of-time`; a word without a text is shown unchanged. The
//! English text of a [`Message`] is the key of its translation; each part of the program has a file of translations.
//!
//! Callers pass the languages that a user accepts to [`Lang::wanted`], and the terminal's language to [`speak`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::template::{TemplatePart, parts};
use crate::{Message, SafeText};

/// A language. Each file is parsed when it is first used.
#[derive(Debug)]
pub struct Lang {
    /// The code, as in HTML.
    pub code: &'static str,
    files: LanguageFiles,
    texts: OnceLock<BTreeMap<String, String>>,
    translations: OnceLock<BTreeMap<String, String>>,
    for_pages: OnceLock<BTreeMap<String, String>>,
}

#[derive(Debug)]
struct LanguageFiles {
    texts: &'static str,
    /// The parts of the program, each with its translations of messages in TOML. Empty for English.
    parts: &'static [(&'static str, &'static str)],
    protocol: &'static str,
}

macro_rules! parts {
    ($folder:literal: $($part:literal)*) => {
        &[$(($part, include_str!(concat!($folder, "/", $part, ".toml")))),*]
    };
}

static ALL: [Lang; 2] = [
    Lang::new(
        "en",
        LanguageFiles {
            texts: include_str!("en.toml"),
            parts: &[],
            protocol: include_str!("../../../docs/protocol.md"),
        },
    ),
    Lang::new(
        "zh",
        LanguageFiles {
            texts: include_str!("zh.toml"),
            parts: parts!(
                "zh": "arena" "cluster" "doctor" "fault" "files" "grade" "help" "league" "league_pages" "machine"
                "match" "options" "programs" "record" "stages" "templates"
            ),
            protocol: include_str!("../../../docs/zh-CN/protocol.md"),
        },
    ),
];

/// The parts with messages that a page may show.
const OF_PAGES: [&str; 6] = ["grade", "files", "fault", "record", "match", "league"];

static SPOKEN: AtomicUsize = AtomicUsize::new(0);

pub fn speak(lang: &Lang) {
    let number = ALL.iter().position(|one| one.code == lang.code);
    SPOKEN.store(number.unwrap_or_default(), Ordering::Relaxed);
}

pub fn spoken() -> &'static Lang {
    &ALL[SPOKEN.load(Ordering::Relaxed)]
}

pub fn all() -> &'static [Lang] {
    &ALL
}

fn read(file: &str) -> BTreeMap<String, String> {
    toml::from_str(file).expect("a built-in file is valid TOML")
}

impl Default for &Lang {
    fn default() -> Self {
        Lang::usual()
    }
}

impl Lang {
    const fn new(code: &'static str, files: LanguageFiles) -> Lang {
        Lang {
            code,
            files,
            texts: OnceLock::new(),
            translations: OnceLock::new(),
            for_pages: OnceLock::new(),
        }
    }

    pub fn usual() -> &'static Lang {
        &ALL[0]
    }

    pub fn other(&self) -> &'static Lang {
        let other = ALL.iter().find(|other| other.code != self.code);
        other.unwrap_or(Lang::usual())
    }

    pub fn of(code: &str) -> Option<&'static Lang> {
        let short = code.split(['-', '_', '.']).next().unwrap_or_default();
        ALL.iter().find(|lang| lang.code == short)
    }

    /// Returns the first known language of a list such as a browser's `zh-CN,zh;q=0.9,en`. Ignores the weights `q`.
    pub fn wanted(list: &str) -> Option<&'static Lang> {
        let codes = list.split(',').filter_map(|one| one.split(';').next());
        codes.map(str::trim).find_map(Lang::of)
    }

    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.texts().get(key).map_or(key, String::as_str)
    }

    pub fn word<'a>(&'a self, kind: &str, word: &'a str) -> &'a str {
        let text = self.texts().get(&format!("{kind}.{word}"));
        text.map_or(word, String::as_str)
    }

    pub fn with(&self, key: &str, values: &[(&str, &dyn Display)]) -> String {
        let value = |name: &str| {
            let value = values.iter().find(|(known, _)| *known == name);
            value.map_or_else(String::new, |(_, value)| value.to_string())
        };
        let filled = parts(self.get(key)).into_iter().map(|part| match part {
            TemplatePart::Fixed(text) => text.to_owned(),
            TemplatePart::Place(name) => value(&name),
            TemplatePart::Form { name, one, other } => {
                if value(name) == "1" { one } else { other }.to_owned()
            }
        });
        filled.collect()
    }

    /// Renders a message in this language. A part without a translation stays English.
    pub fn render(&self, message: &Message) -> String {
        let text_of = |text: &str| self.translation(text);
        let is_english = self.files.parts.is_empty();
        let text = message.rendered((!is_english).then_some(&text_of));
        SafeText::from(text).into()
    }

    /// Translates a text line by line and keeps the indentation. Returns `None` if no line has a translation.
    fn translation(&self, text: &str) -> Option<String> {
        if self.files.parts.is_empty() {
            return None;
        }
        let parts = || self.files.parts.iter().flat_map(|(_, file)| read(file));
        // The words for reasons are in the files of texts.
        let reasons = || {
            let english = Lang::usual().texts().iter();
            let reasons = english.filter(|(key, _)| key.starts_with("reason."));
            reasons.map(|(key, text)| (text.clone(), self.get(key).to_owned()))
        };
        let all = self
            .translations
            .get_or_init(|| reasons().chain(parts()).collect());
        let mut is_known = false;
        let lines = text.split('\n').map(|line| {
            let body = line.trim_start();
            let other = all
                .get(body)
                .or_else(|| self.texts().get(&format!("reason.{body}")));
            is_known |= other.is_some();
            let (blanks, body) = (
                &line[..line.len() - body.len()],
                other.map_or(body, String::as_str),
            );
            format!("{blanks}{body}")
        });
        let lines: Vec<String> = lines.collect();
        is_known.then(|| lines.join("\n"))
    }

    pub fn fixed<'a>(&self, english: &'a str) -> Cow<'a, str> {
        let other = self.translation(english);
        other.map_or(english.into(), Cow::Owned)
    }

    /// Translates a comment of a bot template sentence by sentence; `None` if a sentence has no translation.
    pub fn comment(&self, english: &str) -> Option<String> {
        let (mut translated, mut rest) = (String::new(), english);
        while !rest.is_empty() {
            let blanks = rest.match_indices(' ').map(|(at, _)| at);
            let mut ends = blanks.chain([rest.len()]).rev();
            let (other, end) = ends.find_map(|end| Some((self.translation(&rest[..end])?, end)))?;
            // Chinese sentences have no blanks between them.
            if translated.ends_with(|c: char| c.is_ascii()) {
                translated.push(' ');
            }
            translated += &other;
            rest = rest[end..].trim_start();
        }
        Some(translated)
    }

    /// Returns the translations that a page may need, with the words of the record, by English text. Empty for English.
    pub fn for_pages(&self) -> &BTreeMap<String, String> {
        let is_of_pages = |(part, _): &&(&str, &str)| OF_PAGES.contains(part);
        self.for_pages.get_or_init(|| {
            let parts = self.files.parts.iter().filter(is_of_pages);
            let words = self.texts().iter();
            let words = words.filter_map(|(key, text)| Some((key.strip_prefix("reason.")?, text)));
            let words = words.map(|(word, text)| (word.to_owned(), text.clone()));
            words
                .filter(|_| !self.files.parts.is_empty())
                .chain(parts.flat_map(|(_, file)| read(file)))
                .collect()
        })
    }

    pub fn protocol(&self) -> &'static str {
        self.files.protocol
    }

    pub fn texts(&self) -> &BTreeMap<String, String> {
        self.texts.get_or_init(|| read(self.files.texts))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn values(text: &str) -> BTreeSet<Cow<'_, str>> {
        let names = parts(text).into_iter().filter_map(|part| match part {
            TemplatePart::Fixed(_) => None,
            TemplatePart::Place(name) => Some(name),
            TemplatePart::Form { name, .. } => Some(name.into()),
        });
        names.collect()
    }

    #[test]
    fn every_language_has_every_text_with_the_same_values() {
        let usual = Lang::usual();
        for lang in all() {
            let keys: Vec<_> = lang.texts().keys().collect();
            let expected: Vec<_> = usual.texts().keys().collect();
            assert_eq!(keys, expected, "{}", lang.code);
            for (key, text) in lang.texts() {
                assert!(!text.trim().is_empty(), "{} {key}", lang.code);
                assert_eq!(values(text), values(usual.get(key)), "{} {key}", lang.code);
            }
            let translations = lang.files.parts.iter().flat_map(|(_, file)| read(file));
            for (english, text) in translations {
                assert_eq!(values(&text), values(&english), "{} {english}", lang.code);
            }
        }
    }

    #[test]
    fn the_first_known_language_of_a_list_is_taken() {
        let wanted = |list| Lang::wanted(list).map(|lang| lang.code);
        assert_eq!(wanted("zh-CN,zh;q=0.9,en;q=0.8"), Some("zh"));
        assert_eq!(wanted("fr, en-GB;q=0.5"), Some("en"));
        assert_eq!(wanted("zh_CN.UTF-8"), Some("zh"));
        assert_eq!(wanted("fr"), None);
        assert_eq!(wanted(""), None);
    }
}
