//! A book of [phrases](super::phrase), and how a text is put into another language by them.
//!
//! A text may be a phrase, several phrases one after the other, or a list of phrases, and so may the values of
//! a phrase. What is not in the book stays as it is. A bot may have written some of the text, so the work is
//! bounded. Nothing here knows which phrases there are.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

use crate::phrase::{Phrase, append, is_end};
use crate::template::Piece;

/// How deep phrases may be in phrases.
const DEEPEST: usize = 8;

/// Signs between the entries of a list, and the same in the other language.
const LISTS: [(&str, &str); 2] = [("; ", "；"), (", ", "，")];

/// The phrases of a language.
#[derive(Debug, Default)]
pub struct Phrases {
    /// Without values.
    plain: BTreeMap<String, Vec<Piece>>,
    /// With values; the longest first, since it says most.
    patterns: Vec<Phrase>,
}

/// How a text is put into words of the other language.
#[derive(Clone, Copy)]
struct Way<'a> {
    phrases: &'a Phrases,
    /// The text of a word of the record, such as `out-of-time`.
    word: &'a dyn Fn(&str) -> Option<String>,
    /// Whether all of it must be known.
    strict: bool,
    seen: &'a Seen,
}

/// What is known of parts of the text, so that no part is looked at twice, and how much may still be looked
/// at.
struct Seen {
    said: RefCell<HashMap<(String, bool), Option<String>>>,
    parts: Cell<u32>,
    bytes: Cell<usize>,
}

/// Parts that are looked at. What a bot wrote may be among them, and nobody waits for that.
const MOST: u32 = 2000;
/// Bytes that are searched for the ends of values.
const MOST_BYTES: usize = 20_000_000;

impl Seen {
    fn new() -> Seen {
        Seen {
            said: RefCell::default(),
            parts: Cell::new(MOST),
            bytes: Cell::new(MOST_BYTES),
        }
    }

    /// Whether so many more bytes may be searched.
    fn may_search(&self, bytes: usize) -> bool {
        let left = self.bytes.get().checked_sub(bytes);
        self.bytes.set(left.unwrap_or(0));
        left.is_some()
    }
}

impl Phrases {
    /// A book of these phrases and their translations.
    pub fn new(all: impl IntoIterator<Item = (String, String)>) -> Phrases {
        let mut book = Phrases::default();
        for (english, other) in all {
            let phrase = Phrase::new(&english, &other);
            match phrase.english.as_slice() {
                [Piece::Text(text)] => drop(book.plain.insert(text.clone(), phrase.other)),
                _ => book.patterns.push(phrase),
            }
        }
        book.patterns
            .sort_by_key(|phrase| std::cmp::Reverse(phrase.length()));
        book
    }

    /// The text in the other language; `None` where nothing of it is known. `word` has words of the record.
    pub fn say(&self, text: &str, word: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        [true, false].into_iter().find_map(|strict| {
            let way = Way {
                phrases: self,
                word,
                strict,
                seen: &Seen::new(),
            };
            way.say(text, 0)
        })
    }
}

impl Way<'_> {
    fn say(self, text: &str, depth: usize) -> Option<String> {
        if depth > DEEPEST || text.is_empty() {
            return None;
        }
        let part = (text.to_owned(), self.strict);
        if let Some(said) = self.seen.said.borrow().get(&part) {
            return said.clone();
        }
        let left = self.seen.parts.get().checked_sub(1)?;
        self.seen.parts.set(left);
        let said = self.look_for(text, depth);
        self.seen.said.borrow_mut().insert(part, said.clone());
        said
    }

    fn look_for(self, text: &str, depth: usize) -> Option<String> {
        if let Some(other) = self.phrases.plain.get(text) {
            return self.put(other, &[], depth);
        }
        let word = (self.word)(text);
        // A list of which all is known comes first: the last value of a phrase would take the rest of it.
        word.or_else(|| self.listed(text, depth).filter(|_| self.strict))
            .or_else(|| self.one(text, depth))
            .or_else(|| self.several(text, depth))
            .or_else(|| self.listed(text, depth))
    }

    /// The text as one phrase with values.
    fn one(self, text: &str, depth: usize) -> Option<String> {
        let mut patterns = self.phrases.patterns.iter();
        patterns.find_map(|phrase| self.matched(phrase, text, depth, |end| end == text.len()))
    }

    /// The text as a phrase and what follows it.
    fn several(self, text: &str, depth: usize) -> Option<String> {
        let ends = text.match_indices(' ').map(|(at, _)| at);
        let plain = ends.filter(|&at| is_end(&text[..at])).find_map(|at| {
            let first = self.phrases.plain.get(&text[..at])?;
            let first = self.put(first, &[], depth)?;
            Some(joined(first, &self.rest(&text[at + 1..], depth)?))
        });
        plain.or_else(|| {
            let sentences = self.phrases.patterns.iter().filter(|one| one.is_sentence());
            sentences.into_iter().find_map(|phrase| {
                let mut rest = None;
                let first = self.matched(phrase, text, depth, |end| {
                    let after = text[end..].strip_prefix(' ');
                    rest = after.and_then(|after| self.rest(after, depth));
                    rest.is_some()
                })?;
                Some(joined(first, &rest?))
            })
        })
    }

    fn rest(self, text: &str, depth: usize) -> Option<String> {
        let said = self.say(text, depth + 1);
        said.or_else(|| (!self.strict).then(|| text.to_owned()))
    }

    /// The text as a list of phrases, all of them known.
    fn listed(self, text: &str, depth: usize) -> Option<String> {
        let mut signs = LISTS.iter().filter(|(sign, _)| text.contains(sign));
        signs.find_map(|(sign, other)| {
            let strict = Way {
                strict: true,
                ..self
            };
            let said = |part: &str| strict.say(part, depth + 1);
            let mut parts = text.split(sign).map(|part| match said(part) {
                None if !self.strict => (part.to_owned(), false),
                None => (String::new(), false),
                Some(part) => (part, true),
            });
            let all: Vec<(String, bool)> = parts.by_ref().collect();
            let known = all.iter().filter(|(_, known)| *known).count();
            let is_said = known == all.len() || !self.strict && known > 0;
            let all: Vec<String> = all.into_iter().map(|(part, _)| part).collect();
            is_said.then(|| all.join(other))
        })
    }

    /// The phrase in the other language, if the text begins with it and `ends` likes where it ends.
    fn matched(
        self,
        phrase: &Phrase,
        text: &str,
        depth: usize,
        mut ends: impl FnMut(usize) -> bool,
    ) -> Option<String> {
        let mut said = None;
        let mut found = |values: &[(&str, &str)], end| {
            if !ends(end) {
                return false;
            }
            said = self.put(&phrase.other, values, depth);
            said.is_some()
        };
        let mut fitting = Fitting {
            text,
            values: Vec::new(),
            seen: self.seen,
            found: &mut found,
        };
        fitting.fit(&phrase.english, 0);
        said
    }

    /// The translation with its values; `None` where a value that is made of phrases is not known.
    fn put(self, other: &[Piece], values: &[(&str, &str)], depth: usize) -> Option<String> {
        let mut said = String::new();
        for piece in other {
            match piece {
                Piece::Text(text) => append(&mut said, text),
                Piece::Value(name, how) => {
                    let named = values.iter().find(|(known, _)| known == name);
                    // Of two values with one name, the second is found by its place.
                    let placed = || values.get(name.parse::<usize>().ok()?);
                    let value = named.or_else(placed)?.1;
                    append(&mut said, &self.value(value, how, depth)?);
                }
            }
        }
        Some(said)
    }

    /// A value as it stands in the translation; `None` if it is not what it is to be.
    fn value(self, value: &str, how: &str, depth: usize) -> Option<String> {
        match how {
            "#" => is_number(value).then(|| value.to_owned()),
            "!" | "!!" => match self.say(value, depth + 1) {
                Some(other) => Some(other),
                None if how == "!!" || self.strict && !value.is_empty() => None,
                None => Some(value.to_owned()),
            },
            _ => Some(value.to_owned()),
        }
    }
}

/// Whether it is a number as tables have it, the sign for none, or a list of numbers.
fn is_number(value: &str) -> bool {
    let digits = |c: char| c.is_ascii_digit() || ".+-, ".contains(c);
    value == "–" || !value.is_empty() && value.chars().all(digits)
}

/// Two sentences, one after the other.
fn joined(first: String, rest: &str) -> String {
    let wide = first.ends_with(|c: char| !c.is_ascii());
    first + if wide { "" } else { " " } + rest
}

/// Takes the values of a phrase and where it ends; whether that will do.
type Found<'f> = dyn FnMut(&[(&str, &str)], usize) -> bool + 'f;

/// A text that may be a phrase: its values so far, and who is asked whether all of them and the end of the
/// phrase will do.
struct Fitting<'a, 'f> {
    text: &'a str,
    values: Vec<(&'a str, &'a str)>,
    seen: &'a Seen,
    found: &'f mut Found<'f>,
}

impl<'a> Fitting<'a, '_> {
    /// Tries all ways in which the pieces are the text from `at` on, until one will do.
    fn fit(&mut self, pieces: &'a [Piece], at: usize) -> bool {
        let text = self.text;
        let (name, how, rest) = match pieces.split_first() {
            None => return (self.found)(&self.values, at),
            Some((Piece::Text(literal), rest)) => {
                return text[at..].starts_with(literal.as_str())
                    && self.fit(rest, at + literal.len());
            }
            Some((Piece::Value(name, how), rest)) => (name, how, rest),
        };
        if how.contains('?') {
            return quoted(&text[at..])
                .is_some_and(|length| self.fit_with(name, at, at + length, rest));
        }
        match rest.first() {
            Some(Piece::Text(literal)) => {
                let mut ends = text[at..].match_indices(literal.as_str());
                self.seen.may_search(text.len() - at)
                    && ends.any(|(end, _)| self.fit_with(name, at, at + end, rest))
            }
            _ => self.fit_with(name, at, text.len(), rest),
        }
    }

    /// The same if the text up to `end` is the value of this name.
    fn fit_with(&mut self, name: &'a str, at: usize, end: usize, rest: &'a [Piece]) -> bool {
        self.values.push((name, &self.text[at..end]));
        let fits = self.fit(rest, end);
        self.values.pop();
        fits
    }
}

/// The length of the text in quotes with which this begins.
fn quoted(text: &str) -> Option<usize> {
    let mut escaped = false;
    let inside = text.strip_prefix('"')?;
    let end = inside.char_indices().find(|&(_, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map(|(at, _)| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_said_with_their_values() {
        let rows = include_str!("../../../tests/chinese/phrases.txt");
        let (phrases, texts) = rows.split_once("\n---\n").expect("a rule");
        let rows = |rows: &'static str| rows.lines().filter_map(|row| row.split_once(" → "));
        let owned = |(english, other): (&str, &str)| (english.to_owned(), other.to_owned());
        let book = Phrases::new(rows(phrases).map(owned));
        let word = |word: &str| (word == "crashed").then(|| "崩溃".to_owned());
        let said = |text: &str| book.say(text, &word).unwrap_or_else(|| text.to_owned());
        for (english, expected) in rows(texts) {
            assert_eq!(said(english), expected);
        }
        // There are many ways to cut these, and all are in vain. The second is as long as a line of a bot may be: in
        // 10¹² ways it could be four values.
        let long = "It is, as it was; it will be. ".repeat(40);
        let hostile = " or ".repeat(16_000);
        for text in [long.trim(), &hostile, ""] {
            assert_eq!(said(text), text);
        }
    }
}
