//! Phrases: sentences that the code makes in English, and the same in another language.
//!
//! Who finds what is wrong with a bot knows no languages, and what is recorded has none: a sentence is made
//! in English, and is put into another language where it is shown. A phrase is the English text as it stands
//! in the source, and its translation:
//!
//! ```toml
//! "It wrote {line:?}: {why}." = "它输出了 {line}：{why!}。"
//! ```
//!
//! A name in braces is a value. `{}` are counted from `{0}`; a value with `:?` is text in quotes. In the
//! translation, `{why!}` is made of phrases, too, `{word!!}` of nothing else, and `{count#}` is a number. A text
//! may be several phrases one after the other, or a list of phrases. What is not in the book stays as it is.
//!
//! Nothing here knows which phrases there are.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

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

/// A text with values, cut at them.
#[derive(Debug)]
struct Phrase {
    english: Vec<Piece>,
    other: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// A value: its name, and what follows the name (`:?`, `!`, `!!`, `#`).
    Value(String, String),
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

/// What is known of parts of the text, so that no part is looked at twice, and how many may still be.
struct Seen {
    said: RefCell<HashMap<(String, bool), Option<String>>>,
    left: Cell<u32>,
}

/// Parts that are looked at. What a bot wrote may be among them, and nobody waits for that.
const MOST: u32 = 2000;

impl Seen {
    fn new() -> Seen {
        Seen {
            said: RefCell::default(),
            left: Cell::new(MOST),
        }
    }
}

impl Phrases {
    /// A book of these phrases and their translations.
    pub fn new(all: impl IntoIterator<Item = (String, String)>) -> Phrases {
        let mut book = Phrases::default();
        for (english, other) in all {
            let (pieces, other) = (cut(&english), cut(&other));
            match pieces.as_slice() {
                [Piece::Text(text)] => drop(book.plain.insert(text.clone(), other)),
                _ => book.patterns.push(Phrase {
                    english: pieces,
                    other,
                }),
            }
        }
        book.patterns
            .sort_by_key(|phrase| std::cmp::Reverse(phrase.length()));
        book
    }

    /// The text in the other language, if all of it is known.
    pub fn known(&self, text: &str) -> Option<String> {
        let way = Way {
            phrases: self,
            word: &|_| None,
            strict: true,
            seen: &Seen::new(),
        };
        way.say(text, 0)
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

impl Phrase {
    fn length(&self) -> usize {
        let of = |piece: &Piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Value(..) => 0,
        };
        self.english.iter().map(of).sum()
    }

    /// Whether other phrases may follow it.
    fn is_sentence(&self) -> bool {
        matches!(self.english.last(), Some(Piece::Text(text)) if is_end(text))
    }
}

fn is_end(text: &str) -> bool {
    text.ends_with(['.', ':', '!', '?', '。'])
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
        let left = self.seen.left.get().checked_sub(1)?;
        self.seen.left.set(left);
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
        let mut values = Vec::new();
        let mut said = None;
        fit(&phrase.english, text, 0, &mut values, &mut |values, end| {
            if !ends(end) {
                return false;
            }
            said = self.put(&phrase.other, values, depth);
            said.is_some()
        });
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

/// Whether it is a number as tables have it, or the sign for none.
fn is_number(value: &str) -> bool {
    let digits = |c: char| c.is_ascii_digit() || ".+-".contains(c);
    value == "–" || !value.is_empty() && value.chars().all(digits)
}

/// Adds what comes next: Chinese and Latin letters stand apart, and nothing from a full-width sign.
fn append(said: &mut String, next: &str) {
    let is_latin = |c: char| c.is_ascii_alphanumeric() || c == '"';
    let is_chinese = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let is_sign = |c: char| "，。：；、！？（）“”".contains(c);
    let (Some(last), Some(first)) = (said.chars().next_back(), next.chars().next()) else {
        said.push_str(next);
        return;
    };
    if is_chinese(last) && is_latin(first) || is_latin(last) && is_chinese(first) {
        said.push(' ');
    }
    let is_apart = is_sign(last) && !said.is_empty();
    said.push_str(if is_apart { next.trim_start() } else { next });
}

/// Two sentences, one after the other.
fn joined(first: String, rest: &str) -> String {
    let wide = first.ends_with(|c: char| !c.is_ascii());
    first + if wide { "" } else { " " } + rest
}

/// Takes the values of a phrase and where it ends; whether that will do.
type Found<'a> = dyn FnMut(&[(&str, &str)], usize) -> bool + 'a;

/// Tries all ways in which the pieces are the text from `at` on, until `found` takes one.
fn fit<'a>(
    pieces: &'a [Piece],
    text: &'a str,
    at: usize,
    values: &mut Vec<(&'a str, &'a str)>,
    found: &mut Found<'_>,
) -> bool {
    let (first, rest) = match pieces.split_first() {
        None => return found(values, at),
        Some((Piece::Text(literal), rest)) => {
            return text[at..].starts_with(literal.as_str())
                && fit(rest, text, at + literal.len(), values, found);
        }
        Some((Piece::Value(name, how), rest)) => ((name, how), rest),
    };
    let (name, how) = first;
    let mut try_until = |end: usize, values: &mut Vec<(&'a str, &'a str)>| {
        values.push((name, &text[at..end]));
        let fits = fit(rest, text, end, values, found);
        values.pop();
        fits
    };
    if how.contains('?') {
        return quoted(&text[at..]).is_some_and(|length| try_until(at + length, values));
    }
    match rest.first() {
        Some(Piece::Text(literal)) => {
            let mut ends = text[at..].match_indices(literal.as_str());
            ends.any(|(end, _)| try_until(at + end, values))
        }
        _ => try_until(text.len(), values),
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

/// A phrase with fewer letters of its own is in many texts by chance.
const FEWEST: usize = 8;

/// A phrase and its translation with values that are only names: `{v0}`, `{v1}`. `None` for a phrase that only
/// its values tell from other texts.
pub fn plain(english: &str, other: &str) -> Option<(String, String)> {
    let (english, other) = (cut(english), cut(other));
    let own = english.iter().map(|piece| match piece {
        Piece::Text(text) => text.len(),
        Piece::Value(..) => 0,
    });
    let is_told_by_values = |piece: &Piece| matches!(piece, Piece::Value(_, how) if how == "!!");
    if english.len() > 1 && own.sum::<usize>() < FEWEST || other.iter().any(is_told_by_values) {
        return None;
    }
    let names = english.iter().filter_map(|piece| match piece {
        Piece::Value(name, _) => Some(name.as_str()),
        Piece::Text(_) => None,
    });
    let names: Vec<&str> = names.collect();
    let mut number = 0;
    let mut written = String::new();
    for piece in &english {
        match piece {
            Piece::Text(text) => written += text,
            Piece::Value(..) => {
                written += &format!("{{v{number}}}");
                number += 1;
            }
        }
    }
    let mut said = String::new();
    for piece in &other {
        match piece {
            Piece::Text(text) => append(&mut said, text),
            Piece::Value(name, _) => {
                let named = names.iter().position(|known| known == name);
                let place = named.or_else(|| name.parse().ok().filter(|at| *at < names.len()))?;
                said += &format!("{{v{place}}}");
            }
        }
    }
    Some((written, said))
}

/// Cuts a text at its values.
fn cut(text: &str) -> Vec<Piece> {
    let (mut pieces, mut literal, mut rest, mut number) = (Vec::new(), String::new(), text, 0);
    // Twice only where the source writes a text with values.
    let doubled = text.contains("{{");
    while let Some(c) = rest.chars().next() {
        if let Some(sign) = ["{{", "}}"].iter().find(|sign| rest.starts_with(**sign))
            && doubled
        {
            literal.push_str(&sign[1..]);
            rest = &rest[2..];
            continue;
        }
        match value(rest) {
            None => {
                literal.push(c);
                rest = &rest[c.len_utf8()..];
            }
            Some((name, how, length)) => {
                let name = if name.is_empty() {
                    number += 1;
                    (number - 1).to_string()
                } else {
                    name.to_owned()
                };
                if !literal.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut literal)));
                }
                pieces.push(Piece::Value(name, how.to_owned()));
                rest = &rest[length..];
            }
        }
    }
    if !literal.is_empty() {
        pieces.push(Piece::Text(literal));
    }
    pieces
}

/// The name of the value with which this begins, what follows the name, and the length of both with braces.
fn value(text: &str) -> Option<(&str, &str, usize)> {
    let inside = text.strip_prefix('{')?.split_once('}')?.0;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = inside.find(|c| !is_name(c)).unwrap_or(inside.len());
    let (name, how) = inside.split_at(name);
    let is_how = ["", "!", "!!", "#"].contains(&how) || how.starts_with(':');
    is_how.then_some((name, how, inside.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Phrases {
        let all = [
            ("It wrote {line:?}: {why}.", "它输出了{line}：{why!}。"),
            ("a \"move\" was expected", "应为 \"move\""),
            ("It {fault}.", "它{fault!!}。"),
            ("used {} of the {} it had", "用了 {0}，限时 {1}"),
            ("Flush it.", "请刷新输出。"),
            ("Print it once.", "只打印一次。"),
            (
                "{side} resigned after {n} of {n} moves",
                "{side!}第 {n} 步认输",
            ),
            ("black", "黑棋"),
            (
                "its response is not such as {{\"x\":{x}}}",
                "应形如 {{\"x\":{x}}}",
            ),
            (
                "Answer {\"type\":\"ready\"}.",
                "回答 {\"type\":\"ready\"}。",
            ),
            ("{word} {count}×", "{word!!} {count#} 次"),
        ];
        Phrases::new(all.map(|(english, other)| (english.to_owned(), other.to_owned())))
    }

    #[test]
    fn sentences_are_said_with_their_values() {
        let word = |word: &str| (word == "crashed").then(|| "崩溃".to_owned());
        let said = |text: &str| book().say(text, &word).unwrap_or_else(|| text.to_owned());
        let long = "It is, as it was; it will be. ".repeat(40);
        let long = long.trim();
        for (english, expected) in [
            (
                "It wrote \"a\\\": b\": a \"move\" was expected.",
                "它输出了 \"a\\\": b\"：应为 \"move\"。",
            ),
            ("It wrote \"x\": who knows.", "它输出了 \"x\"：who knows。"),
            (
                "It used 3 ms of the 2 ms it had.",
                "它用了 3 ms，限时 2 ms。",
            ),
            (
                "Flush it. Print it once. Flush it.",
                "请刷新输出。只打印一次。请刷新输出。",
            ),
            ("Flush it. Or not.", "请刷新输出。Or not."),
            ("black resigned after 3 of 3 moves", "黑棋第 3 步认输"),
            ("its response is not such as {\"x\":2}", "应形如 {\"x\":2}"),
            (
                "Answer {\"type\":\"ready\"}.",
                "回答 {\"type\":\"ready\"}。",
            ),
            // Many ways to cut it, and all are in vain.
            (long, long),
            ("crashed 2×, black 1×", "崩溃 2 次，黑棋 1 次"),
            ("It is not known.", "It is not known."),
            ("black several×", "black several×"),
            ("", ""),
        ] {
            assert_eq!(said(english), expected);
        }
    }
}
