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
