//! A phrase: a sentence that the code makes in English, and the same in another language.
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
//! translation, `{why!}` is made of phrases, too, `{word!!}` of nothing else, and `{count#}` is a number or a list of numbers.
//!
//! Here a phrase is read; [`phrases`](super::phrases) finds those of a text.

use crate::template::{Piece, cut};

/// A text with values, cut at them.
#[derive(Debug)]
pub struct Phrase {
    /// As it stands in the source.
    pub english: Vec<Piece>,
    /// Its translation.
    pub other: Vec<Piece>,
}

impl Phrase {
    /// A phrase and its translation, as a file of ours has them.
    pub fn new(english: &str, other: &str) -> Phrase {
        Phrase {
            english: cut(english),
            other: cut(other),
        }
    }

    /// The length of its own words in English, in bytes.
    pub fn length(&self) -> usize {
        let of = |piece: &Piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Value(..) => 0,
        };
        self.english.iter().map(of).sum()
    }

    /// Whether other phrases may follow it.
    pub fn is_sentence(&self) -> bool {
        matches!(self.english.last(), Some(Piece::Text(text)) if is_end(text))
    }
}

/// Whether a sentence ends with this.
pub fn is_end(text: &str) -> bool {
    text.ends_with(['.', ':', '!', '?', '。'])
}

/// Adds what comes next: Chinese and Latin letters stand apart, and nothing from a full-width sign.
pub fn append(said: &mut String, next: &str) {
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
    said.push_str(if is_apart {
        next.trim_start_matches(' ')
    } else {
        next
    });
}

/// A phrase with fewer letters of its own is in many texts by chance, unless its values are numbers.
const FEWEST: usize = 8;

/// A phrase and its translation with values that are only names: `{v0}`, `{v1}`, `{v1#}` for a number. `None` for a phrase that only
/// its values tell from other texts.
pub fn plain(english: &str, other: &str) -> Option<(String, String)> {
    let phrase = Phrase::new(english, other);
    let is_told_by_values = |piece: &Piece| matches!(piece, Piece::Value(_, how) if how == "!!");
    let is_number = |piece: &Piece| !matches!(piece, Piece::Value(_, how) if how != "#");
    let is_short = phrase.english.len() > 1 && phrase.length() < FEWEST;
    let is_short = is_short && !phrase.other.iter().all(is_number);
    if is_short || phrase.other.iter().any(is_told_by_values) {
        return None;
    }
    let Phrase { english, other } = phrase;
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
            Piece::Value(name, how) => {
                let named = names.iter().position(|known| known == name);
                let place = named.or_else(|| name.parse().ok().filter(|at| *at < names.len()))?;
                let sign = if how == "#" { "#" } else { "" };
                said += &format!("{{v{place}{sign}}}");
            }
        }
    }
    Some((written, said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_phrases_with_numbered_values() {
        let plain = |english, other| plain(english, other);
        let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        assert_eq!(
            plain("It wrote {line:?}: {why}.", "{why!}：{line}。"),
            pair("It wrote {v0}: {v1}.", "{v1}：{v0}。")
        );
        assert_eq!(
            plain("{} of {}", "{1} 的 {0}"),
            None,
            "too short to be told"
        );
        assert_eq!(
            plain("game {n}", "第 {n#} 局"),
            pair("game {v0}", "第 {v0#} 局")
        );
        assert_eq!(plain("It has {fault}.", "它{fault!!}。"), None);
    }
}
