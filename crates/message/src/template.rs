//! A text with places for values, as in `format!`.

/// Puts values into the places of a text. `value` gets the name of each place, or else its number.
pub fn filled(text: &str, value: impl Fn(&str) -> String) -> String {
    let (mut filled, mut rest, mut number) = (String::new(), text, 0);
    // Braces are doubled only in texts with values.
    let doubled = text.contains("{{");
    while let Some(at) = rest.find(['{', '}']) {
        filled += &rest[..at];
        rest = &rest[at..];
        if doubled && (rest.starts_with("{{") || rest.starts_with("}}")) {
            filled += &rest[..1];
            rest = &rest[2..];
        } else if let Some((name, length)) = place(rest) {
            if name.is_empty() {
                filled += &value(&number.to_string());
                number += 1;
            } else {
                filled += &value(name);
            }
            rest = &rest[length..];
        } else {
            filled += &rest[..1];
            rest = &rest[1..];
        }
    }
    filled + rest
}

/// Returns the name of the place at the start of the text, and the length of the place with its braces.
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
            assert_eq!(filled(text, |name| format!("<{name}>")), expected, "{text}");
        }
    }
}
