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

/// A text with values, cut at them.
#[derive(Debug)]
pub struct Phrase {
    /// As it stands in the source.
    pub english: Vec<Piece>,
    /// Its translation.
    pub other: Vec<Piece>,
}

/// A part of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// It stands as it is.
    Text(String),
    /// A value: its name, and what follows the name (`:?`, `!`, `!!`, `#`).
    Value(String, String),
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
    said.push_str(if is_apart { next.trim_start() } else { next });
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

    #[test]
    fn a_phrase_is_cut_at_its_values() {
        let value = |name: &str, how: &str| Piece::Value(name.to_owned(), how.to_owned());
        let text = |text: &str| Piece::Text(text.to_owned());
        for (phrase, expected) in [
            ("no value", vec![text("no value")]),
            (
                "{} of {line:?}!",
                vec![value("0", ""), text(" of "), value("line", ":?"), text("!")],
            ),
            (
                "{why!}{count#}",
                vec![value("why", "!"), value("count", "#")],
            ),
            (
                "{{\"x\":{x}}}",
                vec![text("{\"x\":"), value("x", ""), text("}")],
            ),
            ("{\"x\":2}", vec![text("{\"x\":2}")]),
        ] {
            assert_eq!(cut(phrase), expected, "{phrase}");
        }
    }

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
