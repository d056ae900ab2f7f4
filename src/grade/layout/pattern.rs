//! Patterns of names, such as `{id}_{name}`, and all ways in which a name fits a pattern.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Literal(String),
    Field(&'static str),
}

/// The name of a pattern's field, and whether a character may be in the field's value.
type PatternField = (&'static str, fn(char) -> bool);

const FIELDS: [PatternField; 15] = [
    ("id", |_| true),
    ("name", |_| true),
    ("login", |_| true),
    ("email", |_| true),
    ("any", |_| true),
    ("file", |_| true),
    // The file's name, to which the platform adds `-1`, `-2`, … when the file is handed in again.
    ("copy", |_| true),
    ("number", |c| c.is_ascii_digit()),
    // Moodle writes a blank for each `_` in a full name.
    ("fullname", |c| c != '_'),
    ("participant", |c| c.is_ascii_digit()),
    ("canvas", |c| c.is_ascii_digit()),
    ("submission", |c| c.is_ascii_digit()),
    ("anonymous", |c| c.is_ascii_alphanumeric()),
    ("order", |c| c.is_ascii_digit()),
    ("date", |c| c.is_ascii_digit() || c == '-'),
];

/// A pattern of the names of hand-ins, such as `{id}_{name}`.
#[derive(Clone, Debug)]
pub struct Pattern(Vec<Piece>);

/// At most this many ways to match a name with a pattern are tried. A student may choose a name with millions of ways.
pub(super) const MOST_WAYS: usize = 256;

pub(super) type Values<'a> = BTreeMap<&'static str, &'a str>;

impl Pattern {
    /// Parses a user's pattern. The pattern must have a field that names the student.
    pub fn parse(text: &str) -> Result<Pattern, String> {
        let pattern = Pattern::of(text)?;
        let names_student = ["id", "name", "login", "email", "number", "participant"]
            .iter()
            .any(|field| pattern.has(field));
        if names_student {
            return Ok(pattern);
        }
        Err("a pattern needs {id}, {name}, {login}, {email} or {number}".to_owned())
    }

    pub(super) fn of(text: &str) -> Result<Pattern, String> {
        let (mut pieces, mut rest) = (Vec::new(), text);
        while let Some((literal, more)) = rest.split_once('{') {
            let field = more.split_once('}').and_then(|(name, after)| {
                let (name, _) = FIELDS.iter().find(|(field, _)| *field == name)?;
                Some((*name, after))
            });
            let Some((field, after)) = field else {
                let names = FIELDS.map(|(name, _)| format!("{{{name}}}")).join(", ");
                return Err(format!("a pattern has the fields {names}"));
            };
            if !literal.is_empty() {
                pieces.push(Piece::Literal(literal.to_owned()));
            } else if !pieces.is_empty() {
                return Err("there must be a text between two fields".to_owned());
            }
            pieces.push(Piece::Field(field));
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Literal(rest.to_owned()));
        }
        Ok(Pattern(pieces))
    }

    pub(super) fn has(&self, field: &str) -> bool {
        let is_it = |piece: &Piece| matches!(piece, Piece::Field(name) if *name == field);
        self.0.iter().any(is_it)
    }

    /// Returns at most [`MOST_WAYS`] ways in which the pattern fits the name; shorter first fields come first.
    pub(super) fn fits<'a>(&self, name: &'a str) -> Vec<Values<'a>> {
        let mut found = Vec::new();
        fit(&self.0, name, &mut Values::new(), &mut found);
        found
    }
}

fn fit<'a>(pieces: &[Piece], rest: &'a str, values: &mut Values<'a>, found: &mut Vec<Values<'a>>) {
    match pieces {
        _ if found.len() == MOST_WAYS => {}
        [] if rest.is_empty() => found.push(values.clone()),
        [] => {}
        [Piece::Literal(literal), more @ ..] => {
            if let Some(rest) = rest.strip_prefix(literal.as_str()) {
                fit(more, rest, values, found);
            }
        }
        [Piece::Field(field), more @ ..] => {
            let known = FIELDS.iter().find(|(name, _)| name == field);
            let (_, allows) = known.expect("a pattern has only these fields");
            let chars = rest.char_indices().take_while(|(_, c)| allows(*c));
            for end in chars.map(|(at, c)| at + c.len_utf8()) {
                let earlier = values.insert(field, &rest[..end]);
                fit(more, &rest[end..], values, found);
                match earlier {
                    Some(earlier) => values.insert(field, earlier),
                    None => values.remove(field),
                };
            }
        }
    }
}
