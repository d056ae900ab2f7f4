//! A text with places for values, as in `format!`.

use std::borrow::Cow;

/// A part of a text: a fixed part, or the place of a value, with its name or its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart<'a> {
    Fixed(&'a str),
    Place(Cow<'a, str>),
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
        } else if let Some((name, length)) = place(brace) {
            parts.push(TemplatePart::Fixed(&rest[..at]));
            parts.push(TemplatePart::Place(if name.is_empty() {
                number += 1;
                (number - 1).to_string().into()
            } else {
                name.into()
            }));
            rest = &brace[length..];
        } else {
            parts.push(TemplatePart::Fixed(&rest[..=at]));
            rest = &brace[1..];
        }
    }
    parts.push(TemplatePart::Fixed(rest));
    parts
}

/// Returns the name of the place at the start of the text, and the length of the place, braces included.
fn place(text: &str) -> Option<(&str, usize)> {
    let inside = text.strip_prefix('{')?.split_once('}')?.0;
    let name = inside.split(':').next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars()
        .all(is_name)
        .then_some((name, inside.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_to_their_places() {
        for (text, expected) in [
            ("no value", "no value"),
            ("{} of {line:?}!, {}", "<0> of <line>!, <1>"),
            (r#"{{"x":{x}}}"#, r#"{"x":<x>}"#),
            (r#"{"x":2}"#, r#"{"x":2}"#),
            ("a } and {", "a } and {"),
        ] {
            let filled = parts(text).into_iter().map(|part| match part {
                TemplatePart::Fixed(text) => text.to_owned(),
                TemplatePart::Place(name) => format!("<{name}>"),
            });
            assert_eq!(filled.collect::<String>(), expected, "{text}");
        }
    }
}
