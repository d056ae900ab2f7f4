//! Every sentence that a user sees, in English and in Simplified Chinese.
//!
//! A text of a page or a screen is found by its key: one file a language. `{name}` in it stands for a value.
//! Words of the record (`out-of-time`, `five`) are keys, too, as `reason.out-of-time`; what has no text is
//! shown as it is written. A sentence that is made elsewhere, such as what the doctor found, is made in
//! English; [`Lang::say`] says it in the language, from the [`phrases`] of one file a room.
//!
//! This module reads no environment and no request: [`Lang::wanted`] is told what a user asks for, and
//! [`speak`] what the person at the terminal does.

pub mod phrases;
pub mod width;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use phrases::Phrases;

/// The texts of one language.
#[derive(Debug)]
pub struct Lang {
    /// Its code, as HTML writes it.
    pub code: &'static str,
    texts: BTreeMap<String, String>,
    phrases: Phrases,
    comments: Phrases,
}

/// Code and texts of each language; the first is the one that is used where nobody asks.
const FILES: [(&str, &str); 2] = [
    ("en", include_str!("en.toml")),
    ("zh", include_str!("zh.toml")),
];

macro_rules! rooms {
    ($($room:literal)*) => {
        &[$(($room, include_str!(concat!("zh/", $room, ".toml")))),*]
    };
}

/// The rooms of the Chinese phrases, and their files.
const CHINESE: &[(&str, &str)] = rooms! {
    "arena" "doctor" "fault" "files" "grade" "match" "programs" "stages"
};

/// The comments of the templates of new bots, a book of their own.
const TEMPLATES: &str = include_str!("zh/templates.toml");

/// What the person at the terminal speaks.
static SPOKEN: AtomicUsize = AtomicUsize::new(0);

/// From now on everything for the person at the terminal is in this language.
pub fn speak(lang: &Lang) {
    let number = all().iter().position(|one| one.code == lang.code);
    SPOKEN.store(number.unwrap_or_default(), Ordering::Relaxed);
}

/// The language of the person at the terminal; English where nobody said.
pub fn spoken() -> &'static Lang {
    &all()[SPOKEN.load(Ordering::Relaxed)]
}

/// The phrases of a room, English and Chinese.
pub fn room(name: &str) -> BTreeMap<String, String> {
    let mut rooms = CHINESE.iter();
    let text = rooms.find(|(room, _)| *room == name).map_or("", |it| it.1);
    toml::from_str(text).expect("a file of ours is sound")
}

/// What a page may have to say of a bot: the phrases of faults and of grades, with plain names of values.
pub fn for_pages() -> BTreeMap<String, String> {
    let all = ["grade", "files", "fault"].into_iter().flat_map(room);
    all.filter_map(|(english, other)| phrases::plain(&english, &other))
        .collect()
}

fn comments(code: &str) -> Phrases {
    let all = || toml::from_str::<BTreeMap<_, _>>(TEMPLATES).expect("a file of ours is sound");
    match code {
        "zh" => Phrases::new(all()),
        _ => Phrases::default(),
    }
}

fn phrases(code: &str) -> Phrases {
    match code {
        "zh" => Phrases::new(CHINESE.iter().flat_map(|(name, _)| room(name))),
        _ => Phrases::default(),
    }
}

/// All languages.
pub fn all() -> &'static [Lang] {
    static ALL: OnceLock<Vec<Lang>> = OnceLock::new();
    ALL.get_or_init(|| {
        let read = |(code, text)| Lang {
            code,
            texts: toml::from_str(text).expect("a file of ours is sound"),
            phrases: phrases(code),
            comments: comments(code),
        };
        FILES.into_iter().map(read).collect()
    })
}

impl Lang {
    /// English.
    pub fn usual() -> &'static Lang {
        &all()[0]
    }

    /// The language of this code, such as `zh` or `zh-CN`.
    pub fn of(code: &str) -> Option<&'static Lang> {
        let short = code.split(['-', '_', '.']).next().unwrap_or_default();
        all().iter().find(|lang| lang.code == short)
    }

    /// The first known language of a list such as a browser's `zh-CN,zh;q=0.9,en`; its order counts.
    pub fn wanted(list: &str) -> Option<&'static Lang> {
        let codes = list.split(',').filter_map(|one| one.split(';').next());
        codes.map(str::trim).find_map(Lang::of)
    }

    /// The text of a key, or the key itself.
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.texts.get(key).map_or(key, String::as_str)
    }

    /// The text of `kind.word`, or the word itself: for words of the record.
    pub fn word<'a>(&'a self, kind: &str, word: &'a str) -> &'a str {
        let text = self.texts.get(&format!("{kind}.{word}"));
        text.map_or(word, String::as_str)
    }

    /// The text of a key, with values for the names in braces.
    pub fn with(&self, key: &str, values: &[(&str, &str)]) -> String {
        let text = self.get(key).to_owned();
        let put = |text: String, (name, value): &(&str, &str)| {
            text.replace(&format!("{{{name}}}"), value)
        };
        values.iter().fold(text, put)
    }

    /// A sentence that was made in English, in this language; what is not known stays as it is.
    pub fn say<'a>(&self, english: &'a str) -> Cow<'a, str> {
        if self.code == Lang::usual().code {
            return english.into();
        }
        let word = |word: &str| self.texts.get(&format!("reason.{word}")).cloned();
        let said = self.phrases.say(english, &word);
        said.map_or(english.into(), Cow::Owned)
    }

    /// A comment of a template in this language, if all of it is known.
    pub fn comment(&self, english: &str) -> Option<String> {
        self.comments.known(english)
    }

    /// The same for each line, without what it begins with: blanks, and signs of a list.
    pub fn say_lines(&self, english: &str) -> String {
        let said = |line: &str| {
            let body =
                line.trim_start_matches(|c: char| !c.is_alphanumeric() && !"{\"/".contains(c));
            format!("{}{}", &line[..line.len() - body.len()], self.say(body))
        };
        let lines: Vec<String> = english.split('\n').map(said).collect();
        lines.join("\n")
    }

    /// All keys and texts.
    pub fn texts(&self) -> &BTreeMap<String, String> {
        &self.texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in braces of a text.
    fn values(text: &str) -> Vec<&str> {
        let mut names: Vec<&str> = text
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split('}').next())
            .collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn every_language_has_every_text_with_the_same_values() {
        let usual = Lang::usual();
        for lang in all() {
            let keys: Vec<_> = lang.texts.keys().collect();
            let expected: Vec<_> = usual.texts.keys().collect();
            assert_eq!(keys, expected, "{}", lang.code);
            for (key, text) in &lang.texts {
                assert!(!text.trim().is_empty(), "{} {key}", lang.code);
                assert_eq!(values(text), values(usual.get(key)), "{} {key}", lang.code);
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
