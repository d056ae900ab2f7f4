//! A text with places for values, as `format!` has it, cut at the places.

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// It stands as it is.
    Text(String),
    /// A value: its name, and what follows the name (`:?`, `!`, `!!`, `#`).
    Value(String, String),
}

/// Cuts a text at its values.
pub fn cut(text: &str) -> Vec<Piece> {
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
    fn a_text_is_cut_at_its_values() {
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
}
