//! A text with places for values, as in `format!`, and with words that agree with a number: in
//! `{games} {games|game|games}`, the second place is `game` if the value of `games` is 1. `message.js` has the same
//! rules.

use std::borrow::Cow;

/// A part of a text: a fixed part, or the place of a value, with its name or its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart<'a> {
    Fixed(&'a str),
    Place(Cow<'a, str>),
    /// The place of a word, with the name of the value that it agrees with.
    Form {
        name: &'a str,
        one: &'a str,
        other: &'a str,
    },
}

pub fn parts(text: &str) -> Vec<TemplatePart<'_>> {
    let (mut parts, mut rest, mut number) = (Vec::new(), text, 0);
    // A text without values may have single braces. Only a text with values doubles them.
    let doubled = text.contains("{{");
    while let Some(at) = rest.find(['{', '}']) {
        let brace = &rest[at..];
        if doubled && (brace.starts_with("{{") || brace.starts_with("}}")) {
            parts.push(TemplatePart::Fixed(&rest[..=at]));
            rest = &brace[2..];
        } else if let Some((part, length)) = place(brace) {
            parts.push(TemplatePart::Fixed(&rest[..at]));
            parts.push(match part {
                TemplatePart::Place(name) if name.is_empty() => {
                    number += 1;
                    TemplatePart::Place((number - 1).to_string().into())
                }
                part => part,
            });
            rest = &brace[length..];
        } else {
            parts.push(TemplatePart::Fixed(&rest[..=at]));
            rest = &brace[1..];
        }
    }
    parts.push(TemplatePart::Fixed(rest));
    parts
}

/// Returns the place at the start of the text, and its length, braces included.
fn place(text: &str) -> Option<(TemplatePart<'_>, usize)> {
    let inside = text.strip_prefix('{')?.split_once('}')?.0;
    let (name, rest) = inside.split_at(inside.find([':', '|']).unwrap_or(inside.len()));
    let forms = rest
        .strip_prefix('|')
        .and_then(|forms| forms.split_once('|'));
    let part = match forms {
        Some((one, other)) => TemplatePart::Form { name, one, other },
        None => TemplatePart::Place(name.into()),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars()
        .all(is_name)
        .then_some((part, inside.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_to_their_places() {
        for (text, expected) in cases::cases::<(String, String)>("templates") {
            let filled = parts(&text).into_iter().map(|part| match part {
                TemplatePart::Fixed(text) => text.to_owned(),
                TemplatePart::Place(name) => format!("<{name}>"),
                TemplatePart::Form { name, one, other } => format!("<{name}: {one} or {other}>"),
            });
            assert_eq!(filled.collect::<String>(), expected, "{text}");
        }
    }
}
